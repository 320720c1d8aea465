// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=2 -Xmx48m
/* Allocation, stores of references, type tests, interface calls, short callees and monitors, with live values in registers around
 * each: fast paths must agree with the helpers, which collections, unusual classes and contention call for. */
import java.util.*;
import java.util.function.*;
public class Objects {
    interface Named { int id(); }
    interface Other { default int other() { return 7; } }
    static class A implements Named { int v; A next; A() { } A(int v) { this.v = v; } public int id() { return v; } final int get() { return v; } void nothing() { } }
    static class B extends A { long w; B(int v) { super(v); w = v * 3L; } public int id() { return v + 1; } final long wide() { return w; } }
    static class C1 extends B implements Other { C1(int v) { super(v); } }
    static class C2 extends C1 { C2(int v) { super(v); } } static class C3 extends C2 { C3(int v) { super(v); } }
    static class C4 extends C3 { C4(int v) { super(v); } } static class C5 extends C4 { C5(int v) { super(v); } }
    static class C6 extends C5 { C6(int v) { super(v); } } static class C7 extends C6 { C7(int v) { super(v); } }
    static class C8 extends C7 { C8(int v) { super(v); } } static class C9 extends C8 { C9(int v) { super(v); } }
    static final class Ended { static int ended; int x; protected void finalize() { ended++; } }
    static int made(int n) { int s = 0; for (int i = 0; i < n; i++) s += new Ended().x + 1; return s; }

    /* --- allocation: everything that is kept must be what was stored, collections or not --- */
    static long list(int n, long seed, double d) {
        A head = null; long sum = seed; double e = d;
        for (int i = 0; i < n; i++) {
            A a = new A(i); a.next = head; head = (i & 15) == 0 ? null : a;
            B b = new B(i + (int) sum); sum = sum * 31 + b.w + a.v; e += 0.5;
            if (b.next != null || a.next != null && a.next.v != i - 1) throw new AssertionError();
        }
        for (A a = head; a != null; a = a.next) sum += a.v;
        return sum + (long) e;
    }
    static long arrays(int n, int length, double d) {
        long sum = 0; Object[] keep = new Object[64];
        for (int i = 0; i < n; i++) {
            byte[] b = new byte[i % 37]; char[] c = new char[length]; long[] l = new long[3]; int[] z = new int[0]; String[] s = new String[i & 7];
            for (byte x : b) sum += x; for (char x : c) sum += x; for (long x : l) sum += x;
            for (int k = 0; k < s.length; k++) { if (s[k] != null) throw new AssertionError(); s[k] = k + ""; }
            if (b.length > 0) b[b.length - 1] = (byte) i;
            if (length > 0) c[length - 1] = 'x';
            l[2] = i; d *= 0.999; keep[i & 63] = (i & 1) == 0 ? b : s;
            sum = sum * 17 + b.length + c.length + l.length + z.length + s.length + keep[i & 63].getClass().getName().length();
        }
        for (Object o : keep) if (o instanceof String[]) for (String s : (String[]) o) sum += s.length();
        return sum + (long) (d * 1000);
    }
    static int big(int n) { return new int[n].length + new boolean[n + 1].length; }
    static String negative(int n) { try { return "" + new long[n].length; } catch (NegativeArraySizeException e) { return e.getMessage(); } }
    static String huge(int n) { try { return "" + new long[n].length; } catch (OutOfMemoryError e) { return "no memory"; } }

    /* --- stores into arrays --- */
    static String put(Object[] a, int i, Object v, long x, double y) {
        long z = x + i;
        try { a[i] = v; } catch (ArrayStoreException | IndexOutOfBoundsException | NullPointerException e) { return e.getClass().getName() + (e instanceof NullPointerException ? "" : e.getMessage()) + z; }
        return (a[i] == v) + " " + z + (y + 1);
    }
    static String puts() {
        Object[][] targets = {new Object[2], new A[2], new B[2], new Named[2], new Other[2], new C9[2], new int[2][], new Object[2][], new A[2][], new Comparable<?>[2], null, new Object[0]};
        Object[] values = {null, "s", new A(1), new B(2), new C1(3), new C9(4), new int[1], new A[1], new B[1], new String[1], 5, new int[1][1]};
        StringBuilder r = new StringBuilder();
        for (Object[] t : targets) for (Object v : values) for (int i = 0; i < 3; i++) r.append(put(t, i, v, i * 3, i)).append(';');
        return r.length() + " " + r.toString().replaceAll("\\[[IL][^;]*", "").hashCode();
    }

