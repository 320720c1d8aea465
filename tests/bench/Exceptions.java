// SPDX-License-Identifier: Apache-2.0
/** Throwing through frames, with and without traces, finally, and VM-thrown exceptions. */
public class Exceptions {
    static final RuntimeException PRE = new RuntimeException("pre", null, false, false) {};
    static int deep(int n, boolean pre) { if (n == 0) { if (pre) throw PRE; throw new IllegalStateException("x"); } try { return deep(n - 1, pre) + 1; } finally { count++; } }
    static int count;

    public static void main(String[] x) {
        long t = System.nanoTime();
        int c = 0;
        Object[] objs = {null, "s", 1};
        for (int i = 0; i < 300000; i++) {
            try { deep(i % 10, i % 3 != 0); } catch (IllegalStateException e) { c += e.getMessage().length(); } catch (RuntimeException e) { c++; }
            try { c += ((String) objs[i % 3]).length(); } catch (NullPointerException e) { c += 2; } catch (ClassCastException e) { c += 3; }
            try { objs[i % 4] = objs[i % 4]; } catch (ArrayIndexOutOfBoundsException e) { c += 5; }
            try { c += 7 / (i & 1); } catch (ArithmeticException e) { c += 7; }
        }
        System.out.println(c + " " + count);
        Bench.done(t);
    }
}
