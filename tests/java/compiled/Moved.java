// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+CompactAlways
/** What compiled code knows of objects after a collection that moves what it can (Graft's -XX:+CompactAlways). */
public class Moved {
    static byte[][] between;

    static void collect() {
        between = new byte[2000][];
        for (int i = 0; i < between.length; i++) between[i] = new byte[i % 200];
        System.gc();
        between = new byte[2000][]; // over what has left its place
        for (int i = 0; i < between.length; i++) java.util.Arrays.fill(between[i] = new byte[i % 200], (byte) -1);
    }

    /* --- what a never changing field has, read before a call and used behind it --- */
    record Key(byte[] bytes, Object[] more) {
        Key(byte[] bytes, Object more) { this(bytes, new Object[] {more}); }
    }
    interface Between { int call(Key k); }
    static Key kept;

    static final class First implements Between { public int call(Key k) { kept = k; return 1; } }
    static final class Second implements Between { public int call(Key k) { kept = k; return 2; } }
    static final class Third implements Between { public int call(Key k) { kept = k; return 3; } }
    static final class Collecting implements Between {
        public int call(Key k) { kept = k; collect(); return 4; }
    }

    static int stored(Between b, int i) {
        byte[] bytes = {(byte) i, 1, 2};
        Key k = new Key(bytes, b);
        int n = b.call(k);
        return n + (k.bytes == kept.bytes ? 10 : 0) + (k.bytes[0] == (byte) i ? 100 : 0) + (k.more == kept.more && k.more[0] == b ? 1000 : 0);
    }

    static int loaded(Between b, Key k) {
        int n = k.bytes.length + k.more.length + b.call(k);
        return n + (k.bytes == kept.bytes ? 10 : 0) + (k.bytes[0] == 7 ? 100 : 0) + (k.more == kept.more && k.more[0] == b ? 1000 : 0);
    }

    static void fields() {
        Between[] all = {new First(), new Second(), new Third()};
        long sum = 0;
        for (int i = 0; i < 300_000; i++) sum += stored(all[i % 3], i) + loaded(all[i % 3], new Key(new byte[] {7}, all[i % 3]));
        System.out.println(sum);
        Between c = new Collecting();
        for (int i = 0; i < 20; i++) System.out.println(stored(c, i) + " " + loaded(c, new Key(new byte[] {7}, c)));
    }

    /* --- boxes of the library's caches, named only on ways that are not taken until the end --- */
    interface Boxing { Object box(int v, boolean named); }
    static Object anInt(int v, boolean named) { Integer b = v; return named ? b : b + 1 == v ? "no" : null; }
    static Object aLong(int v, boolean named) { Long b = (long) v; return named ? b : b + 1 == v ? "no" : null; }
    static Object aShort(int v, boolean named) { Short b = (short) v; return named ? b : b + 1 == v ? "no" : null; }
    static Object aByte(int v, boolean named) { Byte b = (byte) v; return named ? b : b + 1 == v ? "no" : null; }
    static Object aChar(int v, boolean named) { Character b = (char) v; return named ? b : b + 1 == v ? "no" : null; }

    static int warm(Boxing b) {
        int n = 0;
        for (int i = 0; i < 300_000; i++) n += b.box(i % 100, false) == null ? 1 : 0;
        return n;
    }

    static void boxes() {
        Boxing[] all = {Moved::anInt, Moved::aLong, Moved::aShort, Moved::aByte, Moved::aChar};
        Object[] five = {Integer.valueOf(5), Long.valueOf(5), Short.valueOf((short) 5), Byte.valueOf((byte) 5), Character.valueOf((char) 5)};
        int warmed = 0;
        for (Boxing b : all) warmed += warm(b);
        System.out.println(warmed);
        for (int round = 0; round < 4; round++) {
            collect();
            for (int i = 0; i < all.length; i++) {
                Object b = all[i].box(5, true);
                System.out.println(b.getClass().getSimpleName() + (b == five[i] ? " is" : " is not") + " the one of the cache");
            }
        }
    }

    public static void main(String[] args) {
        fields();
        boxes();
        if (between[1999].length != 199) System.out.println("lost");
    }
}
