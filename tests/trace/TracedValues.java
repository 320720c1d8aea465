// SPDX-License-Identifier: Apache-2.0
import java.lang.annotation.*;

/** Calls whose arguments and results are known; the second part by annotation. */
public class TracedValues {
    @Retention(RetentionPolicy.CLASS) @interface Watched { String[] names() default {}; Class<?> type() default int.class; }
    @Retention(RetentionPolicy.RUNTIME) @interface Other { Watched inner(); int[] numbers(); Color color(); }
    enum Color { RED, GREEN { @Override public String toString() { return "verde"; } } }
    static class Point {
        final int x, y;
        Point(int x, int y) {
            if (x < -5)
                throw new IllegalArgumentException("x\n" + x);
            this.x = x;
            this.y = y;
        }
        @Override public String toString() { return "(" + same(x) + "," + y + ")"; }
        static int same(int v) { return v; }
    }
    @Watched(names = {"a", "b"}, type = String.class) static class Marked {
        static int twice(int n) { return 2 * n; }
    }
    static int ints(byte b, short s, char c, int i) { return b + s + c + i; }
    static double wide(long l, double d, float f, boolean z) { l += 1; return l + d + f; }
    static boolean odd(int i) { return (i & 1) != 0; }
    static String text(String s, CharSequence t) { return s == null ? null : s + t; }
    static void nothing() { }
    static int[] arrays(int[] a, Object[] b, long[][] c) { return a; }
    static Color colour(Color c, Integer box, Character q) { return c; }
    Point point(Point p, Object any) { return p; }
    static int fails(int n) {
        if (n == 0)
            throw new IllegalStateException();
        return fails(n - 1);
    }
    @Other(inner = @Watched(names = "x"), numbers = {1, 2}, color = Color.RED) static void inner() { }
    @Watched static int watched(int n) { return n + 1; }
    static long slow(int ms) throws Exception { Thread.sleep(ms); return ms; }

    public static void main(String[] a) throws Exception {
        ints((byte) -1, (short) 300, 'x', 70000);
        wide(1L << 40, 1.5, 0.25f, true);
        odd(3);
        text("caf\u00e9 \u20ac \"q\"\n", new StringBuilder("b"));
        text(null, "t");
        text("0123456789".repeat(20), "");
        nothing();
        arrays(new int[] {1, 2, 3}, new Object[] {"s", null, 4L, new int[] {5}}, new long[2][3]);
        colour(Color.GREEN, 7, '\'');
        new TracedValues().point(new Point(1, 2), Color.RED);
        try { new Point(-9, 0); } catch (IllegalArgumentException e) { }
        try { fails(2); } catch (IllegalStateException e) { }
        inner();
        watched(4);
        Marked.twice(21);
        slow(60);
        slow(1);
        System.out.println("end");
    }
}
