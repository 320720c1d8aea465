// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=2 -XX:-OmitStackTraceInFastThrow
/* Handlers in compiled code: locals of each kind keep their values on the way there, whatever threw and from however far. */
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

public class Catching {
    static final class Own extends RuntimeException {
        final int n;
        Own(int n) { super("own " + n); this.n = n; }
    }
    int f = 1;
    static int zero = 0;

    /* a line of its own for each, and a handler around */
    static int where(Throwable e) { return e.getStackTrace()[0].getLineNumber(); }
    static int lines(int what, int[] a, Object o, Catching x) {
        long wide = what * 1000003L;
        double real = what / 4.0;
        String text = "t" + what;
        int before = what * 7;
        try {
            switch (what) {
            case 0: before = 1 / zero; break;
            case 1: wide = 1L % zero; break;
            case 2: before = a[what]; break;
            case 3: a[-what] = 4; break;
            case 4: before = x.f; break;
            case 5: x.f = before; break;
            case 6: text = (String) o; break;
            case 7: before = ((int[]) o).length; break;
            case 8: o.hashCode(); break;
            case 9: throw new Own(what);
            case 10: throw (Own) o;
            case 11: synchronized (o) { before++; } break;
            case 12: a = new int[-what]; break;
            case 13: ((Object[]) o)[0] = x; break;
            case 14: ((Runnable) o).run(); break;
            case 15: Integer.parseInt(text); break;
            default: before++;
            }
            before++;
        } catch (Own e) {
            return e.n + before + where(e) + (int) (wide + real) + text.length();
        } catch (RuntimeException e) {
            return before + where(e) + (int) (wide + real) + text.length() + (e.getMessage() == null ? 0 : e.getMessage().hashCode() % 100);
        }
        return -before;
    }
    static final Object[] operands = {null, null, null, null, null, null, 5, null, null, null, null, null, null, new String[1], null, null, null};

