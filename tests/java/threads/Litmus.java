// SPDX-License-Identifier: Apache-2.0
// timeout: 120
import java.lang.invoke.*;
import java.util.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

/**
 * Litmus programs of the memory model: each runs two or more actors over many fresh states and counts outcomes that the model (or, for
 * plain long and double, every 64-bit VM) forbids. Printed: the count of forbidden ones, which must be 0.
 */
public class Litmus {
    static class State {
        int x, y, r1, r2, r3, r4;
        volatile int vx, vy;
        long l; double d; volatile long vl;
        Final f; Object o;
        final AtomicInteger ai = new AtomicInteger();
        int vh, count;
        byte[] bytes = new byte[8]; short[] shorts = new short[4]; long[] longs = new long[1];
    }
    static class Final { final int a; final int[] b; final Final c; Final(int n) { a = n; b = new int[] {n, n + 1}; c = n > 0 ? new Final(0) : null; } }

    static final VarHandle X, Y, VH, BYTES = MethodHandles.arrayElementVarHandle(byte[].class), SHORTS = MethodHandles.arrayElementVarHandle(short[].class), LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    static {
        try {
            MethodHandles.Lookup l = MethodHandles.lookup();
            X = l.findVarHandle(State.class, "x", int.class);
            Y = l.findVarHandle(State.class, "y", int.class);
            VH = l.findVarHandle(State.class, "vh", int.class);
        } catch (ReflectiveOperationException e) { throw new Error(e); }
    }

    static final int ROUNDS = 60, STATES = 400;

    @SafeVarargs
    static void run(String name, Predicate<State> forbidden, Consumer<State>... actors) throws Exception {
        int bad = 0;
        java.util.concurrent.CyclicBarrier barrier = new java.util.concurrent.CyclicBarrier(actors.length + 1);
        State[][] now = new State[1][];
        Thread[] ts = new Thread[actors.length];
        boolean[] failed = new boolean[1];
        for (int k = 0; k < ts.length; k++) {
            Consumer<State> a = actors[k];
            ts[k] = new Thread(() -> {
                try {
                    for (int i = 0; i < ROUNDS; i++) {
                        barrier.await();
                        for (State s : now[0]) a.accept(s);
                        barrier.await();
                    }
                } catch (Throwable t) { failed[0] = true; t.printStackTrace(); barrier.reset(); }
            });
            ts[k].start();
        }
        for (int i = 0; i < ROUNDS && !failed[0]; i++) {
            now[0] = new State[STATES];
            for (int k = 0; k < STATES; k++) now[0][k] = new State();
            barrier.await();
            barrier.await();
            for (State s : now[0]) if (forbidden.test(s)) bad++;
        }
        for (Thread t : ts) t.join();
        System.out.println(name + ": " + bad + (failed[0] ? " failed" : ""));
    }

    static volatile Object singleton;
    static class Lazy { static final AtomicInteger made = new AtomicInteger(); int value; Lazy() { made.incrementAndGet(); value = 42; } }
    static volatile Lazy lazy;
    static Lazy get() {
        Lazy l = lazy;
        if (l == null) synchronized (Litmus.class) { l = lazy; if (l == null) lazy = l = new Lazy(); }
        return l;
    }
    static class Holder { static final AtomicInteger runs = new AtomicInteger(); static class Inner { static int v; static { runs.incrementAndGet(); int s = 0; for (int i = 0; i < 20000; i++) s += i; v = 7; } } }

