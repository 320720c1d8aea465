// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** What triggers class initialisation and what does not; order between classes; erroneous classes; threads waiting on an initialiser. */
public class InitOrder {
    static void log(String s) { System.out.println("init " + s); }
    static class Log { final String s; Log(String s) { this.s = s; log(s); } }

    interface I0 { Log F = new Log("I0"); }
    interface I1 extends I0 { Log F = new Log("I1"); default void d() {} }
    static class S implements I0 { static { log("S"); } static int v; static final int K = 5; static final Integer BOXED = 6; static void m() {} }
    static class T extends S implements I1 { static { log("T"); } static int w; }
    static class U { static { log("U"); } int f; static Object o = new Object(); }
    static class V { static { log("V"); } }
    static class W { static { log("W"); } static native void n(); }
    enum E { A, B; static { log("E"); } E() { log("E." + name()); } }
    record R(int x) { static { log("R"); } }
    @interface Ann { int K = new Random(1).nextInt() * 0; }
    static class Cyc1 { static final Object A = make(); static Object b = Cyc2.class; static final int N; static { N = Cyc2.M + 1; } static Object make() { return null; } }
    static class Cyc2 { static final int M; static { M = Cyc1.N + 10; } }
    static class Fail { static int tries; static { tries++; log("Fail"); if (tries > 0) throw new RuntimeException("fails"); } static void m() {} }
    static class FailSub extends Fail { static { log("FailSub"); } static final int C = 3; static int d; }
    static class Slow { static { log("Slow begins"); try { Thread.sleep(100); } catch (InterruptedException e) { } log("Slow ends"); } static int x = 5; }

    /* A class whose superclass was initialised while its interface was, which then failed: the interface is no concern of the subclass's. */
    interface Broken { int X = begin(); default void m() { } private static int begin() { new Base(); throw new IllegalStateException("broken"); } }
    static class Base implements Broken { static { log("Base"); } }
    static class Middle extends Base { static { log("Middle"); new Lower(); log("made"); } }
    static class Lower extends Middle { static { log("Lower"); } }
    static class Again extends Base implements Broken { static { log("Again"); } }
    static void throughBroken() {
        try { log(Broken.X + ""); } catch (Throwable t) { System.out.println(t + " / " + t.getCause()); }
        new Middle();
        try { new Again(); } catch (Throwable t) { System.out.println(t + " / " + t.getCause()); }
    }

    public static void main(String[] args) throws Exception {
        throughBroken();
        System.out.println(S.K);
        Class<?> lit = T.class;
        T[] arr = new T[3];
        T nul = null;
        System.out.println(lit.getSimpleName() + arr.length + (arr[0] instanceof T));
        System.out.println("static of super through sub: " + T.v);
        System.out.println("sub: " + T.w);
        System.out.println(I1.F.s);
        System.out.println(S.BOXED);
        Class.forName("InitOrder$U", false, InitOrder.class.getClassLoader());
        System.out.println("not yet");
        U.class.getDeclaredField("o").get(null);
        V.class.getDeclaredConstructor().newInstance();
        try { W.n(); } catch (UnsatisfiedLinkError e) { System.out.println("unlinked"); }
        System.out.println(E.B.ordinal());
        System.out.println(new R(1));
        System.out.println(Cyc1.N + " " + Cyc2.M);
        for (int i = 0; i < 2; i++)
            try { Fail.m(); } catch (Throwable t) { System.out.println(t + " / " + t.getCause()); }
        System.out.println(FailSub.C);
        for (int i = 0; i < 2; i++)
            try { FailSub.d++; } catch (Throwable t) { System.out.println(t + " / " + t.getCause()); }
        Runnable r = () -> System.out.println("got " + Slow.x);
        Thread a = new Thread(r), b = new Thread(r);
        a.start(); b.start(); a.join(); b.join();
        System.out.println(Arrays.toString(E.values()) + E.A.getClass().getInterfaces().length);
    }
}
