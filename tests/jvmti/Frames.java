// SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.Method;
import java.util.*;
import java.util.concurrent.locks.LockSupport;

/** Driver of agent_frames.c. */
public class Frames {
    static native void dump(Thread t, int depth, int n, boolean bci);
    static native String set(Thread t, int depth, int slot, char type, double v, Object o);
    static native void step(Class<?> in, String method, String desc);
    static native void stopSteps();
    static native void leaveAt(Class<?> in, String method, String desc, int at, String what, Object o);
    static native void leaveEnd();
    static native String leave(Thread t, char what, Object o);
    static native void thread(Thread t);
    static native int stateOf(Thread t);
    static native String suspend(Thread t);
    static native String resume(Thread t);
    static native String stop(Thread t, Throwable e);
    static native String lists(Thread[] threads);
    static native void enterHeld(boolean enter);
    static native void inNative(Object entered);
    static native void agentThread(Thread t);

    static void steps() {
        step(Variables.class, "flow", "(IJZLjava/lang/Object;D)I");
        int r = Variables.flow(1, 2, true, "o", 1.5) + Variables.flow(3, 2, false, null, 1.5);
        stopSteps();
        System.out.println(r);
    }
    static void plain() {
        steps();
        new Variables().instance("text", new long[] {1, 2}, List.of("a"));
    }
    static void variables() {
        new Variables().instance("text", new long[] {1, 2}, List.of("a"));
        Variables.assigned(1, 2, 3, 4, "five", "six", new int[] {7}, false, (byte) 1, 'c', (short) 2, "q", new Number[1]);
        Method m;
        try {
            m = Variables.class.getDeclaredMethod("instance", String.class, long[].class, List.class);
            m.invoke(new Variables(), "reflected", new long[] {3}, List.of());
        } catch (ReflectiveOperationException e) {
            System.out.println(e);
        }
    }

    interface Act { Object run() throws Exception; }
    static void left(String method, String desc, int at, String what, Object o, Act act) throws Exception {
        System.out.println(method + " " + at + " " + what);
        Class<?> in = method.equals("area") ? Left.Box.class : method.equals("pass") ? Left.Third.class : Left.class;
        Left.entered = 0;
        leaveAt(in, method, desc, at, what, o);
        Object result;
        try {
            result = act.run();
        } catch (Throwable e) {
            result = e;
        }
        leaveEnd();
        if (result instanceof Float || result instanceof Double || result instanceof Long || result instanceof Number
            || result instanceof String || result instanceof Boolean)
            System.out.println("  = " + result + " entered " + Left.entered);
        else
            System.out.println("  = " + (result == null ? null : result instanceof Character c ? (int) c : result.getClass().getName())
                + " entered " + Left.entered);
    }
    static void lefts() throws Exception {
        String in = "(ILjava/lang/String;)I";
        for (String what : new String[] {"P", "I", "IP", "PI", "PP", "V", "J", "L", "1P", "0P", "0I", "00", "2I"})
            left("number", in, 0, what, "o", () -> Left.number(1, "s"));
        left("number", in, 11, "P", null, () -> Left.number(1, "s"));
        left("number", in, 11, "I", null, () -> Left.number(1, "s"));
        left("flag", "()Z", 0, "1Vi", null, () -> Left.flag());
        left("small", "()B", 0, "i", null, () -> Left.small());
        left("letter", "()C", 0, "i", null, () -> Left.letter());
        left("medium", "()S", 0, "i", null, () -> Left.medium());
        left("wide", "(JI)J", 0, "IJ", null, () -> Left.wide(1L << 40, 2));
        left("wide", "(JI)J", 0, "P", null, () -> Left.wide(1L << 40, 2));
        left("real", "()F", 0, "IF", null, () -> Left.real());
        left("big", "(D)D", 0, "FD", null, () -> Left.big(7));
        left("text", "(Ljava/lang/String;)Ljava/lang/String;", 0, "L", "given", () -> Left.text("a"));
        left("text", "(Ljava/lang/String;)Ljava/lang/String;", 0, "L", new Object(), () -> Left.text("a"));
        left("text", "(Ljava/lang/String;)Ljava/lang/String;", 0, "N", null, () -> Left.text("a"));
        left("array", "()[[I", 0, "L", new int[1][], () -> Left.array());
        left("array", "()[[I", 0, "L", new int[1], () -> Left.array());
        left("nothing", "()V", 0, "IV", null, () -> { Left.nothing(); return 1; });
        left("nothing", "()V", 0, "P", null, () -> { Left.nothing(); return 1; });
        left("locked", "()I", 0, "P", null, () -> { int r = Left.locked(); System.out.println("  held " + Thread.holdsLock(Left.class)); return r; });
        left("locked", "()I", 0, "I", null, () -> { int r = Left.locked(); System.out.println("  held " + Thread.holdsLock(Left.class)); return r; });
        Left b = new Left();
        left("blocks", "(I)I", 11, "P", null, () -> { int r = b.blocks(1); System.out.println("  held " + Thread.holdsLock(b) + Thread.holdsLock(b.lock)); return r; });
        left("blocks", "(I)I", 11, "I", null, () -> { int r = b.blocks(1); System.out.println("  held " + Thread.holdsLock(b) + Thread.holdsLock(b.lock)); return r; });
        left("finals", "()I", 0, "I", null, () -> Left.finals());
        left("finals", "()I", 0, "P", null, () -> Left.finals());
        Left.Shape s = new Left.Box();
        left("area", "(I)I", 0, "P", null, () -> s.area(3));
        left("area", "(I)I", 0, "I", null, () -> s.area(3));
        left("viaLambda", "(Ljava/util/function/IntUnaryOperator;)I", 0, "P", null, () -> Left.viaLambda(x -> x + 1));
        left("concat", "(Ljava/lang/String;)I", 0, "P", null, () -> Left.concat("abc"));
        int[] numbers = {3, 1, 4, 1, 5, 9, 2, 6};
        String passed = "(IJLjava/lang/String;[I)I";
        Left.Passer[] passers = {new Left.First(), new Left.Second(), new Left.Third()};
        for (int i = 0; i < 3000; i++) if (Left.around(numbers, i & 3) + Left.aroundAny(passers, numbers, i & 3) == i) System.out.println("met " + i);
        for (String what : new String[] {"P", "1P", "I", "PI", "00"}) {
            left("passed", passed, 0, what, null, () -> Left.around(numbers, 1));
            left("pass", passed, 0, what, null, () -> Left.aroundAny(passers, numbers, 1));
            left("passed", passed, 0, what, null, () -> Left.aroundAny(passers, numbers, 1));
        }
        left("number", in, 0, "P", null, () -> Left.class.getDeclaredMethod("number", int.class, String.class).invoke(null, 4, "r"));
        left("number", in, 0, "I", null, () -> Left.class.getDeclaredMethod("number", int.class, String.class).invoke(null, 4, "r"));
    }

