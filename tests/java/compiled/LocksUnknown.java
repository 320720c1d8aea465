// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2 -XX:-OmitStackTraceInFastThrow
/*
 * Synchronized methods of objects that nobody else knows, with code that may be left in their midst: an index that is out of bounds, null, a cast, a
 * class never seen before. Compilers need not take the monitor; whoever leaves has it, by an exception or by going on, and it is free behind.
 */
public class LocksUnknown {
    int[] cells;
    int i, j = 3;
    Object any = "text";
    Shape shape = new Square();
    static LocksUnknown shown;
    static int calls;

    interface Shape { int area(int n); }
    static final class Square implements Shape { public int area(int n) { return n * n; } }
    static final class Line implements Shape { public int area(int n) { calls++; return Thread.holdsLock(shown) ? n : -n; } }

    LocksUnknown(int n) { cells = new int[n]; for (int k = 0; k < n; k++) cells[k] = k * 7 + 1; }
    LocksUnknown(int[] cells) { this.cells = cells; }

    /* --- regions with exits --- */
    synchronized int next() {
        int k = cells[i] - cells[j];
        if (k < 0) k += 1 << 20;
        cells[j] = k;
        if (i == 0) i = cells.length - 1; else i--;
        if (j == 0) j = cells.length - 1; else j--;
        return k;
    }
    synchronized int at(int n) { i++; int r = cells[n]; j++; return r + i; }
    synchronized int length() { i += 2; return ((String) any).length(); }
    synchronized int over(int n) { i += n; return i / (n - 50); }
    synchronized int area(int n) { j++; int r = shape.area(n); j += r & 1; return r; }
    synchronized int rarely(int n) { i += n; if (n == 61) { shown = this; return asked(); } return i; }
    int asked() { return Thread.holdsLock(this) ? 1000000 : 2000000; }
    synchronized int pair(int n) { return twice(n) + cells[n & 3]; }
    synchronized int twice(int n) { i++; return cells[n] * 2; }

    synchronized int asks(int n) { i += n; return Thread.holdsLock(this) ? i : -i; }

    /* --- their callers --- */
    static int late(int n) { /* made in front of the call, which takes the monitor */
        LocksUnknown l = new LocksUnknown(new int[] {n, 2});
        l.j = n;
        if (n % 7 == 3) return l.j + l.cells[1];
        int r = l.asks(n + l.cells[0]);
        return r + l.j + (Thread.holdsLock(l) ? 100000 : 0);
    }
    static long random(int seed, int n) {
        LocksUnknown r = new LocksUnknown(17);
        long sum = seed;
        for (int k = 0; k < n; k++) sum = sum * 31 + r.next();
        return sum + r.i + r.j;
    }
    static int known(int[] a, int n) { /* not even made */
        LocksUnknown l = new LocksUnknown(a);
        int s = l.at(n & 3) + l.at(1);
        s = s * 3 + l.over(n);
        return s + l.at(n % 5) + l.i * 5 + l.j;
    }
    static int texts(int n) {
        LocksUnknown l = new LocksUnknown((int[]) null);
        if (n % 10 == 9) l.any = n % 20 == 9 ? null : (Object) n;
        int r = l.length();
        return r + l.length() * 3 + l.i;
    }
    static int areas(int n) {
        LocksUnknown l = new LocksUnknown(2);
        if (n > 55) { l.shape = new Line(); shown = l; }
        int r = l.area(n);
        return r + (Thread.holdsLock(l) ? 100000 : 0) + l.j;
    }
    static int rare(int n) {
        LocksUnknown l = new LocksUnknown(1);
        int r = l.rarely(n);
        return r + (Thread.holdsLock(l) ? 100000 : 0) + l.i;
    }
    static int pairs(int n) {
        LocksUnknown l = new LocksUnknown(4);
        int r = 1;
        for (int k = 0; k < 3; k++) r = r * 31 + l.pair((n + k) % 5 == 4 && n > 50 ? 4 : k);
        return r + l.i;
    }
    static int caught(int n) {
        LocksUnknown l = new LocksUnknown(3);
        int r = 0;
        try {
            r = l.at(n % 4);
        } catch (ArrayIndexOutOfBoundsException e) {
            r = 500 + e.getStackTrace()[0].getLineNumber();
        }
        return r * 1000 + l.i * 10 + l.j + (Thread.holdsLock(l) ? 100000000 : 0);
    }
    static int kept(int n) { /* known from some point on */
        LocksUnknown l = new LocksUnknown(3);
        int r = l.at(n % 3) + l.at(1);
        shown = l;
        r += l.at(n % 4);
        return r + l.at(0);
    }

    static void isFree(LocksUnknown l) throws Exception {
        if (l == null) return;
        boolean[] got = {false};
        Thread t = new Thread(() -> { synchronized (l) { got[0] = true; } });
        t.setDaemon(true);
        t.start();
        t.join(20000);
        if (Thread.holdsLock(l) || !got[0]) System.out.println("not free");
    }

    interface Body { long run(int n) throws Exception; }
    static void each(String name, Body body) throws Exception {
        StringBuilder s = new StringBuilder(name);
        for (int n = 0; n < 70; n++) {
            try {
                s.append(' ').append(body.run(n));
            } catch (RuntimeException e) {
                s.append(' ').append(e.getClass().getSimpleName());
                for (int k = 0; k < 2; k++) s.append(':').append(e.getStackTrace()[k].getMethodName()).append(e.getStackTrace()[k].getLineNumber());
            }
            if (n % 23 == 0) isFree(shown);
        }
        System.out.println(s);
        isFree(shown);
    }

    public static void main(String[] args) throws Exception {
        int[] a = {5, 6, 7, 8}, three = {1, 2, 3};
        for (int round = 0; round < 3; round++) {
            each("random", n -> random(n, 40 + n));
            each("known", n -> known(n > 60 ? null : n > 40 ? three : a, n));
            each("texts", n -> texts(n));
            each("areas", n -> areas(n));
            each("rare", n -> rare(n));
            each("pairs", n -> pairs(n));
            each("caught", n -> caught(n));
            each("kept", n -> kept(n));
            each("late", n -> late(n));
            each("late", n -> { long r = 0; for (int k = 0; k < 200; k++) r = r * 31 + late(n + k); return r; });
        }
        System.out.println(calls);
    }
}