    static int nested(int n) {
        int r = 0;
        for (int i = 0; i < n; i++) {
            try {
                try {
                    if (i % 3 == 0) throw new Own(i);
                    r += 100 / (i % 5 - 1);
                } catch (ArithmeticException e) {
                    r -= i;
                    if (i % 2 == 0) throw new IllegalStateException("again " + i, e);
                } finally {
                    r++;
                    if (i % 7 == 6) continue;
                }
                r += 3;
            } catch (Own e) {
                r += e.n * 2;
            } catch (IllegalStateException e) {
                r += e.getCause() instanceof ArithmeticException ? 50 : 0;
            }
        }
        return r;
    }
    static int rethrown(int n) {
        try {
            try { return deep(n, n); }
            catch (RuntimeException e) { throw e; }
        } catch (Own e) { return e.n + e.getStackTrace().length; }
    }
    static int deep(int n, int k) {
        if (n == 0) throw new Own(k);
        try { return deep(n - 1, k) + 1; }
        finally { zero += 0; }
    }
    /* The second operand is thrown away with the rest of the stack. */
    static long operands(int a, double d, int[] x) {
        long sum = 5;
        for (int i = 0; i < 6; i++)
            try { sum = sum * 3 + (a + (long) d * x[i]); }
            catch (ArrayIndexOutOfBoundsException e) { sum += i * 1000L; d += 0.5; }
        return sum + (long) (d * 2);
    }
    static synchronized int locked(int n) {
        if (n < 0) throw new Own(n);
        return n;
    }
    synchronized int caughtInside(int[] a, int n) {
        try { return a[n]; }
        catch (IndexOutOfBoundsException e) { return Thread.holdsLock(this) ? -1 : -2; }
    }
    int blocks(Object a, Object b, int n) {
        int r = 0;
        synchronized (a) {
            try {
                synchronized (b) { r += 10 / n; }
            } catch (ArithmeticException e) {
                r = (Thread.holdsLock(a) ? 1 : 0) + (Thread.holdsLock(b) ? 2 : 0);
                if (n == 0 && r == 1) throw new Own(r);
            }
        }
        return r;
    }
    static int depth;
    static int overflow(int n) { depth = n; return overflow(n + 1) + 1; }
    static int overflowing() {
        int got = 7;
        try { return overflow(0); }
        catch (StackOverflowError e) { return depth > 500 ? got : -depth; }
    }
    static int halfWay(int n) { /* each level catches what the one below throws */
        if (n == 0) return 1 / zero;
        try { return halfWay(n - 1); }
        catch (ArithmeticException e) { throw new Own(n); }
        catch (Own e) { if (n % 3 == 0) return n * 10; throw new ArithmeticException("n" + n); }
    }
    static int reflected(int n) throws Exception {
        Method m = Catching.class.getDeclaredMethod("locked", int.class);
        try { return (Integer) m.invoke(null, n); }
        catch (java.lang.reflect.InvocationTargetException e) { return ((Own) e.getCause()).n - 5; }
    }
    static int throughNative(int[] a) { /* sort calls back */
        Integer[] v = {3, 1, 2};
        try {
            Arrays.sort(v, (p, q) -> { if (a == null || a[p] > 0) return p - q; throw new Own(p + q); });
            return v[0];
        } catch (Own e) { return e.n; }
    }
    static int lambda(IntUnaryOperator o, int n) {
        try { return o.applyAsInt(n); } catch (ArithmeticException e) { return n + 40; } finally { zero = 0; }
    }
    static int handlersOnly(int n) { /* a loop without a branch backwards of its own */
        int i = 0;
        while (true) {
            try { i += 100 / (n - i); if (i > n) return i; throw new Own(i); }
            catch (Own e) { i = e.n + 1; if (i > 3 * n) return i; }
            catch (ArithmeticException e) { return -i; }
        }
    }
    static float floats(float a, double b, int n) {
        float x = a * 2;
        double y = b * 3;
        for (int i = 0; i < n; i++)
            try { x += i; y += 100 / (i & 1); }
            catch (ArithmeticException e) { y -= x; x *= 0.5f; }
        return x + (float) y;
    }
    static int replaced(int n) {
        try {
            try { throw new Own(n); }
            finally { if (n > 1) throw new IllegalStateException("f" + n); }
        } catch (Own e) { return e.n; }
        catch (IllegalStateException e) { return e.getMessage().length() + e.getSuppressed().length; }
    }
    static String trace(Throwable e) {
        StringBuilder s = new StringBuilder(e.toString());
        for (StackTraceElement x : e.getStackTrace())
            if (x.getClassName().equals("Catching")) s.append(' ').append(x.getMethodName()).append(':').append(x.getLineNumber());
        return s.toString();
    }
    static void outer(int n) {
        middle(
            n,
            inner(n));
    }
    static int inner(int n) { return n > 100 ? 1 / zero : n; }
    static void middle(int n, int m) {
        if (n == 50)
            throw new Own(m);
    }
    public static void main(String[] args) throws Exception {
        Catching x = new Catching();
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 60;
        long sum = 0;
        for (int i = 0; i < n; i++) {
            for (int k = 0; k <= 16; k++) sum = sum * 31 + lines(k, k == 2 || k == 3 ? new int[1] : null, operands[k], null);
            sum = sum * 31 + nested(20) + rethrown(i % 9) + operands(i, i / 3.0, new int[i % 7]);
            try { sum += locked(i % 4 == 3 ? -i : i); } catch (Own e) { sum += e.n; }
            if (Thread.holdsLock(Catching.class)) System.out.println("class is locked");
            sum = sum * 31 + x.caughtInside(new int[3], i % 5);
            Object a = new Object(), b = new Object();
            try { sum += x.blocks(a, b, i % 3); } catch (Own e) { sum += e.n; }
            if (Thread.holdsLock(a) || Thread.holdsLock(b) || Thread.holdsLock(x)) System.out.println("locked");
            try { sum = sum * 31 + halfWay(i % 10); } catch (Own | ArithmeticException e) { sum += e.getMessage().length(); }
            sum = sum * 31 + reflected(i % 2 == 0 ? -i : i) + throughNative(i % 2 == 0 ? null : new int[4]) + lambda(v -> 7 / (v % 3), i);
            sum = sum * 31 + handlersOnly(i % 12) + (int) floats(i, i, 9) + replaced(i % 4);
            if (i % 20 == 3) sum += overflowing();
            if (i % 10 == 0) System.out.println(i + " " + sum);
        }
        for (int k = 0; k <= 16; k++) System.out.print(lines(k, k == 2 || k == 3 ? new int[1] : null, operands[k], null) + " ");
        System.out.println();
        for (int i = 0; i < 5; i++)
            try { outer(i % 2 == 0 ? 50 : 101); } catch (RuntimeException e) { System.out.println(trace(e)); }
        try { halfWay(4); } catch (RuntimeException e) { System.out.println(trace(e)); }
    }
}
