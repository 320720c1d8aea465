// SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntUnaryOperator;
import java.util.function.LongBinaryOperator;

/** What generated programs call of Java code as a compiler makes it: what they answer depends on their arguments alone (exec_library.def). */
public final class Lib {
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle OBJECTS = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final VarHandle LONG_VIEW = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT_VIEW = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle FIELD;
    private static final sun.misc.Unsafe unsafe;
    volatile long field;
    byte small;
    boolean flag;
    Object ref;
    static {
        try {
            FIELD = MethodHandles.lookup().findVarHandle(Lib.class, "field", long.class);
            java.lang.reflect.Field f = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
            f.setAccessible(true);
            unsafe = (sun.misc.Unsafe) f.get(null);
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }

    static int atomic(int a, int b, int way) {
        AtomicInteger x = new AtomicInteger(a);
        switch (way & 7) {
        case 0: return x.getAndAdd(b) + x.get();
        case 1: return x.incrementAndGet() ^ x.getAndDecrement();
        case 2: return x.compareAndSet(b, 7) ? x.get() : x.getAndSet(b);
        case 3: return x.compareAndExchange(a, b) + x.getPlain();
        case 4: return x.updateAndGet(v -> v * b);
        case 5: return x.accumulateAndGet(b, Math::max);
        case 6: x.lazySet(b); return x.getAcquire() - x.addAndGet(way);
        default: return x.weakCompareAndSetVolatile(a + 1, b) ? 1 : x.intValue();
        }
    }
    static long atomicLong(long a, long b, int way) {
        AtomicLong x = new AtomicLong(a);
        long r = way < 0 ? x.getAndAdd(b) : x.getAndSet(b);
        return (way & 1) == 0 ? r + x.incrementAndGet() : x.compareAndSet(b, r) ? x.get() : x.decrementAndGet() - r;
    }
    static Object atomicReference(Object a, Object b) {
        AtomicReference<Object> x = new AtomicReference<>(a);
        if (x.compareAndSet(b, "same")) return x.get();
        Object old = x.getAndSet(b);
        return x.compareAndExchange(b, old) == b ? x.get() : "lost";
    }
    static int handles(int[] a, int i, int v) {
        int r = (int) INTS.getAndAdd(a, i, v);
        INTS.setVolatile(a, i ^ 1, r);
        return (boolean) INTS.compareAndSet(a, i, r + v, v) ? (int) INTS.getVolatile(a, i) : (int) INTS.getAndBitwiseXor(a, i, r);
    }
    static Object handles(Object[] a, int i, Object v) { return OBJECTS.getAndSet(a, i, v) == v ? "same" : OBJECTS.getVolatile(a, i); }
    static long view(byte[] b, int i, long v) {
        LONG_VIEW.set(b, i & 15, v);
        return (int) INT_VIEW.get(b, i) * 31L + (long) LONG_VIEW.get(b, 0);
    }
    static long unsafe(int[] a, int i, long v) {
        if (a == null || a.length < 8) return -1;
        long at = unsafe.ARRAY_INT_BASE_OFFSET + 4L * (i & 3);
        unsafe.putLong(a, at, v);
        unsafe.compareAndSwapInt(a, at + 4, (int) (v >>> 32), i);
        unsafe.putByte(a, at, (byte) i);
        return unsafe.getInt(a, at) + unsafe.getLongVolatile(a, at + 4) + unsafe.getAndAddInt(a, at, 3) + unsafe.getShort(a, at + 1);
    }
    static long own(int a, long b) {
        Lib x = new Lib();
        FIELD.setRelease(x, b);
        x.small = (byte) a;
        x.flag = (a & 4) != 0;
        x.ref = x.flag ? x : null;
        long old = (long) FIELD.getAndAdd(x, (long) a);
        return x.field + old + x.small + (x.flag ? 1 : 2) + (x.ref == x ? 5 : 7) + ((boolean) FIELD.weakCompareAndSetPlain(x, 0L, 1L) ? 0 : x.field);
    }
    static long memory(long v, int n) {
        long at = unsafe.allocateMemory(64);
        unsafe.setMemory(at, 64, (byte) n);
        unsafe.putLong(at + 8, v);
        unsafe.copyMemory(at + 4, at + 20, 24);
        long r = unsafe.getLong(at + (n & 31)) + unsafe.getInt(at + 20);
        unsafe.freeMemory(at);
        return r;
    }

    static int boxes(int a, long b) {
        Integer x = a, y = (int) b;
        Long z = b;
        return (x == Integer.valueOf(a) ? 1 : 2) + (x.equals(y) ? 4 : 8) + (z.hashCode() ^ x.compareTo(y)) + (z == (long) a ? 16 : 32);
    }
    private static List<Integer> listOf(int kind) {
        switch (kind & 3) {
        case 0: return new ArrayList<>();
        case 1: return new LinkedList<>();
        case 2: return Arrays.asList(1, 2, 3);
        default: return List.of(4, 5);
        }
    }
    static int list(int kind, int v) {
        List<Integer> l = listOf(kind);
        if ((kind & 2) == 0) for (int i = 0; i < 9; i++) l.add(i & 1, v * i);
        int r = l.size();
        for (int x : l) r = r * 31 + x;
        if (l.contains(v)) r++;
        return r + l.get(v & 7);
    }
    static int map(int a, long b, String s) {
        Map<Object, Object> m = (a & 1) == 0 ? new HashMap<>() : new TreeMap<>();
        m.put(s, a);
        m.merge(s, b, (x, y) -> "both");
        if ((a & 6) == 6) m.put(a, b);
        int r = 0;
        for (Map.Entry<Object, Object> e : m.entrySet()) r += e.getKey().hashCode() ^ e.getValue().hashCode();
        return r;
    }

    static String build(int a, long b, double d, Object o, char c) {
        StringBuilder s = new StringBuilder(a & 7);
        s.append(a).append(c).append(b).append((Object) null).append(d).append(o instanceof String ? (String) o : "-").append(c == 'x');
        if ((a & 3) == 1) s.reverse();
        return s.insert(a & 3, 1.5f).toString();
    }
    static String edit(String s, int from, int to) {
        StringBuilder b = new StringBuilder(s);
        b.append(s, 0, s.length() / 2).deleteCharAt(from & 3).setCharAt(0, (char) to);
        b.replace(from, to, "new");
        return b.delete(1, 2).append(b.charAt(0)).substring(b.length() / 3);
    }
    static String plus(String s, int a, long b, boolean z) { return s + a + 'c' + b + z + null; }
    static int named(String s) {
        switch (s) {
        case "": return 1;
        case "a": return 2;
        case "fuzz": return 3;
        case "Aa": case "BB": return 4;
        default: return s.hashCode();
        }
    }
    static int table(int k) {
        switch (k) {
        case -2: k += 5;
        case -1: return k;
        case 0: case 1: return k * 3;
        case 2: k--; break;
        case 3: return table(k - 5);
        case 7: k = 9;
        case 8: k ^= 3;
        case 9: k <<= 2; break;
        case 15: return -k;
        case 63: throw new IllegalArgumentException("k" + k);
        case 64: return 1 << k;
        default: return k > 0 ? 1 : -1;
        }
        return k + 100;
    }
    static long sparse(int k) {
        switch (k) {
        case Integer.MIN_VALUE: return Long.MIN_VALUE;
        case -32768: return 1;
        case -1: return 2;
        case 7: return 3;
        case 127: return 4;
        case 65535: return 5;
        case 1000000: return 6;
        case Integer.MAX_VALUE: return Long.MAX_VALUE;
        default: return k & 15L;
        }
    }

    static synchronized int locked(int n, Object o) {
        if ((n & 7) == 0 || n < 0) return Thread.holdsLock(Lib.class) ? 1 : 0;
        synchronized (o) {
            synchronized (Lib.class) { return locked((n & 7) - 1, n == 5 ? Lib.class : o) + 2; }
        }
    }
    static int locks(Object a, Object b, int[] x, int i) {
        int r = 0;
        synchronized (a) {
            r++;
            synchronized (b) {
                synchronized (a) { r += x[i & 15]; }
                if (i == 3) return r;
            }
            r += Thread.holdsLock(b) ? 8 : 16;
        }
        return Thread.holdsLock(a) ? -r : r;
    }
    /** Small synchronized methods, called one after the other, within each other, and of objects that nobody else knows. */
    static final class Guarded {
        int n;
        final int[] x;
        Object kept;
        Guarded(int[] x) { this.x = x; }
        synchronized void inc() { n++; }
        synchronized int add(int by) { return n += by; }
        synchronized int cell(int i) { return x[i]; }
        synchronized int over(int i) { return 100 / x[i]; }
        synchronized Guarded self(int i) { if (i > 0) return this; n -= i; return this; }
        synchronized void keep(Object o) { kept = o; }
        synchronized int both(int i) { inc(); int r = cell(i & 7) + add(1); inc(); return r + over(i & 3); }
    }
    static int regions(int n, int[] x) {
        Guarded a = new Guarded(x), b = n % 3 == 0 ? a : new Guarded(x);
        int r = 0;
        for (int i = 0; i < (n & 7); i++) {
            a.inc();
            r += a.add(i) + a.self(n).self(i - 2).add(1);
            b.inc();
            r += b.cell(n >>> 4 & 15) + (r % 5 == 0 ? b.both(i) : b.over(i));
        }
        synchronized (a) { a.n += n; }
        synchronized (a) { r += a.n; }
        return Thread.holdsLock(a) || Thread.holdsLock(b) ? -1 : r + b.n;
    }
    static int alone(int n, Object o) {
        Guarded g = new Guarded(null);
        synchronized (g) { g.n += n; }
        g.inc();
        g.add(n);
        if ((n & 3) == 0) g.keep(o == null ? g : o);
        int r;
        synchronized (g) {
            g.inc();
            r = g.n;
            if ((n & 4) != 0 && g.kept != null) return g.cell(0) + r;
        }
        synchronized (g) { r += Thread.holdsLock(g) ? 1 : 100; }
        return Thread.holdsLock(g) ? -1 : r;
    }
    static int unlocked(Object o, int n) {
        try {
            if (n > 4) synchronized (o) { o.notifyAll(); o.wait(0, n > 1000 ? 1 : n > 100 ? -1 : 1000); return 4; }
            o.notify();
            return 1;
        } catch (IllegalMonitorStateException | InterruptedException e) {
            return n;
        }
    }

    static long lambdas(int a, long b) {
        IntUnaryOperator f = x -> x * a + (int) b, g = f.andThen(y -> y ^ a);
        LongBinaryOperator h = a > 3 ? Long::sum : a > 0 ? (x, y) -> x * y - b : Math::max;
        return h.applyAsLong(g.applyAsInt(a), f.compose(g).applyAsInt((int) b));
    }
    static int guarded(int[] a, int i) {
        int r = 1;
        try {
            r = a[i];
            r /= a[i & 1];
            try {
                r += a[r & 15];
            } finally {
                r++;
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            return r + e.getMessage().length();
        } catch (ArithmeticException e) {
            r -= 100;
        } finally {
            r *= 3;
            if (i == 5) a[0] = r;
        }
        return r;
    }
    static double mixed(int a, long b, float c, double d, int n) {
        int i = 0, k = a;
        long l = b, m = 1;
        float f = c, g = 0.5f;
        double e = d, h = 2;
        for (; i < (n & 15); i++) {
            k = k * 31 + i;
            l ^= m << k;
            m += l >>> 7;
            f += g * k;
            g = -g + i;
            e = e * 0.5 + h;
            h -= f;
            if ((k & 3) == 1) { long t = l; l = m; m = t; }
        }
        return k + l + m + f + g + e + h;
    }
    static double sums(int[] a, long[] b, double[] c) {
        int i = 0;
        long l = 0;
        double d = 0;
        for (; i < a.length && i < b.length; i++) l += a[i] ^ b[i];
        while (--i >= 0) d += c[i] * (i & 1);
        return d + l;
    }
    static int divided(int a) { return a / 7 + a % 10 - a / -3 * (a / 16) + a % -8 + a / 1000000007 + a / Integer.MIN_VALUE + a % 1 + a / 25 % 5; }
    static long divided(long a) { return a / 7 + a % 10 - a / -3 * (a / 16) + a % -8 + a / 1000000007L + a / Long.MIN_VALUE + a % 641; }

    static long checksum(byte[] b, int from, int n) {
        java.util.zip.CRC32 c = new java.util.zip.CRC32();
        java.util.zip.CRC32C d = new java.util.zip.CRC32C();
        java.util.zip.Adler32 e = new java.util.zip.Adler32();
        d.update(b, from, n);
        c.update(b, from, n);
        e.update(b, from, n);
        return c.getValue() + 3 * d.getValue() + 5 * e.getValue();
    }
    static int big(long a, long b, int n) {
        BigInteger x = BigInteger.valueOf(a).shiftLeft(n & 127).add(BigInteger.valueOf(b)), y = x.multiply(x);
        return y.hashCode() + y.multiply(BigInteger.valueOf(b)).mod(x.abs().add(BigInteger.TWO)).intValue();
    }
    static int digest(byte[] b) {
        try {
            return Arrays.hashCode(java.security.MessageDigest.getInstance(b.length > 3 ? "SHA-256" : "SHA-1").digest(b));
        } catch (java.security.GeneralSecurityException e) {
            return 0;
        }
    }
    static String base64(byte[] b) { return new String(java.util.Base64.getDecoder().decode(java.util.Base64.getEncoder().encode(b)), StandardCharsets.ISO_8859_1); }
    static String text(byte[] b, int from, int n) { return new String(b, from, n, (n & 1) == 0 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1).toLowerCase(); }

    interface Shape { double size(); default int corners() { return 3; } }
    static class Dot implements Shape { public double size() { return 0; } public int corners() { return 0; } }
    static class Box implements Shape { double a; Box(double a) { this.a = a; } public double size() { return a * a; } public int corners() { return 4; } }
    static class Flat extends Box { Flat(double a) { super(a); } public double size() { return super.size() / 2; } }
    static final class Tri implements Shape { final float f; Tri(float f) { this.f = f; } public double size() { return f / 2; } }
    private static Shape shape(int k) {
        switch (k & 3) {
        case 0: return new Dot();
        case 1: return new Box(k);
        case 2: return new Tri(k);
        default: return (k & 64) != 0 ? null : new Flat(k);
        }
    }
    static double shapes(int a, int b) {
        double r = 0;
        for (int i = 0; i < (b & 7); i++) {
            Shape s = shape(a + i);
            r += s.size() * s.corners();
            if (s instanceof Box) r += ((Box) s).a;
        }
        return r;
    }
    static int kinds(Object o) {
        return (o instanceof Comparable ? 1 : 0) + (o instanceof Object[] ? 2 : 0) + (o instanceof Cloneable ? 4 : 0) + (o instanceof int[] ? 8 : 0)
            + (o instanceof java.io.Serializable[] ? 16 : 0) + (o instanceof CharSequence ? 32 : 0) + (o instanceof IllegalStateException ? 64 : 0)
            + (o instanceof Object[][] ? 128 : 0) + (o == null ? 256 : 0) + (o != null && o.getClass() == String.class ? 1024 : 0);
    }
    static Object cast(Object o, int k) {
        switch (k & 3) {
        case 0: return (Comparable<?>) o;
        case 1: return (Object[]) o;
        case 2: return (CharSequence) o;
        default: return (RuntimeException) o;
        }
    }
    static int allocate(int n, int k) {
        switch (k & 3) {
        case 0: return new byte[n & 0xfff].length;
        case 1: return new long[n >> 20].length;
        case 2: return new Object[n & 31][k & 7].length;
        default: return new int[k & 3][n >> 24][2].length;
        }
    }
    /** Lengths that no heap has. */
    static int huge(int n, int k) {
        try {
            if (n < 0 || (k & 1) == 0) return new long[Integer.MAX_VALUE - (n & 1)].length;
            return new double[1 << 30 | n & 0xff][].length + new Object[Integer.MAX_VALUE].length;
        } catch (OutOfMemoryError e) {
            return -5;
        }
    }
    static long recursive(int n, long v) { return (n & 31) == 0 ? v : recursive((n & 31) - 1, v * 3 + n) ^ n; }
    private static int fail(int k) { return k / (k & 1); }
    private static int between(int k) { return fail(k + 1) + (k > 100 ? fail(k) : 0); }
    static int raise(int k) { return between(k) + 1; }
    static int caughtDeep(int k, Object o) {
        try {
            return raise(k) + o.hashCode() - o.hashCode();
        } catch (ArithmeticException e) {
            return -k;
        } catch (NullPointerException e) {
            return e.getStackTrace().length > 0 ? 11 : 12;
        }
    }
}
