// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** What agent_debug.c watches: calls, returns of each kind, exceptions, a loop to step through. */
public class Debugged {
    interface Shape { double area(); }
    record Square(double side) implements Shape { public double area() { return side * side; } }

    static int loop(int n) {
        int s = 0;
        for (int i = 0; i < n; i++)
            s += i;
        return s;
    }
    static long wide(long a, boolean z, char c) { return z ? a + c : a; }
    static boolean flag(byte b) { return b > 0; }
    static String text(Object o) { return "t" + o; }
    static void fail(int n) {
        if (n == 0)
            throw new IllegalStateException("bottom");
        fail(n - 1);
    }
    static int caught() {
        try {
            fail(2);
        } catch (IllegalStateException e) {
            return 1;
        } finally {
            loop(1);
        }
        return 0;
    }
    static synchronized float locked() { return 1.5f; }
    static native void tag(Object o, long tag);
    static native long tagOf(Object o);
    static native int freed(int wanted); // collects until so many are, or it took too long

    public static void main(String[] args) throws Exception {
        System.loadLibrary("agent_debug");
        System.out.println(loop(3) + " " + wide(5, true, 'c') + " " + flag((byte) 1) + " " + text("x"));
        System.out.println(caught() + " " + locked() + " " + new Square(3).area());
        try {
            Object o = "s";
            Integer i = (Integer) o;
        } catch (ClassCastException e) {
            System.out.println("cast");
        }
        Thread t = new Thread(() -> System.out.println("in thread " + loop(2)));
        t.start();
        t.join();
        List<Object> kept = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Object o = new Object();
            tag(o, 1000 + i);
            if (i % 10 == 0)
                kept.add(o);
        }
        int freed = freed(85);
        long sum = 0;
        for (Object o : kept)
            sum += tagOf(o);
        System.out.println("tags " + sum + " freed most " + (freed >= 85) + " none kept " + (freed <= 90));
        tag(kept.get(0), 0);
        System.out.println(tagOf(kept.get(0)));
    }
}
