// SPDX-License-Identifier: Apache-2.0
import java.lang.management.*;
import java.util.*;
import java.util.concurrent.*;

/** ThreadMXBean finds a monitor deadlock and names locks and owners; the program ends although daemons hang. */
public class Deadlock {
    public static void main(String[] args) throws Exception {
        Object a = new Object(), b = new Object();
        CyclicBarrier both = new CyclicBarrier(2);
        Thread[] ts = new Thread[2];
        for (int i = 0; i < 2; i++) {
            Object first = i == 0 ? a : b, second = i == 0 ? b : a;
            ts[i] = new Thread(() -> {
                synchronized (first) {
                    try { both.await(); } catch (Exception e) { return; }
                    synchronized (second) { System.out.println("impossible"); }
                }
            }, "dead-" + i);
            ts[i].setDaemon(true);
            ts[i].start();
        }
        for (Thread t : ts) while (t.getState() != Thread.State.BLOCKED) Thread.sleep(1);
        ThreadMXBean mx = ManagementFactory.getThreadMXBean();
        long[] ids = mx.findMonitorDeadlockedThreads();
        Arrays.sort(ids);
        for (ThreadInfo t : mx.getThreadInfo(ids, 10))
            System.out.println(t.getThreadName() + " " + t.getThreadState() + " waits for " + t.getLockOwnerName() + " " + t.getLockInfo().getClassName() + " " + t.getStackTrace()[0].getMethodName().replaceAll("\\d+$", ""));
        System.out.println(ids.length + " " + (mx.getThreadCount() >= 3));
    }
}
