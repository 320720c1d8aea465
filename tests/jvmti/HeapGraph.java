// SPDX-License-Identifier: Apache-2.0
import java.util.*;
import java.util.concurrent.*;

/** Graphs that the walks of agent_heap.c report; one argument: which part. */
public class HeapGraph {
    static native void follow(Object initial, int filter, Class<?> klass, int options);
    static native void iterate(int filter, Class<?> klass, int options);
    static native void old(Object initial, Class<?> klass, int filter, int options);
    static native String log();
    static native long calls();
    static native void tag(Object o, long tag);
    static native long tagOf(Object o);
    static native long otherTag(Object o, long tag);
    static native long size(Object o);
    static native int hash(Object o);
    static native Object[] tagged(long... tags);
    static native void gc();
    static native void keep(Object o);
    static native void fromNative(long tag, long goneTag);
    static native void fight(boolean on);
    static native void argument(Object a, long n, Object b);
    static native void errors(Object o);

    static final int REFS = 1, FIELDS = 2, ARRAYS = 4, STRINGS = 8, ABORT = 16, NO_VISIT = 32, TAG_ALL = 64, TAG_REFERRER = 128,
        TAGGED_ONLY = 256, QUIET = 512, FENCE = 1024, BY_CLASS = 2048, MONITOR = 4096;
    static final int TAGGED = 4, UNTAGGED = 8, CLASS_TAGGED = 16, CLASS_UNTAGGED = 32;

    static void show(String title) {
        String[] lines = log().split("\n");
        Arrays.sort(lines);
        System.out.println("--- " + title);
        for (String s : lines) if (!s.isEmpty()) System.out.println(s);
    }
    static <T> T named(T o, long tag) { tag(o, tag); return o; }
    static void forget(Object... all) { for (Object o : all) tag(o, 0); }

    // --- field numbers, kinds of references ---
    interface I1 { Object C1 = named(new Object(), 11); int P1 = Integer.parseInt("41"); }
    interface I2 extends I1 { Object C2 = named(new Object(), 12); }
    interface I3 { String C3 = named(new String("three"), 13); Object C4 = null; long P3 = Long.parseLong("43"); }
    interface NoFields { void f(); }
    static abstract class Base implements I1, NoFields {
        static Object baseStatic = named(new Object(), 14);
        Object base1 = named(new Object(), 15);
        int base2 = 7;
        static int baseInt = 8;
        Object base3;
        public void f() { }
    }
    static class Middle extends Base { }
    static class Derived extends Middle implements I2, I3 {
        long own1 = 9;
        Object own2 = named(new Object(), 16);
        static Object ownStatic = named(new int[3], 17);
        static String text = "constant";
        Object[] own3 = named(new Object[] {own2, null, this, own2}, 18);
        Derived self = this;
        static double ratio = 2.5;
        byte own4 = -4; boolean own5 = true; char own6 = 'x'; short own7 = -70; float own8 = 1.25f; double own9 = -2.25;
        static Class<?> literal() { return ThreadLocal.class; }
    }
    static void kinds() {
        Derived d = named(new Derived(), 1);
        Object i1 = I1.C1, i2 = I2.C2, i3 = I3.C3;
        String loaded = "" + I1.P1 + I3.P3 + Derived.literal() + Derived.text + i1.getClass();
        tag(Derived.class, 2); tag(Middle.class, 3); tag(Base.class, 4); tag(I1.class, 5); tag(I2.class, 6); tag(I3.class, 7);
        tag(NoFields.class, 8); tag("constant", 9); tag(Derived.class.getClassLoader(), 10); tag(ThreadLocal.class, 20);
        tag(Object.class, 21); tag(Object[].class, 22); tag(int[].class, 23); tag(Derived.class.getProtectionDomain(), 24);
        follow(d, 0, null, REFS | TAGGED_ONLY | NO_VISIT); show("of an instance");
        follow(d.own3, 0, null, REFS | NO_VISIT); show("of an array");
        follow(Derived.ownStatic, 0, null, REFS | NO_VISIT); show("of a primitive array");
        for (Class<?> c : new Class<?>[] {Middle.class, Base.class, I1.class, I2.class, I3.class}) {
            follow(c, 0, null, REFS | TAGGED_ONLY | NO_VISIT); show("of " + c.getSimpleName());
        }
        follow(Derived.class, 0, null, REFS | TAGGED_ONLY | NO_VISIT); show("of Derived");
        follow(int.class, 0, null, REFS | NO_VISIT); show("of a primitive type");
        follow(int[].class, 0, null, REFS | NO_VISIT); show("of an array class");
        follow(d, 0, null, FIELDS | TAGGED_ONLY); show("values of an instance");
        follow(Derived.class, 0, null, REFS | FIELDS | TAGGED_ONLY | NO_VISIT); show("values of a class");
        follow(I3.class, 0, null, REFS | FIELDS | TAGGED_ONLY | NO_VISIT); show("values of an interface");
        iterate(UNTAGGED, Derived.class, REFS | FIELDS); show("iteration over values");
        iterate(UNTAGGED, Class.class, FIELDS | TAGGED_ONLY); show("iteration over statics");
        old(Derived.class, null, 0, NO_VISIT); show("1.0 from a class");
        old(d.own3, null, 0, NO_VISIT); show("1.0 from an array");
        tag(String.class, 25);
        for (Class<?> c : new Class<?>[] {Derived.class, Middle.class, Base.class, I1.class, I2.class, I3.class, NoFields.class,
            Object.class, Object[].class, int[].class, String.class}) tag(c, 1000 + tagOf(c));
        old(d, null, 0, FENCE); show("1.0 from an object");
        System.out.println(i1.hashCode() + i2.hashCode() + i3.hashCode() != 0 && loaded.length() > 0);
    }