    /* --- casts and tests --- */
    static int tests(Object o, int x, long y, double z) {
        int r = 0; int k = x + 1; long l = y * 2; double d = z + 0.5;
        if (o instanceof A) r |= 1; if (o instanceof B) r |= 2; if (o instanceof Named) r |= 4; if (o instanceof Other) r |= 8; if (o instanceof C6) r |= 16;
        if (o instanceof C7) r |= 32; if (o instanceof C8) r |= 64; if (o instanceof C9) r |= 128; if (o instanceof int[]) r |= 256; if (o instanceof Object[]) r |= 512;
        if (o instanceof A[]) r |= 1024; if (o instanceof Named[]) r |= 2048; if (o instanceof Cloneable) r |= 4096; if (o instanceof Object) r |= 8192; if (o instanceof int[][]) r |= 16384;
        boolean both = o instanceof Named | o instanceof Comparable;
        return r * 3 + k + (int) l + (int) d + (both ? 100000 : 0);
    }
    static String name(RuntimeException e) { return e.getMessage().replaceAll("\\(.*", ""); }
    static String casts(Object o, int x, double z) {
        String r = "";
        try { A a = (A) o; r += a == null ? 0 : a.v; } catch (ClassCastException e) { r += name(e); }
        try { Named a = (Named) o; r += a == null ? 0 : a.id() + x; } catch (ClassCastException e) { r += name(e); }
        try { Other a = (Other) o; r += a == null ? 0 : a.other(); } catch (ClassCastException e) { r += name(e); }
        try { C9 a = (C9) o; r += a == null ? 0 : a.w + z; } catch (ClassCastException e) { r += name(e); }
        try { A[] a = (A[]) o; r += a == null ? 0 : a.length; } catch (ClassCastException e) { r += name(e); }
        try { int[][] a = (int[][]) o; r += a == null ? 0 : a.length; } catch (ClassCastException e) { r += name(e); }
        return r;
    }
    static String types() {
        Object[] all = {null, new A(1), new B(2), new C1(3), new C5(4), new C6(5), new C7(6), new C8(7), new C9(8), "s", 5, new int[1], new int[1][1], new Object[1], new A[2], new B[3], new C9[4], new Named[1], new Other[1], new long[2]};
        StringBuilder r = new StringBuilder();
        for (int n = 0; n < 3; n++) for (Object o : all) r.append(tests(o, n, n * 5L, n * 0.75)).append(' ').append(casts(o, n, n)).append('\n');
        return r.length() + " " + r.toString().hashCode();
    }

    /* --- interface calls: more receivers than any cache of a site has room for --- */
    static int ids(Named[] all, int rounds) {
        int s = 0;
        for (int r = 0; r < rounds; r++) for (Named n : all) s = s * 7 + n.id() + r;
        return s;
    }
    static int functions(int n) {
        List<IntUnaryOperator> l = new ArrayList<>();
        for (int i = 0; i < 20; i++) { int k = i; l.add(i % 3 == 0 ? v -> v + k : i % 3 == 1 ? v -> v * k : v -> v ^ k); }
        int s = 1;
        for (int r = 0; r < n; r++) for (IntUnaryOperator f : l) s = f.applyAsInt(s) + r;
        return s;
    }
    static String nobody(Named n) { try { return "" + n.id(); } catch (NullPointerException e) { return "null"; } }

    /* --- short callees --- */
    static final class Bean {
        byte b = -3; boolean z = true; int i = 77; float f = 2.5f; long j = -1L << 40; double d = 1.25; Object o = "o"; char c = 'c'; short s = -9;
        byte b() { return b; } boolean z() { return z; } int i() { return i; } float f() { return f; } long j() { return j; } double d() { return d; } Object o() { return o; }
        char c() { return c; } short s() { return s; } void none() { } static void nothing(int a, long b) { }
    }
    static double bean(Bean x, int n) {
        double r = 0;
        for (int i = 0; i < n; i++) { x.none(); Bean.nothing(i, n); r += x.b() + (x.z() ? 1 : 2) + x.i() + x.f() + x.j() + x.d() + x.o().hashCode() + x.c() + x.s(); x.i++; x.j -= 3; }
        return r;
    }
    /* virtual ones: the receiver has the method that the call names, or another */
    static class Open { int v = 5; long w = 1L << 33; Object o = "open"; boolean z = true; int v() { return v; } long w() { return w; } Object o() { return o; } boolean z() { return z; } void none(int a, double b) { } }
    static class Wide extends Open { int v() { return super.v() * 3; } long w() { return v + super.w(); } Object o() { return new int[v & 7]; } boolean z() { return v % 2 == 0; } void none(int a, double b) { v += a + (int) b; if (a == 17) throw new IllegalStateException(); } }
    static long open(Open x, int n, double d) {
        long r = n; int k = n * 3; double e = d * 0.5;
        for (int i = 0; i < n; i++) {
            long before = r * 3;
            r = before + x.v() * (i + k) + (x.z() ? 7 : 9) + x.w() % 1000 - (x.o() instanceof String ? 1 : 2) + (long) e;
            try { x.none(i, d); } catch (IllegalStateException ex) { r += 11; }
            k ^= i; e += x.v() * 0.25; x.v++; x.w += k;
        }
        return r + k + (long) (e * 8);
    }
    static String beanOfNull(Bean x, int k) {
        try { switch (k) { case 0: x.none(); break; case 1: return "" + x.i(); case 2: return "" + x.d(); default: return "" + x.o(); } } catch (NullPointerException e) { return "null " + k + e.getStackTrace()[0].getMethodName(); }
        return "fine";
    }

