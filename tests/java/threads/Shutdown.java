// SPDX-License-Identifier: Apache-2.0
// exit: 42
/** System.exit from another thread: hooks run once, finally blocks do not, the exit code is kept. */
public class Shutdown {
    public static void main(String[] args) throws Exception {
        Runtime rt = Runtime.getRuntime();
        Thread removed = new Thread(() -> System.out.println("never"));
        rt.addShutdownHook(removed);
        System.out.println(rt.removeShutdownHook(removed) + " " + rt.removeShutdownHook(removed));
        rt.addShutdownHook(new Thread(() -> {
            System.out.println("hook runs in " + Thread.currentThread().getName());
            try { rt.addShutdownHook(new Thread()); } catch (IllegalStateException e) { System.out.println(e.getMessage()); }
        }, "my-hook"));
        Thread t = new Thread(() -> {
            try {
                System.exit(42);
            } finally {
                System.out.println("finally must not run");
            }
        });
        t.start();
        Thread.sleep(100000);
    }
}