    /** In the order of the callbacks, which no text prescribes but agents see. */
    static void order() {
        Derived d = named(new Derived(), 1);
        String loaded = "" + I1.P1 + I3.P3 + I1.C1 + I2.C2 + I3.C3 + Derived.literal() + Derived.text;
        tag(Derived.class, 1002); tag(Middle.class, 1003); tag(Base.class, 1004); tag(I1.class, 1005); tag(I2.class, 1006);
        tag(I3.class, 1007); tag(NoFields.class, 1008); tag("constant", 9); tag(Derived.class.getClassLoader(), 1010);
        tag(ThreadLocal.class, 1020); tag(Object.class, 1021); tag(Object[].class, 1022); tag(int[].class, 1023);
        tag(Derived.class.getProtectionDomain(), 1024);
        follow(d, 0, null, REFS | FIELDS | TAGGED_ONLY | FENCE);
        System.out.println("--- instance\n" + log());
        follow(Derived.class, 0, null, REFS | FIELDS | TAGGED_ONLY | NO_VISIT);
        System.out.println("--- class\n" + log());
        follow(Base.class, 0, null, REFS | FIELDS | TAGGED_ONLY | NO_VISIT);
        System.out.println("--- abstract class\n" + log() + (loaded.length() > 0));
        tag(Node.class, 1030);
        Node[] n = new Node[8];
        for (int i = n.length - 1; i >= 0; i--)
            n[i] = named(new Node(i * 2 + 1 < n.length ? n[i * 2 + 1] : null, i * 2 + 2 < n.length ? n[i * 2 + 2] : null), i + 1);
        follow(n[0], 0, null, REFS | TAGGED_ONLY | FENCE);
        System.out.println("--- tree\n" + log());
    }

    // --- primitive values ---
    static void values() {
        Object[] all = {
            named(new boolean[] {true, false}, 1), named(new byte[] {1, -2, 3}, 2), named(new char[] {'a', '\u1234'}, 3),
            named(new short[] {-5, 6}, 4), named(new int[] {1 << 30, -1}, 5), named(new long[] {1L << 60}, 6),
            named(new float[] {1.5f}, 7), named(new double[] {-0.25, 3}, 8), named(new int[0], 9),
            named(new String("latin"), 10), named(new String("w\u00e4hrend \u0416"), 11), named(new String(""), 12),
            named(new String("\0 \ud83d\ude00"), 13), named(new String[] {"elements"}, 14), named(Integer.valueOf(77777), 15),
        };
        tag(int[].class, 101); tag(String.class, 102);
        iterate(UNTAGGED, null, ARRAYS | STRINGS | FIELDS); show("iteration");
        follow(all, 0, null, ARRAYS | STRINGS | FIELDS | TAGGED_ONLY); show("following");
        follow(all, UNTAGGED, String.class, REFS | ARRAYS | STRINGS | FIELDS); show("following, strings only");
        follow(all, 0, int[].class, REFS | ARRAYS | STRINGS | TAGGED_ONLY); show("following, int[] only");
        iterate(UNTAGGED, int[].class, REFS | ARRAYS); show("iteration, int[] only");
        iterate(UNTAGGED | CLASS_UNTAGGED, null, REFS | ARRAYS | STRINGS); show("iteration, tagged classes");
        iterate(0, null, ARRAYS | STRINGS | FIELDS | ABORT | QUIET | TAGGED_ONLY); log(); System.out.println(calls() > 0);
        follow(all, UNTAGGED, null, STRINGS | ABORT); log(); System.out.println("aborted after " + calls());
        iterate(UNTAGGED, null, REFS | ABORT); log(); System.out.println("aborted after " + calls());
        follow(all, UNTAGGED, null, REFS | ABORT); log(); System.out.println("aborted after " + calls());
        forget(int[].class, String.class);
    }

