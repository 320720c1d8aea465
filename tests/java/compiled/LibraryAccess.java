// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2 -XX:-OmitStackTraceInFastThrow --add-exports java.base/jdk.internal.misc=ALL-UNNAMED
// javac: --add-exports java.base/jdk.internal.misc=ALL-UNNAMED
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.invoke.WrongMethodTypeException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.*;
import jdk.internal.misc.Unsafe;

/* Unsafe, variable handles, atomics, classes and identity: what machine code stands for. */
public class LibraryAccess {
    static final Unsafe U = Unsafe.getUnsafe();
    static long sum;
    static int failures;
    static void add(long v) { sum = sum * 31 + v; }
    static void add(boolean v) { add(v ? 1 : 0); }
    static void add(Object s) { add(s == null ? -7 : s.toString().hashCode()); }
    static void show(String what) { System.out.println(what + " " + Long.toHexString(sum)); sum = 0; }

    interface Call { Object run() throws Throwable; }

    static void attempt(Call c) {
        try {
            add(c.run());
        } catch (Throwable e) {
            failures++;
            add(e.getClass().getName());
            add(e.getMessage() != null && e.getMessage().contains("$$") ? "of a lambda" : e.getMessage());
            for (StackTraceElement f : e.getStackTrace()) {
                if (f.getMethodName().startsWith("lambda")) break;
                add(f.getMethodName());
                add(f.getLineNumber());
            }
        }
    }

    static class Fields {
        boolean z; byte b; char c; short s; int i; float f; long j; double d; Object o; String t;
        static int si; static long sj; static Object so;
        final int last = 3;
    }
    static class More extends Fields { int own; }

    static long at(String name) { return U.objectFieldOffset(Fields.class, name); }

    static void unsafe(Object o, int n) {
        long z = at("z"), b = at("b"), c = at("c"), s = at("s"), i = at("i"), f = at("f"), j = at("j"), d = at("d"), r = at("o");
        U.putBoolean(o, z, n % 2 == 0); add(U.getBoolean(o, z)); U.putBooleanVolatile(o, z, true); add(U.getBooleanVolatile(o, z));
        U.putByte(o, b, (byte) n); add(U.getByte(o, b)); U.putByteRelease(o, b, (byte) -n); add(U.getByteAcquire(o, b));
        U.putChar(o, c, (char) (n * 7777)); add(U.getChar(o, c)); U.putCharVolatile(o, c, '\uffff'); add(U.getCharVolatile(o, c));
        U.putShort(o, s, (short) (n * 7777)); add(U.getShort(o, s)); U.putShortOpaque(o, s, (short) -1); add(U.getShortOpaque(o, s));
        U.putInt(o, i, n * 123456789); add(U.getInt(o, i)); U.putIntVolatile(o, i, -n); add(U.getIntVolatile(o, i));
        U.putFloat(o, f, n * 1.5f); add((long) U.getFloat(o, f)); U.putFloatVolatile(o, f, -0f); add(Float.floatToRawIntBits(U.getFloatAcquire(o, f)));
        U.putLong(o, j, n * 1234567890123L); add(U.getLong(o, j)); U.putLongVolatile(o, j, ~n); add(U.getLongVolatile(o, j));
        U.putDouble(o, d, n / 3.0); add(Double.doubleToRawLongBits(U.getDouble(o, d))); U.putDoubleRelease(o, d, n); add((long) U.getDoubleVolatile(o, d));
        U.putReference(o, r, "r" + n); add(U.getReference(o, r)); U.putReferenceVolatile(o, r, null); add(U.getReferenceVolatile(o, r));
        U.putReferenceRelease(o, r, "q" + n); add(U.getReferenceAcquire(o, r));
        U.putInt(o, i, 5);
        add(U.compareAndSetInt(o, i, 5, n)); add(U.compareAndSetInt(o, i, 5, -n)); add(U.compareAndExchangeInt(o, i, n, 9)); add(U.compareAndExchangeInt(o, i, n + 1, 8));
        add(U.getAndAddInt(o, i, n)); add(U.getAndSetInt(o, i, -1)); add(U.getInt(o, i)); add(U.getAndBitwiseOrInt(o, i, 77));
        U.putLong(o, j, 5);
        add(U.compareAndSetLong(o, j, 5, n)); add(U.compareAndSetLong(o, j, 5, -n)); add(U.compareAndExchangeLong(o, j, n, 1L << 40)); add(U.compareAndExchangeLong(o, j, 3, 8));
        add(U.getAndAddLong(o, j, n)); add(U.getAndSetLong(o, j, -1)); add(U.getLong(o, j));
        Object p = "p" + n, q = "q" + n;
        U.putReference(o, r, p);
        add(U.compareAndSetReference(o, r, q, p)); add(U.compareAndSetReference(o, r, p, q)); add(U.compareAndExchangeReference(o, r, p, q));
        add(U.compareAndExchangeReference(o, r, q, null)); add(U.getReference(o, r)); add(U.getAndSetReference(o, r, p)); add(U.getReference(o, r) == p);
        add(U.weakCompareAndSetReference(o, r, p, q)); add(U.getReference(o, r));
        add(U.compareAndSetByte(o, b, (byte) -n, (byte) 3)); add(U.getAndAddByte(o, b, (byte) 100)); add(U.getAndSetShort(o, s, (short) 4)); add(U.compareAndSetBoolean(o, z, true, false));
    }

