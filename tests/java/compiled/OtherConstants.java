// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=20 -Xbatch
/*
 * Constant objects where code asks for another class: String.equals of what is no string, casts that never pass.  What the other class has at the
 * place of a string's text, or a class's own data, is no such thing.
 */
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public class OtherConstants {
    enum Kind { FIRST, SECOND }
    static final class Three { int a, b, c; Three(int a, int b, int c) { this.a = a; this.b = b; this.c = c; } }
    static final Integer ZERO = 0, SMALL = 12345;
    static final Long LONG = 0x7fff_1234_5678_9abcL;
    static final Kind KIND = Kind.SECOND;
    static final Object THREE = new Three(-1, -1, -1), NOTHING = new Three(0, 0, 0), PLAIN = new Object(), TEXT = "text", CLASS = String.class;
    static final Object CHARS = new StringBuilder("text");
    static final Object NULL = null;
    static String[] texts = {"text", "", "FIRST", "12345", "a longer text than eight"};

    static int equals(String s) {
        int n = 0;
        if (s.equals(ZERO)) n += 1;
        if (s.equals(SMALL)) n += 2;
        if (s.equals(LONG)) n += 4;
        if (s.equals(KIND)) n += 8;
        if (s.equals(THREE)) n += 16;
        if (s.equals(NOTHING)) n += 32;
        if (s.equals(PLAIN)) n += 64;
        if (s.equals(TEXT)) n += 128;
        if (s.equals(CLASS)) n += 256;
        if (s.equals(CHARS)) n += 512;
        if (s.equals(NULL)) n += 1024;
        return n;
    }
    static boolean byObject(Object key, Object other) { return key.equals(other); }
    static int objects(Object key) {
        int n = 0;
        if (byObject(key, ZERO)) n += 1;
        if (byObject(key, NOTHING)) n += 2;
        if (byObject(THREE, key)) n += 4;
        if (byObject(KIND, key)) n += 8;
        if (byObject(TEXT, key)) n += 16;
        return n;
    }
    static int texts(Object o) { return o instanceof String s ? s.length() + s.hashCode() + (s.isEmpty() ? 1 : s.charAt(0)) : o.hashCode(); }
    static int ofConstants() { return texts(ZERO) + texts(SMALL) + texts(LONG) + texts(TEXT); }
    static int length(boolean bad) {
        try {
            return ((String) (bad ? THREE : TEXT)).length() + ((CharSequence) (bad ? NOTHING : TEXT)).charAt(1);
        } catch (ClassCastException e) {
            return -1;
        }
    }
    static int never(Object from, int at) {
        try {
            switch (at) {
                case 0: return ((String) THREE).length();
                case 1: return ((String) NOTHING).charAt(0);
                case 2: return ((String) (Object) ZERO).isEmpty() ? 1 : 0;
                case 3: return "text".equals((String) PLAIN) ? 1 : 0;
                case 4: return ((Class<?>) THREE).isInstance(from) ? 1 : 0;
                case 5: return ((Class<?>) NOTHING).isInterface() ? 1 : 0;
                case 6: return ((Class<?>) (Object) ZERO).getSuperclass() == null ? 1 : 0;
                case 7: return ((Class<?>) (Object) LONG).isAssignableFrom(from.getClass()) ? 1 : 0;
                case 8: return ((Integer) THREE).intValue();
                case 9: return (int) ((Long) THREE).longValue();
                case 10: return ((int[]) PLAIN).length;
                case 11: return ((int[]) THREE)[at];
                case 12: return ((Class<?>) TEXT).cast(from) == null ? 1 : 0;
                case 13: return ((Class<?>) SMALLS).getComponentType() == null ? 1 : 0;
                case 14: return ((Three) TEXT).c;
                default: return ((Class<?>) CLASS).isInstance(from) ? 2 : 3;
            }
        } catch (ClassCastException e) {
            return -2;
        }
    }
    static final Object SMALLS = new byte[] {1};
    public static void main(String[] args) {
        long sum = 0;
        Map<Object, Integer> found = new TreeMap<>();
        List<Object> keys = Arrays.asList(ZERO, SMALL, LONG, KIND, THREE, TEXT, "FIRST", CLASS);
        for (int i = 0; i < 20000; i++) {
            String s = texts[i % texts.length];
            found.merge(s + equals(s), 1, Integer::sum);
            found.merge("object " + objects(keys.get(i % keys.size())), 1, Integer::sum);
            sum = sum * 31 + length(i % 7 == 0) + ofConstants();
            sum = sum * 31 + never(s, i % 16);
        }
        System.out.println(sum);
        found.forEach((k, n) -> System.out.println(k + " " + n));
    }
}
