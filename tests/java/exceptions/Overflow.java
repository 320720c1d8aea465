// SPDX-License-Identifier: Apache-2.0
// timeout: 120
import java.util.*;

/** StackOverflowError caught 1,000 times, in plain, synchronized, interface, reflective and native-mixed recursion; then all still works. */
public class Overflow {
    static int depth;
    interface R { int go(int n); }
    static final R r = n -> again(n + 1);
    static int again(int n) { depth = n; return r.go(n) + 1; }
    static int plain(int n) { depth = n; return plain(n + 1) + 1; }
    static synchronized int sync(int n) { depth = n; return sync(n + 1) + 1; }
    static long wide(long a, double b, long c, double d, int n) { depth = n; return wide(c, d, a, b, n + 1) + (long) b; }
    static Object compare(Object o) { depth++; return new TreeSet<Object>((x, y) -> { compare(x); return 0; }).add(o); }
    static int fin(int n) { try { return fin(n + 1); } finally { depth = n; } }
    public String toString() { depth++; return "" + this; }

    static boolean overflows(Runnable a) {
        depth = 0;
        try {
            a.run();
            return false;
        } catch (StackOverflowError e) {
            return e.getMessage() == null && e.getStackTrace().length == 1024;
        }
    }

    public static void main(String[] args) throws Exception {
        int good = 0;
        for (int i = 0; i < 1000; i++) {
            try {
                plain(0);
            } catch (StackOverflowError e) {
                if (depth > 500)
                    good++;
            }
        }
        System.out.println(good);
        System.out.println(overflows(() -> plain(0)) + " " + overflows(() -> sync(0)) + " " + overflows(() -> again(0)) + " " + overflows(() -> wide(1, 2, 3, 4, 0)));
        System.out.println(overflows(() -> compare("x")) + " " + overflows(() -> new Overflow().toString()));
        try {
            fin(0);
        } catch (StackOverflowError e) {
            System.out.println("finally ran up to " + depth);
        }
        System.out.println(Thread.holdsLock(Overflow.class));
        Object[] nest = new Object[1];
        Object[] cur = nest;
        for (int i = 0; i < 200000; i++)
            cur = (Object[]) (cur[0] = new Object[1]);
        Object[] n2 = nest;
        System.out.println(overflows(() -> Arrays.deepHashCode(n2)) + " collected deep list: " + (gc() != null));
        Thread t = new Thread(null, () -> System.out.println("small stack " + overflows(() -> plain(0))), "small", 256 * 1024);
        t.start();
        t.join();
        t = new Thread(() -> plain(0), "dies");
        t.setUncaughtExceptionHandler((th, e) -> System.out.println(th.getName() + " " + e));
        t.start();
        t.join();
    }

    static Object gc() {
        System.gc();
        return "";
    }
}
