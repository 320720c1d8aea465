// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=3
import java.lang.invoke.*;
import java.util.function.*;

/**
 * Calls between all that can call and be called: results of every kind (floats and doubles come in another register), interface calls whose
 * receivers change their class, and both stacks at their ends, with frames of many cells and threads of small stacks.
 */
public class Calls {
    interface Num { double d(int x); float f(double x); long j(float x); int i(long x); default double twice(double x) { return d((int) x) * 2; } }
    static class A implements Num {
        public double d(int x) { return x / 4.0; }
        public float f(double x) { return (float) x * 0.5f; }
        public long j(float x) { return (long) (x * 1000); }
        public int i(long x) { return (int) x ^ 5; }
    }
    static class B extends A {
        public double d(int x) { return super.d(x) + 0.25; }
        public float f(double x) { return super.f(x) - 1; }
    }
    static class C implements Num {
        double kept = 2.5; float keptF = 1.25f;
        public double d(int x) { return kept; }
        public float f(double x) { return keptF; }
        public long j(float x) { return Double.doubleToRawLongBits(x); }
        public int i(long x) { return Float.floatToRawIntBits((float) x); }
        public double twice(double x) { return kept += x; }
    }
    static class D implements Num { // interpreted at first, then compiled while others call it
        public double d(int x) { double s = 0; for (int k = 0; k < x % 9; k++) s += k * 0.5; return s; }
        public float f(double x) { if (x < 0) throw new ArithmeticException("f " + x); return (float) Math.floor(x); }
        public synchronized long j(float x) { return -1L; }
        public int i(long x) { return 9; }
    }
    static double fp(double a, float b, double c) { return a < b ? a + c : b - c; }
    static float pf(float a) { return a > 100 ? 100 : -a; }
    static double deepD(int n, double x) { return n == 0 ? x : deepD(n - 1, x * 1.0001) + 0.5; }
    static float deepF(int n, float x) { if (n == 0) return x; float r = deepF(n - 1, x + 1); return r / 2; }
    static double mix(Num n, int k) {
        double r = n.d(k) + k;
        float f = n.f(r);
        r += f * n.d(k + 1);
        return r + n.j(f) * 1e-3 + n.i((long) r) + n.twice(r) - fp(r, f, k) + pf((float) r);
    }
    static int sum(Num[] all, int k) {
        double s = 0;
        for (Num n : all) s += n.d(k) + n.f(k);
        return (int) (s * 16);
    }
    static double reflected(Object target, String name, Object arg) throws Throwable {
        for (var m : target.getClass().getMethods())
            if (m.getName().equals(name) && m.getDeclaringClass() != Object.class) return ((Number) m.invoke(target, arg)).doubleValue();
        return -1;
    }
    static double handles(MethodHandle d, MethodHandle f, int k) throws Throwable {
        double a = (double) d.invokeExact((Num) (k % 2 == 0 ? new A() : new C()), k);
        float b = (float) f.invokeExact((float) k);
        return a + b + (double) d.invoke(new B(), (short) k);
    }
    static double functions(int k) {
        DoubleBinaryOperator op = k % 3 == 0 ? (x, y) -> x - y : Math::hypot;
        DoubleUnaryOperator u = x -> x + k;
        ToDoubleFunction<String> t = String::length;
        DoubleSupplier s = () -> k * 0.125;
        return op.applyAsDouble(k, 2) + u.applyAsDouble(0.5) + t.applyAsDouble("abc" + k) + s.getAsDouble();
    }
    static String guarded(Num n, double x) {
        double r = 1.5, q = x;
        try { r += n.f(x); q = r * 2; }
        catch (ArithmeticException e) { r -= 100; q += e.getMessage().length(); }
        return r + "/" + q;
    }

    /* What all receivers inherited when the caller was compiled, until there is another class. */
    static class Box {
        double w = 1.5; float h = 2.5f;
        double area() { return w * h + 1; }
        float edge() { return h > w ? h : (float) w; }
        long count() { return (long) w; }
    }
    static class Late extends Box {
        double area() { return super.area() * 10; }
        float edge() { return 0.125f; }
        long count() { return 77; }
    }
    static double boxes(Box b, int k) {
        double r = k + b.area();
        float f = b.edge() + k;
        return r * 2 + f + b.count();
    }
    static double nothing(Box b) {
        double r = 3;
        try { r += b.area(); r += 100; } catch (NullPointerException e) { r += 0.5; }
        try { r += b.edge(); r += 100; } catch (NullPointerException e) { r += 0.25; }
        return r;
    }

