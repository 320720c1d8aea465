// SPDX-License-Identifier: Apache-2.0
public class HeapAllocs {
    static Object sink;
    static final class Small { int a; }
    static void big() { for (int i = 0; i < 300; i++) sink = new long[10_000]; }             // 24 MB
    static void small() { for (int i = 0; i < 500_000; i++) sink = new Small(); }            // 8 MB
    static void both() { big(); small(); small(); }
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(HeapAllocs::both, "worker <&\"1\">;");
        t.start();
        t.join();
        small();
    }
}
