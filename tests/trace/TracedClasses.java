// SPDX-License-Identifier: Apache-2.0
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/** More classes at one place than a probe remembers, in four threads; recursion until the stack is full; classes that are to be unloaded. */
public class TracedClasses {
    static class A { int v; A(int v) { this.v = v; } }
    static class B extends A { B(int v) { super(v); } } static class C extends B { C(int v) { super(v); } } static class D extends C { D(int v) { super(v); } }
    static class E { long v; E(int v) { this.v = v; } } static class F { double v; F(int v) { this.v = v; } } static class G { Integer v; G(int v) { this.v = v; } }
    static class H { short v; H(int v) { this.v = (short) v; } } static class I { byte v; I(int v) { this.v = (byte) v; } } static class J { float v; J(int v) { this.v = v; } }
    static class K { char v; K(int v) { this.v = (char) v; } } static class L { Object v; L(int v) { this.v = (long) v; } }
    static class M { static int v = 50; M(int v) { } }
    static Object make(int kind, int v) {
        switch (kind) {
        case 0: return new A(v); case 1: return new B(v); case 2: return new C(v); case 3: return new D(v); case 4: return new E(v); case 5: return new F(v);
        case 6: return new G(v); case 7: return new H(v); case 8: return new I(v); case 9: return new J(v); case 10: return new K(v); case 11: return new L(v);
        default: return new M(v);
        }
    }
    static int look(Object o) { return o.hashCode() & 1; }
    static int endless(Object o, int n) { return endless(o, n + 1) + 1; }
    public static class Loaded { int v = 7; }
    static void seen(Object o) { }

    public static void main(String[] args) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) threads.add(new Thread(() -> { for (int i = 0; i < 13 * 1000; i++) look(make(i % 13, i / 13 % 100)); }));
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        for (int i = 0; i < 5; i++) try { endless(new A(3), 0); } catch (StackOverflowError e) { }
        URL here = TracedClasses.class.getProtectionDomain().getCodeSource().getLocation();
        for (int i = 0; i < 30; i++)
            try (URLClassLoader own = new URLClassLoader(new URL[] {here}, null)) {
                Class<?> c = own.loadClass("TracedClasses$Loaded");
                var make = c.getDeclaredConstructor();
                make.setAccessible(true);
                seen(make.newInstance());
                if (i % 10 == 9) System.gc();
            }
        System.out.println("end");
    }
}