    /* --- threads --- */
    static volatile boolean go;
    static int spinning;
    static void spin(int a, String name) {
        long l = 5;
        while (!go)
            spinning++;
        System.out.println("spin ends " + a + name + l);
    }
    static int result(int n) {
        while (!go)
            spinning++;
        return n;
    }
    static final Object lock = new Object(), timedLock = new Object();
    static class Slow {
        static boolean made = Frames.slow();
        static int value = 3;
    }
    static volatile boolean slowEntered;
    static boolean slow() {
        slowEntered = true;
        while (!go)
            spinning++;
        return true;
    }
    static class Inner { }
    static void waits() throws InterruptedException {
        synchronized (new Inner()) {
            synchronized (lock) {
                lock.wait();
            }
        }
    }
    static synchronized void blocked(Object o) {
        synchronized (o) {
            System.out.println("not blocked any more");
        }
    }
    static Thread start(String name, Act act) {
        Thread t = new Thread(() -> {
            try {
                act.run();
            } catch (Throwable e) {
                System.out.println(name + " ended by " + e);
            }
        }, name);
        t.setDaemon(name.length() % 2 == 0);
        t.start();
        return t;
    }
    static void await(Thread t, int state) throws Exception {
        while ((stateOf(t) & ~0x300000) != state)
            Thread.sleep(1);
    }
    static void calls(Thread t) {
        StringBuilder b = new StringBuilder("  calls:");
        for (char c : new char[] {'P', 'I', 'J', 'F', 'D', 'V', 'L', '0', '1', '9'})
            b.append(' ').append(c).append('=').append(c == 'P' || Character.isDigit(c) || (stateOf(t) & 0x100000) == 0 ? leave(t, c, "o") : "-");
        System.out.println(b);
        System.out.println("  set: " + set(t, 0, 0, 'I', 3, null) + " " + set(t, 99, 0, 'I', 3, null));
    }
    /** All about t, as it is and suspended; c: what may be called while it is suspended. */
    static void look(String what, Thread t, boolean pop) throws Exception {
        System.out.println("== " + what);
        thread(t);
        calls(t);
        System.out.println(suspend(t) + " " + suspend(t));
        thread(t);
        if (!pop)
            calls(t);
        System.out.println(resume(t) + " " + resume(t));
    }
    static void threads() throws Exception {
        Thread fresh = new Thread("fresh");
        look("new", fresh, true);
        Thread dead = start("dead", () -> null);
        dead.join();
        look("dead", dead, true);

        Thread waiting = start("waiting", () -> { waits(); return null; });
        await(waiting, 0x191);
        look("waiting", waiting, false);
        waiting.interrupt();
        waiting.join();

        Thread sleeping = start("sleeping", () -> { Thread.sleep(1000000); return null; });
        await(sleeping, 0xe1);
        look("sleeping", sleeping, false);
        String stopped = stop(sleeping, new IllegalArgumentException("stopped"));
        sleeping.join();
        System.out.println(stopped);

        Thread parked = start("parked", () -> { LockSupport.park(lock); return null; });
        await(parked, 0x291);
        look("parked", parked, false);
        LockSupport.unpark(parked);
        parked.join();

        Thread timed = start("timed", () -> { LockSupport.parkNanos(1L << 50); return null; });
        await(timed, 0x2a1);
        look("timed", timed, false);
        LockSupport.unpark(timed);
        timed.join();

        Thread blocked;
        synchronized (lock) {
            blocked = start("blocked", () -> { blocked(lock); return null; });
            await(blocked, 0x401);
            look("blocked", blocked, true);
        }
        blocked.join();

        enterHeld(true);
        Thread inNative = start("native", () -> { inNative(new Inner()); return null; });
        while ((stateOf(inNative) & 0x400000) == 0 || inNative.getStackTrace().length < 4)
            Thread.sleep(1);
        Thread.sleep(20);
        look("native", inNative, false);
        enterHeld(false);
        inNative.join();
        Thread timedWait = start("timed wait", () -> {
            synchronized (timedLock) {
                timedLock.wait(1L << 40);
            }
            return null;
        });
        await(timedWait, 0x1a1);
        look("timed wait", timedWait, false);
        timedWait.interrupt();
        timedWait.join();

        Thread joining = start("joining", () -> { inNative.join(); Thread.currentThread().join(1L << 40); return null; });
        await(joining, 0x1a1);
        look("joining", joining, false);
        joining.interrupt();
        joining.join();

        go = false;
        Thread initializing = start("initializing", () -> Slow.value);
        while (!slowEntered)
            Thread.sleep(1);
        Thread waitsForInit = start("waits for init", () -> Slow.value);
        while (waitsForInit.getStackTrace().length < 3)
            Thread.sleep(1);
        Thread.sleep(50);
        System.out.println("waits for init " + Integer.toHexString(stateOf(waitsForInit)));
        go = true;
        initializing.join();
        waitsForInit.join();

        enterHeld(true);
        Thread flagged = start("flagged", () -> { Thread.currentThread().interrupt(); inNative(null); return null; });
        while (!flagged.isInterrupted())
            Thread.sleep(1);
        Thread.sleep(20);
        System.out.println("interrupted " + Integer.toHexString(stateOf(flagged) & 0x200005));
        enterHeld(false);
        flagged.join();
        agentThread(new Thread("agent's"));
        System.out.println("== self");
        thread(null);
        thread(Thread.currentThread());
        calls(Thread.currentThread());
    }
    static void running() throws Exception {
        go = false;
        Thread t = start("spinner", () -> { spin(3, "name"); return null; });
        while (spinning == 0)
            Thread.sleep(1);
        System.out.println("== running");
        calls(t);
        System.out.println(Integer.toHexString(stateOf(t)) + " " + suspend(t) + " " + Integer.toHexString(stateOf(t)));
        dump(t, 0, 1, false);
        System.out.println(set(t, 0, 0, 'I', 33, null) + " " + set(t, 0, 1, 'L', 0, "other") + " " + set(t, 0, 2, 'J', 55, null));
        go = true;
        String resumed = resume(t);
        t.join();
        System.out.println(resumed);

        for (char c : new char[] {'I', 'P', 'V', 'L'}) {
            go = false;
            spinning = 0;
            Thread r = start("result", () -> { System.out.println("result " + result(4)); return null; });
            while (spinning == 0)
                Thread.sleep(1);
            System.out.println(suspend(r) + " " + c + " " + leave(r, c, null) + " " + leave(r, c, null));
            if (c != 'I')
                go = true;
            resumed = resume(r);
            r.join();
            System.out.println(resumed);
        }
        go = false;
        spinning = 0;
        Thread s = start("stopped", () -> { spin(1, "s"); return null; });
        while (spinning == 0)
            Thread.sleep(1);
        String stopped = stop(s, new ArithmeticException("by agent"));
        s.join();
        System.out.println(stopped);
        Act waits = () -> {
            try {
                waits();
            } catch (InterruptedException e) {
                return null;
            }
            return null;
        };
        Thread w1 = start("w1", waits), w2 = start("w2", waits);
        await(w1, 0x191);
        await(w2, 0x191);
        Thread dead = start("dead", () -> null);
        dead.join();
        System.out.println(lists(new Thread[] {w1, w2, new Thread("fresh"), dead, null}));
        w1.interrupt();
        w2.interrupt();
        w1.join();
        w2.join();
    }

    /* Slots that no frame has, the largest ones above all. */
    static void edges() {
        for (int slot : new int[] {-1, Short.MAX_VALUE, 0xffff, Integer.MAX_VALUE - 1, Integer.MAX_VALUE, Integer.MIN_VALUE})
            for (char type : "IJFDL".toCharArray())
                System.out.println(slot + " " + type + ": " + set(null, 2, slot, type, 1, null));
    }
    public static void main(String[] args) throws Exception {
        System.loadLibrary("agent_frames");
        switch (args[0]) {
        case "steps" -> steps();
        case "plain" -> plain();
        case "variables" -> variables();
        case "lefts" -> lefts();
        case "threads" -> threads();
        case "running" -> running();
        case "edges" -> edges();
        }
    }
}
