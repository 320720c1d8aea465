// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2 -XX:-OmitStackTraceInFastThrow
/*
 * Small synchronized methods, which compilers put in place of their calls: the monitor is held exactly as long as the method runs. Counts under
 * contention; exceptions inside, whole traces, and the monitor free behind them; wait and notify; recursion through instance, static and virtual
 * methods; subclasses that come later; results of all types from branches; what tools see of monitors and threads that wait for them.
 */
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.List;

public class Synchronized {
    int n;
    int[] cells = {1, 2, 3};
    static int total;

    /* --- small ones --- */
    synchronized void inc() { n++; }
    synchronized int add(int by) { return n += by; }
    synchronized void twice() { inc(); inc(); }
    synchronized int nested(int depth) { return depth > 0 ? add(depth) + cell(depth % 3) : held(this) ? 1000 : -1; }
    synchronized int cell(int i) { return cells[i]; }
    synchronized int pick(int i) { return cell(i) + add(1) + cell(i & 1); }
    synchronized void fill(int[] to, int i) { store(to, i, cell(0)); }
    synchronized void store(int[] to, int i, int v) { to[i] = v; n++; }
    synchronized long wide(int i) { if (i % 2 == 0) return (long) i << 33; return n; }
    synchronized double fraction(int i) { return i > 5 ? i / 4.0 : n * 0.5; }
    synchronized float small(float f) { return f > 2 ? f / 2 : f; }
    synchronized byte narrow(int i) { return (byte) (i * 77); }
    synchronized boolean odd(int i) { return (i & 1) != 0; }
    synchronized String named(String s) { return s == null ? "none" : s; }
    synchronized int quotient(int a, int b) { n++; return a / b; }
    synchronized int length(Object o) { return ((String) o).length(); }
    synchronized Synchronized self() { return this; }
    static synchronized void sinc() { total++; }
    static synchronized void stwice() { sinc(); sinc(); }
    static synchronized int sadd(int a, int b) { total += a; return total % b; }
    static boolean held(Object o) { return Thread.holdsLock(o); }
    static synchronized boolean sheld() { return Thread.holdsLock(Synchronized.class); }
    synchronized boolean both(Synchronized other) { return Thread.holdsLock(this) && other.holds(this); }
    synchronized boolean holds(Object o) { return Thread.holdsLock(o) && Thread.holdsLock(this); }
    synchronized void refuse(int i) { if (i % 3 == 0) throw new IllegalStateException("i" + i); n++; }

    /* --- nobody has it: another thread gets it --- */
    static void isFree(Object o) throws Exception {
        boolean mine = Thread.holdsLock(o);
        boolean[] got = {false};
        Thread t = new Thread(() -> { synchronized (o) { got[0] = true; } });
        t.setDaemon(true);
        t.start();
        t.join(20000);
        if (mine || !got[0]) System.out.println("not free: " + mine + got[0]);
    }

    static String values(Synchronized s, int i) {
        String r = "" + s.add(i) + " " + s.wide(i) + " " + s.fraction(i) + " " + s.small(i) + " " + s.narrow(i) + s.odd(i) + s.named(i % 2 == 0 ? null : "x");
        s.twice();
        stwice();
        r += " " + s.nested(i % 4) + " " + sadd(i, 7) + " " + s.self().self().add(1) + held(s) + sheld() + held(Synchronized.class);
        if (s.odd(i)) r += "odd";
        return r;
    }

    static String trace(Throwable e) {
        StringBuilder b = new StringBuilder(e.getClass().getName() + ": " + e.getMessage());
        for (StackTraceElement x : e.getStackTrace()) b.append(" ").append(x.getMethodName()).append(":").append(x.getLineNumber());
        return b.toString();
    }