    /* A body with divisions and two ends while the caller has operands in registers. */
    static int parts(int a, int b) {
        if (a > b) return a / b;
        return a % b + b;
    }
    static long operands(int[] from, int x, int y) {
        long r = 7;
        for (int k = 1; k < 5; k++) {
            r = r * 31 + (new int[] {k, 2, 3, 4, 5, 6, 7, 8})[parts(x, y) & 7] + from[parts(y, x) & 3];
            r += (x + k) * parts(x + k, y) - (from[k & 3] ^ parts(y, k));
        }
        return r;
    }

    /* --- the ends of the stacks --- */
    static int depth;
    static void down() { depth++; down(); }
    static int leaf(int x) { return x + 1; }
    static long wide(long a, long b, long c, long d, long e, long f, long g, long h) {
        depth++;
        long i = a + b, j = b + c, k = c + d, l = d + e, m = e + f, n = f + g, o = g + h, p = leaf((int) h);
        return wide(i, j, k, l, m, n, o, p) + i + j + k + l + m + n + o + p;
    }
    static double ping(Num n, int x) { depth++; return n.d(x) + new E().d(x + 1); }
    static class E implements Num {
        public double d(int x) { return ping(this, x); }
        public float f(double x) { return 0; }
        public long j(float x) { return 0; }
        public int i(long x) { return 0; }
    }
    static int reached(Runnable r) {
        depth = 0;
        try { r.run(); return -1; }
        catch (StackOverflowError e) { return depth; }
    }
    static void ends(String name) {
        for (int t = 0; t < 4; t++) {
            boolean a = reached(Calls::down) > 100, b = reached(() -> wide(1, 2, 3, 4, 5, 6, 7, 8)) > 50, c = reached(() -> ping(new E(), 1)) > 50;
            if (!a || !b || !c) System.out.println(name + " too early: " + a + b + c);
        }
        System.out.println(name + " ends");
    }

    public static void main(String[] args) throws Throwable {
        Num[] all = {new A(), new B(), new C(), new D()};
        double total = 0;
        for (int k = 0; k < 400; k++)
            for (Num n : all) total += mix(n, k % 50) * (k % 7);
        System.out.println(total);
        for (int round = 0; round < 3; round++) {
            long s = 0;
            for (int k = 0; k < 60; k++) s = s * 31 + sum(round == 0 ? new Num[] {all[0], all[0]} : round == 1 ? new Num[] {all[2], all[1]} : all, k);
            System.out.println(s);
        }
        System.out.println(deepD(500, 1.5) + " " + deepF(40, 2.5f));
        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodHandle d = l.findVirtual(Num.class, "d", MethodType.methodType(double.class, int.class));
        MethodHandle f = l.findStatic(Calls.class, "pf", MethodType.methodType(float.class, float.class));
        double h = 0;
        for (int k = 0; k < 60; k++) h += handles(d, f, k) + functions(k) + reflected(all[k % 4], "d", k) + reflected(all[k % 3], "f", k * 0.5);
        System.out.println(h);
        for (int k = 0; k < 12; k++) System.out.println(guarded(all[k % 4], k % 8 < 4 ? k : -k));
        double area = 0;
        for (int k = 0; k < 300; k++) area += boxes(new Box(), k) + nothing(new Box());
        for (int k = 0; k < 30; k++) area += boxes(k % 3 == 0 ? new Box() : new Late(), k) + nothing(k % 2 == 0 ? null : new Late());
        System.out.println(area);
        long parts = 0;
        for (int k = 1; k < 300; k++) parts = parts * 31 + operands(new int[] {k, 5, 6, 7}, k % 17 + 1, k % 13 + 1);
        System.out.println(parts);
        ends("main");
        for (long size : new long[] {512 << 10, 1 << 20, 8 << 20}) {
            Thread t = new Thread(null, () -> ends("thread"), "t", size);
            t.start();
            t.join();
        }
    }
}
