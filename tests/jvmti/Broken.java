// SPDX-License-Identifier: Apache-2.0

/** Hot methods with a breakpoint, at each of their instructions in turn: driver of agent_broken.c. */
public class Broken {
    /** Locations of the method that run while it is called, by single steps. */
    static native void follow(java.lang.reflect.Method m, boolean on);
    static native int locations();
    static native void set(int which, int environment, boolean on);
    static native void listen(int environments, Thread only);
    static native void plan(String what, int countdown);
    static native void tell();

    interface Shape { int area(int k); }
    static class Square implements Shape { int side = 3; public int area(int k) { return side * side + k; } }
    static class Line implements Shape { public int area(int k) { return k; } }
    static class Late { static int value = 7; static int twice(int x) { return 2 * x; } }
    static final Shape[] SHAPES = {new Square(), new Line()};
    static int field, late;
    int own;

    static int loop(int n) {
        int s = 0;
        for (int i = 0; i < 12; i++) {
            s += i * n;
            s ^= i << 3;
        }
        return s;
    }
    static int turns(int n) {
        int s = n, k = 5;
        do {
            if ((s & 1) == 0) s = s / 2 + 1;
            else s = 3 * s - k;
            long wide = s;
            if (wide > 100L) s -= 90;
        } while (--k > 0);
        return s;
    }
    static int fails(int n) {
        int s = 0;
        for (int i = 0; i < 4; i++) {
            int[] a = i == 1 ? null : new int[3];
            try {
                a[i] = n / (i - 2);
                s += a[i] + ((Square) SHAPES[i & 1]).area(n);
            } catch (ArithmeticException e) {
                s += 1;
            } catch (NullPointerException e) {
                s += 2;
            } catch (RuntimeException e) {
                s += 3;
            }
        }
        return s;
    }
    static int calls(int n) {
        int s = Math.max(n, 3), r = small(s);
        for (Shape k : SHAPES) s += k.area(n);
        StringBuilder b = new StringBuilder();
        b.append(s).append('x');
        s += b.length() + "abc".hashCode();
        return s - r;
    }
    static int small(int x) { return x + 1; }
    synchronized int locked(int n) {
        int s = own += n;
        synchronized (SHAPES) { s += n; }
        switch (s & 3) {
        case 0: s += 1; break;
        case 1: s -= 1; break;
        default: s ^= 5;
        }
        own = s & 1023;
        return s;
    }
    static double reals(int n) {
        double d = n * 1.5;
        float f = n;
        if (d > f) d -= f;
        return d > 2 ? d : f;
    }
    static int unmet(int n) {
        int s = n;
        if (late > 0) s += Late.value + Late.twice(n);
        return s;
    }
    static int nested(int n) {
        int s = 0;
        for (int i = 0; i < 3; i++) s += small(i) + small(n);
        return s;
    }

    static final Broken IT = new Broken();
    static long run(String name, int n) {
        switch (name) {
        case "loop": return loop(n);
        case "turns": return turns(n);
        case "fails": return fails(n);
        case "calls": return calls(n);
        case "locked": return IT.locked(n);
        case "reals": return (long) reals(n);
        case "small": return nested(n);
        default: return unmet(n);
        }
    }
    static long rounds(String name, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            try {
                sum = sum * 31 + run(name, i & 15);
            } catch (IllegalStateException e) {
                sum += e.getMessage().length();
            }
        }
        return sum;
    }
    static java.lang.reflect.Method method(String name) throws Exception {
        return Broken.class.getDeclaredMethod(name, int.class);
    }
    static int found(String name) throws Exception {
        follow(method(name), true);
        late = 1;
        rounds(name, 0, 16);
        late = 0;
        follow(method(name), false);
        return locations();
    }

    public static void main(String[] args) throws Exception {
        System.loadLibrary("agent_broken");
        int hot = Integer.getInteger("hot", 130);
        late = 0;
        for (String name : new String[] {"loop", "turns", "fails", "calls", "locked", "reals", "small"}) {
            int n = found(name);
            listen(1, null);
            for (int k = 0; k < n; k++) {
                IT.own = 0;
                set(k, 0, true);
                long sum = rounds(name, 0, hot);
                set(k, 0, false);
                System.out.println(name + " " + k + ": " + sum + " " + rounds(name, 0, hot));
                tell();
            }
            for (int k = 0; k < n; k++) set(k, 0, true); // all at once
            System.out.println(name + ": " + rounds(name, 0, hot));
            tell();
            for (int k = 0; k < n; k++) set(k, 0, false);
        }
        for (int k = 0, n = found("unmet"); k < n; k++) { // instructions that were never executed when the code was made
            listen(1, null);
            set(k, 0, true);
            late = 0;
            long sum = rounds("unmet", 0, hot);
            late = 1;
            sum += rounds("unmet", 0, 20);
            System.out.println("unmet " + k + ": " + sum);
            tell();
            set(k, 0, false);
        }
        String[] doings = {"throw", "return", "pop", "step", "clear", "clear and set", "second on", "second sets", "second only", "off",
                           "for the thread", "collect", "references", "notify", "callbacks gone", "clear and step", "dispose"};
        for (String name : new String[] {"loop", "fails", "calls", "locked"}) {
            int n = found(name);
            for (String what : doings) {
                if ((what.startsWith("second") || what.equals("dispose")) && !Boolean.getBoolean("two")) continue; // of others' environments
                for (int k = 0; k < n; k += name.equals("loop") ? 3 : 9) {
                    IT.own = 0;
                    listen(1, null);
                    set(k, 0, true);
                    rounds(name, 0, hot);
                    System.out.println(what + " " + name + " " + k);
                    tell();
                    plan(what, 3);
                    System.out.println(rounds(name, 0, 10));
                    tell();
                    plan("", 0);
                    for (int e = 0; e < 2; e++) set(k, e, false);
                }
            }
        }
        System.out.println("done");
    }
}
