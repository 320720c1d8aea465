// SPDX-License-Identifier: Apache-2.0
import java.util.function.Predicate;

/** Bodies whose locals are the caller's, put back where ways meet after they were used, while operands are equal to them. */
public class KeptOperands implements Predicate<CharSequence> {
    boolean looking = true;
    int n;
    Object last;

    private boolean isLogger(String name) { return name.equals("java.util.logging.Logger") || name.startsWith("java"); }
    static boolean isFiltered(CharSequence c) { return c instanceof String && ((String) c).charAt(0) == 'o'; }

    /* Called by a bridge, which has nothing but its locals for operands. */
    @Override
    public boolean test(CharSequence c) {
        String name = c.toString();
        if (looking) {
            looking = !isLogger(name);
            return false;
        }
        return !isFiltered(c);
    }
    static int choose(KeptOperands k, int x) { return k.set(x, x > 3 ? 1 : 2); }
    int set(int x, int y) {
        if (n > 100) n = x == y ? 0 : 1;
        n = x > y ? n + x : n - y;
        last = x > 7 ? this : last;
        return n;
    }
    static int nested(KeptOperands k, int x) { return k.outer(x); }
    int outer(int x) {
        if (looking) n ^= x;
        n = inner(x > 2 ? x : -x) + (x < 5 ? n : x);
        return n;
    }
    int inner(int y) {
        if (n < 0) n = -n;
        n += y == 3 ? n : y;
        return n > 50 ? y : n;
    }
    static long longs(KeptOperands k, long a, long b) { return k.longs(a, b, a > b); }
    long longs(long a, long b, boolean c) {
        if (looking) n += (int) a;
        n = c ? n + 1 : n;
        return (c ? a : b) + (looking ? b : a) * (n & 3);
    }

    int calls;
    private boolean called(int x) { return calls++ > x; }
    private boolean either(int x) { return x == 3 || called(x); }
    private boolean both(int x) { return x != 3 && called(x); }
    private boolean plain(int x) { return x == 3 || x == 5; }
    boolean numbers(int x) {
        if (looking) {
            looking = !either(x);
            return x > 1;
        }
        return plain(x);
    }
    boolean others(int x) {
        if (looking) looking = !plain(x);
        if (!looking) looking = both(x) ? x > 2 : !both(x);
        return looking;
    }
    KeptOperands chain(int x) {
        if (looking) looking = !plain(x);
        (x > 2 ? this : self()).n = either(x) ? x : both(x) ? n : -x;
        return this;
    }
    private KeptOperands self() { calls++; return this; }
    static boolean callNumbers(KeptOperands k, int x) { return k.numbers(x); }
    static boolean callOthers(KeptOperands k, int x) { return k.others(x); }
    static int callChain(KeptOperands k, int x) { return k.chain(x).n; }

    /* Locals that are used more than k have the registers. */
    static int crowded(KeptOperands k, int a, int b, int c, int d, int e, int f, int g, int x) {
        int s = 0;
        for (int i = 0; i < 3; i++) {
            s = s * 31 + (a ^ b) + (c ^ d) + (e ^ f) + (g ^ i);
            a += b; b -= c; c += d; d ^= e; e += f; f -= g; g += i;
            s += a + b + c + d + e + f + g;
        }
        s += k.numbers(x) ? a : b;
        s ^= k.others(x) ? c : d;
        return s + k.chain(x).n;
    }

    public static void main(String[] args) {
        long h = 0;
        for (int i = 0; i < 3000; i++) {
            KeptOperands k = new KeptOperands();
            k.n = i % 150;
            Predicate<CharSequence> p = k;
            k.looking = i % 3 != 0;
            h = h * 31 + (p.test(i % 5 == 0 ? "java.x" : "other") ? 1 : 0) + (k.looking ? 2 : 0);
            h = h * 31 + choose(k, i % 11) + k.n + (k.last == k ? 3 : 0);
            h = h * 31 + nested(k, i % 9) + k.n;
            h = h * 31 + longs(k, i * 7L, i % 13) + k.n;
            h = h * 31 + (callNumbers(k, i % 7) ? 1 : 0) + k.calls + (k.looking ? 7 : 9);
            k.looking = i % 4 != 0;
            h = h * 31 + (callOthers(k, i % 7) ? 1 : 0) + k.calls + (k.looking ? 7 : 9);
            k.looking = i % 3 != 0;
            h = h * 31 + callChain(k, i % 8) + k.calls + (k.looking ? 7 : 9);
            k.looking = i % 3 != 0;
            h = h * 31 + crowded(k, i, i * 3, i * 5, i * 7, i * 11, i * 13, i * 17, i % 8) + k.calls + (k.looking ? 7 : 9);
        }
        System.out.println(h);
    }
}
