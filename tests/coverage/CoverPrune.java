// SPDX-License-Identifier: Apache-2.0
import java.nio.file.*;

/** CoverPrune LOG: small methods run until LOG says that probes were taken out; then what of these classes did not run before. */
public class CoverPrune {
    interface Shape { int area(int k); }
    static abstract class Base implements Shape {
        final int n;
        Base(int n) { this.n = n; }
        abstract int side(int k);
        public int area(int k) { return side(k) + n; }
    }
    static class Square extends Base {
        Square(int n) { super(n); }
        int side(int k) {
            if (k < 0)
                return -1;
            return k + n;
        }
    }
    static class Circle extends Base {
        Circle(int n) { super(n); }
        int side(int k) { return k == Integer.MIN_VALUE ? fail(k) : k ^ n; }
        int fail(int k) {
            throw new IllegalStateException("side " + k);
        }
    }
    static class Line extends Base {
        Line(int n) { super(n); }
        int side(int k) { return k * n; }
        int never() { return n; }
    }
    static class Dot implements Shape {
        public int area(int k) { return k - 1; }
    }

    static volatile boolean over;

    static int work(Shape[] shapes, int n) {
        int s = 0;
        for (int i = 0; i < n; i++) s += shapes[i & 3].area(i);
        return s;
    }

    /** Where it stands there; without branches that depend on that. */
    static int says(Path log) throws Exception { return new String(Files.readAllBytes(log)).indexOf("lost probes"); }

    static int rest(Shape[] shapes) {
        int s = shapes[0].area(-5) + work(shapes, 1000);
        try {
            s += shapes[1].area(Integer.MIN_VALUE);
        } catch (IllegalStateException e) {
            s += e.getMessage().length();
        }
        return s;
    }

    public static void main(String[] a) throws Exception {
        final Shape[] shapes = {new Square(1), new Circle(2), new Line(3), new Dot()};
        final Path log = Paths.get(a[0]);
        Thread other = new Thread(() -> {
            do work(shapes, 100000); while (!over);
        });
        other.start();
        int s = 0;
        for (int i = 0; Math.max(2 - i, -says(log)) > 0; i++) s = work(shapes, 10000000);
        System.out.println(s + " " + rest(shapes));
        over = true;
        other.join();
    }
}
