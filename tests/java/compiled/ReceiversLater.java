// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:+UseOptimizingCompiler -XX:-OmitStackTraceInFastThrow
/*
 * Calls that see receivers of one class, or two, for long, and then others: in the midst of a loop, with objects around that compilers do not make,
 * with a monitor, in a body's body, by exceptions. What was taken for granted is left, and all is as if it had not been.
 */
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.function.IntUnaryOperator;

public class ReceiversLater {
    interface Shape { int area(int n); default int twice(int n) { return area(n) + area(n + 1); } }
    static final class Square implements Shape { public int area(int n) { return n * n; } }
    static final class Line implements Shape { public int area(int n) { return n; } }
    static class Box implements Shape { int side = 2; public int area(int n) { return n * side; } }
    static class Deep extends Box { @Override public int area(int n) { if (n % 1000 == 999) throw new IllegalStateException("at " + n); return super.area(n) + 1; } }
    static abstract class Base { abstract int f(int n); int g(int n) { return f(n) * 3; } synchronized int h(int n) { return f(n) + g(n); } }
    static class One extends Base { int f(int n) { return n + 1; } }
    static class Two extends Base { int f(int n) { return n - 1; } }
    static class Three extends Base { int f(int n) { return Thread.holdsLock(this) ? n ^ 5 : n ^ 9; } }
    static final class Pair { final int a; int b; Pair(int a, int b) { this.a = a; this.b = b; } }

    static long shapes(Shape[] all, int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            Pair p = new Pair(i, i * 3);
            try {
                p.b += all[i % all.length].area(i);
                sum = sum * 31 + all[(i + 1) % all.length].twice(i) + p.a + p.b;
            } catch (IllegalStateException e) {
                sum = sum * 7 + p.b + e.getMessage().length() + e.getStackTrace()[0].getLineNumber() + e.getStackTrace()[1].getLineNumber();
            }
        }
        return sum;
    }
    static long bases(Base[] all, int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            Base b = all[i % all.length];
            int k = i ^ 77;
            sum = sum * 31 + b.h(i) + b.g(k) + k;
            if (Thread.holdsLock(b)) sum++;
        }
        return sum;
    }
    static long lists(Collection<Integer> c, int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            int[] two = {i, 1};
            for (Integer x : c) {
                sum = sum * 31 + x + two[x & 1];
                two[1]++;
            }
        }
        return sum;
    }
    static long functions(IntUnaryOperator f, int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum = sum * 31 + f.applyAsInt(i);
        return sum;
    }
    static Shape[] mixed(Shape often, Shape seldom, int n) {
        Shape[] all = new Shape[n];
        Arrays.fill(all, often);
        all[n - 2] = seldom;
        return all;
    }

    public static void main(String[] args) {
        Shape square = new Square(), line = new Line(), box = new Box(), deep = new Deep();
        Base one = new One(), two = new Two(), three = new Three();
        List<Integer> array = new ArrayList<>(List.of(1, 2, 3, 4, 5)), linked = new LinkedList<>(array);
        int many = 300000, base = 3;
        System.out.println(shapes(new Shape[] {square}, many) + " " + bases(new Base[] {one}, many) + " " + lists(array, many / 3) + " " + functions(x -> x * 3, many));
        System.out.println(shapes(mixed(square, line, 5000), many) + " " + bases(new Base[] {one, one, one, two}, many));
        System.out.println(shapes(new Shape[] {square, line}, many) + " " + lists(linked, many / 6) + " " + functions(x -> x * base, many));
        System.out.println(shapes(mixed(square, deep, 900), many) + " " + shapes(new Shape[] {box}, many) + " " + bases(new Base[] {three, two, one}, many));
        System.out.println(lists(new HashSet<>(array), many / 6) + " " + lists(List.copyOf(array), many / 6) + " " + lists(array, many / 6));
        System.out.println(shapes(new Shape[] {deep}, many) + " " + shapes(new Shape[] {deep, square, box, line}, many) + " " + functions(Math::abs, many));
        try {
            shapes(new Shape[] {square, null}, 5);
        } catch (NullPointerException e) {
            System.out.println(e.getStackTrace()[0].getLineNumber());
        }
    }
}
