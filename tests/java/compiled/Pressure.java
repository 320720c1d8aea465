// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=2
/* More values on the operand stack than there are registers, where an instruction that branches inside needs one more. */
public class Pressure {
    static class Node { int v; Node next; Node(int v, Node next) { this.v = v; this.next = next; } }
    static long sum(int a, int b, int c, int d, int e, int f, Object o, int g) {
        return a + 3L * b + 5L * c + 7L * d + 11L * e + 13L * f + (o == null ? 17 : o.hashCode()) + 19L * g;
    }
    static long cast(int x, Object o) { return sum(x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, (String) o, x); }
    static long castField(Object[] o, int x) { return sum(x ^ 1, x ^ 2, x ^ 3, x ^ 4, x ^ 5, x ^ 6, (Integer) o[x & 1], x); }
    static long castInterface(int x, Object o) { return sum(x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, (Comparable<?>) o, x); }
    static long castArray(int x, Object o) { return sum(x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, o == null ? null : ((int[]) o).length, x); }
    static long test(int x, Object o) { return sum(x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, null, o instanceof String ? 1 : 2); }
    static int tests(int x, Object o, boolean[] z) {
        z[0] = o instanceof String;
        return (x + 1) + ((x + 2) * ((x + 3) ^ ((x + 4) - ((x + 5) + ((x + 6) & ((z[0] = o instanceof Integer) ? 7 : x))))));
    }
    static int bits(int x, boolean[] z, byte[] b) {
        int r = (x + 1) * ((x + 2) - ((x + 3) ^ ((x + 4) + (b[x & 1] = (byte) (x + 5)) * ((z[x & 1] = (x + 6 & 2) != 0) ? 3 : 5))));
        return r + b[0] + (z[1] ? 1 : 2);
    }
    static int divided(int x, int y) { return (x + 1) - ((x + 2) ^ ((x + 3) - ((x + 4) * ((x + 5) + ((x + 6) - ((x + 7) / y + (x + 8) % y)))))); }
    static long shifted(long x, int y) { return (x + 1) - ((x + 2) ^ ((x + 3) - ((x + 4) * ((x + 5) + ((x + 6) - (((x + 7) << y) + ((x + 8) >>> y))))))); }
    static int chained(Node n, int x) { return (x + 1) - ((x + 2) ^ ((x + 3) - ((x + 4) * ((x + 5) + ((x + 6) - n.next.v * (n.v += 3)))))); }
    static double floats(double x, float y) {
        return (x + 1) - ((x + 2) * ((x + 3) - ((x + 4) / ((x + 5) + ((x + 6) - ((x + 7) * ((x + 8) + (y + 1 < x ? 1.5 : y % 3))))))));
    }
    static long made(int x) { return sum(x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, new Node(x, null).next, new int[x & 3].length); }
    static String told(int k, Object o) {
        try { return cast(k, o) + " " + castInterface(k, o); } catch (ClassCastException e) { return "cast"; }
    }
    /* Casts to two interfaces in turn miss what the class remembers. */
    interface Left { int left(); }
    interface Right { int right(); }
    static class Both implements Left, Right {
        public int left() { return 3; }
        public int right() { return 5; }
    }
    static class Six {
        int a = 1, b = 2, c = 3, d = 4, e = 5;
        Object o = new Both();
    }
    static long take(int a, int b, int c, int d, int e, int f, Left l) {
        return a + 10L * b + 100L * c + 1000L * d + 10000L * e + 7L * f + 100000L * l.left();
    }
    static long castMissed(Six p) { return take(p.a + 1, p.b + 1, p.c + 1, p.d + 1, p.e + 1, p.a + 2, (Left) p.o); }
    static long castOther(Object o) { return ((Right) o).right(); }
    static void castsInTurn() {
        long sum = 0;
        for (int i = 0; i < 2000; i++) sum = sum * 31 + castMissed(new Six()) + castOther(new Both());
        System.out.println(sum);
    }

    public static void main(String[] args) {
        castsInTurn();
        Object[] some = {"one", null, 2, null, "three", new int[3], null};
        Object[] numbers = {7, null};
        boolean[] z = new boolean[2];
        for (int k = 0; k < 40; k++) {
            Object o = some[k % some.length];
            System.out.println(k + " " + told(k, o) + " " + castField(numbers, k) + " " + castArray(k, o instanceof int[] ? o : null) + " "
                + test(k, o) + " " + tests(k, o, z) + " " + bits(k, z, new byte[2]) + " " + divided(k, k + 1) + " " + shifted(k, k) + " "
                + chained(new Node(k, new Node(k + 1, null)), k) + " " + floats(k, k * 3) + " " + made(k));
        }
    }
}
