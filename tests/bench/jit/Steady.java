// SPDX-License-Identifier: Apache-2.0
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * A kernel again and again in one process: Steady NAME WARM SECONDS [ARGUMENT]... After WARM seconds, for each second (or one run, if that is
 * longer) the time of a run; the best on standard error, in microseconds. What the first run prints is printed; with -Dcheck each later one must
 * print the same. With -Dcpu it is processor time of the process: for busy machines.
 */
public class Steady {
    private static Method main;
    private static String[] arguments;
    private static byte[] want;

    private static long now() {
        return System.getProperty("cpu") == null ? System.nanoTime() : ProcessTime.now();
    }

    private static final class ProcessTime {
        static final com.sun.management.OperatingSystemMXBean SYSTEM =
            (com.sun.management.OperatingSystemMXBean) java.lang.management.ManagementFactory.getOperatingSystemMXBean();

        static long now() {
            return SYSTEM.getProcessCpuTime();
        }
    }

    private static void run() throws Exception {
        if (want == null) {
            main.invoke(null, (Object) arguments);
            return;
        }
        ByteArrayOutputStream seen = new ByteArrayOutputStream(want.length + 1);
        System.setOut(new PrintStream(seen));
        main.invoke(null, (Object) arguments);
        System.out.flush();
        if (!Arrays.equals(seen.toByteArray(), want)) throw new IllegalStateException("prints " + seen);
    }

    /** What the first run prints. */
    private static void first() throws Exception {
        PrintStream out = System.out;
        if (System.getProperty("check") == null) {
            run();
            System.setOut(new PrintStream(OutputStream.nullOutputStream()));
            return;
        }
        ByteArrayOutputStream seen = new ByteArrayOutputStream();
        System.setOut(new PrintStream(seen));
        run();
        System.out.flush();
        want = seen.toByteArray();
        out.write(want);
        out.flush();
    }

    public static void main(String[] a) throws Exception {
        main = Class.forName(a[0]).getMethod("main", String[].class);
        main.setAccessible(true);
        arguments = Arrays.copyOfRange(a, 3, a.length);
        PrintStream err = System.err;
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        try {
            long start = now();
            first();
            while (now() - start < (long) (Double.parseDouble(a[1]) * 1e9)) run();
            long best = Long.MAX_VALUE, end = now() + (long) (Double.parseDouble(a[2]) * 1e9);
            do {
                long t = now(), now;
                int n = 0;
                do {
                    run();
                    n++;
                } while ((now = now()) - t < 1000000000L);
                best = Math.min(best, (now - t) / n);
            } while (now() < end);
            err.println("bench-us " + best / 1000);
        } catch (Throwable e) {
            e.printStackTrace(err);
            err.flush();
            System.exit(1);
        }
    }
}