    // --- what is reported, what is followed ---
    static class Node { Object left, right; Node(Object l, Object r) { left = l; right = r; } }
    static class Leaf extends Node { Leaf() { super(null, null); } }
    static void filters() {
        Leaf leaf = named(new Leaf(), 1), hidden = new Leaf();
        Node inner = named(new Node(leaf, hidden), 2), plain = new Node(inner, leaf);
        Node cycle = named(new Node(null, plain), 3);
        Node root = named(new Node(cycle, new Object[] {plain, cycle, leaf, null, inner}), 4);
        cycle.left = cycle;
        plain.left = root;
        inner.right = plain;
        tag(Leaf.class, 100);
        int walk = REFS | TAGGED_ONLY;
        for (int f = 0; f < 64; f += 4) {
            follow(root, f, null, walk); show("filter " + f);
            follow(root, f, Node.class, REFS | TAGGED_ONLY); show("filter " + f + " nodes");
        }
        follow(root, 0, Leaf.class, REFS); show("leaves");
        follow(root, 0, Object[].class, REFS | TAGGED_ONLY); show("arrays");
        follow(root, 0, Runnable.class, REFS); show("interface");
        follow(root, 0, int.class, REFS); show("primitive");
        tag(cycle, 1003);
        follow(root, 0, Node.class, REFS | FENCE); show("fence");
        follow(root, 0, null, REFS | TAGGED_ONLY | NO_VISIT); show("no visit");
        follow(root, 0, Node.class, REFS | ABORT); System.out.println("calls " + calls()); log();
        follow(root, TAGGED | UNTAGGED, null, REFS); System.out.println("calls " + calls());
        follow(root, UNTAGGED, Node.class, REFS | FENCE); show("fence and filter");
        for (int f = 1; f <= 3; f++) {
            old(null, Node.class, f, 0); System.out.println("instances, filter " + f + ": " + (calls() > 0)); log();
            old(null, Leaf.class, f, 0); System.out.println("leaves, filter " + f + ": " + calls()); log();
            old(null, null, f, ABORT); System.out.println("heap, filter " + f + ": " + calls()); log();
        }
        tag(Leaf.class, 1100); tag(Node.class, 1101); tag(Object[].class, 1102);
        old(root, null, 0, FENCE); show("1.0 fence");
        tag(Node.class, 0); tag(Object[].class, 0);
        old(root, null, 0, ABORT); System.out.println("calls " + calls()); log();
        forget(Leaf.class, leaf, inner, cycle, root);
    }

    // --- tags written by callbacks ---
    static void tags() {
        Node a = new Node(null, null), b = new Node(a, null);
        a.left = a;
        a.right = b;
        tag(Node.class, 5);
        follow(a, UNTAGGED | CLASS_UNTAGGED, Node.class, REFS | TAG_ALL); show("tagging");
        follow(a, CLASS_UNTAGGED, null, REFS | TAG_ALL | TAGGED_ONLY); show("tagging classes of nodes only");
        System.out.println(tagOf(a) + " " + tagOf(b));
        tag(a, 0); tag(b, 0);
        follow(a, CLASS_UNTAGGED, null, REFS | TAG_REFERRER); log();
        System.out.println(tagOf(a) + " " + tagOf(b));
        tag(a, 1); tag(b, 2);
        follow(a, CLASS_UNTAGGED, null, FIELDS | REFS | TAG_REFERRER | TAG_ALL); log();
        System.out.println(tagOf(a) + " " + tagOf(b));
        tag(Node.class, 0);
        System.out.println("other " + otherTag(a, 55) + " " + tagOf(a) + " " + otherTag(a, 0));
        tag(a, 3); tag(b, 3);
        System.out.println(tagged(3).length + " " + tagged(4).length + " " + tagged(3, 9, 3000).length + " " + tagged().length);
        Node[] many = new Node[50000];
        for (int i = 0; i < many.length; i++) many[i] = named(new Node(null, null), 1000000 + i % 100);
        for (int i = 0; i < many.length; i += 2) { tag(many[i], 0); if (i % 4 == 0) many[i] = null; }
        gc();
        System.out.println(tagged(1000001).length + " " + tagged(1000000).length);
        boolean ok = true;
        for (int i = 0; i < many.length; i++) if (many[i] != null) ok &= tagOf(many[i]) == (i % 2 == 0 ? 0 : 1000000 + i % 100);
        for (int i = 0; i < many.length; i++) many[i] = null;
        Object[] found = tagged(1000003);
        System.out.println(ok + " " + found.length + " " + (found[0] instanceof Node));
        found = null;
        gc();
        System.out.println(tagged(1000003).length);
        System.out.println(hash(a) == System.identityHashCode(a) && hash("x") == System.identityHashCode("x") && hash(a) == hash(a));
        System.out.println(size(new int[1000]) - size(new int[0]) + " " + (size(new long[1000]) - size(new long[0])) + " " +
            (size(new byte[80]) - size(new byte[0])));
        a.left = b; b.left = null;
        System.out.println(a.left != null);
    }

