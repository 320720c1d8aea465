// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** Threads compute the same again and again while they are suspended, looked into, made to run frames again and stopped. */
public class Shove {
    static native void shove(Thread t, int what, Throwable stop);
    static native void told();
    interface Op { int of(int a, long b); }
    static class Stop extends RuntimeException { Stop() { super("stop", null, false, false); } }

    static class Hot {
        final int[] a = new int[16];
        Hot next;
        int f = 3;
        static int add(int a, int b) { return a + b; }
        static int twice(int a) { return add(a, a) ^ 5; }
        static long mix(long a, double b, int c) { return (long) (a * b) + twice(c); }
        int get(int i) { return a[i & 15] + f; }
        int via(int i) { return get(i) + get(i + 1) - twice(i); }
        static int divide(int a, int b) { return a / b; }
        static int guarded(int a, int b) {
            try {
                return divide(a, b) + 1;
            } catch (ArithmeticException e) {
                return -a;
            }
        }
        int deep(int n, long l) { return n == 0 ? get((int) l) : deep(n - 1, l * 3 + n) + twice(n); }
        synchronized int locked(int n) { return n == 0 ? 1 : locked(n - 1) + get(n); }
        static int held(Object o, int n) {
            synchronized (o) { return twice(n) + (n > 0 ? held(o, n - 1) : 0); }
        }
        static double loop(int n, double d, float g) {
            double r = d;
            float h = g;
            long l = n;
            int k = 0;
            for (int i = 0; i < n; i++) {
                r = r * 0.5 + twice(i);
                h += k;
                l ^= l << 3 ^ i;
                k = add(k, (int) l & 7);
            }
            return r + h + l + k;
        }
        static int objects(int n) {
            Object[] o = new Object[n];
            for (int i = 0; i < n; i++) o[i] = (i & 1) == 0 ? new int[i & 7] : "s" + i;
            int r = 0;
            for (Object x : o) r += x instanceof String ? ((String) x).length() : ((int[]) x).length;
            return r;
        }
        int nulls(Hot h, int n) {
            try {
                return n % 3 == 0 ? h.next.f : h.f;
            } catch (NullPointerException e) {
                return add(n, 7);
            }
        }
        int switched(int n) {
            switch (n & 7) {
            case 0: return add(n, 1);
            case 1: return twice(n);
            case 2: return get(n);
            case 3: return via(n);
            case 5: return divide(n, 3);
            default: return -n;
            }
        }
        long all(int n) {
            long r = mix(n, 1.5, n);
            for (int i = 0; i < 20; i++) {
                r = r * 31 + via(i) + guarded(i, i % 5) + deep(i, n) + locked(i & 3) + held(this, i & 3) + nulls(this, i) + switched(i);
                for (Op o : ops) r += o.of(i, r);
            }
            return r + (long) loop(40, n, 2) + objects(10);
        }
        static final Op[] ops = {(a, b) -> add(a, (int) b), (a, b) -> twice(a) - (int) (b >> 3), new Op() { public int of(int a, long b) { return divide(a, 7); } }};
    }

    static volatile boolean done;
    static long rounds;
    static void work() {
        Hot h = new Hot();
        for (int i = 0; i < 16; i++) h.a[i] = i * 7;
        for (int k = 0; !done; k++) {
            try {
                for (int n = 0; n < 50; n++) {
                    long r = h.all(n);
                    long want = results[n];
                    if (r != want) System.out.println("wrong for " + n + ": " + r + " " + want);
                }
                rounds++;
            } catch (Stop s) {
                if (Thread.holdsLock(h)) System.out.println("still locked");
            }
        }
    }
    static final long[] results = new long[50];

    public static void main(String[] args) throws Exception {
        Hot h = new Hot();
        for (int i = 0; i < 16; i++) h.a[i] = i * 7;
        for (int n = 0; n < 50; n++) results[n] = h.all(n);
        Thread[] t = new Thread[2];
        for (int i = 0; i < t.length; i++) (t[i] = new Thread(Shove::work, "w" + i)).start();
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000L;
        Random r = new Random(1);
        Stop stop = new Stop();
        while (System.nanoTime() < end) {
            int what = r.nextInt(1 << 16);
            if (r.nextInt(20) != 0) what &= ~8;
            shove(t[r.nextInt(t.length)], what, r.nextInt(15) == 0 ? stop : null);
            if (r.nextInt(4) == 0) Thread.sleep(0, 100000);
        }
        done = true;
        for (Thread x : t) x.join();
        told();
        System.out.println(rounds > 0 ? "results right" : "no result");
    }
}
