// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2 -XX:-OmitStackTraceInFastThrow
// javac: -XDstringConcat=inline
/*
 * Monitors in code with loops: blocks entered and left on every turn, held around a loop that becomes hot (its frame gets code while it holds them),
 * nested, left by exceptions, break and return; synchronized methods with loops, and such as bodies in them. Which frame holds what is asked in the
 * middle (locked monitors with their depths), and all is free at the end. Counts under contention; wait in a hot loop; a hot static
 * initializer.
 */
import java.lang.management.*;

public class Monitors {
    static final ThreadMXBean MX = ManagementFactory.getThreadMXBean();
    int n;
    final Object a = new Object(), b = new Object();

    /* --- who holds what --- */

    static String holders(Object... known) {
        ThreadInfo t = MX.getThreadInfo(new long[] {Thread.currentThread().getId()}, true, false)[0];
        StringBuilder s = new StringBuilder();
        for (MonitorInfo m : t.getLockedMonitors())
            for (int i = 0; i < known.length; i++)
                if (m.getIdentityHashCode() == System.identityHashCode(known[i]))
                    s.append(i).append('@').append(m.getLockedStackFrame().getMethodName()).append(' ');
        return s.toString();
    }
    String asked = "";
    void ask(int i) { if (i % 60 == 27) asked = (asked + holders(this, a, b, Monitors.class)).hashCode() + " "; }

    synchronized void one(int i) { n += i & 3; ask(i); }
    synchronized void two(int i) { one(i); n++; other(i); }
    void other(int i) { synchronized (a) { n ^= i; ask(i); } }
    static synchronized void fixed(Monitors m, int i) { m.n += 2; m.ask(i); }
    synchronized int turns(int k) {
        int r = 0;
        for (int i = 0; i < k; i++) { one(i); r += n & 7; fixed(this, i); }
        return r;
    }

    static void held() {
        Monitors m = new Monitors();
        int r = 0;
        synchronized (m.b) {
            for (int i = 0; i < 400; i++) {
                m.two(i);
                synchronized (m.a) {
                    r += m.n;
                    synchronized (m.b) { m.one(i); fixed(m, i); }
                }
                r ^= m.n;
            }
        }
        System.out.println("held " + r + " " + m.turns(400) + " " + m.asked + holders(m, m.a, m.b, Monitors.class) + ".");
    }

    /* --- ways out --- */

    int leave(int kind, int i, int[] cells) {
        for (int turn = 0; turn < 3; turn++) {
            synchronized (a) {
                if (kind == 0) continue;
                synchronized (b) {
                    if (kind == 1 && turn == 1) return n + cells[i];
                    if (kind == 2) break;
                    try {
                        n += cells[i] / (kind - 3);
                    } catch (ArithmeticException e) {
                        n += 5;
                        if (Thread.holdsLock(b)) n += 100;
                    }
                }
            }
        }
        return -n;
    }
    synchronized int checked(int i, Object o) { return i > 90 ? ((String) o).length() : i * 3; }
    static synchronized int index(int[] c, int i) { return c[i] + 1; }

    static void ways() {
        Monitors m = new Monitors();
        int[] cells = new int[50];
        long r = 0;
        int caught = 0;
        for (int i = 0; i < 300; i++) {
            try {
                r = r * 31 + m.leave(i % 6, i % 60, cells);
                r += m.checked(i % 100, i % 5 == 0 ? (Object) i : "four");
                r += index(cells, i % 55);
                cells[i % 50] = i;
            } catch (ArrayIndexOutOfBoundsException | ClassCastException e) {
                caught += e.getStackTrace()[0].getLineNumber() % 7 + e.getStackTrace().length;
            }
            if (Thread.holdsLock(m.a) || Thread.holdsLock(m.b) || Thread.holdsLock(m) || Thread.holdsLock(Monitors.class)) r = -1;
        }
        System.out.println("ways " + r + " " + caught + " " + m.n + " " + holders(m, m.a, m.b, Monitors.class) + ".");
    }

    static int nulls(Object o, int k) {
        int r = 0;
        for (int i = 0; i < k; i++) {
            try {
                synchronized (i % 10 == 9 ? null : o) { r += i; }
            } catch (NullPointerException e) {
                r += 1000;
            }
        }
        return r;
    }

    /* --- others want them --- */

    static int shared;
    static final Object LOCK = new Object();
    static synchronized void count() { shared++; }
    static void contended() throws Exception {
        Thread[] all = new Thread[4];
        Monitors m = new Monitors();
        for (int t = 0; t < all.length; t++) {
            all[t] = new Thread(() -> {
                for (int i = 0; i < 4000; i++) {
                    count();
                    synchronized (LOCK) { m.n++; }
                    synchronized (m) { m.asked = ""; }
                }
            });
            all[t].start();
        }
        for (Thread t : all) t.join();
        System.out.println("contended " + shared + " " + m.n);
    }

    static void waiting() throws Exception {
        int[] box = {0};
        Object lock = new Object();
        Thread t = new Thread(() -> {
            try {
                for (int i = 0; i < 500; i++)
                    synchronized (lock) {
                        while (box[0] == 0) lock.wait();
                        box[0]--;
                        lock.notifyAll();
                    }
            } catch (InterruptedException e) { throw new IllegalStateException(e); }
        });
        t.start();
        int most = 0;
        for (int i = 0; i < 500; i++)
            synchronized (lock) {
                while (box[0] > 3) lock.wait();
                box[0]++;
                most = Math.max(most, box[0]);
                lock.notifyAll();
            }
        t.join();
        System.out.println("waiting " + box[0] + " " + (most <= 4));
    }

    /* --- initializers --- */

    static class Hot {
        static final int[] SQUARES = new int[500];
        static int sum;
        static final int LAST;
        static {
            for (int i = 0; i < 20000; i++) {
                SQUARES[i % 500] += i * i;
                sum += SQUARES[(i * 7) % 500];
                synchronized (SQUARES) { sum ^= i; }
                if (i % 1000 == 1) sum += value(i);
            }
            LAST = sum;
        }
        static int value(int i) { return i + sum % 3; }
    }

    public static void main(String[] args) throws Exception {
        held();
        ways();
        System.out.println("nulls " + nulls(LOCK, 500) + " " + Thread.holdsLock(LOCK));
        contended();
        waiting();
        System.out.println("initializer " + Hot.LAST + " " + Hot.sum);
    }
}
