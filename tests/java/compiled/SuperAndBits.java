// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:CompileThreshold=20
import java.util.ArrayList;
import java.util.EnumMap;

/** Class.getSuperclass of all kinds of classes, and the bits of floats that are no numbers, in compiled code. */
public class SuperAndBits {
    enum Kind { PLAIN, OWN { @Override int of() { return 2; } }; int of() { return 1; } }

    static String superOf(Class<?> c) {
        Class<?> s = c.getSuperclass();
        return s == null ? "none" : s.getName();
    }
    static boolean isBelow(Object o, Class<?> c) { return o.getClass() == c || o.getClass().getSuperclass() == c; }

    static long bits(double x) { return Double.doubleToLongBits(x); }
    static int bits(float x) { return Float.floatToIntBits(x); }
    static boolean same(double x, double y) { return Double.doubleToLongBits(x) == Double.doubleToLongBits(y); }

    public static void main(String[] args) {
        Class<?>[] all = {Object.class, String.class, ArrayList.class, Runnable.class, int.class, void.class, int[].class, String[][].class, Kind.class,
                          Kind.OWN.getClass(), Override.class, Integer.class};
        Object[] objects = {Kind.PLAIN, Kind.OWN, "x", 1, new int[1], new Object()};
        EnumMap<Kind, Integer> map = new EnumMap<>(Kind.class);
        StringBuilder last = null;
        int n = 0;
        for (int i = 0; i < 3000; i++) {
            last = new StringBuilder();
            for (Class<?> c : all) last.append(superOf(c)).append(' ');
            for (Object o : objects) n += isBelow(o, Kind.class) ? 1 : 0;
            map.merge(i % 3 == 0 ? Kind.OWN : Kind.PLAIN, i, Integer::sum);
        }
        System.out.println(last + "" + n + " " + map);
        try {
            superOf(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage() + " " + e.getStackTrace()[0]);
        }
        double[] doubles = {0.0, -0.0, 1.5, Double.MIN_VALUE, Double.MAX_VALUE, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN,
                            Double.longBitsToDouble(0x7ff8000000000123L), Double.longBitsToDouble(0xfff8000000000001L), Double.longBitsToDouble(-1L)};
        long sum = 0;
        for (int i = 0; i < 3000; i++)
            for (double x : doubles) {
                sum = sum * 31 + bits(x) + bits((float) x);
                for (double y : doubles) sum = sum * 3 + (same(x, y) ? 1 : 0);
            }
        System.out.println(sum);
        for (double x : doubles) System.out.println(Long.toHexString(bits(x)) + " " + Integer.toHexString(bits((float) x)));
        System.out.println(Integer.toHexString(bits(Float.intBitsToFloat(0xffc12345))) + " " + Integer.toHexString(bits(Float.intBitsToFloat(0x7f800001))));
    }
}
