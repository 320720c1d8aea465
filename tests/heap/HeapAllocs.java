// SPDX-License-Identifier: Apache-2.0
public class HeapAllocs {
    static Object sink;
    static int smalls = 500_000;
    static final Object[] kept = new Object[1000];
    static final class Small { int a; }
    static void big() { for (int i = 0; i < 300; i++) sink = new long[10_000]; }             // 24 MB
    static void small() { for (int i = 0; i < smalls; i++) sink = new Small(); }             // 8 MB
    static void both() { big(); small(); small(); }
    static void keep() { for (int i = 0; i < 4000; i++) kept[i % 1000] = new byte[10_000]; } // 40 MB, 10 MB stay
    public static void main(String[] args) throws Exception {
        if (args.length > 0) smalls = Integer.parseInt(args[0]);
        Thread t = new Thread(HeapAllocs::both, "worker <&\"1\">;");
        t.start();
        t.join();
        small();
        keep();
        sink = null;
    }
}