    static int thrower(Synchronized s, int kind) {
        switch (kind % 8) {
        case 0: return s.quotient(7, kind % 4);
        case 1: return s.cell(kind);
        case 2: return s.length(kind);
        case 3: s.refuse(kind); return s.n;
        case 4: return s.nested(kind) + s.length("four");
        case 5: return s.pick(kind / 4);
        case 6: s.fill(kind > 20 ? null : s.cells, kind / 8); return s.n;
        default: return s.length(null);
        }
    }
    static synchronized int caught(Synchronized s, int kind) {
        try {
            return thrower(s, kind);
        } catch (ArithmeticException e) {
            return held(s) ? -1 : sheld() ? 1 : -2;
        }
    }

    static void exceptions() throws Exception {
        Synchronized s = new Synchronized();
        for (int i = 0; i < 64; i++) {
            String what;
            try {
                what = "" + caught(s, i);
            } catch (RuntimeException e) {
                what = trace(e);
            }
            if (held(s) || held(Synchronized.class)) what += " HELD";
            System.out.println(i + " " + what + " " + s.n);
        }
        try {
            Synchronized none = args() == 5 ? s : null;
            for (int i = 0; i < 9; i++) none.inc();
        } catch (NullPointerException e) {
            System.out.println(trace(e));
        }
        isFree(s);
        isFree(Synchronized.class);
    }
    static int args() { return total & 0; }

    /* --- virtual ones; classes that come later --- */
    static class Base {
        int calls;
        synchronized int step(int i) { calls++; return i + 1; }
        synchronized int both(int i) { return step(i) + step(i); }
    }
    static class Later extends Base {
        int step(int i) { return Thread.holdsLock(this) ? -i : i; }
    }
    static class Third extends Base {
        synchronized int step(int i) { if (i == 13) throw new IllegalArgumentException("13"); calls += 2; return i * 2; }
    }
    interface Stepper { int step(int i); }
    static class Meter implements Stepper {
        int calls;
        public synchronized int step(int i) { return calls += i; }
    }
    static class Other implements Stepper {
        public synchronized int step(int i) { return Thread.holdsLock(this) ? i : -i; }
    }
    static int steps(Base b, int n) {
        int r = 0;
        for (int i = 0; i < n; i++) {
            try {
                r += b.step(i) + b.both(i);
            } catch (IllegalArgumentException e) {
                r += held(b) ? 1 << 20 : 1;
            }
        }
        return r;
    }
    static int steps(Stepper b, int n) {
        int r = 0;
        for (int i = 0; i < n; i++) r += b.step(i);
        return r;
    }
    static void classes() throws Exception {
        Base b = new Base(), l, t;
        for (int i = 0; i < 30; i++) steps(b, 20);
        System.out.println(steps(b, 50) + " " + b.calls);
        l = new Later();
        System.out.println(steps(l, 50) + " " + l.calls);
        t = new Third();
        for (int i = 0; i < 30; i++) steps(t, 20);
        System.out.println(steps(t, 50) + " " + t.calls + " " + steps(b, 9));
        Meter m = new Meter();
        for (int i = 0; i < 300; i++) steps(m, 30);
        System.out.println(steps(m, 9) + " " + steps(new Other(), 9) + " " + m.calls);
        for (Object o : new Object[] {b, l, t, m}) isFree(o);
    }

    /* --- threads --- */
    static class Counter {
        int n;
        static int all;
        synchronized void inc() { n++; }
        synchronized int get() { return n; }
        static synchronized void sinc() { all++; }
        synchronized void two() { inc(); inc(); }
        void loop(int times) {
            for (int i = 0; i < times; i++) { inc(); two(); sinc(); if (get() < 3) throw new Error(); }
        }
    }
    static void contended() throws Exception {
        Counter c = new Counter();
        List<Thread> ts = new ArrayList<>();
        for (int i = 0; i < 4; i++) ts.add(new Thread(() -> { for (int k = 0; k < 40; k++) c.loop(300); }));
        for (Thread t : ts) t.start();
        for (Thread t : ts) t.join();
        System.out.println(c.n + " " + Counter.all);
        isFree(c);
    }

