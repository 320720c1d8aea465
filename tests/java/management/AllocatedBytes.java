// SPDX-License-Identifier: Apache-2.0
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Bytes allocated by a thread are those of its objects, for arrays of every size. */
public class AllocatedBytes {
    static Object sink;
    public static void main(String[] args) throws Exception {
        ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        for (int n : new int[] {0, 8, 100, 1000, 4000, 8000, 16000, 17000, 20000, 32000, 33000, 40000, 64000, 65537, 100_000, 1_000_000, 5_000_000}) {
            int count = n > 500_000 ? 20 : 300;
            sink = new byte[n];
            long before = bean.getThreadAllocatedBytes(id);
            for (int i = 0; i < count; i++) sink = new byte[n];
            double ratio = (double) (bean.getThreadAllocatedBytes(id) - before) / ((long) count * ((n + 16 + 7) / 8 * 8));
            System.out.println(n + (ratio > 0.98 && ratio < 1.02 ? " right" : " " + ratio));
        }
        for (int n : new int[] {1, 1000, 5000, 10_000, 100_000}) {
            Object o = sink = new Object[n];
            long before = bean.getThreadAllocatedBytes(id);
            for (int i = 0; i < 100; i++) sink = ((Object[]) o).clone();
            double ratio = (double) (bean.getThreadAllocatedBytes(id) - before) / (100L * ((4L * n + 16 + 7) / 8 * 8));
            System.out.println("clone " + n + (ratio > 0.98 && ratio < 1.02 ? " right" : " " + ratio));
        }
        Thread t = new Thread(() -> { for (int i = 0; i < 100; i++) sink = new byte[50_000]; });
        t.start();
        t.join();
        System.out.println(bean.getThreadAllocatedBytes(t.getId()));
    }
}