    /* --- monitors --- */
    static class Counter {
        int n; long w; static int all;
        synchronized int add(int k, long l) { n += k; w += l; return n; }
        synchronized int nested(int k) { return k == 0 ? n : nested(k - 1) + add(1, k); }
        static synchronized void total(int k) { all += k; }
        synchronized void fail(int k) { n++; if (k > 0) throw new IllegalStateException("k" + k); }
        int block(int k, long l, double d) { long m = l + 1; synchronized (this) { n += k; synchronized (Counter.class) { all++; m += n; } } return (int) (m + d); }
        int early(int k) { synchronized (this) { if (k % 3 == 0) return n; n++; if (k % 3 == 1) throw new IllegalStateException(); } return -1; }
        synchronized int hashed() { return System.identityHashCode(this) == hashCode() ? 1 : 0; }
        synchronized boolean held() { return Thread.holdsLock(this); }
    }
    static String locks() throws Exception {
        Counter c = new Counter(); long r = 0;
        for (int i = 0; i < 200; i++) {
            r += c.add(i, i) + c.nested(i % 5) + c.block(i, r, 0.5); Counter.total(i);
            try { c.fail(i % 4); } catch (IllegalStateException e) { r += e.getMessage().length(); }
            try { r += c.early(i); } catch (IllegalStateException e) { r += 3; }
            r += c.held() ? 1 : 1000000;
            if (Thread.holdsLock(c) || Thread.holdsLock(Counter.class)) r = -1;
        }
        r += c.hashed();
        for (int i = 0; i < 20; i++) r += c.add(i, i) + c.block(i, r, 0.5);
        try { monitor(null); } catch (NullPointerException e) { r++; }
        return r + " " + c.n + " " + c.w + " " + Counter.all;
    }
    static void monitor(Object o) { synchronized (o) { Counter.all++; } }
    static int shared;
    static void work(Counter c, int n) { for (int i = 0; i < n; i++) { c.add(1, 2); synchronized (c) { shared++; } Counter.total(1); } }
    static String contended() throws Exception {
        Counter c = new Counter(); Counter.all = 0; Thread[] ts = new Thread[4];
        for (int i = 0; i < 4; i++) (ts[i] = new Thread(() -> work(c, 3000))).start();
        for (Thread t : ts) t.join();
        return c.n + " " + c.w + " " + shared + " " + Counter.all;
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 4; i++) System.out.println(list(2000, i, i * 0.5) + " " + arrays(500, i * 3, i));
        System.out.println(list(400000, 3, 1) + " " + arrays(60000, 5, 1) + " " + made(3000));
        for (int i = 0; i < 4; i++) System.out.println(big(i * 40000) + " " + negative(i - 2) + negative(-5) + huge(i < 2 ? 3 : Integer.MAX_VALUE) + huge(i < 3 ? 1 : 100000000));
        for (int i = 0; i < 3; i++) System.out.println(puts() + " " + types());
        Named[] all = {new A(1), new B(2), new C1(3), () -> 4, () -> 5, new Named() { public int id() { return 6; } }, new C9(7), new A(8), () -> 9};
        for (int i = 1; i < 4; i++) System.out.println(ids(all, i * 30) + " " + ids(new Named[] {all[i]}, 50) + " " + functions(i * 10) + nobody(i < 3 ? all[i] : null));
        for (int i = 1; i < 4; i++) System.out.println(bean(new Bean(), i * 20) + " " + new C9(i).get() + new B(i).wide());
        for (int i = 0; i < 6; i++) System.out.println(open(i % 3 == 1 ? new Wide() : new Open(), i * 15, i * 1.5));
        try { open(null, 2, 3); } catch (NullPointerException e) { System.out.println("null"); }
        for (int i = 0; i < 4; i++) for (int k = 0; k < 4; k++) System.out.println(beanOfNull(i % 2 == 0 ? new Bean() : null, k));
        for (int i = 0; i < 2; i++) System.out.println(locks());
        System.out.println(contended());
    }
}
