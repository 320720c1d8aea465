// SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.*;
import java.util.*;

/** Allocations of every kind, for agent_alloc.c. */
public class Allocs {
    static native void mode(int event, boolean enable, Thread t);
    static native int interval(int n);
    static native void watch(Thread t, boolean begin);
    static native long figure(int which);
    static native String seen(int least);
    static native void jni(Class<?> k, int n);
    static native void tag(Object o, long tag);
    static native void gc();
    static native void quiet(boolean callbackMakesNothing);
    static final int GC_START = 81, GC_FINISH = 82, FREE = 83, VM_ALLOC = 84, SAMPLED = 86;
    static final int TOTAL = 0, WRONG = 1, NO_STACK = 2, HANDLED = 3, STARTS = 4, FINISHES = 5, UNPAIRED = 6, FREED = 7, NESTED = 8;

    static class Thing implements Cloneable {
        long a, b, c;
        public Object clone() { try { return super.clone(); } catch (CloneNotSupportedException e) { throw new Error(e); } }
    }
    static Object sink;
    interface Work { void run() throws Exception; }

    static void seen(String what, Work w) throws Exception {
        w.run();
        watch(Thread.currentThread(), true);
        w.run();
        watch(null, false);
        String[] lines = seen(1).split("\n");
        Arrays.sort(lines);
        System.out.println(what + ": " + String.join(", ", lines));
    }
    static void vmAllocs() throws Exception {
        mode(VM_ALLOC, true, null);
        Thing t = new Thing();
        int[] ints = {1, 2};
        Constructor<Thing> maker = Thing.class.getDeclaredConstructor();
        Method m = Thing.class.getMethod("clone");
        seen("new", () -> sink = new Thing());
        seen("clone", () -> sink = t.clone());
        seen("array clone", () -> sink = ints.clone());
        seen("Array.newInstance", () -> sink = Array.newInstance(Thing.class, 3));
        seen("Array.newInstance ints", () -> sink = Array.newInstance(int.class, 3));
        seen("Array.newInstance two", () -> sink = Array.newInstance(int.class, 2, 2));
        quiet(true); // the reference alone reports what is made in this one's callback
        seen("newInstance", () -> sink = maker.newInstance());
        quiet(false);
        seen("concat", () -> sink = "a" + System.nanoTime());
        seen("intern", () -> sink = ("in" + System.nanoTime()).intern());
        seen("interfaces", () -> sink = ArrayList.class.getInterfaces());
        seen("methods", () -> { sink = Thing.class.getDeclaredMethods(); sink = Thing.class.getDeclaredConstructors(); });
        seen("fields", () -> sink = Thing.class.getDeclaredFields());
        seen("stack trace", () -> sink = new Throwable().getStackTrace());
        seen("thread stack trace", () -> sink = Thread.currentThread().getStackTrace());
        Thread[] me = {Thread.currentThread()};
        Thread[] group = new Thread[1];
        seen("threads", () -> sink = me[0].getThreadGroup().enumerate(group));
        seen("invoke", () -> sink = m.invoke(t));
        seen("properties", () -> sink = System.getenv());
        seen("forName", () -> sink = Class.forName("Allocs$Work"));
        seen("annotations", () -> sink = Deprecated.class.getAnnotations());
        seen("jni", () -> jni(Thing.class, 1));
        mode(VM_ALLOC, false, null);
        seen("off", () -> sink = t.clone());
        System.out.println("sizes " + figure(WRONG) + " stacks " + figure(NO_STACK) + " handled " + figure(HANDLED) + " nested " + figure(NESTED));
    }

