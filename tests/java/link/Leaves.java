// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.misc=ALL-UNNAMED
// options: --add-exports java.base/jdk.internal.misc=ALL-UNNAMED
import java.lang.invoke.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import jdk.internal.misc.Unsafe;

/** Methods that are shorter than a call, of all types, by all kinds of calls; natives that need no frame. */
public class Leaves {
    interface HasValue { int value(); Object self(); void act(); }
    static class Base implements HasValue {
        boolean z = true; byte b = -1; char c = 65535; short s = -2; int i = 1 << 30; long j = Long.MIN_VALUE + 1; float f = Float.MIN_VALUE;
        double d = -0.0; Object o = this; volatile int v = 7;
        boolean z() { return z; }
        byte b() { return b; }
        char c() { return c; }
        short s() { return s; }
        int i() { return i; }
        long j() { return j; }
        float f() { return f; }
        double d() { return d; }
        int v() { return v; }
        int widened() { return b; }
        public int value() { return i; }
        public Object self() { return o; }
        public void act() { }
        final int fixed() { return i; }
        private Object secret() { return o; }
        Object viaSecret() { return secret(); }
    }
    static class Sub extends Base {
        int own = 3;
        @Override int i() { return own; }
        @Override public int value() { return own; }
        @Override public void act() { own++; }
        int ofSuper() { return super.i(); }
    }
    static class Final extends Sub {
        static final AtomicInteger finalized = new AtomicInteger();
        @Override protected void finalize() { finalized.incrementAndGet(); }
    }
    static void nothing() { }

    static final Unsafe U = Unsafe.getUnsafe();
    static final long MEMORY = U.allocateMemory(1 << 17);
    static void byteAt(int n) { U.putByte(null, MEMORY + 65536 + n, (byte) -3); }
    static void intAt(int n) { U.putInt(null, MEMORY + 65536 + ((long) n << 2), 77); }
    static void longAt(int n) { U.putLong(null, ((long) n << 3) + MEMORY + 65536, -5L); }
    static void addInt(int n) { U.getAndAddInt(null, MEMORY + 65536 + n, -2); }
    static void addLong(int n) { U.getAndAddLong(null, MEMORY + 65536 + n, 3L); }
    static void two(int n) { U.putByte(null, MEMORY + 65536 + n, (byte) 1); U.putByte(null, MEMORY + 65537 + n, (byte) 2); }
    static void wide(int n) { U.putInt(null, MEMORY + 65536 + n, 1000); }
    void second(int unused, int n) { U.putByte(null, MEMORY + 65536 + n, (byte) 44); }

    static String all(Base x) {
        x.act();
        nothing();
        return x.z() + " " + x.b() + " " + (int) x.c() + " " + x.s() + " " + x.i() + " " + x.j() + " " + x.f() + " " + x.d() + " " + x.v()
            + " " + x.widened() + " " + x.fixed() + " " + (x.viaSecret() == x) + " " + ((HasValue) x).value() + " " + (((HasValue) x).self() == x);
    }
    static void nulls() throws Throwable {
        Base none = null;
        MethodHandle mh = MethodHandles.lookup().findVirtual(Base.class, "i", MethodType.methodType(int.class));
        MethodHandle act = MethodHandles.lookup().findVirtual(Base.class, "act", MethodType.methodType(void.class));
        for (int k = 0; k < 3; k++) {
            try { none.i(); } catch (NullPointerException e) { System.out.println(e.getMessage() + " " + e.getStackTrace().length); }
            try { ((HasValue) none).act(); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
            try { System.out.println((int) mh.invokeExact(none)); } catch (NullPointerException e) { System.out.println("null"); }
            try { act.invokeExact(none); } catch (NullPointerException e) { System.out.println("null"); }
            System.out.println((int) mh.invokeExact(new Base()));
        }
    }
    static void memory() {
        for (int k = 0; k < 5; k++) {
            U.setMemory(MEMORY, 1 << 17, (byte) 0);
            byteAt(-65536 + k);
            byteAt(60000);
            intAt(-1000);
            longAt(500);
            addInt(300);
            addInt(300);
            addLong(-32760);
            two(-8);
            wide(-64);
            new Leaves().second(1, 20000);
            System.out.println(U.getByte(MEMORY + k) + " " + U.getByte(MEMORY + 125536) + " " + U.getInt(MEMORY + 61536) + " "
                + U.getLong(MEMORY + 69536) + " " + U.getInt(MEMORY + 65836) + " " + U.getLong(MEMORY + 32776) + " " + U.getShort(MEMORY + 65528)
                + " " + U.getInt(MEMORY + 65472) + " " + U.getByte(MEMORY + 85536));
        }
        long sum = 0;
        for (int i = 0; i < 1 << 17; i++) sum = sum * 31 + U.getByte(MEMORY + i);
        System.out.println(sum);
    }
    static void threads() throws Exception {
        U.setMemory(MEMORY, 1 << 17, (byte) 0);
        Thread[] t = new Thread[4];
        for (int k = 0; k < t.length; k++) (t[k] = new Thread(() -> { for (int i = 0; i < 50000; i++) addLong(16); })).start();
        for (Thread x : t) x.join();
        System.out.println(U.getLong(MEMORY + 65552));
    }
    static final VarHandle V;
    static {
        try {
            V = MethodHandles.lookup().findVarHandle(Base.class, "v", int.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
    static void handles() {
        Base x = new Base();
        AtomicReference<Object> ref = new AtomicReference<>();
        AtomicLongArray longs = new AtomicLongArray(3);
        ConcurrentHashMap<Integer, String> map = new ConcurrentHashMap<>();
        for (int k = 0; k < 200; k++) {
            V.setVolatile(x, (int) V.getAcquire(x) + 1);
            if (!V.compareAndSet(x, x.v, x.v * 3 % 1000)) throw new AssertionError();
            ref.set(ref.get() == null ? x : null);
            longs.addAndGet(k % 3, k);
            map.merge(k % 10, "" + k, (p, q) -> q);
        }
        System.out.println(x.v + " " + ref + " " + longs + " " + map);
        float f = Float.intBitsToFloat(0x7f800001);
        System.out.println(Math.max(-1, 2) + " " + Math.abs(-5L) + " " + Math.sqrt(2) + " " + Long.bitCount(-1L) + " " + Float.floatToIntBits(f)
            + " " + Integer.reverse(1) + " " + "abc".length() + " " + "".isEmpty() + " " + Thread.currentThread().getName() + " " + "abc".hashCode());
    }
    public static void main(String[] a) throws Throwable {
        for (int k = 0; k < 4; k++) System.out.println(all(new Base()) + "\n" + all(new Sub()) + " " + new Sub().ofSuper());
        nulls();
        memory();
        threads();
        handles();
        for (int k = 0; k < 50; k++) new Final().i();
        for (int k = 0; k < 100 && Final.finalized.get() < 40; k++) {
            System.gc();
            Thread.sleep(20);
        }
        System.out.println(Final.finalized.get() >= 40);
        System.out.println(new Object() { int depth() { return 1 + new Throwable().getStackTrace().length; } }.depth());
    }
}
