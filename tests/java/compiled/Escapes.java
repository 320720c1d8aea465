// SPDX-License-Identifier: Apache-2.0
// options: -Xmx48m
// modes: !gcstress !gcoften
import java.util.*;
import java.util.function.*;

/** Objects that do not outlive a method: gone in its code, made where it is left, called from, or returns them; who they are, and what is in them. */
public class Escapes {
    static final class Vec {
        final double x, y;
        Vec(double x, double y) { this.x = x; this.y = y; }
        Vec add(Vec o) { return new Vec(x + o.x, y + o.y); }
        Vec times(double k) { return new Vec(x * k, y * k); }
        double dot(Vec o) { return x * o.x + y * o.y; }
        @Override public String toString() { return "(" + x + ", " + y + ")"; }
    }
    /** One field of each kind, some inherited. */
    static class Kinds { boolean z; byte b; char c; short s; Object o; }
    static final class More extends Kinds { int i; long j; float f; double d; More next; volatile int v; }
    static final class Node {
        int v;
        Node next;
        Node(int v, Node next) { this.v = v; this.next = next; }
    }

    static Object seen;
    static int count, zero;
    static void see(Object o) { seen = o; count++; }

    static double vectors(int n) {
        Vec a = new Vec(0, 0), b = new Vec(1, -1);
        for (int i = 0; i < n; i++) {
            Vec step = new Vec(i, i & 3).times(0.5);
            a = a.add(step);
            if ((i & 7) == 3) b = b.add(a.times(0.25));
        }
        return a.dot(b) + a.x;
    }

    static String kinds(int n) {
        long hash = 0;
        More last = null;
        for (int i = -n; i < n; i++) {
            More m = new More();
            m.z = (i & 1) != 0;
            m.b = (byte) (i * 77);
            m.c = (char) i;
            m.s = (short) (i * 1000);
            m.i = i;
            m.j = (long) i << 33;
            m.f = i / 3f;
            m.d = i / 7.0;
            m.v = i;
            m.o = m;
            m.next = new More();
            m.next.next = m;
            hash = hash * 31 + m.b + m.c + m.s + m.i + m.j + (int) m.f + (long) m.d + (m.z ? 1 : 0) + m.v;
            if (m.o != m || m.next.next != m || m.next == m) hash++;
            if (m.i == n - 1) see(last = m); /* all of it is made here, once */
        }
        More n2 = last.next;
        return hash + " " + last.z + last.b + (int) last.c + last.s + last.i + last.j + last.f + last.d + last.v + (last.o == last)
                + (n2.next == last) + n2.z + n2.b + (int) n2.c + n2.s + n2.i + n2.j + n2.f + n2.d + n2.o + n2.v;
    }

    /** The code is left between allocation and use: by null, bounds, division, a cast, at various depths of bodies. */
    static int divided(Node n, int by) { return new Node(n.v + 1, n).next.v / by; }
    static int left(int i, int[] a, Object o, Node maybe) {
        Node x = new Node(i, null), y = new Node(i + 1, x);
        x.next = y;
        int r = x.next.v;
        try {
            r += divided(x, i % 9);
            r += a[i & 15];
            r += ((String) o).length();
            r += maybe.v;
        } catch (ArithmeticException e) {
            r += 1000 + x.next.next.v;
        } catch (ArrayIndexOutOfBoundsException e) {
            r += 2000 + y.v;
        } catch (ClassCastException e) {
            r += 3000 + (x.next == y ? 1 : 0);
        } catch (NullPointerException e) {
            r += 4000 + (y.next == x ? 1 : 0);
        }
        return r + (x == y.next && y == x.next ? 1 : 0);
    }

    /** Identity: what is the same stays so, on all ways out. */
    static int same(int i) {
        Node a = new Node(i, null), b = new Node(i, null), c = (i & 1) == 0 ? a : b;
        int r = a == b ? 1 : 0;
        if (a == null) r += 2;
        if (a != seen) r += 4;
        if (c == a) r += 8;
        a.next = c;
        if ((i & 63) == 7) see(a);
        if (a.next == a) r += 16;
        return r + (seen == a ? 32 : 0);
    }

    /** Phis of objects: the same class, another, null, made on one way. */
    static int meets(int i) {
        Node n;
        if ((i & 3) == 0) n = new Node(i, null);
        else if ((i & 3) == 1) n = new Node(-i, new Node(5, null));
        else n = new Node(i * 2, null);
        int r = n.v + (n.next == null ? 0 : n.next.v);
        Node k = (i & 4) == 0 ? null : new Node(i, n);
        if (k != null) r += k.next.v;
        Object o = (i & 8) == 0 ? new Node(1, null) : new Vec(i, 2);
        if (o instanceof Vec) r += (int) ((Vec) o).x;
        Node h = new Node(i, null);
        if (i % 50 == 49) see(h);
        h.v++;
        return r + h.v;
    }

    static int loops(int n) {
        Node head = null, fixed = new Node(3, null), swap = new Node(1, null);
        int s = 0;
        for (int i = 0; i < n; i++) {
            Node now = new Node(i, fixed);
            for (int j = 0; j < 3; j++) {
                now.v += j;
                swap = new Node(swap.v + now.v, null);
                if (s == -1) see(swap);
            }
            s += now.v + now.next.v + swap.v;
            if (i % 100 == 99) head = new Node(s, head);
        }
        for (Node h = head; h != null; h = h.next) s ^= h.v;
        return s;
    }

