// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;

/** Burns processor time in main > middle > hot, with calls and allocation below it. */
public class Async {
    static int sink;
    static native int redefine(Class<?> c, byte[] bytes);
    static native int samples();
    /** This class, or it with another number in hot (sipush 20000): frames of hot are obsolete, the others equivalent. */
    static byte[] version(boolean other) throws Exception {
        byte[] b = Async.class.getResourceAsStream("Async.class").readAllBytes();
        for (int i = 0; other && i + 3 < b.length; i++)
            if (b[i] == 0x11 && b[i + 1] == 0x4e && b[i + 2] == 0x20) { b[i + 2]++; return b; }
        return b;
    }
    static int leaf(int n) { return n * 31 + 7; }
    static int hot(int n) {
        int h = n;
        ArrayList<Integer> list = new ArrayList<>();
        for (int i = 0; i < 20000; i++) {
            h = leaf(h);
            if (i % 16 == 0) list.add(h);
        }
        return h + list.size();
    }
    /** Until there is something to judge: on a busy machine that takes longer. */
    static void middle(long start) {
        for (long past = 0; past < 1_500_000_000L || samples() < 200 && past < 60_000_000_000L; past = System.nanoTime() - start)
            sink += hot(sink);
    }
    public static void main(String[] args) throws Exception {
        byte[] same = version(false), other = version(true);
        Thread changes = new Thread(() -> {
            try {
                for (int i = 0; i < 60; i++) {
                    if (redefine(Async.class, i % 2 == 0 ? other : same) != 0) System.out.println("not redefined");
                    Thread.sleep(20);
                }
            } catch (InterruptedException e) { throw new Error(e); }
        });
        System.load(System.getProperty("java.library.path") + "/libagent_async.so");
        changes.start();
        middle(System.nanoTime());
        changes.join();
        System.out.println("end");
    }
}
