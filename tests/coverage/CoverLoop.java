// SPDX-License-Identifier: Apache-2.0
/** CoverLoop SECONDS: a loop in main, which has to stay compiled, for so much processor time. */
public class CoverLoop {
    static int step(int x, int i) { return (x ^ i) * 31 + (x >>> 7); }
    public static void main(String[] a) {
        long end = Long.parseLong(a[0]) * 1000000000;
        java.lang.management.ThreadMXBean clock = java.lang.management.ManagementFactory.getThreadMXBean();
        int x = 1;
        while (clock.getCurrentThreadCpuTime() < end)
            for (int i = 0; i < 1000000; i++) x = step(x, i);
        System.out.println(x == 0 ? "0" : "done");
    }
}
