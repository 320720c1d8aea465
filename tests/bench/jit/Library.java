// SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.ref.WeakReference;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * What methods of the class library cost in hot loops: Library WARM BEST [PART OF A NAME]..., times in milliseconds per probe. Standard
 * output: what each computed for a fixed number of calls; standard error: nanoseconds per call, the best batch.
 */
public class Library {
    interface Probe { long run(int n) throws Exception; }

    static final int MASK = 63;
    static final Map<String, Probe> probes = new LinkedHashMap<>();
    static volatile Object sink;
    static final Random random = new Random(42);

    int field;
    volatile int volatileField;
    Object reference;
    static final VarHandle FIELD, BYTES, REFERENCE;
    static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
    static {
        try {
            FIELD = MethodHandles.lookup().findVarHandle(Library.class, "field", int.class);
            REFERENCE = MethodHandles.lookup().findVarHandle(Library.class, "reference", Object.class);
            BYTES = MethodHandles.byteArrayViewVarHandle(int[].class, java.nio.ByteOrder.BIG_ENDIAN);
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }

    static void add(String name, Probe p) { probes.put(name, p); }

    static byte[] bytes(int n) {
        byte[] b = new byte[n];
        random.nextBytes(b);
        return b;
    }
    static String text(int n, char from, int range) {
        char[] c = new char[n];
        for (int i = 0; i < n; i++) c[i] = (char) (from + random.nextInt(range));
        return new String(c);
    }
    static String[] texts(int n, char from, int range) {
        String[] s = new String[MASK + 1];
        for (int i = 0; i <= MASK; i++) s[i] = text(n, from, range);
        return s;
    }
    static String[] copies(String[] of) {
        String[] s = new String[of.length];
        for (int i = 0; i < of.length; i++) s[i] = new String(of[i].toCharArray());
        return s;
    }

    static void strings(String kind, char from) {
        String[] a = texts(20, from, 26), b = copies(a), longs = texts(200, from, 20);
        String suffix = " " + kind;
        char last = (char) (from + 25);
        add("String.equals" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) if (a[i & MASK].equals(b[i & MASK])) s++; return s; });
        add("String.compareTo" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) s += a[i & MASK].compareTo(b[i & MASK]); return s; });
        add("String.hashCode of new" + suffix, n -> {
            long s = 0;
            for (int i = 0; i < n; i++) s += new String(a[i & MASK]).substring(1).hashCode();
            return s;
        });
        add("String.indexOf char" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) s += longs[i & MASK].indexOf(last); return s; });
        add("String.lastIndexOf char" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) s += longs[i & MASK].lastIndexOf(last); return s; });
        String seek = "" + last + last;
        add("String.indexOf String" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) s += longs[i & MASK].indexOf(seek); return s; });
        add("String.startsWith" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) if (a[i & MASK].startsWith("abc")) s++; return s; });
        add("String.charAt, length" + suffix, n -> {
            long s = 0;
            for (int i = 0; i < n; i += 20) {
                String x = a[i & MASK];
                for (int k = 0; k < x.length(); k++) s += x.charAt(k);
            }
            return s;
        });
        add("String.substring" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) s += a[i & MASK].substring(3, 15).length(); return s; });
        add("String.toCharArray" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) s += a[i & MASK].toCharArray().length; return s; });
        add("String.getBytes UTF-8" + suffix, n -> {
            long s = 0;
            for (int i = 0; i < n; i++) s += longs[i & MASK].getBytes(StandardCharsets.UTF_8).length;
            return s;
        });
        byte[] coded = longs[0].getBytes(StandardCharsets.UTF_8);
        add("new String UTF-8" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) s += new String(coded, StandardCharsets.UTF_8).length(); return s; });
        char[] chars = a[0].toCharArray();
        add("new String(char[])" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) s += new String(chars).length(); return s; });
        add("String.concat +" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) s += (a[i & MASK] + i).length(); return s; });
        add("String.replace" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) s += a[i & MASK].replace(last, 'x').length(); return s; });
        add("StringBuilder.append String" + suffix, n -> {
            StringBuilder s = new StringBuilder();
            long sum = 0;
            for (int i = 0; i < n; i++) {
                s.append(a[i & MASK]);
                if (s.length() > 1000) {
                    sum += s.length();
                    s.setLength(0);
                }
            }
            return sum;
        });
    }

    static void moreStrings() {
        String[] a = texts(20, 'A', 26);
        add("String.toLowerCase", n -> { long s = 0; for (int i = 0; i < n; i++) s += a[i & MASK].toLowerCase().length(); return s; });
        add("String.equalsIgnoreCase", n -> { long s = 0; for (int i = 0; i < n; i++) if (a[i & MASK].equalsIgnoreCase("ABCDEFGHIJKLMNOPQRST")) s++; return s; });
        add("String.split", n -> { long s = 0; for (int i = 0; i < n; i++) s += "a,bc,def,gh,i".split(",").length; return s; });
        add("String.trim", n -> { long s = 0; for (int i = 0; i < n; i++) s += a[i & MASK].trim().length(); return s; });
        add("StringBuilder.append char", n -> {
            StringBuilder s = new StringBuilder();
            long sum = 0;
            for (int i = 0; i < n; i++) {
                s.append((char) ('a' + (i & 15)));
                if ((i & 1023) == 1023) {
                    sum += s.length();
                    s.setLength(0);
                }
            }
            return sum + s.length();
        });
        add("StringBuilder.append int", n -> {
            StringBuilder s = new StringBuilder();
            long sum = 0;
            for (int i = 0; i < n; i++) {
                s.append(i);
                if ((i & 255) == 255) {
                    sum += s.length();
                    s.setLength(0);
                }
            }
            return sum + s.length();
        });
        add("new StringBuilder, toString", n -> {
            long s = 0;
            for (int i = 0; i < n; i++) s += new StringBuilder().append(a[i & MASK]).append('=').append(i).toString().length();
            return s;
        });
        add("Integer.toString", n -> { long s = 0; for (int i = 0; i < n; i++) s += Integer.toString(i * 7919).length(); return s; });
        add("Integer.parseInt", n -> { long s = 0; for (int i = 0; i < n; i++) s += Integer.parseInt("1234567"); return s; });
        add("Double.toString", n -> { long s = 0; for (int i = 0; i < n; i++) s += Double.toString(i * 0.37).length(); return s; });
        add("Double.parseDouble", n -> { double s = 0; for (int i = 0; i < n; i++) s += Double.parseDouble("3.14159"); return (long) s; });
        add("String.format", n -> { long s = 0; for (int i = 0; i < n; i++) s += String.format("%d %s", i, "abc").length(); return s; });
    }

    static void arrays(int size) {
        String suffix = " " + size;
        byte[] b = bytes(size), b2 = b.clone();
        int[] v = random.ints(size).toArray(), v2 = v.clone();
        long[] l = random.longs(size).toArray();
        char[] c = text(size, 'a', 26).toCharArray();
        Object[] o = new Object[size], o2 = new Object[size];
        Arrays.fill(o, "x");
        add("System.arraycopy byte" + suffix, n -> { for (int i = 0; i < n; i++) System.arraycopy(b, 0, b2, 0, size); return b2[size - 1]; });
        add("System.arraycopy char" + suffix, n -> { for (int i = 0; i < n; i++) System.arraycopy(c, 0, c, 1, size - 1); return c[size - 1]; });
        add("System.arraycopy int" + suffix, n -> { for (int i = 0; i < n; i++) System.arraycopy(v, 0, v2, 0, size); return v2[size - 1]; });
        add("System.arraycopy Object" + suffix, n -> { for (int i = 0; i < n; i++) System.arraycopy(o, 0, o2, 0, size); return o2.length; });
        add("Arrays.fill byte" + suffix, n -> { for (int i = 0; i < n; i++) Arrays.fill(b2, (byte) i); return b2[size - 1]; });
        add("Arrays.fill int" + suffix, n -> { for (int i = 0; i < n; i++) Arrays.fill(v2, i); return v2[size - 1]; });
        byte[] b3 = b.clone();
        int[] v3 = v.clone();
        add("Arrays.equals byte" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) if (Arrays.equals(b, b3)) s++; return s; });
        add("Arrays.equals int" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) if (Arrays.equals(v, v3)) s++; return s; });
        add("Arrays.hashCode byte" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) s += Arrays.hashCode(b); return s; });
        add("Arrays.hashCode int" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) s += Arrays.hashCode(v); return s; });
        add("Arrays.copyOf byte" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) s += Arrays.copyOf(b, size + 1).length; return s; });
        add("Arrays.copyOfRange char" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) s += Arrays.copyOfRange(c, 1, size).length; return s; });
        add("Arrays.copyOf Object" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) s += Arrays.copyOf(o, size).length; return s; });
        add("int[].clone" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) s += v.clone().length; return s; });
        add("Object[].clone" + suffix, n -> { long s = 0; for (int i = 0; i < n; i++) s += o.clone().length; return s; });
    }

    static void numbers() {
        int[] v = random.ints(MASK + 1).toArray();
        long[] l = random.longs(MASK + 1).toArray();
        double[] d = random.doubles(MASK + 1, -100, 100).toArray();
        add("Math.abs int", n -> { long s = 0; for (int i = 0; i < n; i++) s += Math.abs(v[i & MASK]); return s; });
        add("Math.min, max int", n -> { long s = 0; for (int i = 0; i < n; i++) s += Math.max(Math.min(v[i & MASK], i), -i); return s; });
        add("Math.max long", n -> { long s = 0; for (int i = 0; i < n; i++) s += Math.max(l[i & MASK], i); return s; });
        add("Math.abs double", n -> { double s = 0; for (int i = 0; i < n; i++) s += Math.abs(d[i & MASK]); return (long) s; });
        add("Math.max double", n -> { double s = 0; for (int i = 0; i < n; i++) s += Math.max(d[i & MASK], 1); return (long) s; });
        add("Math.sqrt", n -> { double s = 0; for (int i = 0; i < n; i++) s += Math.sqrt(i); return (long) s; });
        add("Math.floor", n -> { double s = 0; for (int i = 0; i < n; i++) s += Math.floor(d[i & MASK]); return (long) s; });
        add("Math.round", n -> { long s = 0; for (int i = 0; i < n; i++) s += Math.round(d[i & MASK]); return s; });
        add("Math.sin", n -> { double s = 0; for (int i = 0; i < n; i++) s += Math.sin(d[i & MASK]); return (long) s; });
        add("Math.exp", n -> { double s = 0; for (int i = 0; i < n; i++) s += Math.exp(d[i & MASK] / 100); return (long) s; });
        add("Math.log", n -> { double s = 0; for (int i = 0; i < n; i++) s += Math.log(i + 1); return (long) s; });
        add("Math.pow", n -> { double s = 0; for (int i = 0; i < n; i++) s += Math.pow(1.0001, d[i & MASK]); return (long) s; });
        add("Math.fma", n -> { double s = 0; for (int i = 0; i < n; i++) s = Math.fma(d[i & MASK], 1.5, s); return (long) s; });
        add("Math.floorMod", n -> { long s = 0; for (int i = 0; i < n; i++) s += Math.floorMod(v[i & MASK], 17); return s; });
        add("Math.addExact int", n -> { long s = 0; for (int i = 0; i < n; i++) s += Math.addExact(v[i & MASK] >> 1, i & 7); return s; });
        add("Math.multiplyExact long", n -> { long s = 0; for (int i = 0; i < n; i++) s += Math.multiplyExact(l[i & MASK] >> 8, 13L); return s; });
        add("Math.multiplyHigh", n -> { long s = 0; for (int i = 0; i < n; i++) s += Math.multiplyHigh(l[i & MASK], l[(i + 1) & MASK]); return s; });
        add("Integer.bitCount", n -> { long s = 0; for (int i = 0; i < n; i++) s += Integer.bitCount(v[i & MASK]); return s; });
        add("Long.bitCount", n -> { long s = 0; for (int i = 0; i < n; i++) s += Long.bitCount(l[i & MASK]); return s; });
        add("Integer.numberOfLeadingZeros", n -> { long s = 0; for (int i = 0; i < n; i++) s += Integer.numberOfLeadingZeros(v[i & MASK]); return s; });
        add("Long.numberOfTrailingZeros", n -> { long s = 0; for (int i = 0; i < n; i++) s += Long.numberOfTrailingZeros(l[i & MASK]); return s; });
        add("Integer.rotateLeft", n -> { int s = 0; for (int i = 0; i < n; i++) s += Integer.rotateLeft(v[i & MASK], i); return s; });
        add("Long.rotateRight", n -> { long s = 0; for (int i = 0; i < n; i++) s += Long.rotateRight(l[i & MASK], 7); return s; });
        add("Integer.reverse", n -> { long s = 0; for (int i = 0; i < n; i++) s += Integer.reverse(v[i & MASK]); return s; });
        add("Long.reverseBytes", n -> { long s = 0; for (int i = 0; i < n; i++) s += Long.reverseBytes(l[i & MASK]); return s; });
        add("Integer.highestOneBit", n -> { long s = 0; for (int i = 0; i < n; i++) s += Integer.highestOneBit(v[i & MASK]); return s; });
        add("Integer.compareUnsigned", n -> { long s = 0; for (int i = 0; i < n; i++) s += Integer.compareUnsigned(v[i & MASK], i); return s; });
        add("Integer.divideUnsigned", n -> { long s = 0; for (int i = 0; i < n; i++) s += Integer.divideUnsigned(v[i & MASK], 10); return s; });
        add("Double.doubleToLongBits", n -> { long s = 0; for (int i = 0; i < n; i++) s += Double.doubleToLongBits(d[i & MASK]); return s; });
        add("Double.longBitsToDouble", n -> { double s = 0; for (int i = 0; i < n; i++) s += Double.longBitsToDouble(l[i & MASK] & 0x7fff); return (long) s; });
        add("Double.compare", n -> { long s = 0; for (int i = 0; i < n; i++) s += Double.compare(d[i & MASK], 0.5); return s; });
        add("Integer.valueOf, intValue", n -> { long s = 0; for (int i = 0; i < n; i++) { Integer x = i & 127; sink = null; s += x; } return s; });
        add("Character.isLetterOrDigit", n -> { long s = 0; for (int i = 0; i < n; i++) if (Character.isLetterOrDigit(i & 127)) s++; return s; });
        add("Objects.checkIndex", n -> { long s = 0; for (int i = 0; i < n; i++) s += Objects.checkIndex(i & MASK, 100); return s; });
    }

    static void objects() {
        Object[] o = {"a", 1, 2L, new Object(), new int[1], 'c', 1.0, new Library()};
        Object[] plain = new Object[MASK + 1];
        for (int i = 0; i <= MASK; i++) plain[i] = new Object();
        Class<?>[] classes = {String.class, Number.class, Comparable.class, Object[].class};
        ThreadLocal<Integer> local = ThreadLocal.withInitial(() -> 5);
        WeakReference<Object> weak = new WeakReference<>(o);
        Library x = new Library();
        add("Object.hashCode", n -> { boolean s = false; for (int i = 0; i < n; i++) s |= plain[i & MASK].hashCode() == 0; return s ? 1 : 0; });
        add("System.identityHashCode", n -> { boolean s = false; for (int i = 0; i < n; i++) s |= System.identityHashCode(o[i & 7]) == 0; return s ? 1 : 0; });
        add("Object.getClass", n -> { long s = 0; for (int i = 0; i < n; i++) if (o[i & 7].getClass() == Integer.class) s++; return s; });
        add("Class.isInstance", n -> { long s = 0; for (int i = 0; i < n; i++) if (classes[i & 3].isInstance(o[i & 7])) s++; return s; });
        add("Class.isInstance constant", n -> { long s = 0; for (int i = 0; i < n; i++) if (Number.class.isInstance(o[i & 7])) s++; return s; });
        add("Class.isAssignableFrom", n -> { long s = 0; for (int i = 0; i < n; i++) if (classes[i & 3].isAssignableFrom(o[i & 7].getClass())) s++; return s; });
        add("Class.cast", n -> { long s = 0; for (int i = 0; i < n; i++) if (Object.class.cast(o[i & 7]) != null) s++; return s; });
        add("Thread.currentThread", n -> { long s = 0; Thread t = Thread.currentThread(); for (int i = 0; i < n; i++) if (Thread.currentThread() == t) s++; return s; });
        add("System.nanoTime", n -> { long s = 0; for (int i = 0; i < n; i++) if (System.nanoTime() == 0) s++; return s; });
        add("System.currentTimeMillis", n -> { long s = 0; for (int i = 0; i < n; i++) if (System.currentTimeMillis() == 0) s++; return s; });
        add("ThreadLocal.get", n -> { long s = 0; for (int i = 0; i < n; i++) s += local.get(); return s; });
        add("WeakReference.get", n -> { long s = 0; for (int i = 0; i < n; i++) if (weak.get() == o) s++; return s; });
        add("Array.getLength", n -> { long s = 0; for (int i = 0; i < n; i++) s += java.lang.reflect.Array.getLength(o[4]); return s; });
        add("Array.newInstance", n -> { for (int i = 0; i < n; i++) sink = java.lang.reflect.Array.newInstance(String.class, 4); return 0; });
        AtomicInteger counter = new AtomicInteger();
        AtomicLong longs = new AtomicLong();
        AtomicReference<Object> holder = new AtomicReference<>("a");
        LongAdder adder = new LongAdder();
        int[] cells = new int[MASK + 1];
        byte[] raw = bytes(256);
        add("AtomicInteger.incrementAndGet", n -> { counter.set(0); for (int i = 0; i < n; i++) counter.incrementAndGet(); return counter.get(); });
        add("AtomicInteger.compareAndSet", n -> { counter.set(0); for (int i = 0; i < n; i++) counter.compareAndSet(i, i + 1); return counter.get(); });
        add("AtomicLong.getAndAdd", n -> { longs.set(0); for (int i = 0; i < n; i++) longs.getAndAdd(3); return longs.get(); });
        add("AtomicReference.get, set", n -> { long s = 0; for (int i = 0; i < n; i++) { holder.set(o); if (holder.get() == o) s++; } return s; });
        add("AtomicReference.compareAndSet", n -> { long s = 0; holder.set("b"); for (int i = 0; i < n; i++) if (holder.compareAndSet("b", "b")) s++; return s; });
        add("LongAdder.add", n -> { adder.reset(); for (int i = 0; i < n; i++) adder.add(2); return adder.sum(); });
        add("VarHandle.get, set field", n -> { long s = 0; for (int i = 0; i < n; i++) { FIELD.set(x, i); s += (int) FIELD.get(x); } return s; });
        add("VarHandle.getVolatile field", n -> { long s = 0; for (int i = 0; i < n; i++) s += (int) FIELD.getVolatile(x); return 0; });
        add("VarHandle.getAndAdd field", n -> { x.field = 0; for (int i = 0; i < n; i++) { int old = (int) FIELD.getAndAdd(x, 2); } return x.field; });
        add("VarHandle.compareAndSet ref", n -> { long s = 0; x.reference = "a"; for (int i = 0; i < n; i++) if (REFERENCE.compareAndSet(x, (Object) "a", (Object) "a")) s++; return s; });
        add("VarHandle int[] element", n -> { long s = 0; for (int i = 0; i < n; i++) { INTS.set(cells, i & MASK, i); s += (int) INTS.get(cells, i & MASK); } return s; });
        add("VarHandle byte[] view", n -> { long s = 0; for (int i = 0; i < n; i++) s += (int) BYTES.get(raw, i & 127); return s; });
        ByteBuffer heap = ByteBuffer.allocate(1024), direct = ByteBuffer.allocateDirect(1024);
        add("ByteBuffer.getInt, putInt heap", n -> { long s = 0; for (int i = 0; i < n; i++) { heap.putInt(i & 127, i); s += heap.getInt(i & 127); } return s; });
        add("ByteBuffer.getInt, putInt direct", n -> { long s = 0; for (int i = 0; i < n; i++) { direct.putInt(i & 127, i); s += direct.getInt(i & 127); } return s; });
        add("ByteBuffer.put byte", n -> { heap.clear(); for (int i = 0; i < n; i++) { if (!heap.hasRemaining()) heap.clear(); heap.put((byte) i); } return heap.get(3); });
        ReentrantLock lock = new ReentrantLock();
        add("ReentrantLock.lock, unlock", n -> { long s = 0; for (int i = 0; i < n; i++) { lock.lock(); s++; lock.unlock(); } return s; });
    }

    static void collections() {
        Map<String, Integer> map = new HashMap<>();
        ConcurrentHashMap<Integer, Integer> shared = new ConcurrentHashMap<>();
        String[] keys = texts(12, 'a', 26);
        for (String k : keys) map.put(k, k.length());
        for (int i = 0; i <= MASK; i++) shared.put(i, i);
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i <= MASK; i++) list.add(i);
        ArrayDeque<Object> deque = new ArrayDeque<>();
        add("HashMap.get String", n -> { long s = 0; for (int i = 0; i < n; i++) s += map.get(keys[i & MASK]); return s; });
        add("ConcurrentHashMap.get", n -> { long s = 0; for (int i = 0; i < n; i++) s += shared.get(i & MASK); return s; });
        add("ConcurrentHashMap.put", n -> { long s = 0; for (int i = 0; i < n; i++) s += shared.put(i & MASK, i & MASK); return s; });
        add("ArrayList.get", n -> { long s = 0; for (int i = 0; i < n; i++) s += list.get(i & MASK); return s; });
        add("ArrayList iteration", n -> { long s = 0; for (int i = 0; i < n; i += MASK + 1) for (int v : list) s += v; return s; });
        add("ArrayList.add", n -> { List<Object> l = new ArrayList<>(); for (int i = 0; i < n; i++) { l.add(keys); if (l.size() > 999) l.clear(); } return l.size(); });
        add("ArrayDeque.add, poll", n -> { for (int i = 0; i < n; i++) { deque.add(keys); deque.poll(); } return deque.size(); });
    }

    static void sums(String name, Checksum sum, byte[] data) {
        add(name + " 1024", n -> { for (int i = 0; i < n; i++) sum.update(data, 0, 1024); long v = sum.getValue(); sum.reset(); return v; });
    }
    static void digest(String name, byte[] data) throws Exception {
        MessageDigest d = MessageDigest.getInstance(name);
        add(name + " 1024", n -> { for (int i = 0; i < n; i++) d.update(data, 0, 1024); byte[] r = d.digest(); return r[0] << 8 | r[1]; });
    }
    static void cipher(String name, java.security.spec.AlgorithmParameterSpec spec, byte[] data) throws Exception {
        Cipher c = Cipher.getInstance(name);
        SecretKeySpec key = new SecretKeySpec(Arrays.copyOf(data, 16), "AES");
        byte[] out = new byte[1100], iv = new byte[12];
        boolean gcm = name.contains("GCM");
        if (!gcm) c.init(Cipher.ENCRYPT_MODE, key, spec);
        int[] count = {0};
        add(name + " 1024", n -> {
            for (int i = 0; i < n; i++) {
                if (gcm) {
                    iv[0] = (byte) ++count[0]; iv[1] = (byte) (count[0] >> 8); iv[2] = (byte) (count[0] >> 16);
                    c.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, iv));
                }
                c.doFinal(data, 0, 1024, out, 0);
            }
            return gcm ? 0 : out[5];
        });
    }

    static void numbersAndCodes() throws Exception {
        byte[] data = bytes(1100);
        sums("CRC32", new CRC32(), data);
        sums("CRC32C", new CRC32C(), data);
        sums("Adler32", new Adler32(), data);
        for (String s : new String[] {"MD5", "SHA-1", "SHA-256", "SHA-512", "SHA3-256"}) digest(s, data);
        cipher("AES/ECB/NoPadding", null, data);
        cipher("AES/CBC/NoPadding", new IvParameterSpec(new byte[16]), data);
        cipher("AES/CTR/NoPadding", new IvParameterSpec(new byte[16]), data);
        cipher("AES/GCM/NoPadding", null, data);
        byte[] coded = Base64.getEncoder().encode(data);
        add("Base64 encode 1100", n -> { long s = 0; for (int i = 0; i < n; i++) s += Base64.getEncoder().encode(data).length; return s; });
        add("Base64 decode 1100", n -> { long s = 0; for (int i = 0; i < n; i++) s += Base64.getDecoder().decode(coded).length; return s; });
        BigInteger x = new BigInteger(512, random), y = new BigInteger(512, random), z = new BigInteger(512, random).setBit(511).setBit(0);
        BigInteger big = new BigInteger(2048, random), big2 = new BigInteger(2048, random);
        add("BigInteger.multiply 512", n -> { long s = 0; for (int i = 0; i < n; i++) s += x.multiply(y).signum(); return s; });
        add("BigInteger.multiply 2048", n -> { long s = 0; for (int i = 0; i < n; i++) s += big.multiply(big2).signum(); return s; });
        add("BigInteger.multiply self 2048", n -> { long s = 0; for (int i = 0; i < n; i++) s += big.multiply(big).signum(); return s; });
        add("BigInteger.modPow 512", n -> { long s = 0; for (int i = 0; i < n; i++) s += x.modPow(y, z).signum(); return s; });
        add("BigInteger.divide 2048 by 512", n -> { long s = 0; for (int i = 0; i < n; i++) s += big.divide(z).signum(); return s; });
        add("BigInteger.toString 512", n -> { long s = 0; for (int i = 0; i < n; i++) s += x.toString().length(); return s; });
        String ascii = text(1000, 'a', 26), mixed = text(1000, '\u00e0', 20), wide = text(1000, '\u4e00', 100);
        for (String cs : new String[] {"ISO-8859-1", "UTF-16", "windows-1252"}) {
            byte[] b = mixed.getBytes(cs);
            add("getBytes " + cs + " 1000", n -> { long s = 0; for (int i = 0; i < n; i++) s += mixed.getBytes(cs).length; return s; });
            add("new String " + cs + " 1000", n -> { long s = 0; for (int i = 0; i < n; i++) s += new String(b, cs).length(); return s; });
        }
        java.nio.charset.CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
        java.nio.charset.CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        char[] chars = ascii.toCharArray();
        ByteBuffer to = ByteBuffer.allocate(4000), from = ByteBuffer.wrap(ascii.getBytes());
        java.nio.CharBuffer text = java.nio.CharBuffer.wrap(chars), read = java.nio.CharBuffer.allocate(1000);
        add("CharsetEncoder UTF-8 1000", n -> { for (int i = 0; i < n; i++) { text.clear(); to.clear(); encoder.reset(); encoder.encode(text, to, true); } return to.position(); });
        add("CharsetDecoder UTF-8 1000", n -> { for (int i = 0; i < n; i++) { from.clear(); read.clear(); decoder.reset(); decoder.decode(from, read, true); } return read.position(); });
    }

    static final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    /** Processor time of this thread: the machine may be busy, and compilers have theirs. */
    static double time(Probe p, int n) throws Exception {
        long t = threads.getCurrentThreadCpuTime();
        p.run(n);
        return threads.getCurrentThreadCpuTime() - t;
    }

    static double best(Probe p, double warm, double best) throws Exception {
        int n = 16;
        for (double spent = 0, took; spent < warm * 1e6; spent += took) { /* until a batch takes a twentieth of what is to be measured */
            took = time(p, n);
            if (took < best * 5e4 && n < 1 << 28) n += Math.max(1, n / 2);
        }
        double least = Double.MAX_VALUE;
        for (double spent = 0, took; spent < best * 1e6; spent += took) {
            took = time(p, n);
            least = Math.min(least, took / n);
        }
        return least;
    }

    public static void main(String[] a) throws Exception {
        strings("latin1", 'a');
        strings("UTF16", '\u0430');
        moreStrings();
        arrays(16);
        arrays(1000);
        numbers();
        objects();
        collections();
        numbersAndCodes();
        for (Map.Entry<String, Probe> e : probes.entrySet()) {
            boolean wanted = a.length < 3;
            for (int i = 2; i < a.length; i++) wanted |= e.getKey().contains(a[i]);
            if (!wanted) continue;
            System.out.println(e.getKey() + "\t" + e.getValue().run(640));
            System.err.printf("probe\t%s\t%.2f%n", e.getKey(), best(e.getValue(), Double.parseDouble(a[0]), Double.parseDouble(a[1])));
        }
    }
}
