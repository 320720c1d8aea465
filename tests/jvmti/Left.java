// SPDX-License-Identifier: Apache-2.0
import java.util.function.*;

/** Methods that are popped or returned from before their time. */
public class Left {
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
