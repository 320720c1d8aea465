// SPDX-License-Identifier: Apache-2.0
/** Overloaded methods, and calls that run still when System.exit ends the program. */
public class TracedNames {
    static int of(int n) { return n; }
    static int of(long n) { return 2; }
    static int of(String s) { return s.length(); }
    static int of(Object o, int[] more) { return more.length; }
    static void real(double d, float f) { }
    static void quoted() { }
    static void letter(char c, Character box) { }
    interface Source<T> { T next(); }
    static class Letters implements Source<String> {
        int n;
        public String next() { return "abc".substring(n, ++n); } // and a bridge, Object next()
    }
    static void leave() throws InterruptedException {
        Thread.sleep(60);
        System.exit(3);
    }
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 3; i++) of(i);
        of(1L);
        of("a");
        of("bc");
        of("x", new int[] {1, 2});
        real(3, 0.1f);
        real(100000, 1e20f);
        real(0.1 + 0.2, 1234567);
        real(Double.NaN, Float.NEGATIVE_INFINITY);
        real(-1e300, -0f);
        letter('x', 'y');
        quoted();
        Source<?> source = new Letters();
        source.next();
        source.next();
        leave();
    }
}
