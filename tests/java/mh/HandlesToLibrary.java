// SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;

/** Constant handles of methods of the class library that stand for C functions or code: they get the arguments they are given, and say what a call says. */
public class HandlesToLibrary {
    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    static MethodHandle of(Class<?> holder, String name, Class<?> result, Class<?>... parameters) {
        try {
            MethodType t = MethodType.methodType(result, parameters);
            try {
                return LOOKUP.findStatic(holder, name, t);
            } catch (IllegalAccessException e) {
                return LOOKUP.findVirtual(holder, name, t);
            }
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    static final MethodHandle HASH = of(Arrays.class, "hashCode", int.class, int[].class), BYTES = of(Arrays.class, "hashCode", int.class, byte[].class),
        EQUAL = of(Arrays.class, "equals", boolean.class, long[].class, long[].class), FILL = of(Arrays.class, "fill", void.class, int[].class, int.class, int.class, int.class),
        COPY = of(System.class, "arraycopy", void.class, Object.class, int.class, Object.class, int.class, int.class),
        IDENTITY = of(System.class, "identityHashCode", int.class, Object.class), TEXT_EQUAL = of(String.class, "equals", boolean.class, Object.class),
        TEXT_HASH = of(String.class, "hashCode", int.class), COMPARE = of(String.class, "compareTo", int.class, String.class),
        INDEX = of(String.class, "indexOf", int.class, int.class, int.class), FIND = of(String.class, "indexOf", int.class, String.class),
        STARTS = of(String.class, "startsWith", boolean.class, String.class, int.class), CHAR = of(String.class, "charAt", char.class, int.class),
        LETTER = of(Character.class, "isLetter", boolean.class, int.class), DIGIT = of(Character.class, "digit", int.class, int.class, int.class),
        UPPER = of(Character.class, "toUpperCase", int.class, int.class), HIGH = of(Math.class, "multiplyHigh", long.class, long.class, long.class),
        BITS = of(Long.class, "bitCount", int.class, long.class), DECIMAL = of(Integer.class, "toString", String.class, int.class),
        ROOT = of(Math.class, "sqrt", double.class, double.class), LARGER = of(Math.class, "max", int.class, int.class, int.class),
        IS = of(Class.class, "isInstance", boolean.class, Object.class), OF = of(Class.class, "isAssignableFrom", boolean.class, Class.class),
        BOX = of(Integer.class, "valueOf", Integer.class, int.class), MADE = of(Array.class, "newInstance", Object.class, Class.class, int.class),
        APPEND = of(StringBuilder.class, "append", StringBuilder.class, int.class), EXACT = of(Math.class, "addExact", int.class, int.class, int.class);

    static void equal(String what, Object wanted, Object seen) {
        if (!wanted.equals(seen)) System.out.println(what + ": " + seen + ", not " + wanted);
    }

    static void arrays(int r) throws Throwable {
        int[] a = {r, 2, 3, r * 7}, b = new int[40], c = new int[40];
        long[] l = {r, -r, 5}, m = {r, -r, r % 3 == 0 ? 5 : 6};
        equal("hash", Arrays.hashCode(a), (int) HASH.invokeExact(a));
        equal("bytes", Arrays.hashCode(new byte[] {1, (byte) r}), (int) BYTES.invokeExact(new byte[] {1, (byte) r}));
        equal("equal", Arrays.equals(l, m), (boolean) EQUAL.invokeExact(l, m));
        FILL.invokeExact(b, 3, 37, r);
        Arrays.fill(c, 3, 37, r);
        equal("fill", Arrays.toString(c), Arrays.toString(b));
        COPY.invokeExact((Object) a, 1, (Object) b, 30, 3);
        COPY.invokeExact((Object) b, 0, (Object) c, 2, 38);
        System.arraycopy(a, 1, b, 30, 3);
        equal("copy", b[37], c[39]);
        equal("made", r % 9, ((int[]) (Object) MADE.invokeExact((Class) int.class, r % 9)).length);
    }

    static void texts(int r) throws Throwable {
        String s = "abcdefghijklmnopqrstuvwxyz" + r, t = new String(s.toCharArray()), w = s + "\u0416";
        equal("equals", true, (boolean) TEXT_EQUAL.invokeExact(s, (Object) t));
        equal("hash of a text", s.hashCode(), (int) TEXT_HASH.invokeExact(new String(s.toCharArray())));
        equal("compare", s.compareTo(w), (int) COMPARE.invokeExact(s, w));
        equal("index", s.indexOf('k', 3), (int) INDEX.invokeExact(s, (int) 'k', 3));
        equal("find", w.indexOf("z" + r), (int) FIND.invokeExact(w, "z" + r));
        equal("starts", true, (boolean) STARTS.invokeExact(s, "def", 3));
        equal("char", w.charAt(w.length() - 1), (char) CHAR.invokeExact(w, w.length() - 1));
        equal("decimal", "" + r * 12345, (String) DECIMAL.invokeExact(r * 12345));
        equal("append", "x" + r, ((StringBuilder) APPEND.invokeExact(new StringBuilder("x"), r)).toString());
    }

    static void numbers(int r) throws Throwable {
        int c = r % 0x250;
        equal("letter", Character.isLetter(c), (boolean) LETTER.invokeExact(c));
        equal("digit", Character.digit(c, 16), (int) DIGIT.invokeExact(c, 16));
        equal("upper", Character.toUpperCase(c), (int) UPPER.invokeExact(c));
        equal("high", Math.multiplyHigh(r * 0x9e3779b97f4a7c15L, -r), (long) HIGH.invokeExact(r * 0x9e3779b97f4a7c15L, (long) -r));
        equal("bits", Long.bitCount(r * 77L), (int) BITS.invokeExact(r * 77L));
        equal("root", Math.sqrt(r), (double) ROOT.invokeExact((double) r));
        equal("larger", Math.max(r, 100), (int) LARGER.invokeExact(r, 100));
        equal("box", r, (Integer) BOX.invokeExact(r));
        equal("exact", r + 5, (int) EXACT.invokeExact(r, 5));
    }

    static void objects(int r) throws Throwable {
        Object o = r % 2 == 0 ? new Object() : "s" + r;
        equal("identity", System.identityHashCode(o), (int) IDENTITY.invokeExact(o));
        equal("instance", o instanceof Comparable, (boolean) IS.invokeExact((Class) Comparable.class, o));
        equal("assignable", CharSequence.class.isAssignableFrom(o.getClass()), (boolean) OF.invokeExact((Class) CharSequence.class, (Class) o.getClass()));
    }

    /** The same by references to methods. */
    static int references(int r) {
        IntPredicate letter = Character::isLetter;
        ToIntFunction<int[]> hash = Arrays::hashCode;
        ToIntFunction<String> text = String::hashCode;
        return (letter.test(r % 0x250) ? 1 : 0) + hash.applyAsInt(new int[] {r, 1}) + text.applyAsInt("seventeen letters" + r);
    }

    static String thrown(int k) {
        try {
            if (k == 0) return "" + (int) INDEX.invokeExact((String) null, 1, 1);
            if (k == 1) COPY.invokeExact((Object) null, 1, (Object) new int[3], 1, 3);
            if (k == 2) return "" + (char) CHAR.invokeExact("abc", 3);
            if (k == 3) return "" + (int) EXACT.invokeExact(Integer.MAX_VALUE, 1);
            if (k == 4) return "" + (boolean) STARTS.invokeExact((String) null, "a", 1);
            if (k == 5) FILL.invokeExact(new int[3], 2, 1, 0);
            return "nothing";
        } catch (Throwable e) {
            return e.getClass().getName() + ": " + e.getMessage();
        }
    }

    public static void main(String[] args) throws Throwable {
        int sum = 0;
        for (int r = 0; r < 30000; r++) {
            arrays(r);
            texts(r);
            numbers(r);
            objects(r);
            sum = sum * 31 + references(r);
        }
        System.out.println(sum);
        for (int k = 0; k < 6; k++) {
            String first = thrown(k);
            for (int i = 0; i < 300; i++)
                if (!thrown(k).equals(first)) System.out.println("differs");
            System.out.println(first);
        }
    }
}
