// SPDX-License-Identifier: Apache-2.0
/** What tests/tool/embed.c runs inside the VM it makes. */
public class Embedded {
    static void facts() {
        Thread t = Thread.currentThread();
        System.out.println(t.getName() + " " + t.getThreadGroup().getName() + " " + t.isDaemon() + " " + t.getContextClassLoader().getClass().getSimpleName());
        System.out.println(System.getProperty("java.class.path") != null);
    }
    static void fails() { throw new IllegalArgumentException("to the C program"); }
    static void hook() { Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("shutdown hook"))); }
    static void exit() { System.out.println("exiting"); System.exit(3); }
    static void startThreads() {
        hook();
        Object go = new Object();
        Thread second = new Thread(() -> { System.out.println("second thread ends"); });
        Thread first = new Thread(() -> {
            try { Thread.sleep(300); } catch (InterruptedException e) { }
            System.out.println("first thread starts the second");
            second.start();
        });
        first.start();
        Thread d = new Thread(() -> { for (;;) try { Thread.sleep(100000); } catch (InterruptedException e) { } });
        d.setDaemon(true);
        d.start();
    }
}
