// SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.Field;
import java.util.concurrent.locks.LockSupport;

/** What profilers rely on, used by agent_profiled.c as they use it. */
public class Profiled {
    static native long look(long eetop);
    static native int retransforms(Class<?> c);
    static native boolean learnPark();
    static native int usePark(boolean mine);

    static long table() {
        try {
            Field f = Thread.class.getDeclaredField("eetop");
            f.setAccessible(true);
            return look(f.getLong(Thread.currentThread()));
        } catch (ReflectiveOperationException e) { throw new Error(e); }
    }
    public static void main(String[] a) throws Exception {
        long mine = table();
        long[] other = new long[3];
        Thread[] t = new Thread[3];
        for (int i = 0; i < 3; i++) { int k = i; (t[i] = new Thread(() -> other[k] = table())).start(); }
        for (Thread x : t) x.join();
        System.out.println("one table " + (mine != 0 && mine == other[0] && mine == other[1] && mine == other[2]));
        System.out.println("retransforms seen " + retransforms(Profiled.class));
        System.out.println("park learned " + learnPark());
        usePark(true);
        Thread p = new Thread(() -> { for (int i = 0; i < 3; i++) LockSupport.parkNanos(1_000_000); LockSupport.park(); System.out.println("unparked"); });
        p.start();
        while (p.getState() != Thread.State.WAITING) Thread.sleep(5);
        LockSupport.unpark(p);
        p.join();
        int n = usePark(false);
        System.out.println("parks seen " + (n >= 4));
        LockSupport.parkNanos(1000);
        System.out.println("given back " + (usePark(false) == n));
    }
}
