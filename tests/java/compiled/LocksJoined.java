// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2 -XX:-OmitStackTraceInFastThrow
/*
 * Monitors that compilers need not take: given back and taken again at once, taken within themselves, of objects that nobody else sees. Whoever
 * looks finds the right ones held: in exceptions from each of several regions, in calls between and within them, in other threads; counts are
 * exact under contention, the monitor is free behind everything, and who waits for it gets it.
 */
import java.util.ArrayList;
import java.util.Collections;
import java.util.Hashtable;
import java.util.List;
import java.util.Vector;

public class LocksJoined {
    int n;
    int[] cells = {1, 2, 3, 0};
    Object kept;
    static int total;
    static LocksJoined shown;

    synchronized void inc() { n++; }
    synchronized int add(int by) { return n += by; }
    synchronized int cell(int i) { return cells[i]; }
    synchronized int over(int a, int i) { return a / cells[i]; }
    synchronized int sign(int i) { if (i > 0) return n; if (i < 0) return -n; return 7; }
    synchronized LocksJoined self(int i) { if (i == 0) return this; n += i; return this; }
    synchronized void keep(Object o) { kept = o; }
    synchronized String text(Object o) { return (String) o; }
    synchronized boolean asks() { return Thread.holdsLock(this); }
    synchronized int both(int i) { inc(); int r = cell(i & 3) + add(1); inc(); return r + sign(i) + cell(i & 1); }
    synchronized int deep(int i) { return within(i) + over(100, i & 3) + cell(i); }
    synchronized int within(int i) { return inner(i) + n; }
    synchronized int inner(int i) { return cells[i] + over(6, i); }
    static synchronized void sinc() { total++; }
    static synchronized int sget() { return total; }
    static synchronized int sboth() { sinc(); sinc(); return sget(); }

    static String held(Object... all) {
        String r = "";
        for (Object o : all) r += Thread.holdsLock(o) ? "H" : ".";
        return r;
    }
    static void isFree(Object o) throws Exception {
        boolean[] got = {false};
        Thread t = new Thread(() -> { synchronized (o) { got[0] = true; } });
        t.setDaemon(true);
        t.start();
        t.join(20000);
        if (Thread.holdsLock(o) || !got[0]) System.out.println("not free " + got[0]);
    }

