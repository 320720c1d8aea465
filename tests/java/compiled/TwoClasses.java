// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=10 -XX:-OmitStackTraceInFastThrow
// javac: -XDstringConcat=inline
/*
 * Calls that saw receivers of two classes, virtual and by an interface: both methods may stand in place of the call, with results of every type, or none;
 * the two inherit one method; one of them never returns. Then a third class comes, and null; exceptions with their traces, through such bodies
 * and from the call of the third. Each kernel runs for some time first, so that it is optimised with what its calls saw; what it computes then is told.
 */
public class TwoClasses {
    interface Shape {
        int whole(int k);
        long wide(int k);
        double real(int k);
        float small(int k);
        String text(int k);
        void nothing(int[] to, int k);
        default int shared(int k) { return whole(k) * 2 + 1; }
    }
    static abstract class Base implements Shape {
        int n;
        Base(int n) { this.n = n; }
        int own(int k) { return n + k; }
        synchronized int locked(int k) { return n ^= k; }
        abstract int cell(int[] a, int k);
        public long wide(int k) { return (long) n << (k & 31); }
        public float small(int k) { return n * 0.5f + k; }
        public String text(int k) { return k % 2 == 0 ? "even" : null; }
        public void nothing(int[] to, int k) { to[k % to.length] += n; }
    }
    static class A extends Base {
        A(int n) { super(n); }
        public int whole(int k) { return n + k; }
        public double real(int k) { return k / 3.0; }
        int cell(int[] a, int k) { return a[k] + n; }
    }
    static class B extends Base {
        B(int n) { super(n); }
        public int whole(int k) { int r = 0; for (int i = k & 3; i >= 0; i--) r = r * 31 + n; return r; }
        public double real(int k) { return n; }
        public long wide(int k) { return k; }
        public String text(int k) { return "b"; }
        synchronized int locked(int k) { return n += k & 7; }
        int cell(int[] a, int k) { return a[a.length - 1 - k]; }
        public void nothing(int[] to, int k) { to[0]++; }
    }
    static class C extends Base {
        C(int n) { super(n); }
        public int whole(int k) { if (k == 7) throw new IllegalStateException("seven"); return -k; }
        public double real(int k) { return -1; }
        public float small(int k) { return k; }
        public String text(int k) { throw new UnsupportedOperationException("text " + k); }
        int own(int k) { return -n; }
        int cell(int[] a, int k) { return 1 / (k - 5); }
        public int shared(int k) { return k; }
    }
    static class Thrower extends Base {
        Thrower() { super(0); }
        public int whole(int k) { throw new IllegalArgumentException("whole " + k); }
        public double real(int k) { return 0; }
        int cell(int[] a, int k) { throw new IllegalArgumentException("cell " + k); }
    }

    static int[] cells = new int[16];
    static long kernel(int which, Base[] all, int rounds) {
        switch (which) {
        case 0: return virtual(all, rounds);
        case 1: return interfaces(all, rounds);
        case 2: return inherited(all, rounds);
        default: return throwing(all, rounds);
        }
    }
    static long virtual(Base[] all, int rounds) {
        long r = 0;
        for (int i = 0; i < rounds; i++) {
            Base b = all[i % all.length];
            r = r * 31 + b.cell(cells, i & 15);
            r ^= b.locked(i);
            cells[i & 15] = (int) r;
        }
        return r;
    }
    static long interfaces(Shape[] all, int rounds) {
        long r = 0;
        double d = 0;
        for (int i = 0; i < rounds; i++) {
            Shape s = all[i % all.length];
            int k = i & 15;
            r = r * 31 + s.whole(k) + s.wide(k);
            d = d / 2 + s.real(k) + s.small(k);
            String t = s.text(k);
            r += t == null ? 3 : t.length();
            s.nothing(cells, k);
        }
        return r ^ Double.doubleToLongBits(d);
    }
    static long inherited(Base[] all, int rounds) {
        long r = 0;
        for (int i = 0; i < rounds; i++) {
            Base b = all[i % all.length];
            r = r * 7 + b.own(i) + b.shared(i & 15);
        }
        return r;
    }
    static long throwing(Base[] all, int rounds) {
        long r = 0;
        for (int i = 0; i < rounds; i++) {
            try {
                r += all[i % all.length].whole(i & 15);
                r ^= i;
            } catch (IllegalArgumentException e) {
                r = r * 5 + e.getMessage().length();
            }
        }
        return r;
    }

    static String trace(Throwable e) {
        StringBuilder s = new StringBuilder(e.getClass().getSimpleName());
        for (StackTraceElement f : e.getStackTrace()) s.append(' ').append(f.getMethodName()).append(f.getLineNumber());
        return s.toString();
    }
    static void tell(String what, int which, Base... all) {
        cells = new int[16];
        for (int i = 0; i < 16; i++) cells[i] = i * i;
        try {
            System.out.println(what + which + " " + kernel(which, all, 20));
        } catch (RuntimeException e) {
            System.out.println(what + which + " " + trace(e));
        }
    }

    public static void main(String[] args) {
        for (int which = 0; which < 4; which++) {
            Base[] two = {new A(1), which == 3 ? new Thrower() : new B(2)};
            long end = System.nanoTime() + 150_000_000L;
            while (System.nanoTime() < end) kernel(which, two, 500);
            tell("two ", which, new A(5), new B(6));
            tell("one ", which, new B(6));
            tell("third ", which, new A(5), new C(3), new B(7));
            tell("thrower ", which, new A(5), new Thrower());
            tell("null ", which, new A(5), new B(6), null);
            end = System.nanoTime() + 50_000_000L;
            Base[] three = {new A(1), new B(2), new A(3), new B(4), new A(5), new Thrower() {
                public int whole(int k) { return k; }
                int cell(int[] a, int k) { return k; }
            }};
            while (System.nanoTime() < end) kernel(which, three, 500);
            tell("again ", which, new A(5), new C(3), new B(7), new Thrower());
        }
    }
}
