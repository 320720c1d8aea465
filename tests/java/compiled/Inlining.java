// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2 -XX:-OmitStackTraceInFastThrow
/*
 * Small methods, which compilers put in place of their calls: nobody can tell. Values of all types through arguments, results and branches;
 * exceptions with whole traces; callers as reflection and StackWalker see them; subclasses that come later; recursion; errors in bodies.
 */
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

public class Inlining {
    /* --- values --- */
    static int max(int a, int b) { return a > b ? a : b; }
    static long maxLong(long a, long b) { if (a > b) return a; return b; }
    static double maxDouble(double a, double b) { return a > b ? a : b; }
    static float half(float f) { return f > 1 ? f / 2 : f; }
    static byte toByte(int n) { return (byte) n; }
    static char toChar(int n) { return n < 0 ? 'x' : (char) n; }
    static short toShort(int n) { return (short) n; }
    static boolean isOdd(int n) { return (n & 1) != 0; }
    static int clamp(int n, int low, int high) {
        if (n < low) n = low;
        else if (n > high) n = high;
        return n;
    }
    static int sum(int a, long b, int c, double d, int e, float f) { return (int) (a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13); }
    static int counted(int n) { n++; n += 3; int m = n; n++; return m * 100 + n; }
    static int kind(int n) {
        switch (n) {
        case 0: return 10;
        case 1: return 11;
        case 7: return n * 2;
        default: return -n;
        }
    }
    static Object choose(boolean first, Object a, Object b) { return first ? a : b; }
    static int[] pair(int a, int b) { return new int[] {a, b}; }
    static String name(int n) { return n % 2 == 0 ? "even" : null; }

    static String values(int i) {
        long mixed = (long) max(i, 5) * 3 + maxLong(i * 1000000007L, 1L << 33) - max(3, clamp(i, 2, 9));
        double d = maxDouble(i / 3.0, maxDouble(2.5, -i)) + half(i) + half(0.25f) * i;
        int deep = i + (2 * (i + clamp(i * 3 - max(i, 7), -5, max(i, sum(i, i, max(1, i), d, 2, half(i))))));
        int[] p = pair(max(i, 1), clamp(i, 0, 3));
        Object o = choose(isOdd(i), "odd", choose(i > 10, p.length, name(i)));
        return mixed + " " + d + " " + deep + " " + p[0] + p[1] + " " + o + " " + toByte(i * 77) + (int) toChar(i - 3) + toShort(i * 9999) +
               isOdd(i) + counted(i) + kind(i);
    }

    /* --- pressure: more operands below the call than there are registers --- */
    static int pressed(int a, int b, int c, int d, int[] x) {
        return (a + b) * ((b - c) + (c * d) * ((a ^ d) + (b & c) * ((a | 5) + at(x, (a + c & 3), max(a * b, clamp(c * d, a, b + 100))))));
    }
    static int at(int[] x, int i, int other) { return i < x.length ? x[i] + other : other; }

    /* --- virtual calls --- */
    static class Shape {
        int side = 3;
        int area() { return side * side; }
        int twice() { return area() * 2; }
        double scaled(double by) { return by > 0 ? side * by : 0; }
    }
    static class Round extends Shape {
        int area() { return side * 3; }
        double scaled(double by) { return by; }
    }
    static int areas(Shape s, int n) {
        int r = 0;
        for (int i = 0; i < n; i++) r += s.area() + s.twice() + (int) s.scaled(i);
        return r;
    }

    /* --- exceptions --- */
    static int quotient(int a, int b) { return a / b; }
    static int element(int[] a, int i) { return a[i]; }
    static int field(Shape s) { return s.side; }
    static int length(Object o) { return ((String) o).length(); }
    static int refuse(int n) {
        if (n > 50) throw new IllegalStateException("n is " + n);
        return n;
    }
    static int outer(int what, int n, Object o) {
        int before = n * 3;
        switch (what) {
        case 0: return before + middle(n, 0);
        case 1: return before + element(new int[2], n);
        case 2: return before + field(n == 0 ? new Shape() : null);
        case 3: return before + length(o);
        case 4: return before + refuse(n + 51);
        case 5: return before + refuse(refuse(3) * 20);
        case 6: return before + recursive(n);
        default: return before + pair(n, -n).length + new int[refuse(2) - n].length;
        }
    }
    static int middle(int a, int b) { return quotient(a, b) + 1; }
    static int recursive(int n) { return n <= 0 ? 10 / n : recursive(n - 1) + 1; }
    static String thrown(int what, int n) {
        try {
            return "" + outer(what, n, n);
        } catch (RuntimeException e) {
            List<String> lines = new ArrayList<>();
            for (StackTraceElement s : e.getStackTrace()) {
                if (s.getMethodName().equals("main")) break;
                lines.add(s.getMethodName() + ":" + s.getLineNumber());
            }
            return e + " " + lines;
        }
    }
    /* caught in the method that has the body */
    static int caught(int[] a, int n) {
        int r = 0, keep = n * 5;
        for (int i = 0; i < n; i++) {
            try {
                r += element(a, i) + quotient(100, i - 2);
            } catch (ArithmeticException e) {
                r += keep;
            } catch (ArrayIndexOutOfBoundsException e) {
                r += i * 1000 + e.getStackTrace()[0].getLineNumber();
            }
        }
        return r + keep;
    }

