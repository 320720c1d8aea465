// SPDX-License-Identifier: Apache-2.0
import java.util.Scanner;

/** What the profiler of Visual.java looks at: a batch of work with known numbers of calls and objects for every line of input. */
public class Profiled {
    static class Thing { int n; Thing(int n) { this.n = n; } }
    interface Shape { int area(); }
    static class Square implements Shape {
        final int side;
        Square(int side) { this.side = side; }
        public int area() { return side * side + new int[3].length; }
    }
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static int fails(int n) {
        if (n % 2 == 1) throw new IllegalStateException("odd");
        return n;
    }
    static int caught(int n) {
        try { return fails(n); } catch (IllegalStateException e) { return -1; }
    }
    static int batch() {
        int s = 0;
        for (int i = 0; i < 100; i++) s += new Thing(i).n + caught(i);
        for (int i = 0; i < 50; i++) { Shape q = new Square(i); s += q.area(); }
        return s + fib(12);
    }
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        System.out.println("ready");
        while (in.hasNextLine() && !in.nextLine().equals("end")) {
            int[] r = new int[1];
            Thread t = new Thread(() -> r[0] = batch(), "worker");
            t.start();
            try { t.join(); } catch (InterruptedException e) { throw new AssertionError(e); }
            System.out.println("batch " + r[0]);
        }
        System.out.println("bye");
    }
}
