// SPDX-License-Identifier: Apache-2.0
/** fib(N), best of RUNS after one to warm up: microseconds on standard error. Measures calls, and the events of calls. */
public class Fib {
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

    public static void main(String[] a) {
        int n = Integer.parseInt(a[0]), runs = Integer.parseInt(a[1]);
        fib(Math.min(n, 27));
        long best = Long.MAX_VALUE;
        int result = 0;
        for (int i = 0; i < runs; i++) {
            long t = System.nanoTime();
            result = fib(n);
            best = Math.min(best, System.nanoTime() - t);
        }
        System.out.println(result);
        System.err.println("bench-us " + best / 1000);
    }
}
