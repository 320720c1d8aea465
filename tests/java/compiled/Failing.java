// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=2 -XX:-OmitStackTraceInFastThrow
/* Each instruction that can throw does so in compiled code: the exception, its message and lines are those of the interpreter. */
public class Failing {
    int f; Object r; static int counter;
    static int divide(int a, int b) {
        counter++;
        return a / b;
    }
    static long remainder(long a, long b) { return a + 1
        % b; }
    static int load(int[] a, int i) { return a[i]; }
    static void store(double[] a, int i, double v) {
        counter += 2;
        a[i] = v;
    }
    static int length(Object[] a) { return a.length; }
    static int field(Failing x) { return 3 + x.f; }
    static void put(Failing x, Object v) { x.r = v; }
    static String cast(Object o) { return (String) o; }
    static Runnable castInterface(Object o) { return (Runnable) o; }
    static void element(Object[] a, Object v) { a[0] = v; }
    static int[] negative(int n) { return new int[n]; }
    static Object[][] negatives(int n) { return new Object[2][n]; }
    static String call(Object o) { return o.toString(); }
    static int callInterface(CharSequence s) { return s.length(); }
    static void monitor(Object o) { synchronized (o) { counter++; } }
    static void raise(RuntimeException e) { throw e; }
    static int thrown(int depth, int kind) {
        if (depth > 0) return thrown(depth - 1, kind) + 1;
        return divide(kind, 0);
    }
    static int caught(int k) {
        int r = 1;
        for (int i = 0; i < 10; i++) {
            try {
                r += 3;
                if (i % 3 == k) divide(i, 0);
                r *= 2;
            } catch (ArithmeticException e) {
                r += i;
                continue;
            } finally {
                r ^= 5;
            }
            r++;
        }
        return r;
    }
    static int nested(int[] a, int i) {
        try {
            try { return a[i]; }
            catch (ArrayIndexOutOfBoundsException e) { return a[i - 3]; }
        } catch (IndexOutOfBoundsException | NullPointerException e) {
            return e.getMessage() == null ? -1 : e.getMessage().length();
        }
    }
    static int held(Object lock, int[] a) { synchronized (lock) { return a[5]; } }
    interface Act { void run() throws Throwable; }
    static void attempt(String what, Act a) {
        for (int i = 0; i < 4; i++)
            try {
                a.run();
                if (i == 3) System.out.println(what + " passed");
            } catch (Throwable e) {
                StackTraceElement[] s = e.getStackTrace();
                if (i == 3) System.out.println(what + " " + e + " " + s[0] + " " + s[1]);
            }
    }
    public static void main(String[] args) throws Throwable {
        Failing x = new Failing();
        for (int i = 1; i < 4; i++) { divide(4, i); remainder(5, i); load(new int[4], i); store(new double[4], i, i); length(args); field(x); put(x, x);
            cast("s"); castInterface((Runnable) () -> {}); element(new String[1], "s"); negative(i); negatives(i); call(x.getClass()); callInterface("s"); monitor(x); caught(i); nested(new int[5], i); held(x, new int[6]);
            try { raise(new RuntimeException("r" + i)); } catch (RuntimeException e) { counter++; } }
        attempt("divide", () -> divide(1, 0));
        attempt("remainder", () -> remainder(1, 0));
        attempt("load null", () -> load(null, 1));
        attempt("load low", () -> load(new int[3], -1));
        attempt("load high", () -> load(new int[3], 3));
        attempt("store null", () -> store(null, 1, 1));
        attempt("store high", () -> store(new double[3], 1 << 30, 1));
        attempt("length", () -> length(null));
        attempt("field", () -> field(null));
        attempt("put", () -> put(null, "v"));
        attempt("cast", () -> cast(3));
        attempt("cast null", () -> cast(null));
        attempt("cast interface", () -> castInterface("s"));
        attempt("element", () -> element(new String[1], 3));
        attempt("element null", () -> element(new String[1], null));
        attempt("element index", () -> element(new String[0], "s"));
        attempt("negative", () -> negative(-5));
        attempt("negatives", () -> negatives(-6));
        attempt("call", () -> call(null));
        attempt("call interface", () -> callInterface(null));
        attempt("monitor", () -> monitor(null));
        attempt("raise", () -> raise(new IllegalStateException("i")));
        attempt("raise null", () -> raise(null));
        attempt("thrown", () -> thrown(5, 3));
        attempt("held", () -> held(x, new int[2]));
        if (Thread.holdsLock(x)) System.out.println("still locked");
        for (int k = 0; k < 6; k++) System.out.print(caught(k) + " " + nested(new int[4], k * 2) + " " + nested(null, k) + " ");
        System.out.println(counter);
    }
}