    static void work(int n) { for (int i = 0; i < n; i++) { sink = new Thing(); sink = new int[i & 15]; } }
    static void strings(int n) { for (int i = 0; i < n; i++) sink = "s" + i; }
    /** Many times at least what is asked for: HotSpot takes its time to notice a new interval. */
    static void sampled() throws Exception {
        System.out.println("negative " + interval(-5) + " most " + interval(Integer.MAX_VALUE) + " all " + interval(0));
        work(3_000_000);
        mode(SAMPLED, true, null);
        work(3_000_000);
        watch(Thread.currentThread(), true);
        work(1000);
        watch(null, false);
        System.out.println("every one: " + seen(500).replace("\n", ", "));
        watch(Thread.currentThread(), true);
        jni(Thing.class, 100);
        watch(null, false);
        System.out.println("from JNI: " + seen(100).replace("\n", ", "));
        Thing t = new Thing();
        Object[] big = new Object[10];
        sink = new int[2][3];
        watch(Thread.currentThread(), true);
        for (int i = 0; i < 100; i++) { sink = t.clone(); sink = new long[100_000]; sink = new int[2][3]; sink = Array.newInstance(Thing.class, 5); }
        watch(null, false);
        String[] lines = seen(90).replaceAll(" in clone: 99", " in clone: 100").split("\n");
        Arrays.sort(lines);
        System.out.println("others: " + String.join(", ", lines));
        Thread[] more = new Thread[3];
        watch(null, true);
        for (int i = 0; i < more.length; i++) (more[i] = new Thread(() -> work(1000))).start();
        for (Thread x : more) x.join();
        watch(null, false);
        System.out.println("threads: " + seen(2500).replace("\n", ", "));
        mode(SAMPLED, false, null);
        watch(null, true);
        work(100);
        watch(null, false);
        System.out.println("off: " + figure(TOTAL));
        mode(SAMPLED, true, Thread.currentThread());
        work(100_000);
        watch(null, true);
        Thread alone = new Thread(() -> work(5000));
        alone.start();
        alone.join();
        boolean other = seen(100).contains("Thing");
        work(1000);
        watch(null, false);
        System.out.println("one thread: " + other + " " + seen(1000).replace("\n", ", "));
        interval(1 << 20);
        work(3_000_000);
        watch(null, true);
        for (int i = 0; i < 2000; i++) sink = new byte[128 << 10]; // 250 MB
        watch(null, false);
        long n = figure(TOTAL);
        System.out.println("each MiB: " + (n > 150 && n < 400));
        interval(64 << 10);
        work(3_000_000);
        for (int size = 16 << 10; size <= 64 << 10; size *= 2) { // of each: 1 - e^(-size / interval); deviation below 0.8 %
            watch(Thread.currentThread(), true);
            for (int i = 0; i < 60_000; i++) sink = new byte[size - 16];
            watch(null, false);
            double share = figure(TOTAL) / 60_000.0 / (1 - Math.exp(-size / 65536.0));
            System.out.println(size + " bytes: " + (share > 0.97 && share < 1.03 ? "as many as should be" : "" + share));
        }
        interval(0);
        work(3_000_000);
        strings(1000);
        System.out.println("sizes " + figure(WRONG) + " stacks " + figure(NO_STACK) + " handled " + figure(HANDLED) + " " + (big != null));
        mode(SAMPLED, false, Thread.currentThread());
    }

    static void collections() throws Exception {
        mode(GC_START, true, null);
        mode(GC_FINISH, true, null);
        mode(FREE, true, null);
        long before = figure(FINISHES);
        gc();
        System.out.println("forced: " + (figure(FINISHES) > before));
        before = figure(FINISHES);
        System.gc();
        System.out.println("asked for: " + (figure(FINISHES) > before));
        Object[] kept = new Object[100];
        for (int i = 0; i < 1000; i++) { Object o = new Thing(); tag(o, 1); if (i % 10 == 0) kept[i / 10] = o; }
        for (int i = 0; i < 100 && figure(FREED) < 899; i++) { gc(); Thread.sleep(20); }
        System.out.println("freed: " + (figure(FREED) >= 899 && figure(FREED) <= 900));
        before = figure(FINISHES);
        for (int i = 0; i < 4000; i++) sink = new byte[256 << 10];
        System.out.println("of themselves: " + (figure(FINISHES) > before));
        System.out.println("paired: " + (figure(UNPAIRED) == 0) + " " + (figure(STARTS) == figure(FINISHES)) + " " + kept.length);
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
        case "vm": vmAllocs(); break;
        case "sampled": sampled(); break;
        default: collections();
        }
    }
}
