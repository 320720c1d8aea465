// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.lang.reflect.Method;
import java.util.Arrays;

/** Repeat KERNEL ROUNDS: runs its main so often in one VM; prints the median of the last half in microseconds: processor
 * time of the thread, so that other programs and a compiler's threads do not count. */
public class Repeat {
    public static void main(String[] a) throws Exception {
        Method main = Class.forName(a[0]).getMethod("main", String[].class);
        int n = Integer.parseInt(a[1]);
        PrintStream out = System.out, none = new PrintStream(OutputStream.nullOutputStream());
        System.setOut(none);
        System.setErr(none);
        var clock = java.lang.management.ManagementFactory.getThreadMXBean();
        long[] t = new long[n - n / 2];
        for (int i = 0; i < n; i++) {
            long s = clock.getCurrentThreadCpuTime();
            main.invoke(null, (Object) new String[0]);
            if (i >= n / 2)
                t[i - n / 2] = (clock.getCurrentThreadCpuTime() - s) / 1000;
        }
        Arrays.sort(t);
        out.println(t[t.length / 2]);
    }
}
