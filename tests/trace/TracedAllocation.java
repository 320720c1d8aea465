// SPDX-License-Identifier: Apache-2.0
/** Allocates known numbers of bytes, in two threads, one of them with failures. */
public class TracedAllocation {
    static volatile Object sink;
    static void thousand() { sink = new byte[1000]; }                          // 1016
    static void none(int n) { if (n > 0) none(n - 1); }
    static void fails(int n) { sink = new int[n]; throw NO; }                  // 16 + 4 n
    static final IllegalStateException NO = new IllegalStateException();
    static void outer() {
        for (int i = 0; i < 10; i++) thousand();
        sink = new long[25];                                                   // 216
        none(3);
        try { fails(4); } catch (IllegalStateException e) { sink = e; }
    }
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 300; i++) outer();
        Thread t = new Thread("other") { @Override public void run() { for (int i = 0; i < 100; i++) outer(); } };
        t.start();
        t.join();
    }
}