    // --- counts ---
    static final class Link { Link next; Object payload; }
    static void counts() {
        final int n = 1_000_000;
        Link first = null;
        for (int i = 0; i < n; i++) { Link l = new Link(); l.next = first; first = l; }
        tag(Link.class, 1);
        follow(first, 0, Link.class, REFS | QUIET | BY_CLASS); show("list " + calls());
        iterate(CLASS_UNTAGGED, null, REFS | QUIET | BY_CLASS); show("list " + calls());
        follow(null, CLASS_UNTAGGED, null, REFS | QUIET | BY_CLASS); show("from the roots");
        follow(first, CLASS_UNTAGGED, null, REFS | QUIET | TAG_ALL); log();
        System.out.println("tagged " + tagged(7).length);
        iterate(UNTAGGED, null, REFS | QUIET | BY_CLASS); show("tagged " + calls());
        old(first, null, 0, QUIET); System.out.println("1.0 " + (calls() >= 2 * n - 1)); log();
        Link[] array = new Link[300_000];
        for (int i = 0; i < array.length; i++) { array[i] = new Link(); array[i].payload = array; array[i].next = i > 0 ? array[i - 1] : null; }
        follow(array, 0, Link.class, REFS | QUIET | BY_CLASS); show("array " + calls());
        follow(array, 0, Link[].class, REFS | QUIET); System.out.println("back " + calls()); log();
        Node deep = null;
        for (int i = 0; i < 200_000; i++) deep = new Node(deep, i % 2 == 0 ? null : deep);
        follow(deep, 0, Node.class, REFS | QUIET); System.out.println("nested " + calls()); log();
        System.out.println(first.next != null && deep != null);
        tag(Link.class, 0);
    }

    // --- roots ---
    static void fromArgument() { walk("arguments of a native method"); }
    static Object sink;
    static void deeper(int n, Object o, long wide, CountDownLatch ready, Object lock) throws Exception {
        Object mine = named(new Object(), 300 + n);
        int number = n;
        if (n > 0) {
            deeper(n - 1, mine, wide, ready, lock);
        } else synchronized (lock) {
            ready.countDown();
            lock.wait();
        }
        sink = mine;
        sink = o;
        System.identityHashCode(number);
    }
    static void calledBack() {
        Object local = named(new Object(), 401);
        follow(null, UNTAGGED, Object.class, REFS);
        show("JNI references");
        sink = local;
    }
    static Object walk(String title) {
        follow(null, UNTAGGED, Object.class, REFS);
        show(title);
        return null;
    }
    static int pair(int x, Object a, long y, Object b, Object c) { return a == b ? x : (int) y; }
    Object field = named(new Object(), 340);
    Object[] array = {named(new Object(), 341)};
    /** Cells of every kind, live on the operand stack and in locals of all types while the walk runs. */
    void cells(double d, Object parameter, long l) {
        Object reused;
        { Object first = named(new Object(), 342); sink = first; }
        { int number = 7; sink = number; }
        try {
            Object inTry = named(new Object(), 343);
            sink = pair(1, named(new Object(), 344), 5L, walk("operands"), array[0]);
            throw new IllegalStateException();
        } catch (IllegalStateException e) {
            Object inCatch = named(new Object(), 345);
            for (Object each : array) { walk("in a handler"); sink = each; }
            sink = inCatch;
        }
        synchronized (sink = named(new Object(), 346)) { sink = null; walk("synchronized"); }
        reused = d > l ? named(new Object(), 347) : parameter;
        Object[] made = {reused, walk("in an array initializer"), named(new Object(), 348)};
        String text = "a" + l + walk("in a concatenation") + made.length;
        switch (text.length()) { case 1: parameter = null; break; default: walk("after a switch"); }
        sink = parameter;
    }
    static Object runLambda(java.util.function.Function<Object, Object> f, Object o) { return f.apply(o); }

