// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2 --add-exports=java.base/jdk.internal.misc=ALL-UNNAMED
// javac: --add-exports=java.base/jdk.internal.misc=ALL-UNNAMED
/*
 * Accesses by VarHandles, atomic classes and Unsafe among plain ones of the same words: what is read plainly before and behind them, stores that nobody else
 * looks at, parts of elements, references that old objects get, null and wrong bases, allocation without constructors.
 */
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import jdk.internal.misc.Unsafe;

public class RawAccess {
    static final Unsafe U = Unsafe.getUnsafe();
    static final VarHandle I, J, R, Z, B, D, INTS, REFS;
    static final long OFFSET_I, OFFSET_J, OFFSET_R;
    int i;
    long j;
    Object r;
    boolean z;
    byte b;
    double d;

    static {
        try {
            MethodHandles.Lookup l = MethodHandles.lookup();
            I = l.findVarHandle(RawAccess.class, "i", int.class);
            J = l.findVarHandle(RawAccess.class, "j", long.class);
            R = l.findVarHandle(RawAccess.class, "r", Object.class);
            Z = l.findVarHandle(RawAccess.class, "z", boolean.class);
            B = l.findVarHandle(RawAccess.class, "b", byte.class);
            D = l.findVarHandle(RawAccess.class, "d", double.class);
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
        INTS = MethodHandles.arrayElementVarHandle(int[].class);
        REFS = MethodHandles.arrayElementVarHandle(Object[].class);
        OFFSET_I = U.objectFieldOffset(RawAccess.class, "i");
        OFFSET_J = U.objectFieldOffset(RawAccess.class, "j");
        OFFSET_R = U.objectFieldOffset(RawAccess.class, "r");
    }

    /* Plain and raw accesses of one word take turns. */
    long fields(int n) {
        long s = 0;
        for (int k = 0; k < n; k++) {
            i = k;
            I.set(this, i + 1);
            s = s * 31 + i;
            i = 100 + k;
            s += (int) I.getVolatile(this);
            s += (boolean) I.compareAndSet(this, 100 + k, 7) ? i : -i;
            s += (boolean) I.compareAndSet(this, 100 + k, 8) ? i : -i;
            s += (int) I.getAndAdd(this, k) + i + (int) I.compareAndExchange(this, 7 + k, -3) + i + (int) I.getAndSet(this, 9) + i;
            j = k * 1000000007L;
            J.setRelease(this, j + 1);
            s += j + (long) J.getAndAdd(this, -5L) + (long) J.getAcquire(this);
            s += (boolean) J.compareAndSet(this, j, Long.MIN_VALUE) ? j : 1;
            z = (k & 1) == 0;
            s += (boolean) Z.getVolatile(this) ? 3 : 4;
            Z.setVolatile(this, !z);
            s += z ? 5 : 6;
            b = (byte) k;
            B.setOpaque(this, (byte) (b * 3));
            s += b + (byte) B.getAndAdd(this, (byte) 100) + b;
            d = k;
            s += (long) (double) D.getAndAdd(this, 0.5) + (long) (d * 4);
        }
        return s;
    }

    String references(int n) {
        String out = "";
        Object old = r;
        for (int k = 0; k < n; k++) {
            r = "a" + k;
            Object seen = R.getAndSet(this, "b" + k);
            out = seen + "" + r + (boolean) R.compareAndSet(this, r, "c") + R.compareAndExchange(this, "c", k % 2 == 0 ? null : this.i) + r;
            R.setVolatile(this, k % 3 == 0 ? null : new int[] {k});
            out += r == null ? "null" : "" + ((int[]) r)[0];
        }
        return out + (old == null);
    }

    static long arrays(int[] a, Object[] o, byte[] bytes, int n) {
        long s = 0;
        for (int k = 0; k < n; k++) {
            int at = k % a.length;
            a[at] = k;
            INTS.setVolatile(a, at, a[at] * 2);
            s = s * 7 + a[at];
            U.putInt(a, Unsafe.ARRAY_INT_BASE_OFFSET + 4L * at, k + 5);
            s += a[at];
            U.putShort(a, Unsafe.ARRAY_INT_BASE_OFFSET, (short) 0x1234);
            s += a[0] + U.getByte(a, Unsafe.ARRAY_INT_BASE_OFFSET + 1L);
            o[at] = "x";
            REFS.setRelease(o, at, k % 4 == 0 ? null : "y" + k);
            s += o[at] == null ? 1 : ((String) o[at]).length();
            bytes[3] = (byte) k;
            s += U.getIntUnaligned(bytes, Unsafe.ARRAY_BYTE_BASE_OFFSET + (k & 3)) + U.getLong(bytes, (long) Unsafe.ARRAY_BYTE_BASE_OFFSET);
            U.putLong(bytes, (long) Unsafe.ARRAY_BYTE_BASE_OFFSET, s);
            s ^= bytes[3] + bytes[7];
            try {
                s += (int) INTS.getVolatile(a, k % (a.length + 2));
            } catch (IndexOutOfBoundsException e) {
                s += 77;
            }
            try {
                REFS.setVolatile(k % 5 == 4 ? new Integer[8] : o, at, "z");
            } catch (ClassCastException | ArrayStoreException e) {
                s += 99;
            }
        }
        return s;
    }

    static String wrong(Object x, int k) {
        String out = "";
        try {
            out += I.getAndAdd(x, 1);
        } catch (NullPointerException | ClassCastException e) {
            out += e.getClass().getSimpleName();
        }
        try {
            R.setVolatile((RawAccess) x, "w" + k);
            out += ((RawAccess) x).r;
        } catch (NullPointerException | ClassCastException e) {
            out += e.getClass().getSimpleName();
        }
        return out;
    }

    static long addresses(int n) {
        long at = U.allocateMemory(64), s = 0;
        for (int k = 0; k < n; k++) {
            U.putInt(at, k);
            U.putLong(at + 8, k * 3L);
            U.putByte(null, at + 16, (byte) (200 + k));
            U.putDouble(at + 24, k / 4.0);
            s = s * 3 + U.getInt(null, at) + U.getLong(at + 8) + U.getByte(at + 16) + (long) (U.getDouble(at + 24) * 8) + U.getChar(at + 8);
            s += U.compareAndSetInt(null, at, k, -1) ? U.getAndAddInt(null, at, 5) : 0;
            U.fullFence();
            s += U.getInt(at);
        }
        U.freeMemory(at);
        return s;
    }

    static long offsets(RawAccess x, long offset, int k) {
        long s = U.getInt(x, offset) + U.getIntVolatile(x, OFFSET_I);
        U.putInt(x, offset, k);
        x.j = 5;
        U.putLong(x, OFFSET_J, x.j + k);
        U.putReference(x, OFFSET_R, "r" + k);
        return s + x.i + x.j + ((String) x.r).length() + ((String) U.getReferenceAcquire(x, OFFSET_R)).length();
    }

    static class Made {
        int n = 5;
        String s = "made";
    }
    static final class Ended {
        final long j = 3;
    }
    static String made(int k) throws InstantiationException {
        Made m = (Made) U.allocateInstance(Made.class);
        Object e = U.allocateInstance(k % 2 == 0 ? Ended.class : Made.class);
        byte[] bytes = (byte[]) U.allocateUninitializedArray(byte.class, k % 9);
        return m.n + m.s + e.getClass().getName() + bytes.length + bytes.getClass() + new Made().s;
    }

    /** Any byte but 0 is true; what is stored has one bit. */
    static String truths(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < bytes.length; i++) {
            long at = Unsafe.ARRAY_BYTE_BASE_OFFSET + i;
            boolean a = U.getBoolean(bytes, at), b = U.getBooleanVolatile(bytes, at);
            text.append(a).append(b ? 1 : 0).append(a == b).append(a ^ !b).append(' ');
            U.putBoolean(bytes, at, a);
            text.append(bytes[i]).append('\n');
        }
        return text.toString();
    }

