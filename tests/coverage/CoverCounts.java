// SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.Method;

/** Known numbers of runs: loops, branches, switches, threads, exceptions. With an argument: three epochs. */
public class CoverCounts {
    static int work(int n) {
        int s = 0;
        while (n > 0) {                         // 55 tests for n = 0..9
            if (n % 3 == 0)
                s += once(n);                   // multiples of 3
            else
                s -= 1;
            n--;
        }
        return s;
    }
    static int once(int n) { return n * 2; }
    static int kind(int n) {
        switch (n & 3) {
            case 0: return 10;
            case 1: return 11;
            default: return 12;
        }
    }
    static void fails(int n) {
        if (n == 7)
            throw new IllegalStateException();
    }
    static void never() { once(1); }
    static void spin() {
        do {
            once(1);
        } while (Thread.interrupted());
    }
    static void parallel() throws Exception {
        Thread[] t = new Thread[4];
        for (int i = 0; i < t.length; i++)
            (t[i] = new Thread(() -> { for (int k = 0; k < 5000; k++) spin(); })).start();
        for (Thread x : t)
            x.join();
    }
    static void epoch(String name) throws Exception {
        Method m = Class.forName("java.lang.GraftCoverage").getMethod("epoch", String.class);
        m.invoke(null, name);
    }
    public static void main(String[] a) throws Exception {
        boolean epochs = a.length > 0;
        if (epochs) epoch("first");
        for (int i = 0; i < 10; i++)
            work(i);
        if (epochs) epoch("second");
        for (int i = 0; i < 10; i++) {
            kind(i);
            try {
                fails(i);
            } catch (IllegalStateException e) {
                once(2);
            }
        }
        if (epochs) epoch(null);
        parallel();
        if (epochs) epoch("first");
        kind(2);
        if (epochs) epoch(null);
        System.out.println("done");
    }
}