    static void roots() throws Exception {
        new HeapGraph().cells(1e9, named(new Object(), 349), 3L);
        Object captured = named(new Object(), 350);
        runLambda(x -> { Object y = captured; walk("in a lambda"); return y == x ? x : y; }, named(new Object(), 351));
        sink = null;
        CountDownLatch ready = new CountDownLatch(1);
        Object lock = new Object();
        Thread t = new Thread(() -> {
            try { deeper(3, named(new Object(), 310), 1L << 40, ready, lock); } catch (Exception e) { throw new Error(e); }
        }, "deep");
        tag(t, 500);
        t.start();
        ready.await();
        while (t.getState() != Thread.State.WAITING) Thread.sleep(1);
        Object here = named(new Object(), 320);
        long number = 1L << 33;
        Object there = named(new Object(), 321);
        follow(null, UNTAGGED, Object.class, REFS); show("stacks");
        follow(null, UNTAGGED, Thread.class, REFS); String threads = log();
        System.out.println("the thread is a root: " + threads.contains("THREAD -1->500"));
        old(null, null, 0, 0); show("1.0 roots, tagged");
        Object global = named(new Object(), 400);
        keep(global);
        global = null;
        fromNative(402, 403);
        keep(null);
        tag(String.class, 600);
        follow(null, UNTAGGED, Class.class, REFS | NO_VISIT);
        System.out.println("system class: " + log().contains("SYSTEM -1->600"));
        tag(String.class, 0);
        synchronized (lock) { lock.notifyAll(); }
        t.join();
        sink = null;
        tag(HeapGraph.class, 700); tag(Derived.class, 0);
        follow(null, UNTAGGED, Class.class, REFS);
        System.out.println("this class is reached: " + log().contains("->700"));
        tag(HeapGraph.class, 0);
        System.out.println(here != there && number > 0);
    }

    // --- while others work ---
    static class Cell { Cell next; }
    static void concurrent() throws Exception {
        final int n = 4, cells = 2000;
        Cell[][] rings = new Cell[n][cells];
        for (Cell[] ring : rings) {
            for (int i = 0; i < cells; i++) ring[i] = new Cell();
            for (int i = 0; i < cells; i++) ring[i].next = ring[(i + 1) % cells];
        }
        tag(Cell.class, 1);
        boolean[] stop = {false};
        Thread[] all = new Thread[n];
        for (int k = 0; k < n; k++) {
            Cell[] ring = rings[k];
            (all[k] = new Thread(() -> {
                List<Object> garbage = new ArrayList<>();
                for (int i = 0; !stop[0]; i++) { // the ring stays a ring
                    Cell a = ring[i % cells], b = a.next;
                    a.next = b;
                    garbage.add(new int[100]);
                    if (garbage.size() > 1000) garbage = new ArrayList<>();
                    synchronized (ring) { ring[0].next = ring[1]; }
                    if (i % 64 == 0) Thread.yield();
                }
            })).start();
        }
        boolean ok = true;
        fight(true);
        for (int round = 0; round < 30; round++) {
            Object start = round % 2 == 0 ? rings : null;
            follow(start, CLASS_UNTAGGED, null, REFS | QUIET | MONITOR);
            long c = calls();
            ok &= start == null ? c >= 2L * n * cells : c == 2L * n * cells;
            iterate(CLASS_UNTAGGED, null, REFS | QUIET | MONITOR | BY_CLASS);
            ok &= calls() == n * cells;
            if (round % 10 == 3) gc();
        }
        fight(false);
        stop[0] = true;
        for (Thread t : all) t.join();
        log();
        System.out.println("walks among " + n + " threads: " + ok);
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
        case "kinds": kinds(); break;
        case "order": order(); break;
        case "values": values(); break;
        case "filters": filters(); break;
        case "tags": tags(); break;
        case "counts": counts(); break;
        case "roots": roots(); break;
        case "concurrent": concurrent(); break;
        case "arguments": argument(named(new Object(), 352), 5, named(new Object(), 353)); break;
        default: errors(new Object()); show("errors");
        }
    }
}
