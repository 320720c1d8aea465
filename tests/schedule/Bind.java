// SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.Array;
import java.util.*;
import java.util.concurrent.*;

/** Two threads make the first calls of natives that the VM has C code of its own for. */
public class Bind {
    static final Object lock = new Object();
    static List<Callable<Object>> calls() {
        int[] a = {3, 4}; long[] l = {7};
        return List.of(() -> Array.getInt(a, 1), () -> Array.getLong(l, 0), () -> { Array.setInt(a, 0, 9); return a[0]; }, () -> Thread.holdsLock(lock),
            () -> Runtime.getRuntime().maxMemory() > 0, () -> Runtime.getRuntime().availableProcessors() > 0, () -> ((Object[]) Array.newInstance(String.class, 5)).length,
            () -> Array.get(a, 1), () -> Array.getLength(a), () -> ((int[][]) Array.newInstance(int.class, 2, 3))[1].length, () -> int[].class.isHidden(), () -> Bind.class.getNestHost(),
            () -> Double.doubleToRawLongBits(2.5), () -> Float.floatToRawIntBits(1.5f), () -> Bind.class.getSigners() == null, () -> StrictMath.cbrt(27), () -> "x".intern(),
            () -> Array.getDouble(new double[] {2.5}, 0), () -> Array.getChar(new char[] {'c'}, 0), () -> Array.getBoolean(new boolean[] {true}, 0), () -> Bind.class.isRecord());
    }
    public static void main(String[] x) throws Exception {
        List<Callable<Object>> calls = calls();
        CyclicBarrier start = new CyclicBarrier(2);
        String[] out = new String[2];
        Thread[] t = new Thread[2];
        for (int i = 0; i < 2; i++) {
            int me = i;
            (t[i] = new Thread(() -> {
                StringBuilder s = new StringBuilder();
                try {
                    for (Callable<Object> c : calls) {
                        start.await();
                        if (me == 1) Thread.sleep(10); // the other one binds
                        s.append(c.call()).append(' ');
                    }
                } catch (Exception e) { s.append(e); }
                out[me] = s.toString();
            })).start();
        }
        for (Thread k : t) k.join();
        System.out.println(out[0].equals(out[1]) ? out[0] : out[0] + "\n" + out[1]);
    }
}
