// SPDX-License-Identifier: Apache-2.0

/** Hot methods whose events go to one environment, which does something in the midst of them: driver of agent_direct.c. */
public class Direct {
    static native void listen(int environments, Thread only);
    static native void plan(String what, int countdown);
    static native void tell();
    static native boolean same(Thread t);

    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static String text(Object o) { return (String) o; }
    static byte small(int x) { return (byte) x; }
    static boolean odd(int x) { return (x & 1) != 0; }
    static double real(double x) { return x / 2; }
    static long wide(long x) { return -x; }
    static char letter(int x) { return (char) x; }
    static void nothing() { }
    static int failing(int x) {
        if (x > 0) throw new IllegalArgumentException("own");
        return x;
    }

    static long all(int n) {
        long sum = fib(n) + small(300 + n) + letter(-n) + wide(n) + (long) real(n) + (odd(n) ? 1 : 0);
        String s = text(n % 2 == 0 ? "ab" + n : null);
        if (s != null) sum += s.length();
        nothing();
        try { sum += failing(n); } catch (IllegalArgumentException e) { sum++; }
        return sum;
    }
    static void round(String what, int countdown) {
        plan(what, countdown);
        long sum = 0;
        for (int i = 0; i < 40; i++) {
            try {
                sum += all(i % 7);
            } catch (IllegalStateException e) {
                sum += e.getMessage().length();
            }
        }
        System.out.println(what + " " + countdown + ": " + sum);
        tell();
    }

    public static void main(String[] args) throws Exception {
        System.loadLibrary("agent_direct");
        for (int i = 0; i < 400; i++) all(5);
        String[] doings = {"nothing", "references", "collect", "throw", "return", "second on", "second off", "off", "callbacks gone",
                           "off for others, on for the thread", "notify", "dispose"};
        for (String what : doings)
            for (int countdown : new int[] {1, 2, 7, 60, 333}) {
                listen(what.equals("second off") ? 2 : 1, null);
                for (int i = 0; i < 100; i++) all(4);
                round(what, countdown);
            }
        listen(1, Thread.currentThread());
        for (int i = 0; i < 100; i++) all(4);
        round("nothing", 1);
        listen(1, null);
        Thread[] others = new Thread[3];
        for (int k = 0; k < others.length; k++) (others[k] = new Thread(() -> { for (int i = 0; i < 3000; i++) all(5); })).start();
        for (int i = 0; i < 200; i++) { // pauses, with threads in callbacks
            if (i % 10 == 0) System.gc();
            listen(i % 3, null);
        }
        for (Thread t : others) t.join();
        System.out.println("done");
    }
}
