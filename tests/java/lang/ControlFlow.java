// SPDX-License-Identifier: Apache-2.0
/** Nested loops, labels, finally in every shape, evaluation order, wide locals, dup forms, long frames. */
public class ControlFlow {
    static StringBuilder log = new StringBuilder();

    static int f(int x) {
        log.append(x).append(' ');
        return x;
    }

    @SuppressWarnings("finally")
    static int finallyWins() {
        try {
            return f(1);
        } finally {
            return f(2);
        }
    }

    static int finallyKeepsValue() {
        int x = 10;
        try {
            return x;
        } finally {
            x = 20;
            log.append("fin ");
        }
    }

    @SuppressWarnings("finally")
    static int loopFinally() {
        int n = 0;
        for (int i = 0; i < 10; i++) {
            try {
                if (i % 3 == 0)
                    continue;
                if (i == 8)
                    break;
                n += i;
            } finally {
                n += 100;
                if (i == 5)
                    continue;
            }
        }
        return n;
    }

    static String nested() {
        try {
            try {
                try {
                    throw new IllegalStateException("inner");
                } finally {
                    log.append("f1 ");
                }
            } catch (IllegalArgumentException e) {
                return "wrong";
            } finally {
                log.append("f2 ");
                Object o = null;
                o.hashCode();
            }
        } catch (NullPointerException e) {
            return "npe replaces, suppressed=" + e.getSuppressed().length;
        } catch (IllegalStateException e) {
            return "ise";
        }
    }

    // More than 255 locals: wide loads, stores and iinc, goto over more than a byte.
    static long wide(int seed) {
        long a0 = seed, a1 = 1, a2 = 2, a3 = 3, a4 = 4, a5 = 5, a6 = 6, a7 = 7, a8 = 8, a9 = 9;
        double b0 = 0, b1 = 1, b2 = 2, b3 = 3, b4 = 4, b5 = 5, b6 = 6, b7 = 7, b8 = 8, b9 = 9;
        long c0 = 0, c1 = 1, c2 = 2, c3 = 3, c4 = 4, c5 = 5, c6 = 6, c7 = 7, c8 = 8, c9 = 9;
        double d0 = 0, d1 = 1, d2 = 2, d3 = 3, d4 = 4, d5 = 5, d6 = 6, d7 = 7, d8 = 8, d9 = 9;
        long e0 = 0, e1 = 1, e2 = 2, e3 = 3, e4 = 4, e5 = 5, e6 = 6, e7 = 7, e8 = 8, e9 = 9;
        long g0 = 0, g1 = 1, g2 = 2, g3 = 3, g4 = 4, g5 = 5, g6 = 6, g7 = 7, g8 = 8, g9 = 9;
        long h0 = 0, h1 = 1, h2 = 2, h3 = 3, h4 = 4, h5 = 5, h6 = 6, h7 = 7, h8 = 8, h9 = 9;
        long i0 = 0, i1 = 1, i2 = 2, i3 = 3, i4 = 4, i5 = 5, i6 = 6, i7 = 7, i8 = 8, i9 = 9;
        long j0 = 0, j1 = 1, j2 = 2, j3 = 3, j4 = 4, j5 = 5, j6 = 6, j7 = 7, j8 = 8, j9 = 9;
        long k0 = 0, k1 = 1, k2 = 2, k3 = 3, k4 = 4, k5 = 5, k6 = 6, k7 = 7, k8 = 8, k9 = 9;
        long l0 = 0, l1 = 1, l2 = 2, l3 = 3, l4 = 4, l5 = 5, l6 = 6, l7 = 7, l8 = 8, l9 = 9;
        long m0 = 0, m1 = 1, m2 = 2, m3 = 3, m4 = 4, m5 = 5, m6 = 6, m7 = 7, m8 = 8, m9 = 9;
        long n0 = 0, n1 = 1, n2 = 2, n3 = 3, n4 = 4, n5 = 5, n6 = 6, n7 = 7, n8 = 8, n9 = 9;
        int x = 1; long y = 2; float z = 3; double w = 4; String s = "s"; int[] arr = {5};
        for (int i = 0; i < 300; i++) {
            x += 1000; x++; y += x; z /= 2; w += z; arr[0] += i;
            if ((i & 63) == 0)
                s += i;
        }
        return a0 + a9 + (long) (b9 + d9 + b0) + c9 + e9 + g9 + h9 + i9 + j9 + k9 + l9 + m9 + n9 + x + y + (long) (w * 1000) + s.length() + arr[0];
    }

    static int field;
    long lf;
    static ControlFlow self = new ControlFlow();

    static ControlFlow self() {
        log.append("self ");
        return self;
    }

    public static void main(String[] args) {
        System.out.println(finallyWins() + " " + finallyKeepsValue() + " " + loopFinally() + " " + nested());
        System.out.println(wide(5));
        int r = f(1) + f(2) * f(3) - (f(4) > 3 && f(5) > 9 || f(6) == 6 ? f(7) : f(8));
        System.out.println(r + " " + log);
        log.setLength(0);
        long v = self().lf++ + (self().lf += 5) + --self().lf;      // dup2_x1 and friends
        int w = field = f(9) + field++;
        long[] la = {1, 2};
        long u = la[f(1)]++ + (la[f(0)] *= 3);
        System.out.println(v + " " + w + " " + u + " " + la[0] + la[1] + " " + log);
        int i = 0;
        i = i++ + ++i;
        i += i++ * 2 + i;
        boolean q = (i > 3) ^ (i < 100) | !(i == 5) & true;
        System.out.println(i + " " + q + " " + (q ? i > 2 ? "a" : "b" : "c"));
        int count = 0;
        loop:
        do {
            while (true) {
                if (++count > 50)
                    break loop;
                if (count % 7 == 0)
                    continue loop;
            }
        } while (count < 30);
        System.out.println(count);
        StringBuilder sb = new StringBuilder();
        for (int a = 0, b = 10; a < b; a += 2, b--)
            sb.append(a).append(b).append(',');
        System.out.println(sb);
        block: {
            if (count > 10)
                break block;
            System.out.println("not here");
        }
        synchronized (ControlFlow.class) {
            synchronized (log) {
                System.out.println(Thread.holdsLock(log) + " " + Thread.holdsLock("x"));
            }
        }
        System.out.println(Thread.holdsLock(log));
    }
}
