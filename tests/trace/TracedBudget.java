// SPDX-License-Identifier: Apache-2.0
/** Works for some seconds of processor time: a method that is called all the time, one that is called now and then, in two threads. */
public class TracedBudget {
    static volatile int sink;
    static int hot(int n) { return n * 31 + 7; }
    static int slow(int n) {
        int sum = n;
        for (int i = 0; i < 200_000; i++) sum = hot(sum) ^ i;
        return sum;
    }
    static void quiet(int n) { sink += n; }
    static int second(int n) { return n ^ sink; }
    static void work(long nanos) {
        for (long end = cpu() + nanos; cpu() < end;) { sink += slow(sink); quiet(1); }
    }
    static void late(long nanos) {
        for (long end = cpu() + nanos; cpu() < end;) for (int i = 0; i < 100_000; i++) sink += second(i);
    }
    static long cpu() { return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime(); }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> work(1_000_000_000L));
        t.start();
        work(1_000_000_000L);
        t.join();
        late(500_000_000L);
        System.out.println("end");
    }
}
