// SPDX-License-Identifier: Apache-2.0
// exit: 1
/** An exception out of main: trace on stderr, other threads finish, shutdown hooks run, exit code 1. */
public class Uncaught {
    static class Custom extends RuntimeException {
        Custom(String m, Throwable t) { super(m, t); }
        @Override public String getLocalizedMessage() { return "localized " + getMessage(); }
    }

    public static void main(String[] args) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        Thread t = new Thread(() -> {
            try {
                Thread.sleep(200);
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
            System.out.println("other thread ends");
            throw new IllegalStateException("from thread");
        }, "worker-7");
        t.start();
        System.out.println("main throws");
        throw new Custom("boom", new Exception("cause\nwith newline"));
    }
}
