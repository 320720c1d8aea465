// SPDX-License-Identifier: Apache-2.0
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;

/**
 * A kernel again and again in one process: Steady NAME WARM SECONDS. After WARM seconds, for each second (or one run, if that is longer)
 * the time of a run; the best on standard error, in microseconds. What the first run prints is printed.
 */
public class Steady {
    public static void main(String[] a) throws Exception {
        Method main = Class.forName(a[0]).getMethod("main", String[].class);
        Object[] args = {new String[0]};
        PrintStream err = System.err;
        PrintStream none = new PrintStream(OutputStream.nullOutputStream());
        System.setErr(none);
        long start = System.nanoTime();
        main.invoke(null, args);
        System.setOut(none);
        while (System.nanoTime() - start < (long) (Double.parseDouble(a[1]) * 1e9)) main.invoke(null, args);
        long best = Long.MAX_VALUE, end = System.nanoTime() + (long) (Double.parseDouble(a[2]) * 1e9);
        do {
            long t = System.nanoTime(), now;
            int n = 0;
            do {
                main.invoke(null, args);
                n++;
            } while ((now = System.nanoTime()) - t < 1000000000L);
            best = Math.min(best, (now - t) / n);
        } while (System.nanoTime() < end);
        err.println("bench-us " + best / 1000);
    }
}