    /** What was there is true or false as well. */
    static String exchangedTruths(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < bytes.length; i++) {
            long at = Unsafe.ARRAY_BYTE_BASE_OFFSET + i;
            byte was = bytes[i];
            boolean a = U.compareAndExchangeBoolean(bytes, at, true, true), b = U.getAndSetBoolean(bytes, at, false);
            text.append(a ? 1 : 0).append(a == true).append(a ^ true).append(b ? 1 : 0).append(b == true).append(b ^ true).append(bytes[i]).append(' ');
            bytes[i] = was;
        }
        return text.toString();
    }

    /** Offsets and bases of fields of the other kind are refused. */
    static int shared;
    static void kinds() throws Exception {
        java.lang.reflect.Field own = RawAccess.class.getDeclaredField("i"), shared = RawAccess.class.getDeclaredField("shared");
        String text = "";
        for (java.lang.reflect.Field f : new java.lang.reflect.Field[] {own, shared})
            for (int k = 0; k < 3; k++)
                try {
                    text += k == 0 ? U.objectFieldOffset(f) > 0 : k == 1 ? U.staticFieldOffset(f) > 0 : U.staticFieldBase(f) != null;
                } catch (RuntimeException e) {
                    text += " " + e + " ";
                }
        System.out.println(text);
    }

    public static void main(String[] args) throws Exception {
        kinds();
        for (int k = 0; k < 3; k++) System.out.println(exchangedTruths(new byte[] {0, 1, 2, 3, -1, -2, 127, -128}));
        RawAccess x = new RawAccess();
        AtomicInteger count = new AtomicInteger();
        AtomicLong sum = new AtomicLong();
        AtomicReference<String> text = new AtomicReference<>("start");
        AtomicReferenceArray<String> texts = new AtomicReferenceArray<>(5);
        ConcurrentHashMap<Integer, String> map = new ConcurrentHashMap<>();
        int[] a = new int[6];
        Object[] o = new Object[6];
        byte[] bytes = new byte[24];
        long total = 0;
        for (int k = 0; k < 70; k++) {
            total = total * 31 + x.fields(k) + arrays(a, o, bytes, k) + addresses(k) + offsets(x, OFFSET_I, k);
            String refs = x.references(k) + made(k) + wrong(k % 3 == 0 ? null : k % 3 == 1 ? x : "text", k);
            int kk = k;
            total += count.incrementAndGet() + count.getAndUpdate(v -> v * 2 - kk) + sum.addAndGet(k) + sum.accumulateAndGet(k, Math::max);
            text.updateAndGet(t -> t.length() > 20 ? "" : t + kk);
            texts.set(k % 5, "t" + k);
            total += texts.compareAndSet(k % 5, "t", "u") ? 1 : texts.get((k + 3) % 5) == null ? 2 : 3;
            map.merge(k % 7, "m", String::concat);
            map.computeIfAbsent(k % 11, q -> "c" + q);
            total += refs.hashCode() + text.get().hashCode() + map.hashCode();
            if (k % 10 == 9) System.out.println(k + " " + total + " " + refs + " " + text + " " + map);
        }
        System.out.println(total + " " + count + " " + sum + " " + texts);
        for (int k = 0; k < 1000; k++)
            if (!truths(new byte[] {0, 1, 2, 3, 4, -128, -1}).equals(truths(new byte[] {0, -1, -2, 5, 6, 64, 1}))) total++;
        System.out.println(total + "\n" + truths(new byte[] {0, 1, 2, 3, 4, -128, -1}));
    }
}
