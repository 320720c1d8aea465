// SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.*;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

/** What IdeClient.java debugs: one method per thing that an IDE does. Lines that carry a breakpoint end in "// bp NAME". */
public class IdeTarget {
    enum Colour { RED, GREEN { int code() { return 7; } }; int code() { return 1; } }
    record Point(int x, int y) { Point { if (x < 0) throw new IllegalArgumentException("x"); } }
    sealed interface Node permits Leaf, Pair {}
    record Leaf(String name) implements Node {}
    record Pair(Node left, Node right) implements Node {}
    interface Greeter { default String greet(String n) { return "hello " + n; } static int count() { return 3; } }
    static class Base<T extends Comparable<T>> {
        protected T held;
        static int made;
        Base(T t) { held = t; made++; }
        T get() { return held; }
        private String secret(int k) { return "s" + k + held; }
    }
    static class Derived extends Base<String> implements Greeter {
        int watched;
        static long total;
        volatile double ratio = 0.5;
        Derived(String s) { super(s); }
        @Override String get() { return held + "!"; }
        int fails(int n) { if (n > 1) throw new UnsupportedOperationException("n " + n); return n; }
        String many(String f, Object... rest) { return f + rest.length; }
    }
    static class BadInit { static int v = Integer.parseInt("no number"); }
    static class GoodInit { static int v = init(); static int init() { return 11; } }
    static class Swapped { static String body() { return "old"; } }

    static void locals(String[] args, Object self) {
        boolean z = true; byte b = -1; char c = 'x'; short s = -2; int i = 3; long l = 1L << 40; float f = 1.5f; double d = -0.0;
        boolean[] za = {true, false}; byte[] ba = {1, 2}; char[] ca = {'a'}; short[] sa = {9}; int[] ia = {1, 2, 3}; long[] la = {};
        float[] fa = {0f}; double[] da = {Double.NaN}; String[] ta = {"p", null}; Object[] oa = {1, "q", ia}; int[][] iaa = {{1}, null, {}};
        String[][][] deep = {{{"z"}}}; Colour[] colours = Colour.values(); Point[] points = {new Point(1, 2)};
        List<String>[] lists = generic(List.of("g")); Runnable[] runs = {() -> {}}; Thread.State[] states = {Thread.State.NEW};
        Object nothing = null; String text = "text"; Colour colour = Colour.GREEN; Node node = new Pair(new Leaf("a"), new Leaf("b"));
        Map<String, List<Integer>> map = new TreeMap<>(Map.of("k", List.of(1, 2)));
        {
            int inner = 4;
            i += inner;
        }
        {
            String inner = "other";
            text += inner;
        }
        System.out.println(i + text); // bp locals
    }
    @SafeVarargs static <T> T[] generic(T... t) { return t; }

    static int lambdas(List<String> l) {
        Function<String, Integer> len = x -> {
            int n = x.length();
            return n + 1;
        };
        int sum = 0;
        for (String s : l)
            sum += len.apply(s); // bp lambdas
        Supplier<Object> made = Object::new;
        sum += l.stream().map(x -> x + "s").filter(x -> x.length() > 2).collect(Collectors.toList()).size();
        made.get();
        return sum;
    }
    static void exceptions() throws Exception {
        try { Class.forName("no.such.Class"); } catch (ClassNotFoundException e) { say("cnf"); }
        try { IdeTarget.class.getDeclaredMethod("thrower", int.class).invoke(null, 1); } catch (InvocationTargetException e) { say("ite"); }
        try { say("" + BadInit.v); } catch (ExceptionInInitializerError e) { say("eiie"); }
        try { say("" + BadInit.v); } catch (NoClassDefFoundError e) { say("ncdfe"); }
        try { List.of(1, 2).forEach(x -> { throw new IllegalStateException("in lambda"); }); } catch (IllegalStateException e) { say("ise"); }
        try { Object o = "s"; say("" + (Integer) o); } catch (ClassCastException e) { say("cce"); }
        try { int[] a = new int[1]; a[args().length] = 1; } catch (ArrayIndexOutOfBoundsException e) { say("aioobe"); }
        try { String n = null; n.length(); } catch (NullPointerException e) { say("npe"); }
        try { new Point(-1, 0); } catch (IllegalArgumentException e) { say("iae"); }
        try {
            java.security.AccessController.doPrivileged((java.security.PrivilegedExceptionAction<Void>) () -> { throw new java.io.IOException("io"); });
        } catch (java.security.PrivilegedActionException e) { say("pae"); }
        try (AutoCloseable c = () -> { throw new Exception("close"); }) { throw new Exception("body"); } catch (Exception e) { say("suppressed " + e.getSuppressed().length); }
        try { new TreeSet<Object>(Comparator.comparing(x -> thrower(2))).addAll(List.of("a", "b")); } catch (IllegalStateException e) { say("tree"); }
        try { finallyThrows(); } catch (RuntimeException e) { say("finally"); }
        Thread t = new Thread(() -> thrower(3), "thrower");
        t.setUncaughtExceptionHandler((th, e) -> say("handler " + e.getMessage()));
        t.start();
        t.join();
    }
    static void finallyThrows() { try { thrower(4); } finally { say("fin"); } }
    static int[] args() { return new int[2]; }
    static Integer thrower(int n) { throw new IllegalStateException("thrower " + n); }

