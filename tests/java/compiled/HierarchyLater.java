// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:+UseOptimizingCompiler
import java.util.function.IntFunction;

/**
 * Calls that have one target among the classes that are there, and hot code that knows it; then classes come that have others: in the caller's own
 * callee, on another thread, below a class below, by the thousand calls.
 */
public class HierarchyLater {
    static class Base {
        int k;
        Base(int k) { this.k = k; }
        int one(int x) { return x + k; }
        int two(int x) { return one(x) * 3 + deep(x); }
        int deep(int x) { return x < 3 ? one(x) : deep(x - 3) + deep(x - 2) + one(1); }
        Base self() { return this; }
    }
    abstract static class Shape {
        abstract int area(int x);
        int twice(int x) { return area(x) + area(x + 1); }
        boolean is() { return true; }
    }
    static class Square extends Shape {
        int area(int x) { return x * x; }
    }
    /** Nobody mentions these until they are to come. */
    static class Later extends Base {
        Later(int k) { super(k); }
        @Override int one(int x) { return x - k; }
    }
    static class Latest extends Later {
        Latest(int k) { super(k); }
        @Override int deep(int x) { return 7 * x; }
    }
    static class Other extends Base {
        Other(int k) { super(k); }
        @Override Base self() { return new Base(k + 1000); }
    }
    static class Strip extends Shape {
        int area(int x) { return x + 1; }
        @Override boolean is() { return false; }
    }
    static class Bent extends Square {
        @Override int area(int x) { return -x; }
    }

    static volatile Base shared = new Base(1);
    static Base field = new Base(2);

    static int loop(Base b, int n) {
        int s = 0;
        for (int i = 0; i < n; i++) s += b.two(i & 7) ^ b.self().k;
        return s;
    }
    /** The class comes in a call of the loop, and its object is the receiver behind that. */
    static int within(int n, int when, IntFunction<Base> make) {
        Base b = field;
        int s = 0;
        for (int i = 0; i < n; i++) {
            s = s * 31 + b.one(i) + b.deep(i & 3);
            if (i == when) b = make.apply(i);
            s += b.self().one(1);
        }
        return s;
    }
    static int areas(Shape[] all, int n) {
        int s = 0;
        for (int i = 0; i < n; i++) s += all[i % all.length].twice(i) + (all[i % all.length].is() ? 1 : 0);
        return s;
    }

    /** A thread runs hot code while the main one makes the class; what it sees of the new object is its own methods. */
    static void meanwhile(String name, IntFunction<Base> make) throws InterruptedException {
        int[] wrong = new int[1];
        boolean[] seen = new boolean[1];
        shared = new Base(1);
        Thread t = new Thread(() -> {
            for (int i = 0; i < 2_000_000_000; i++) {
                Base b = shared;
                boolean later = b.k == 50;
                int one = b.one(3);
                if (one != (later ? -47 : 4)) wrong[0]++;
                if (later) { seen[0] = true; return; }
            }
        });
        t.start();
        Thread.sleep(60);
        shared = make.apply(50);
        t.join();
        System.out.println(name + " " + wrong[0] + " " + seen[0]);
    }

    public static void main(String[] args) throws InterruptedException {
        Base b = new Base(5);
        int s = 0;
        for (int i = 0; i < 400; i++) s += loop(b, 100);
        System.out.println(s + " " + within(20000, -1, null));
        meanwhile("meanwhile", k -> new Later(k)); /* the first override of one */
        System.out.println(loop(b, 1000) + " " + loop(new Later(5), 1000));
        s = 0;
        for (int i = 0; i < 400; i++) s += loop(b, 100) + loop(field, 10);
        System.out.println(s + " " + within(20000, 15000, k -> new Other(k))); /* of self */
        System.out.println(within(20000, 15000, k -> new Latest(k)));          /* of deep, below Later */
        System.out.println(loop(new Latest(3), 1000) + " " + loop(new Other(3), 1000) + " " + loop(b, 1000));

        Shape[] squares = {new Square(), new Square()};
        s = 0;
        for (int i = 0; i < 400; i++) s += areas(squares, 100);
        System.out.println(s);
        squares[1] = new Strip();
        System.out.println(areas(squares, 10001));
        for (int i = 0; i < 400; i++) s += areas(squares, 100);
        squares[0] = new Bent();
        System.out.println(s + " " + areas(squares, 10001));
    }
}
