// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2 -XX:-OmitStackTraceInFastThrow

/*
 * Small synchronized methods with handlers, which compilers put in place of their calls: the monitor is theirs while they run and in their
 * handlers, and nobody's afterwards, whatever is thrown, caught or passed on; also where the caller has it already.
 */
public class SynchronizedCatching {
    int value;
    static int shared;
    boolean held() { return Thread.holdsLock(this); }
    static boolean heldShared() { return Thread.holdsLock(SynchronizedCatching.class); }
    static void thrower(int n) { if (n % 5 == 3) throw new IllegalStateException("thrown " + n); }

    synchronized int div(int a, int b) { try { return value += a / b; } catch (ArithmeticException e) { return held() ? -1 : -2; } }
    synchronized int called(int n) { try { thrower(n); return value += n; } catch (IllegalStateException e) { return held() ? -3 : -4; } }
    synchronized int passing(int n) { try { thrower(n); return value; } finally { value += held() ? 1 : 1000; } }
    synchronized int silent(int[] a, int i) { try { return value ^= a[i]; } catch (ArrayIndexOutOfBoundsException e) { return -i; } }
    synchronized int other(int n) { try { return value + 100 / n; } catch (NullPointerException e) { return 0; } } // not what is thrown
    static synchronized int both(int n) { try { thrower(n); return shared += 100 / (n % 4); } catch (ArithmeticException e) { return heldShared() ? -5 : -6; } }
    synchronized int around(int n, int[] a) { // has the monitor that its bodies want
        int s = silent(a, n % 6);
        s += div(n, n % 3);
        try { s += passing(n); } catch (IllegalStateException e) { s += held() ? 7 : 70000; }
        return s + called(n) + (held() ? 1 : 50000);
    }

    int state() { return (held() ? 1 : 0) + (heldShared() ? 2 : 0); }
    static String trace(Throwable e) {
        StringBuilder s = new StringBuilder(e.toString());
        for (StackTraceElement f : e.getStackTrace()) s.append(' ').append(f.getMethodName()).append(':').append(f.getLineNumber());
        return s.toString();
    }

    public static void main(String[] args) throws Exception {
        SynchronizedCatching x = new SynchronizedCatching();
        int[] a = {1, 2, 3, 4};
        long sum = 0;
        int wrong = 0;
        for (int round = 0; round < 3; round++) {
            for (int n = 1; n < 400; n++) {
                boolean often = round == 1; // in the first round hardly anything is thrown
                int k = round == 0 ? 1 : n;
                sum = sum * 31 + x.div(n, often ? n % 2 : 1) + x.called(k) + x.silent(a, often ? n % 6 : n % 4) + x.around(k, a);
                wrong += x.state();
                try { sum += x.passing(k) + both(k) + x.other(often ? n % 3 : 2); } catch (RuntimeException e) { sum += trace(e).length(); }
                wrong += x.state();
            }
            Thread t = new Thread(() -> { // whom a monitor left behind would stop
                synchronized (x) { x.value++; }
                synchronized (SynchronizedCatching.class) { shared++; }
            });
            t.start();
            t.join();
            System.out.println("round " + round + " " + sum + " " + x.value + " " + shared + " " + wrong);
        }
        try { x.passing(3); } catch (IllegalStateException e) { System.out.println(trace(e)); }
        try { both(3); } catch (IllegalStateException e) { System.out.println(trace(e)); }
        try { x.other(0); } catch (ArithmeticException e) { System.out.println(trace(e)); }
        try { x.div(1, 1); x.called(8); x.around(8, null); } catch (NullPointerException e) { System.out.println(trace(e)); }
        System.out.println(x.state());
    }
}