    static void watches() {
        Derived d = new Derived("w");
        d.watched = 1; // bp watches
        d.watched += 2;
        int k = d.watched;
        Derived.total = k;
        Derived.total++;
        d.held = "changed";
        Base.made++;
    }
    static Object exits() {
        one(); two(2L); three(); four(); five(); six();
        return "end"; // bp exits
    }
    static void one() {}
    static long two(long n) { return n * 2; }
    static String three() { return "three"; }
    static int[] four() { return new int[] {4}; }
    static double five() { return 5.5; }
    static Colour six() { return Colour.GREEN; }

    static int drop(int n) {
        int k = n * 2;
        k = inner(k);
        return k;
    }
    static int inner(int k) {
        int r = k + 1;
        return r; // bp inner
    }
    static String early() { return "not forced"; }
    static String swap() {
        String s = Swapped.body(); // bp swap
        return s + Swapped.body();
    }
    static final Object LOCK = new Object();
    static void monitors() throws Exception {
        Thread t = new Thread(() -> { synchronized (LOCK) { say("contender"); } }, "contender");
        synchronized (LOCK) {
            t.start();
            while (t.getState() != Thread.State.BLOCKED) Thread.sleep(5);
            hold(); // bp monitors
        }
        t.join();
        Thread w = new Thread(() -> { synchronized (LOCK) { try { LOCK.wait(); } catch (InterruptedException e) { say("interrupted"); } } }, "waiter");
        w.start();
        while (w.getState() != Thread.State.WAITING) Thread.sleep(5);
        hold(); // bp waiting
        w.interrupt();
        w.join();
    }
    static synchronized void hold() { say("hold"); }
    static volatile boolean slept;
    static void sleeps() throws Exception {
        Thread me = Thread.currentThread();
        Thread alarm = new Thread(() -> { while (!slept) { java.util.concurrent.locks.LockSupport.parkNanos(10_000_000); if (!slept) me.interrupt(); } }, "alarm");
        alarm.start();
        for (int i = 0; i < 40; i++) // bp sleeps
            try {
                Thread.sleep(5000);
            } catch (InterruptedException e) {
                i++;
            }
        slept = true;
        alarm.join();
        Thread.interrupted();
    }
    static int stops;
    static void stopped() {
        try { for (int i = 0; i < 1_000_000_000; i++) { stops++; Thread.yield(); } } catch (ArithmeticException e) { say("stopped by " + e.getMessage()); }
    }
    static void ready() { say("ready"); }
    static synchronized void say(String s) { System.out.println(s); System.out.flush(); }

    public static void main(String[] args) throws Exception {
        ready(); // bp start
        locals(args, new IdeTarget());
        say("lambdas " + lambdas(List.of("a", "bb")));
        exceptions();
        watches();
        say("exits " + exits());
        say("drop " + drop(5));
        say("early " + early());
        say("swap " + swap());
        monitors();
        sleeps();
        say("init " + GoodInit.v);
        Thread s = new Thread(IdeTarget::stopped, "stopped");
        s.start();
        while (stops == 0) Thread.onSpinWait();
        int seen = stops; // bp stop
        s.join();
        thrower(9);
    }
}
