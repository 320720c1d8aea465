// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** Driver of agent_calls.c. */
public class Calls {
    static native void on(boolean on);
    static native void breakAt(Class<?> c, String name, String desc, boolean set);
    static class Lock { }
    static Object sink;
    static int number;

    static void body(Object o, String a, String b, int[] array, char[] chars, StringBuilder sb) {
        number += o.hashCode() & 0;
        number += System.identityHashCode(o) & 0;
        number += a.equals(b) ? 1 : 0;
        number += a.hashCode();
        number += a.length() + a.charAt(1) + a.indexOf("c");
        sink = o.getClass();
        sink = Thread.currentThread();
        System.arraycopy(array, 0, array, 1, 2);
        number += System.nanoTime() > 0 ? 1 : 0;
        sink = array.clone();
        sink = a.intern();
        sb.append('x').append(a);
        number += Math.max(number, 3) + Integer.bitCount(5);
        number += Arrays.hashCode(array);
        sink = new String(chars);
        number += a.compareTo(b);
        sink = Object.class.getSuperclass();
        number += o instanceof Number ? 1 : 0;
        try {
            System.arraycopy(array, 0, array, 2, 9);
        } catch (ArrayIndexOutOfBoundsException e) {
            number++;
        }
    }
    public static void main(String[] args) throws Exception {
        System.loadLibrary("agent_calls");
        Object o = new Object();
        for (int i = 0; i < 3; i++)
            body(o, "abc", "abd", new int[] {1, 2, 3}, new char[] {'q'}, new StringBuilder());
        on(true);
        body(o, "abc", "abd", new int[] {1, 2, 3}, new char[] {'q'}, new StringBuilder());
        on(false);
        System.out.println(number);
        breakAt(String.class, "equals", "(Ljava/lang/Object;)Z", true);
        breakAt(Math.class, "max", "(II)I", true);
        System.out.println("abc".equals(args.length == 0 ? "abd" : "") + " " + Math.max(number, 5));
        breakAt(String.class, "equals", "(Ljava/lang/Object;)Z", false);
        breakAt(Math.class, "max", "(II)I", false);
        System.out.println("abc".equals(args.length == 0 ? "abc" : "") + " " + Math.max(number, 5));
        monitors();
    }
    static void monitors() throws Exception {
        Lock lock = new Lock();
        Thread waiter = new Thread(() -> {
            synchronized (lock) {
                try {
                    lock.wait();
                    lock.wait(1);
                    lock.wait(100000);
                } catch (InterruptedException e) {
                    System.out.println("interrupted");
                }
            }
        }, "waiter");
        Thread blocked = new Thread(() -> {
            synchronized (lock) {
                System.out.println("entered");
            }
        }, "blocked");
        waiter.start();
        while (waiter.getState() != Thread.State.WAITING)
            Thread.sleep(1);
        synchronized (lock) {
            lock.notify();
        }
        Thread.sleep(50);
        while (waiter.getState() != Thread.State.TIMED_WAITING)
            Thread.sleep(1);
        synchronized (lock) {
            blocked.start();
            while (blocked.getState() != Thread.State.BLOCKED)
                Thread.sleep(1);
        }
        blocked.join();
        waiter.interrupt();
        waiter.join();
    }
}
