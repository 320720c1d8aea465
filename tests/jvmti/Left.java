// SPDX-License-Identifier: Apache-2.0
import java.util.function.*;

/** Methods that are popped or returned from before their time. */
public class Left {
    /** Values that no frame has (the length of the array) live behind the calls: compiled code passes the arguments above them. */
    static int around(int[] a, int from) {
        int s = 0;
        for (int i = from; i < a.length - 1; i++) {
            s += a[i];
            s ^= passed(i, (long) s << 3, "x", a);
            s += a[i + 1];
        }
        return s;
    }
    /** With too many locals to be part of somebody's code. */
    static int passed(int n, long wide, String text, int[] a) {
        int v0 = n + 0, v1 = n + 1, v2 = n + 2, v3 = n + 3, v4 = n + 4, v5 = n + 5, v6 = n + 6, v7 = n + 7, v8 = n + 8, v9 = n + 9, v10 = n + 10, v11 = n + 11, v12 = n + 12, v13 = n + 13, v14 = n + 14, v15 = n + 15, v16 = n + 16, v17 = n + 17, v18 = n + 18, v19 = n + 19, v20 = n + 20, v21 = n + 21, v22 = n + 22, v23 = n + 23, v24 = n + 24, v25 = n + 25, v26 = n + 26, v27 = n + 27, v28 = n + 28, v29 = n + 29, v30 = n + 30, v31 = n + 31, v32 = n + 32, v33 = n + 33, v34 = n + 34, v35 = n + 35, v36 = n + 36, v37 = n + 37, v38 = n + 38, v39 = n + 39, v40 = n + 40, v41 = n + 41, v42 = n + 42, v43 = n + 43, v44 = n + 44, v45 = n + 45, v46 = n + 46, v47 = n + 47, v48 = n + 48, v49 = n + 49, v50 = n + 50, v51 = n + 51, v52 = n + 52, v53 = n + 53, v54 = n + 54, v55 = n + 55, v56 = n + 56, v57 = n + 57, v58 = n + 58, v59 = n + 59, v60 = n + 60, v61 = n + 61;
        entered++;
        n += v0 ^ v61;
        return n + (int) wide + text.length() + a[n & 3];
    }
    interface Passer { int pass(int n, long wide, String text, int[] a); }
    static class First implements Passer { public int pass(int n, long wide, String text, int[] a) { return passed(n, wide, text, a); } }
    static class Second implements Passer { public int pass(int n, long wide, String text, int[] a) { return passed(n + 1, wide, text, a); } }
    static class Third implements Passer {
        public int pass(int n, long wide, String text, int[] a) {
            int v0 = n + 0, v1 = n + 1, v2 = n + 2, v3 = n + 3, v4 = n + 4, v5 = n + 5, v6 = n + 6, v7 = n + 7, v8 = n + 8, v9 = n + 9, v10 = n + 10, v11 = n + 11, v12 = n + 12, v13 = n + 13, v14 = n + 14, v15 = n + 15, v16 = n + 16, v17 = n + 17, v18 = n + 18, v19 = n + 19, v20 = n + 20, v21 = n + 21, v22 = n + 22, v23 = n + 23, v24 = n + 24, v25 = n + 25, v26 = n + 26, v27 = n + 27, v28 = n + 28, v29 = n + 29, v30 = n + 30, v31 = n + 31, v32 = n + 32, v33 = n + 33, v34 = n + 34, v35 = n + 35, v36 = n + 36, v37 = n + 37, v38 = n + 38, v39 = n + 39, v40 = n + 40, v41 = n + 41, v42 = n + 42, v43 = n + 43, v44 = n + 44, v45 = n + 45, v46 = n + 46, v47 = n + 47, v48 = n + 48, v49 = n + 49, v50 = n + 50, v51 = n + 51, v52 = n + 52, v53 = n + 53, v54 = n + 54, v55 = n + 55, v56 = n + 56, v57 = n + 57, v58 = n + 58, v59 = n + 59, v60 = n + 60, v61 = n + 61;
            entered++;
            n += v0 ^ v61;
            return passed(n + 2, wide, text, a) + n;
        }
    }
    static int aroundAny(Passer[] all, int[] a, int from) {
        int s = 0;
        for (int i = from; i < a.length - 1; i++) {
            s += a[i];
            s ^= all[i % all.length].pass(i, (long) s << 3, "x", a);
            s += a[i + 1];
        }
        return s;
    }
    static int entered;
    static int number(int n, String s) {
        entered++;
        n += 10;
        s = s + "!";
        System.out.println("number " + n + s);
        return n;
    }
    static boolean flag() { entered++; return false; }
    static byte small() { entered++; return 1; }
    static char letter() { entered++; return 'a'; }
    static short medium() { entered++; return 3; }
    static long wide(long a, int b) { entered++; return a + b; }
    static float real() { entered++; return 0; }
    static double big(double d) { entered++; return d; }
    static String text(String s) { entered++; return "no" + s; }
    static int[][] array() { entered++; return null; }
    static void nothing() { entered++; System.out.println("in nothing"); }
    static synchronized int locked() { entered++; return 1; }
    final Object lock = new Object();
    int blocks(int k) {
        synchronized (this) {
            synchronized (lock) {
                entered++;
                k++;
            }
        }
        return k;
    }
    static int finals() {
        try {
            entered++;
            return 1;
        } finally {
            System.out.println("finally");
        }
    }
    interface Shape { int area(int k); }
    static class Box implements Shape { public int area(int k) { entered++; return k * 2; } }
    static int viaLambda(IntUnaryOperator f) { return f.applyAsInt(5); }
    static int concat(String a) { entered++; String s = a + entered; return s.length(); }
    static { nothing(); }
}