    /* --- one region after the other --- */
    static int chain(LocksJoined l, int i) {
        l.inc();
        int r = l.add(i);
        r += l.sign(i) + l.self(i & 1).self(i & 2).add(3) + l.cell(i & 3);
        l.inc();
        return r + l.sign(-i) + l.sign(r & 1);
    }
    static int thrown(LocksJoined l, int i, Object o) {
        l.inc();
        int a = l.cell(i);
        l.inc();
        int b = l.over(60, i);
        l.inc();
        return a + b + l.text(o).length() + l.add(1);
    }
    static int two(LocksJoined x, LocksJoined y, int i) {
        x.inc();
        y.inc();
        x.inc();
        y.add(x.add(i));
        return y.cell(i & 3) + x.sign(i);
    }
    static int blocks(LocksJoined l, int i) {
        int r;
        synchronized (l) { l.n += i; }
        synchronized (l) { r = l.n; }
        synchronized (l) { r += l.cells[i & 3]; if (i % 5 == 0) return r; }
        synchronized (l) { synchronized (l) { l.n++; } l.inc(); r += l.cells[i % 5]; }
        return r;
    }
    static String joined() throws Exception {
        LocksJoined a = new LocksJoined(), b = new LocksJoined();
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < 120; i++) {
            String r;
            try {
                r = chain(a, i) + " " + two(a, i % 3 == 0 ? a : b, i) + " " + blocks(b, i % 7) + " " + a.both(i) + " " + sboth() + " ";
                r += thrown(b, i % 6, i % 11 == 0 ? (Object) i : "abc") + " " + b.deep(i % 6);
            } catch (RuntimeException e) {
                r = e.getClass().getName() + " " + e.getStackTrace()[0].getMethodName() + e.getStackTrace()[0].getLineNumber() + " " + e.getStackTrace()[1].getMethodName();
            }
            s.append(r).append(held(a, b, LocksJoined.class)).append(a.asks()).append('\n');
        }
        for (Object o : new Object[] {a, b, LocksJoined.class}) isFree(o);
        return s.toString();
    }

    /* --- objects that nobody else sees --- */
    static int own(int i, LocksJoined other) {
        Object o = new Object();
        LocksJoined l = new LocksJoined();
        int r = 0;
        synchronized (o) { other.n++; }
        synchronized (l) { l.n += i; r += l.n; if (i % 4 == 0) l.n++; }
        l.inc();
        r += l.add(2) + l.sign(i);
        synchronized (o) { synchronized (l) { r += l.n; } }
        if (i % 9 == 0) {
            synchronized (l) { shown = l; r += l.cells[i % 5]; }
            l.inc();
        }
        synchronized (l) { r += held(l, o).length(); }
        return r + (held(l, o).equals("..") ? 0 : 1000);
    }
    static int early(int i) {
        LocksJoined l = new LocksJoined();
        for (int k = 0; k < 3; k++) {
            synchronized (l) {
                l.n += k;
                if (k == i % 5) return l.n;
            }
        }
        synchronized (l) { return l.n / (i % 7); }
    }
    static String alone() throws Exception {
        StringBuilder s = new StringBuilder();
        LocksJoined other = new LocksJoined();
        for (int i = 0; i < 100; i++) {
            String r;
            try {
                r = own(i, other) + " " + early(i) + " " + other.n;
            } catch (RuntimeException e) {
                r = e.getClass().getName() + " " + e.getStackTrace()[0].getLineNumber();
            }
            s.append(r).append(shown == null ? "" : held(shown)).append('\n');
            if (i % 30 == 0) isFree(shown);
        }
        return s.toString();
    }

    /* --- the class library's --- */
    static String library(int i) {
        StringBuffer b = new StringBuffer();
        b.append(i).append(',').append("x").append((Object) null).append(1.5f).insert(0, "<").append('>');
        if (b.length() > 5) b.setLength(b.length() - 1);
        Vector<Integer> v = new Vector<>();
        Hashtable<Object, Integer> h = new Hashtable<>();
        List<Integer> l = Collections.synchronizedList(new ArrayList<>());
        for (int k = 0; k < 5; k++) { v.add(k); v.addElement(v.size()); h.put(k % 3, v.get(k)); l.add(h.get(k % 3) + v.lastElement()); }
        String r = b + " " + v + l + h.size() + l.get(2);
        try {
            return r + v.get(i % 12) + b.charAt(i % 8);
        } catch (IndexOutOfBoundsException e) {
            return r + e.getMessage() + held(v, b, h, l);
        }
    }

    /* --- threads --- */
    static void many(LocksJoined l, int times) {
        for (int i = 0; i < times; i++) {
            l.inc();
            l.add(2);
            synchronized (l) { l.n++; }
            synchronized (l) { l.n++; }
            l.both(1);
            sinc();
            sboth();
            if (l.add(0) < 0) throw new Error();
        }
    }
    static void contended() throws Exception {
        LocksJoined l = new LocksJoined();
        total = 0;
        Thread[] ts = new Thread[4];
        for (int i = 0; i < ts.length; i++) (ts[i] = new Thread(() -> { for (int k = 0; k < 12; k++) many(l, 300); })).start();
        for (Thread t : ts) t.join();
        System.out.println(l.n + " " + total);
        isFree(l);
    }
    static volatile boolean stop;
    static void untilStopped(LocksJoined l) { while (!stop) { l.inc(); l.add(1); l.inc(); } }
    static void notStarved() throws Exception {
        LocksJoined l = new LocksJoined();
        for (int i = 0; i < 50; i++) { stop = true; untilStopped(l); many(l, 9); }
        stop = false;
        Thread t = new Thread(() -> untilStopped(l));
        t.start();
        Thread.sleep(100);
        for (int i = 0; i < 50; i++) l.inc();
        stop = true;
        t.join();
        isFree(l);
        System.out.println("not starved");
    }

    public static void main(String[] x) throws Exception {
        for (int i = 0; i < 3; i++) System.out.print(joined());
        for (int i = 0; i < 3; i++) System.out.print(alone());
        for (int i = 0; i < 60; i++) System.out.println(library(i));
        contended();
        notStarved();
    }
}