    static class Cell {
        Integer v;
        synchronized void put(Integer i) throws InterruptedException { if (v != null) wait(); set(i); }
        synchronized Integer take() throws InterruptedException { if (v == null) wait(); return clear(); }
        synchronized void set(Integer i) { v = i; notify(); }
        synchronized Integer clear() { Integer r = v; v = null; notify(); return r; }
    }
    static void waiting() throws Exception {
        Cell c = new Cell();
        long[] sum = {0};
        Thread t = new Thread(() -> {
            try {
                for (int i = 0; i < 500; i++) sum[0] += c.take();
            } catch (InterruptedException e) {
                System.out.println(e);
            }
        });
        t.start();
        for (int i = 0; i < 500; i++) c.put(i);
        t.join();
        System.out.println("sum " + sum[0]);
        isFree(c);
        Thread.currentThread().interrupt();
        try {
            c.take();
        } catch (InterruptedException e) {
            System.out.println("interrupted " + held(c));
        }
        isFree(c);
    }

    /* --- what others see --- */
    synchronized int shown(int i) { synchronized (this) { return i == 60 ? look(this) : i; } }
    synchronized int showing(int i) { return shown(i) + 1; }
    static int look(Object o) {
        ThreadInfo t = ManagementFactory.getThreadMXBean().getThreadInfo(new long[] {Thread.currentThread().getId()}, true, false)[0];
        for (MonitorInfo m : t.getLockedMonitors()) System.out.println("locked " + m.getClassName() + " in " + m.getLockedStackFrame().getMethodName() + " at depth "
            + (t.getStackTrace().length - m.getLockedStackDepth()));
        return 7;
    }
    static void entered(Synchronized s, int times) { for (int i = 0; i < times; i++) s.inc(); }
    static void seen() throws Exception {
        Synchronized s = new Synchronized();
        int r = 0;
        for (int i = 0; i < 100; i++) r += s.showing(i);
        System.out.println(r);
        for (int i = 0; i < 40; i++) entered(s, 20);
        Thread t = new Thread(() -> entered(s, 3));
        synchronized (s) {
            t.start();
            while (t.getState() != Thread.State.BLOCKED) Thread.sleep(1);
            StackTraceElement[] st = t.getStackTrace();
            LockInfo on = ManagementFactory.getThreadMXBean().getThreadInfo(t.getId()).getLockInfo();
            System.out.println(st[0].getMethodName() + ":" + st[0].getLineNumber() + " in " + st[1].getMethodName() + ":" + st[1].getLineNumber() + " " + on.getClassName());
            t.interrupt();
        }
        t.join();
        isFree(s);
    }

    /* --- depth --- */
    synchronized int deep(int i) { return i == 0 ? 0 : 1 + deeper(i - 1); }
    synchronized int deeper(int i) { return i == 0 ? n : 1 + deep(i - 1); }
    synchronized int endless(int i) { return endless(i + 1) + 1; }
    static void depths() throws Exception {
        Synchronized s = new Synchronized();
        for (int i = 0; i < 20; i++) s.deep(30);
        System.out.println(s.deep(600) + " " + s.deep(601)); /* more than a thin lock counts */
        isFree(s);
        for (int i = 0; i < 3; i++) {
            try {
                s.endless(0);
            } catch (StackOverflowError e) {
                if (held(s)) System.out.println("held");
            }
        }
        isFree(s);
    }

    public static void main(String[] x) throws Exception {
        Synchronized s = new Synchronized();
        for (int i = 0; i < 60; i++) {
            String v = values(s, i);
            if (i % 7 == 0) System.out.println(v);
        }
        Synchronized o = new Synchronized();
        boolean all = true;
        for (int i = 0; i < 60; i++) all &= s.both(o) && !held(o) && !held(s) || s.both(s);
        System.out.println(all);
        isFree(s);
        isFree(o);
        isFree(Synchronized.class);
        exceptions();
        classes();
        contended();
        waiting();
        seen();
        depths();
    }
}
