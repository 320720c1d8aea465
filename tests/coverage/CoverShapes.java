/* SPDX-License-Identifier: Apache-2.0 */
// Every shape that compilers make and coverage has to understand; some parts run, some do not, on purpose.
import java.io.*;
import java.lang.annotation.*;
import java.util.*;
import java.util.function.*;

public class CoverShapes {
    enum Color { RED, GREEN { @Override int v() { return 2; } }, BLUE; int v() { return 1; } }
    enum Plain { A, B }
    record Point(int x, String name) { Point { if (x < 0) throw new IllegalArgumentException(); } }
    record Bare(int a, long b) { }
    static class Util { private Util() { } static int twice(int x) { return 2 * x; } }
    static class Logged { private Logged() { System.getProperty("x"); } }
    interface Shape { default int area() { return 1; } int sides(); static Shape of(int n) { return () -> n; } }
    static abstract class Node<T extends Comparable<T>> implements Comparable<Node<T>> {
        T value;
        Node(T v) { value = v; }
        @Override public int compareTo(Node<T> o) { return value.compareTo(o.value); }
        abstract T get();
    }
    static class Leaf extends Node<String> { Leaf(String s) { super(s); } @Override String get() { return value; } }
    @Retention(RetentionPolicy.CLASS) @interface MyGenerated { String[] by() default {}; int n() default 1; }
    static class Holder {
        @MyGenerated(by = {"a", "b"}, n = 3) int made() { return 1; }
        @Deprecated int notMade() { return 2; }
    }
    @MyGenerated static class AllMade { int f(int x) { return x > 0 ? 1 : 2; } }
    static class Res implements AutoCloseable {
        final String n;
        final boolean bad;
        Res(String n, boolean bad) { this.n = n; this.bad = bad; }
        @Override public void close() throws IOException { if (bad) throw new IOException(n); }
    }

    static int sum;
    static final Object lock = new Object();

    static int ifs(int a, boolean b) {
        if (a > 0 && b) sum++; else if (a < -5 || !b) sum--;
        int c = a == 3 ? 1 : a == 4 ? 2 : 3;
        while (a-- > 0) { if (a == 2) continue; if (a == 7) break; sum += a; }
        do { sum++; } while (sum < 0);
        for (;;) { if (sum++ > 3) break; }
        return b ? c : -c;
    }

    static int switches(int i, String s, Color c) {
        int r = 0;
        switch (i) { case 1: r = 1; case 2: r += 2; break; case 1000: r = 5; break; default: r = 9; }
        switch (s) { case "a": r++; break; case "Aa": case "BB": r += 2; break; case "zz": r = 0; break; default: r--; }
        switch (c) { case RED: r++; break; case GREEN: r--; break; default: }
        r += switch (i) { case 1, 2 -> { yield 3; } case 3 -> 4; default -> s.length(); };
        return r + switch (c) { case RED -> 1; case GREEN -> 2; case BLUE -> 3; };
    }

    static int finallys(int how) {
        try {
            if (how == 0) return 1;
            if (how == 1) throw new IllegalStateException();
            sum++;
        } catch (IllegalStateException e) {
            sum += 2;
        } finally {
            sum += 3;
            if (sum > 1000) sum = 0;
        }
        try { sum++; } finally { sum--; }
        for (int i = 0; i < 3; i++) {
            try { if (i == how) continue; if (i == how - 1) break; } catch (RuntimeException e) { } finally { sum += i; }
        }
        return 2;
    }

    static String resources(int how) throws IOException {
        try (Res a = new Res("a", false)) { sum++; }
        try (Res a = new Res("a", how == 1); Res b = new Res("b", how == 2)) {
            if (how == 3) throw new IOException("body");
            if (how == 4) return a.n + b.n;
            sum++;
        } catch (IOException e) {
            sum += e.getSuppressed().length;
        } finally {
            sum++;
        }
        try (Reader r = how == 5 ? null : new StringReader("x")) { return r == null ? "null" : "" + r.read(); }
    }

    static int locks(int x) {
        synchronized (lock) {
            if (x > 1) return 1;
            sum++;
        }
        synchronized (CoverShapes.class) { sum--; }
        return 0;
    }

    static int throwing(int x) {
        int r = 1;
        r += call(x);
        r *= 2;
        try {
            r += call(x - 5);
            r++;
        } catch (ArithmeticException e) {
            r = -1;
        }
        return r;
    }
    static int call(int x) { if (x == 0) throw new ArithmeticException(); return x; }

    static void lambdas() {
        Function<Integer, Integer> f = x -> x > 2 ? x : -x;
        Supplier<Integer> never = () -> { int q = 3; return q; };
        Runnable r = CoverShapes::never;
        sum += f.apply(1);
        new Thread() { @Override public void run() { sum++; } }.run();
        Comparator<String> c = Comparator.<String, Integer>comparing(s -> s.length()).thenComparing(s -> { return s; });
        List<String> l = new ArrayList<>(List.of("b", "aa", "a"));
        l.sort(c);
        l.forEach(s -> sum += s.length());
    }
    static void never() { sum = 0; }

    static int asserts(int x) {
        assert x > 0 : "positive";
        assert x < 100;
        return x;
    }

    static boolean logic(boolean a, boolean b, int n) {
        boolean c = a ^ b, d = a & !b, e = n > 1 == b;
        Object o = n;
        if (o instanceof Integer i && i > 3) sum += i;
        return c || d && e || !(a && n < 0) ? n > 5 : !b;
    }

    static int big(int n) {
        int[][] m = new int[n][n];
        outer:
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) { if (j > i) continue outer; if (i == 5) break outer; m[i][j] = i * j; }
        long t = 0;
        for (int[] row : m) for (int v : row) t += v;
        return (int) t;
    }

    public static void main(String[] args) throws Exception {
        for (int i = -1; i < 5; i++) ifs(i, i % 2 == 0);
        switches(1, "a", Color.RED); switches(3, "Aa", Color.BLUE); switches(2, "none", Color.GREEN);
        for (int i = 0; i < 3; i++) finallys(i);
        for (int i = 0; i < 4; i++) resources(i);
        locks(0); locks(5);
        for (int x : new int[] {1, 5}) throwing(x);
        try { throwing(0); } catch (ArithmeticException e) { sum++; }
        lambdas();
        asserts(5);
        logic(true, false, 7); logic(false, false, 0);
        big(4);
        sum += Color.valueOf("RED").v() + Color.GREEN.v() + Plain.values().length + new Point(1, "p").x() + Util.twice(2);
        try { new Point(-1, ""); } catch (IllegalArgumentException e) { }
        sum += new Bare(1, 2).hashCode() + new Leaf("a").compareTo(new Leaf("b")) + Shape.of(3).sides();
        sum += new Holder().notMade();
        System.out.println("sum " + sum);
    }
}
