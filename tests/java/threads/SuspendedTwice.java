// SPDX-License-Identifier: Apache-2.0
// javac: -Xlint:-removal -Xlint:-deprecation
/** One resume is enough, however often a thread was suspended. */
public class SuspendedTwice {
    static volatile long count;

    static boolean runs() throws InterruptedException {
        long before = count;
        for (int i = 0; i < 200 && before == count; i++) Thread.sleep(5);
        return before != count;
    }

    @SuppressWarnings({"deprecation", "removal"})
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            for (;;) count++;
        });
        t.setDaemon(true);
        t.start();
        System.out.println(runs());
        t.suspend();
        t.suspend();
        long before = count;
        Thread.sleep(50);
        System.out.println(before == count);
        t.resume();
        System.out.println(runs());
        t.resume();
        System.out.println(runs());
    }
}