    static void memory(int n) {
        long p = U.allocateMemory(64);
        U.setMemory(p, 64, (byte) n);
        add(U.getLong(p)); add(U.getInt(p + 4)); add(U.getByte(p + 9)); add(U.getShort(p + 2)); add(U.getChar(null, p + 6));
        U.putLong(p, 0x8123456789abcdefL); U.putInt(null, p + 8, -2); U.putByte(p + 3, (byte) n); U.putDouble(p + 16, 1.25); U.putFloat(p + 24, n);
        add(U.getLong(null, p)); add(U.getInt(p + 8)); add((long) U.getDouble(p + 16)); add((long) U.getFloat(null, p + 24));
        add(U.compareAndSetInt(null, p + 8, -2, n)); add(U.getAndAddLong(null, p, n)); add(U.getLong(p));
        byte[] bytes = new byte[64];
        U.copyMemory(null, p, bytes, Unsafe.ARRAY_BYTE_BASE_OFFSET, 32);
        add(java.util.Arrays.hashCode(bytes)); add(U.getLongUnaligned(bytes, Unsafe.ARRAY_BYTE_BASE_OFFSET + 3)); add(U.getIntUnaligned(bytes, 17, true));
        U.freeMemory(p);
        int[] ints = new int[8];
        U.putInt(ints, Unsafe.ARRAY_INT_BASE_OFFSET + 4L * n, 42 + n); U.getAndAddInt(ints, 16 + 4L * n, 3); add(ints[n]);
        Object[] objects = new Object[4];
        U.putReferenceVolatile(objects, Unsafe.ARRAY_OBJECT_BASE_OFFSET, ints); add(objects[0] == ints);
        U.fullFence(); U.loadFence(); U.storeFence();
    }