    public static void main(String[] args) throws Exception {
        // message passing
        run("MP volatile", s -> s.r1 == 1 && s.r2 == 0, s -> { s.x = 1; s.vy = 1; }, s -> { s.r1 = s.vy; s.r2 = s.x; });
        run("MP release/acquire", s -> s.r1 == 1 && s.r2 == 0, s -> { X.set(s, 1); Y.setRelease(s, 1); }, s -> { s.r1 = (int) Y.getAcquire(s); s.r2 = s.x; });
        run("MP lock", s -> s.r1 == 1 && s.r2 == 0, s -> { synchronized (s) { s.x = 1; s.y = 1; } }, s -> { synchronized (s) { s.r1 = s.y; s.r2 = s.x; } });
        run("MP fences", s -> s.r1 == 1 && s.r2 == 0, s -> { s.x = 1; VarHandle.releaseFence(); Y.setOpaque(s, 1); }, s -> { s.r1 = (int) Y.getOpaque(s); VarHandle.acquireFence(); s.r2 = s.x; });
        run("MP by compareAndSet", s -> s.r1 == 1 && s.r2 == 0, s -> { s.x = 1; s.ai.compareAndSet(0, 1); }, s -> { s.r1 = s.ai.get(); s.r2 = s.x; });
        // store buffering
        run("SB volatile", s -> s.r1 == 0 && s.r2 == 0, s -> { s.vx = 1; s.r1 = s.vy; }, s -> { s.vy = 1; s.r2 = s.vx; });
        run("SB VarHandle volatile", s -> s.r1 == 0 && s.r2 == 0, s -> { X.setVolatile(s, 1); s.r1 = (int) Y.getVolatile(s); }, s -> { Y.setVolatile(s, 1); s.r2 = (int) X.getVolatile(s); });
        run("SB full fences", s -> s.r1 == 0 && s.r2 == 0, s -> { X.setOpaque(s, 1); VarHandle.fullFence(); s.r1 = (int) Y.getOpaque(s); }, s -> { Y.setOpaque(s, 1); VarHandle.fullFence(); s.r2 = (int) X.getOpaque(s); });
        run("SB getAndSet", s -> s.r1 == 0 && s.r2 == 0, s -> { int i = (int) X.getAndSet(s, 1); s.r1 = (int) Y.getAndAdd(s, 0); }, s -> { int i = (int) Y.getAndSet(s, 1); s.r2 = (int) X.getAndAdd(s, 0); });
        // coherence
        run("CoRR opaque", s -> s.r1 == 1 && s.r2 == 0, s -> X.setOpaque(s, 1), s -> { s.r1 = (int) X.getOpaque(s); s.r2 = (int) X.getOpaque(s); });
        run("CoWR plain", s -> s.r1 == 0, s -> { s.x = 1; s.r1 = s.x; }, s -> s.x = 2);
        run("IRIW volatile", s -> s.r1 == 1 && s.r2 == 0 && s.r3 == 1 && s.r4 == 0, s -> s.vx = 1, s -> s.vy = 1, s -> { s.r1 = s.vx; s.r2 = s.vy; }, s -> { s.r3 = s.vy; s.r4 = s.vx; });
        // final fields, published by a race
        run("final fields", s -> s.r1 != 0, s -> s.f = new Final(5), s -> { Final f = s.f; if (f != null && (f.a != 5 || f.b[0] != 5 || f.b[1] != 6 || f.c.a != 0 || f.c.b[1] != 1)) s.r1 = 1; });
        run("class of a raced object", s -> s.r1 != 0, s -> s.o = new int[] {1, 2, 3}, s -> { Object o = s.o; if (o != null && (o.getClass() != int[].class || ((int[]) o).length != 3)) s.r1 = 1; });
        // atomicity
        run("long", s -> s.r1 != 0, s -> { s.l = -1L; s.l = 0x12345678_9abcdef0L; }, s -> { long l = s.l; if (l != 0 && l != -1 && l != 0x12345678_9abcdef0L) s.r1 = 1; });
        run("double", s -> s.r1 != 0, s -> { s.d = 1e300; s.d = -0.1; }, s -> { double d = s.d; if (d != 0 && d != 1e300 && d != -0.1) s.r1 = 1; });
        run("volatile long", s -> s.r1 != 0, s -> { s.vl = -1L; s.vl = 1L << 40; }, s -> { long l = s.vl; if (l != 0 && l != -1 && l != 1L << 40) s.r1 = 1; });
        run("long array element", s -> s.r1 != 0, s -> { s.longs[0] = -1L; s.longs[0] = 1L << 33; }, s -> { long l = s.longs[0]; if (l != 0 && l != -1 && l != 1L << 33) s.r1 = 1; });
        run("neighbouring bytes", s -> s.bytes[0] != 3 || s.bytes[1] != 4, s -> { for (int i = 0; i < 4; i++) s.bytes[0] = (byte) i; }, s -> { for (int i = 1; i < 5; i++) s.bytes[1] = (byte) i; });
        run("neighbouring shorts", s -> s.shorts[2] != 3 || s.shorts[3] != 4, s -> { for (int i = 0; i < 4; i++) s.shorts[2] = (short) i; }, s -> { for (int i = 1; i < 5; i++) s.shorts[3] = (short) i; });
        // read-modify-write
        run("getAndAdd", s -> s.vh != 20, s -> { for (int i = 0; i < 10; i++) { int o = (int) VH.getAndAdd(s, 1); } }, s -> { for (int i = 0; i < 10; i++) { int o = (int) VH.getAndAddAcquire(s, 1); } });
        run("compareAndSet", s -> s.vh != 20, s -> { for (int i = 0; i < 10; i++) { int v; do v = (int) VH.getVolatile(s); while (!VH.compareAndSet(s, v, v + 1)); } }, s -> { for (int i = 0; i < 10; i++) { int v; do v = (int) VH.getVolatile(s); while (!VH.weakCompareAndSet(s, v, v + 1)); } });
        run("compareAndExchange", s -> s.vh != 20, s -> { for (int i = 0; i < 10; i++) { int v = 0, w; while ((w = (int) VH.compareAndExchange(s, v, v + 1)) != v) v = w; } }, s -> { for (int i = 0; i < 10; i++) { int v = 0, w; while ((w = (int) VH.compareAndExchangeRelease(s, v, v + 1)) != v) v = w; } });
        run("bytes by getAndAdd", s -> s.bytes[3] != 20 || s.bytes[2] != 0 || s.bytes[4] != 0, s -> { for (int i = 0; i < 10; i++) { byte b = (byte) BYTES.getAndAdd(s.bytes, 3, (byte) 1); } }, s -> { for (int i = 0; i < 10; i++) { byte b = (byte) BYTES.getAndAdd(s.bytes, 3, (byte) 1); } });
        run("neighbouring bytes by compareAndSet", s -> s.bytes[4] != 10 || s.bytes[5] != 10, s -> { for (int i = 0; i < 10; i++) while (!BYTES.compareAndSet(s.bytes, 4, (byte) i, (byte) (i + 1))) { } }, s -> { for (int i = 0; i < 10; i++) while (!BYTES.weakCompareAndSetPlain(s.bytes, 5, (byte) i, (byte) (i + 1))) { } });
        run("shorts by getAndBitwiseOr", s -> s.shorts[1] != 0x3ff, s -> { for (int i = 0; i < 5; i++) { short b = (short) SHORTS.getAndBitwiseOr(s.shorts, 1, (short) (1 << i)); } }, s -> { for (int i = 5; i < 10; i++) { short b = (short) SHORTS.getAndBitwiseOr(s.shorts, 1, (short) (1 << i)); } });
        run("longs by getAndBitwiseXor", s -> s.longs[0] != -1L, s -> { for (int i = 0; i < 64; i += 2) { long b = (long) LONGS.getAndBitwiseXor(s.longs, 0, 1L << i); } }, s -> { for (int i = 1; i < 64; i += 2) { long b = (long) LONGS.getAndBitwiseXor(s.longs, 0, 1L << i); } });
        run("AtomicInteger", s -> s.ai.get() != 30, s -> { for (int i = 0; i < 10; i++) s.ai.incrementAndGet(); }, s -> { for (int i = 0; i < 10; i++) s.ai.updateAndGet(v -> v + 1); }, s -> { for (int i = 0; i < 10; i++) s.ai.accumulateAndGet(1, Integer::sum); });
        run("synchronized", s -> s.count != 20, s -> { for (int i = 0; i < 10; i++) synchronized (s) { s.count++; } }, s -> { for (int i = 0; i < 10; i++) synchronized (s) { s.count++; } });
        run("one winner", s -> s.r1 + s.r2 + s.r3 != 1, s -> { if (s.ai.compareAndSet(0, 1)) s.r1 = 1; }, s -> { if (s.ai.compareAndSet(0, 2)) s.r2 = 1; }, s -> { if (s.ai.getAndUpdate(v -> v == 0 ? 3 : v) == 0) s.r3 = 1; });
        run("identity hash of a raced object", s -> s.r1 != s.r2, s -> s.r1 = System.identityHashCode(s), s -> s.r2 = System.identityHashCode(s));
        run("hash while locked", s -> s.r1 != s.r2 || s.count != 2, s -> { synchronized (s) { s.count++; s.r1 = s.hashCode(); } }, s -> { s.r2 = s.hashCode(); synchronized (s) { s.count++; } });
        // lazy initialisation
        run("double-checked locking", s -> s.r1 != 42 || s.r2 != 42, s -> s.r1 = get().value, s -> s.r2 = get().value);
        System.out.println("made " + Lazy.made);
        run("class initialisation", s -> s.r1 != 7 || s.r2 != 7, s -> s.r1 = Holder.Inner.v, s -> s.r2 = Holder.Inner.v);
        System.out.println("runs " + Holder.runs);
    }
}
