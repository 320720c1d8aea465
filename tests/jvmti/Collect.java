// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** Driver of agent_collect.c. */
public class Collect {
    static native String report(int atLeast);
    static native void force();
    static native int starts();
    static native void on(boolean on);
    static native void await();
    static volatile boolean end;
    static Object sink;

    public static void main(String[] args) throws Exception {
        System.loadLibrary("agent_collect");
        System.gc();
        System.out.println("off " + starts());
        on(true);
        for (int i = 0; i < 5; i++)
            System.gc();
        force();
        System.out.println(report(6));
        Thread t = new Thread(() -> {
            List<byte[]> kept = new ArrayList<>();
            while (!end) {
                byte[] b = new byte[10000];
                sink = b;
                if (kept.size() < 100)
                    kept.add(b);
            }
        });
        t.start();
        await();
        await();
        end = true;
        t.join();
        System.out.println(report(8));
        on(false);
        int before = starts();
        System.gc();
        System.out.println("off again " + (starts() == before));
    }
}