    /* --- who is the caller --- */
    static final StackWalker walker = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    static class Callers {
        static Class<?> caller() { return walker.getCallerClass(); }
        static Class<?> caller2() { return caller(); }
        static String frames() {
            return walker.walk(s -> s.limit(4).map(f -> f.getMethodName() + ":" + f.getLineNumber()).collect(Collectors.joining(",")));
        }
        static String frames2() { return "<" + frames() + ">"; }
        static Class<?> forName() throws Exception { return Class.forName("Inlining$Shape"); }
        static Object invoke(Method m) throws Exception { return m.invoke(null); }
    }
    static String walked() throws Exception {
        return Callers.caller().getSimpleName() + " " + Callers.caller2().getSimpleName() + " " + Callers.frames2() + " " +
               Callers.forName().getSimpleName() + " " + Callers.invoke(Callers.class.getDeclaredMethod("caller")).equals(Callers.class);
    }

    /* --- what a body does for the first time, late --- */
    static class Late {
        static int count = Integer.getInteger("none", 41);
        static int next() { return ++count; }
    }
    static int late(int n) { return n > 30 ? Late.next() : n; }
    static int useLate(int n) { return late(n) + late(n + 1); }

    /* --- errors --- */
    static int depth;
    static int endless(int n) { depth++; return more(n) + 1; }
    static int more(int n) { return endless(n + 1) + 2; }
    static String overflow() {
        try {
            return "" + endless(0);
        } catch (StackOverflowError e) {
            StackTraceElement[] s = e.getStackTrace();
            boolean alternates = true;
            for (int i = 2; i < 100; i++) alternates &= s[i].getMethodName().equals(s[i - 2].getMethodName()) && !s[i].equals(s[i - 1]);
            return "overflow " + alternates + (depth > 500);
        }
    }

    /* --- a subclass that nobody knew when areas() was compiled --- */
    static Shape make(String name) throws Exception { return (Shape) Class.forName("Inlining$" + name).getDeclaredConstructor().newInstance(); }

    /* --- classes that come and go: the only one that has the method is inlined --- */
    public abstract static class Job {
        public static int salt;
        public abstract int run(int n);
    }
    public static class Work extends Job {
        final int mine = ++salt;
        public int run(int n) { return n * mine + salt; }
    }
    static class Apart extends ClassLoader {
        Class<?> work() throws Exception {
            try (var in = Inlining.class.getResourceAsStream("Inlining$Work.class")) {
                byte[] b = in.readAllBytes();
                return defineClass("Inlining$Work", b, 0, b.length);
            }
        }
    }
    static int job(Job j, int n) { return n > 0 ? j.run(n) + 1 : 0; }
    static int jobs(Job j) {
        int r = 0;
        for (int i = 0; i < 500; i++) r += job(j, i & 15);
        return r;
    }
    static int apart() throws Exception {
        var make = new Apart().work().getDeclaredConstructor();
        make.setAccessible(true);
        return jobs((Job) make.newInstance());
    }

    static void times(IntFunction<Object> f) {
        String last = null;
        int h = 0;
        for (int i = 0; i < 40; i++) h = h * 31 + (last = String.valueOf(f.apply(i))).hashCode();
        System.out.println(h + " " + last);
    }

    public static void main(String[] args) throws Exception {
        times(Inlining::values);
        times(i -> pressed(i, i * 3, 7 - i, i ^ 5, new int[] {i, 2, 3}));
        Shape s = new Shape();
        times(i -> areas(s, i));
        System.out.println(areas(make("Round"), 5) + " " + areas(s, 5));
        times(i -> areas(i % 2 == 0 ? s : new Round(), i));
        for (int what = 0; what < 8; what++) {
            for (int i = 0; i < 6; i++) thrown(what, i % 3);
            for (int i = 0; i < 4; i++) System.out.println(thrown(what, i));
        }
        times(i -> caught(new int[] {1, 2, 3, 4}, i % 8));
        for (int i = 0; i < 10; i++) walked();
        System.out.println(walked());
        times(Inlining::useLate);
        for (int i = 0; i < 6; i++) {
            System.out.print(apart() + " ");
            System.gc();
        }
        System.out.println(jobs(new Work()) + " " + apart());
        overflow();
        System.out.println(overflow());
    }
}