    static int sum(int... a) {
        int s = 0;
        for (int v : a) s += v;
        return s;
    }
    static int max(Object... a) {
        int m = 0;
        for (Object o : a) m = Math.max(m, o.hashCode());
        return m;
    }
    static int arrays(int i) {
        int[] t = {i, i + 1, i + 2};
        byte[] b = new byte[4];
        boolean[] z = new boolean[2];
        char[] c = {(char) i};
        Object[] o = {t, b, "x"};
        String[] names = new String[2];
        b[i & 3] = (byte) i;
        b[1] += 200;
        z[1] = i > 5;
        names[0] = i % 3 == 0 ? null : "n";
        int r = sum() + sum(i) + sum(i, 2, 3) + t[2] + b[1] + (z[1] ? 1 : 0) + c[0] + t.length + (o[0] == t ? 1 : 0) + ((String) o[2]).length();
        r += names[0] == null ? 0 : names[0].length();
        try {
            Object[] objects = names;
            if (i % 11 == 0) objects[1] = i % 2 == 0 ? "s" : (Object) b;
            r += t[i % 5];
        } catch (ArrayIndexOutOfBoundsException | ArrayStoreException e) {
            r += t[0] + (names[1] == null ? 7 : 8);
        }
        return r;
    }

    static long library(List<String> list, int i) {
        long r = 0;
        for (String s : list) r += s.length();
        r += Optional.of(list.get(0)).map(String::length).orElse(9);
        IntUnaryOperator f = x -> x + i;
        r += f.applyAsInt(2);
        Supplier<Node> s = () -> new Node(i, null);
        r += s.get().v;
        Integer boxed = i;
        Long wide = (long) i * 1000;
        r += boxed + wide + max(1, boxed, "a");
        Iterator<Integer> it = Arrays.asList(1, 2, i).iterator();
        while (it.hasNext()) r = r * 7 + it.next();
        return r + new StringBuilder().append(i).append('x').append(list.get(1)).length();
    }

    /** References of objects that are gone are the only ones to what they hold. */
    static int collected(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            Node keeps = new Node(i, new Node(i + 1, null));
            keeps.next.next = (i & 1) == 0 ? null : new Node(i + 2, null);
            Object[] holds = {"text" + i, keeps};
            if (i % 500 == 250) System.gc();
            byte[] junk = new byte[i % 700];
            s += keeps.next.v + ((String) holds[0]).length() + junk.length + (keeps.next.next == null ? 0 : keeps.next.next.v);
        }
        return s;
    }

    /** No memory where an object must exist at last: what handlers see is whole. */
    static int full(List<Object> fills, int turns) {
        Node a = new Node(1, null), b = new Node(2, a);
        a.next = b;
        int n = 0;
        try {
            for (; n < turns; n++) {
                b = new Node(n, a);
                b.v += 3;
                fills.add(b);
                if ((n & 1) == 0) fills.add(new long[1000]);
            }
        } catch (OutOfMemoryError e) {
            fills.clear();
            return a.next.v * 1000 + (a.next.next == a ? 1 : 0) + (b != null && b.next == a ? 10 : 0);
        }
        return -1;
    }

    /* a and b are made of what is kept for that, to be seen by the handler. */
    static Object[] holds = new Object[1 << 21];
    static int at;
    static int whole(int turns) {
        Node a = new Node(1, null), b = new Node(2, a);
        a.next = b;
        try {
            for (int n = 0; n < turns; n++) {
                Node c = new Node(n, null);
                c.v += 3;
                a.v++;
                b.v += 2;
                if ((n & 7) != 5) {
                    holds[at++] = c;
                    continue;
                }
                if (n % 64 == 5) holds[at++] = new byte[400];
            }
        } catch (OutOfMemoryError e) {
            Arrays.fill(holds, null);
            at = 0;
            return a.next.v - 2 * a.v + (b.next == a ? 1000 : 0) + (a.next == b ? 100 : 0);
        }
        return -1;
    }

    static class Finalized { int v; Finalized(int v) { this.v = v; } @Override protected void finalize() { } }
    static int finalized(int i) { return new Finalized(i).v; }

    static int thrown(int i) {
        try {
            Node n = new Node(i, null);
            if (i % 3 == 0) throw new IllegalStateException("at " + n.v);
            return n.v;
        } catch (IllegalStateException e) {
            return e.getMessage().length() + e.getStackTrace()[0].getLineNumber() * 0;
        }
    }

    static Node returned(int i) {
        Node n = new Node(i, null), m = new Node(i + 1, n);
        if (i < 0) return null;
        n.v += m.next.v;
        return (i & 1) == 0 ? n : m;
    }

    public static void main(String[] args) {
        List<String> list = new ArrayList<>(List.of("one", "three", "seven"));
        int[] a = new int[12];
        long r = 0, lib = 0;
        double d = 0;
        String k = "";
        for (int round = 0; round < 60; round++) {
            d += vectors(50 + round);
            k = kinds(40 + round);
            for (int i = 0; i < 120; i++) {
                r = r * 31 + left(i, a, i % 17 == 0 ? (Object) list : "str", i % 13 == 0 ? null : new Node(i, null));
                r = r * 31 + same(i) + meets(i) + arrays(i) + finalized(i) + thrown(i) + returned(i).v;
                lib = lib * 13 + library(list, i * 3);
            }
            r += loops(300);
        }
        System.out.println(d + " " + k);
        System.out.println(r + " " + lib + " " + count);
        System.out.println(collected(3000));
        List<Object> fills = new ArrayList<>();
        System.out.println(full(fills, 100) + " " + full(fills, 100));
        fills.clear();
        for (int i = 0; i < 3; i++) System.out.println(full(fills, Integer.MAX_VALUE));
        System.out.println(whole(100));
        Arrays.fill(holds, null);
        at = 0;
        for (int i = 0; i < 8; i++) System.out.println(whole(Integer.MAX_VALUE));
    }
}
