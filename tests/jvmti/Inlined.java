// SPDX-License-Identifier: Apache-2.0
/** Methods that compilers put in place of their calls, with what agents want of them while callers are hot. */
public class Inlined {
    static native void breakpoint(Class<?> c, String method, boolean on);
    static native void watch(Class<?> c, String field, boolean on);
    /** Sets an int local of the frame at `depth` above the native's. */
    static native void setLocal(int depth, int slot, int value);
    static native void notifyPop(int depth);
    static native void frames();
    /** The next breakpoint leaves its method with this. */
    static native void forceReturn(int value);

    int count = 5;
    static int small(int n) { return n * 3 + 1; }
    static int smaller(int n) { return small(n + 1) - 2; }
    int counted(int n) { return n > 0 ? count + n : count; }
    static int used(int n) { return smaller(n) + small(n); }
    static int use(Inlined x, int n) { return used(n) * 2 + x.counted(n); }

    static int looked(int n, int depth, int value) {
        if (depth > 0) setLocal(depth, 0, value);
        return n * 10;
    }
    static int looker(int n, int depth, int value) { return looked(n + 1, depth, value) + n; }
    static int look(int n, int depth, int value) {
        int r = looker(n, depth, value);
        return r * 1000 + n;
    }

    static int popped(int n, int depth) {
        if (depth >= 0) notifyPop(depth);
        return n + 1;
    }
    static int popper(int n, int depth) { return popped(n, depth) * 2; }
    static int pop(int n, int depth) { return popper(n, depth) + 5; }

    static int shown(boolean really) {
        if (really) frames();
        return 1;
    }
    static int showing(boolean really) { return shown(really) + 1; }
    static int show(boolean really) { return showing(really) + 1; }

    static int warm(Inlined x) {
        int r = 0;
        for (int i = 0; i < 20000; i++) r += use(x, i & 7) + look(i, 0, 0) + pop(i, -1) + show(false);
        return r;
    }

    public static void main(String[] a) throws Exception {
        Inlined x = new Inlined();
        System.out.println(warm(x));
        show(true);
        frames();
        for (String m : new String[] {"small", "counted", "smaller"}) {
            breakpoint(Inlined.class, m, true);
            System.out.println(m + " " + use(x, 3));
            forceReturn(77);
            System.out.println(m + " forced " + use(x, 3));
            breakpoint(Inlined.class, m, false);
            System.out.println(use(x, 4) + " " + warm(x));
        }
        for (int depth = 1; depth <= 3; depth++) System.out.println("local " + depth + ": " + look(7, depth, 4));
        System.out.println(warm(x));
        look(7, 1, 4); /* once more, nothing left to be made for the first time */
        System.out.println(look(7, 1, 4) + " " + look(7, 2, 4) + " " + look(7, 3, 4));
        for (int i = 0; i < 2; i++) {
            for (int depth = 1; depth <= 3; depth++) System.out.println("pop " + depth + ": " + pop(7, depth));
            System.out.println(warm(x));
        }
        watch(Inlined.class, "count", true);
        System.out.println(use(x, 3));
        watch(Inlined.class, "count", false);
        System.out.println(use(x, 3) + " " + warm(x));
        for (int i = 0; i < 3; i++) show(true);
    }
}
