// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.lang.reflect.Method;
import java.util.*;

/** Repeat KERNEL ROUNDS: runs its main so often in one VM, or with ROUNDS like 8s for so many seconds; prints the median of the last half
 * (of seconds: of the last third) in microseconds: processor time of the thread, so that other programs and a compiler's threads do not count. */
public class Repeat {
    public static void main(String[] a) throws Exception {
        Method main = Class.forName(a[0]).getMethod("main", String[].class);
        boolean seconds = a[1].endsWith("s");
        long n = Long.parseLong(seconds ? a[1].substring(0, a[1].length() - 1) : a[1]);
        PrintStream out = System.out, err = System.err, none = new PrintStream(OutputStream.nullOutputStream());
        System.setOut(none);
        System.setErr(none);
        var clock = java.lang.management.ManagementFactory.getThreadMXBean();
        List<Long> times = new ArrayList<>();
        for (long begin = clock.getCurrentThreadCpuTime(); seconds ? clock.getCurrentThreadCpuTime() - begin < n * 1000000000 : times.size() < n;) {
            long from = clock.getCurrentThreadCpuTime();
            try {
                main.invoke(null, (Object) new String[0]);
            } catch (java.lang.reflect.InvocationTargetException e) {
                e.getCause().printStackTrace(err);
                System.exit(1);
            }
            times.add((clock.getCurrentThreadCpuTime() - from) / 1000);
        }
        List<Long> last = times.subList(seconds ? times.size() * 2 / 3 : times.size() / 2, times.size());
        Collections.sort(last);
        out.println(last.get(last.size() / 2));
    }
}