    static final VarHandle I, J, O, T, F, S, ARRAY, LONGS, OBJECTS, STRINGS, VIEW, LAST, D, B;
    static {
        try {
            MethodHandles.Lookup l = MethodHandles.lookup();
            I = l.findVarHandle(Fields.class, "i", int.class);
            J = l.findVarHandle(Fields.class, "j", long.class);
            O = l.findVarHandle(Fields.class, "o", Object.class);
            T = l.findVarHandle(Fields.class, "t", String.class);
            F = l.findVarHandle(Fields.class, "f", float.class);
            D = l.findVarHandle(Fields.class, "d", double.class);
            B = l.findVarHandle(Fields.class, "b", byte.class);
            LAST = l.findVarHandle(Fields.class, "last", int.class);
            S = l.findStaticVarHandle(Fields.class, "si", int.class);
            ARRAY = MethodHandles.arrayElementVarHandle(int[].class);
            LONGS = MethodHandles.arrayElementVarHandle(long[].class);
            OBJECTS = MethodHandles.arrayElementVarHandle(Object[].class);
            STRINGS = MethodHandles.arrayElementVarHandle(String[].class);
            VIEW = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }
    static void handles(VarHandle i, Fields o, int n) {
        i.set(o, n); add((int) i.get(o)); i.setVolatile(o, n + 1); add((int) i.getVolatile(o)); i.setRelease(o, n + 2); add((int) i.getAcquire(o));
        i.setOpaque(o, n + 3); add((int) i.getOpaque(o)); add(i.compareAndSet(o, n + 3, n)); add(i.compareAndSet(o, n + 3, n)); add((int) i.compareAndExchange(o, n, 7));
        add((int) i.getAndAdd(o, n)); add((int) i.getAndSet(o, 9)); add((int) i.getAndBitwiseXor(o, n)); add((int) i.get(o));
    }
    static void handlesOfLongs(VarHandle j, Fields o, long n) {
        j.set(o, n); add((long) j.get(o)); j.setVolatile(o, n + 1); add((long) j.getVolatile(o)); add(j.compareAndSet(o, n + 1, n)); add((long) j.getAndAdd(o, n));
        add((long) j.getAndSet(o, 9L)); add((long) j.compareAndExchange(o, 9L, n)); add(j.weakCompareAndSetPlain(o, 1L, 2L));
    }
    static void handlesOfReferences(VarHandle r, Object holder, Object x, Object y) {
        Fields o = (Fields) holder;
        r.set(o, x); add(r.get(o)); r.setVolatile(o, y); add(r.getVolatile(o)); r.setRelease(o, x); add(r.getAcquire(o)); add(r.compareAndSet(o, x, y)); add(r.compareAndSet(o, x, y));
        add(r.compareAndExchange(o, y, x)); add(r.getAndSet(o, y)); add(r.get(o)); r.set(o, (Object) null); add(r.get(o));
    }
    static void handlesOfStrings(VarHandle r, Fields o, String x) {
        r.set(o, x); add((String) r.get(o)); r.setVolatile(o, "v"); add((String) r.getVolatile(o)); add(r.compareAndSet(o, "v", x)); add((String) r.getAndSet(o, (String) null)); add(o.t);
    }
    static void elements(VarHandle a, int[] v, int n) {
        a.set(v, n, n * 5); add((int) a.get(v, n)); a.setVolatile(v, n, 8); add((int) a.getVolatile(v, n)); add(a.compareAndSet(v, n, 8, n)); add((int) a.getAndAdd(v, n, 3)); add((int) a.getAndSet(v, n, 1));
    }
    static void elementsOfObjects(VarHandle a, Object[] v, int n, Object x) {
        a.set(v, n, x); add(a.get(v, n)); a.setVolatile(v, n, x); add(a.getVolatile(v, n)); add(a.compareAndSet(v, n, x, x)); add(a.getAndSet(v, n, x)); add(a.compareAndExchange(v, n, x, x));
    }
    static void handlesFailing(Fields o) {
        Fields none = null;
        More more = new More();
        Object other = "other", right = more;
        attempt(() -> (int) I.get(none));
        attempt(() -> { I.setVolatile(none, 1); return 1; });
        attempt(() -> I.compareAndSet(none, 1, 2));
        attempt(() -> (int) I.get((Fields) more));
        attempt(() -> (int) I.get(more));
        attempt(() -> (int) I.get(right));
        attempt(() -> (int) I.get(other));
        attempt(() -> (long) I.get(o));
        attempt(() -> { I.set(o, "x"); return 1; });
        attempt(() -> { I.set(o, (byte) 3); return (int) I.get(o); });
        attempt(() -> { Integer boxed = (Integer) I.getAndAdd(o, (Integer) 3); return boxed; });
        attempt(() -> { T.set(o, (Object) 1); return 1; });
        attempt(() -> { T.setVolatile(o, (Object) "fine"); return o.t; });
        attempt(() -> { LAST.set(o, 1); return 1; });
        attempt(() -> (int) LAST.get(o));
        attempt(() -> LAST.compareAndSet(o, 1, 2));
        attempt(() -> (float) F.getAndAdd(o, 1f));
        attempt(() -> (double) D.getAndAdd(o, 1.0));
        attempt(() -> (byte) B.getAndAdd(o, (byte) 100));
        attempt(() -> { F.set(o, 3f); return (float) F.get(o); });
        attempt(() -> { S.set(7); return (int) S.getAndAdd(5) + Fields.si; });
        for (int i : new int[] {-1, 0, 3, 4, Integer.MAX_VALUE}) {
            attempt(() -> (int) ARRAY.get(new int[4], i));
            attempt(() -> { ARRAY.setVolatile(new int[4], i, 3); return 1; });
            attempt(() -> (long) LONGS.getAndAdd(new long[4], i, 3L));
            attempt(() -> { OBJECTS.set(new Object[4], i, "x"); return 1; });
            attempt(() -> { OBJECTS.set((Object[]) new String[4], i, (Object) 5); return 1; });
            attempt(() -> { STRINGS.set(new String[4], i, "x"); return 1; });
            attempt(() -> (int) VIEW.get(new byte[6], i));
        }
        attempt(() -> (int) ARRAY.get((int[]) null, 0));
        attempt(() -> { ByteBuffer b = ByteBuffer.allocate(8); return b.putInt(3, 99).getInt(3) + b.order(ByteOrder.LITTLE_ENDIAN).getInt(2); });
        attempt(() -> ByteBuffer.allocate(8).getInt(5));
        attempt(() -> ByteBuffer.allocateDirect(8).putLong(0, 77).getLong(0));
        attempt(() -> ByteBuffer.allocateDirect(8).getLong(1));
    }

    static void atomics(int n) {
        AtomicInteger i = new AtomicInteger(n);
        add(i.incrementAndGet()); add(i.getAndAdd(5)); add(i.compareAndSet(n + 6, 3)); add(i.compareAndSet(n + 6, 3)); add(i.getAndSet(8)); add(i.updateAndGet(x -> x * 3));
        AtomicLong j = new AtomicLong(1L << 40);
        add(j.decrementAndGet()); add(j.addAndGet(n)); add(j.compareAndSet(3, 4)); add(j.get());
        AtomicReference<Object> r = new AtomicReference<>("a");
        String b = "b" + n;
        add(r.compareAndSet("a", b)); add(r.compareAndSet("a", b)); add(r.getAndSet("c")); add(r.get()); r.lazySet(null); add(r.getPlain()); add(r.compareAndExchange(null, b));
        AtomicBoolean z = new AtomicBoolean();
        add(z.compareAndSet(false, true)); add(z.getAndSet(false)); add(z.get());
        AtomicIntegerArray a = new AtomicIntegerArray(4);
        add(a.getAndIncrement(n & 3)); add(a.addAndGet(n & 3, 7)); attempt(() -> a.get(n + 4));
        AtomicReferenceArray<String> s = new AtomicReferenceArray<>(3);
        add(s.compareAndSet(1, null, b)); add(s.get(1)); attempt(() -> s.getAndSet(3, "x"));
    }

    /* To classes that are known while compiling: what comes of it is used with what was there before. */
    static String casts(Object o, String before, int n) {
        String s = before + n + Object.class.cast(o).equals(before) + (Comparable.class.cast(o) == o ? n : -n);
        return s + name(before, Cloneable.class.cast(o), n);
    }
    static String name(String a, Object o, int n) { return a + (o == null) + n; }
    static final Object[] THINGS = {"a", 1, 2L, new Object(), new int[1], new String[1], new Object[0], 'c', 1.0, new More(), new Fields(), Thread.State.NEW, int.class, (Runnable) () -> { }};
    static final Class<?>[] CLASSES = {Object.class, String.class, Number.class, Comparable.class, CharSequence.class, int.class, int[].class, Object[].class, Fields.class,
        More.class, Enum.class, Runnable.class, Cloneable.class, void.class, String[][].class};
    static void classes(Object o) {
        add(Number.class.isInstance(o)); add(Comparable.class.isInstance(o)); add(int.class.isInstance(o)); add(Object[].class.isInstance(o)); add(Fields.class.isInstance(o));
        add(String.class.isInstance(o)); add(Cloneable.class.isInstance(null)); add(String.class.isInstance("x")); add(Object.class.isInstance(null));
        for (Class<?> c : CLASSES) {
            add(c.isInstance(o)); add(c.isInstance(null));
            if (o != null) add(c.isAssignableFrom(o.getClass()));
            add(c.isArray()); add(c.isInterface()); add(c.isPrimitive()); add(c.isHidden()); add(c.getSuperclass());
            attempt(() -> c.isAssignableFrom(null));
            attempt(() -> c.cast(o) == o);
        }
        attempt(() -> casts(o, "before", 7));
        if (o == null) {
            attempt(() -> o.getClass());
            attempt(() -> o.hashCode());
            add(System.identityHashCode(o));
            return;
        }
        String name = o.getClass().getName();
        add(name.contains("$$") ? 1 : name.hashCode());
        add(o.hashCode() == o.hashCode()); add(System.identityHashCode(o) == System.identityHashCode(o));
        Object fresh = new Object();
        add(fresh.hashCode() == System.identityHashCode(fresh)); add(fresh.equals(o)); add(fresh.toString().startsWith("java.lang.Object@"));
        WeakReference<Object> w = new WeakReference<>(o);
        add(w.get() == o); add(w.refersTo(o)); add(w.refersTo(fresh)); w.clear(); add(w.get());
        add(Thread.currentThread().getName()); add(Thread.currentThread() == Thread.currentThread());
        add(System.nanoTime() - System.nanoTime() <= 0); add(System.currentTimeMillis() > 1600000000000L);
    }

    /* arrays that need not be clean, of classes that are known and others */
    static void uninitialized(int n) {
        byte[] b = (byte[]) U.allocateUninitializedArray(byte.class, n);
        long[] j = (long[]) U.allocateUninitializedArray(long.class, n + 1);
        boolean[] z = (boolean[]) U.allocateUninitializedArray(boolean.class, 3);
        double[] d = (double[]) U.allocateUninitializedArray(double.class, n * 1000);
        Object c = U.allocateUninitializedArray(n % 2 == 0 ? char.class : short.class, n);
        for (int i = 0; i < b.length; i++) b[i] = (byte) i;
        add(java.util.Arrays.hashCode(b)); add(j.length + z.length * 100 + d.length); add(c.getClass()); add(java.lang.reflect.Array.getLength(c));
        attempt(() -> U.allocateUninitializedArray(int.class, -1 - n));
        attempt(() -> U.allocateUninitializedArray(String.class, n));
        attempt(() -> U.allocateUninitializedArray(void.class, n));
        attempt(() -> U.allocateUninitializedArray(null, n));
        attempt(() -> ((byte[]) U.allocateUninitializedArray(int.class, n)).length);
    }
    static void lengths(Object o) {
        attempt(() -> java.lang.reflect.Array.getLength(o));
    }

    /* what static final fields refer to */
    static final Object TEXT = "text";
    static final int[] TABLE = {3, 1, 4, 1, 5};
    static final Object[] EMPTY = {};
    static final CharSequence BUILDER = new StringBuilder("b");
    static final Object NOTHING = null;
    static final Runnable RUNS = () -> add(5);
    static int constants(int n) {
        RUNS.run();
        int s = TABLE[n % TABLE.length] + EMPTY.length + BUILDER.length() + TEXT.hashCode();
        if (TEXT instanceof CharSequence) s += ((CharSequence) TEXT).charAt(n % 4);
        if (TEXT == BUILDER || NOTHING != null) s = -1;
        TABLE[n % 3] += n;
        synchronized (TEXT) { s += Thread.State.values()[n % 3] == Thread.State.NEW ? 1 : 0; }
        return s + Thread.State.BLOCKED.ordinal();
    }
    static void printed(String s) { System.out.println(s); }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 30; i++) {
            printed("to the first");
            java.io.PrintStream old = System.out;
            java.io.ByteArrayOutputStream to = new java.io.ByteArrayOutputStream();
            if (i % 7 == 6) {
                System.setOut(new java.io.PrintStream(to, true));
                printed("to the second " + i);
                System.setOut(old);
                System.out.print(to);
            }
            attempt(() -> TABLE[java.util.Objects.checkIndex(5 + (int) (sum & 1), 5)]);
            attempt(() -> ((StringBuilder) TEXT).length());
            attempt(() -> NOTHING.hashCode());
            add(constants(i));
        }
        show("constants " + failures);
        failures = 0;
        Fields o = new Fields();
        for (int round = 0; round < 5; round++) {
            for (int n = 0; n < 8; n++) uninitialized(n);
            for (Object t : THINGS) lengths(t);
            for (Object t : new Object[] {null, new long[7], new Object[0][3], new boolean[2], new char[0], new double[1]}) lengths(t);
            show("arrays, failures " + failures);
            failures = 0;
            for (int n = 0; n < 8; n++) {
                unsafe(n % 2 == 0 ? o : new More(), n);
                memory(n);
            }
            show("unsafe");
            for (int n = 0; n < 4; n++) {
                handles(I, o, n);
                handles(I, new More(), n);
                handlesOfLongs(J, o, n);
                handlesOfReferences(O, o, "x" + n, "y" + n);
                handlesOfStrings(T, o, "t" + n);
                elements(ARRAY, new int[4], n);
                elementsOfObjects(OBJECTS, new Object[4], n, "z" + n);
                elementsOfObjects(OBJECTS, new String[4], n, "z" + n);
            }
            show("handles");
            handlesFailing(o);
            show("handles, failures " + failures);
            failures = 0;
            for (int n = 0; n < 4; n++) atomics(n);
            show("atomics, failures " + failures);
            failures = 0;
            for (Object t : THINGS) classes(t);
            classes(null);
            show("classes, failures " + failures);
            failures = 0;
        }
        /* cards: what only stores of Unsafe and of handles refer to lives */
        Fields[] old = new Fields[200];
        for (int i = 0; i < old.length; i++) old[i] = new Fields();
        System.gc();
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < old.length; i++) {
                if (i % 3 == 0) U.putReference(old[i], at("o"), "new" + i);
                else if (i % 3 == 1) U.compareAndSetReference(old[i], at("o"), old[i].o, new StringBuilder("new").append(i).toString());
                else O.setVolatile(old[i], (Object) ("new" + i));
            }
            for (int i = 0; i < 20000; i++) new int[200].clone();
            for (int i = 0; i < old.length; i++) if (!old[i].o.equals("new" + i)) System.out.println("lost " + i + " " + old[i].o);
        }
        System.out.println("cards");
    }
}
