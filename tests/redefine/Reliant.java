// SPDX-License-Identifier: Apache-2.0
package redefine;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Classes that rely on a superclass are loaded while it goes away: either they are refused, or the change is. Never may both
 * be done: then an object would be called as what it is not.
 */
public final class Reliant {
    static Instrumentation inst;
    public static void premain(String options, Instrumentation i) { inst = i; }

    static final class Loader extends ClassLoader {
        Loader(ClassLoader parent) { super(parent); }
        Class<?> define(String name, byte[] b) { return defineClass(name, b, 0, b.length); }
    }

    static volatile boolean go;

    /** Defines U, links and runs it. */
    static final class User extends Thread {
        final Loader parent;
        final byte[] bytes;
        final long delay;
        Class<?> kept;
        volatile String outcome;

        User(Loader parent, byte[] bytes, long delay) {
            this.parent = parent;
            this.bytes = bytes;
            this.delay = delay;
        }

        @Override public void run() {
            while (!go) Thread.onSpinWait();
            LockSupport.parkNanos(delay);
            try {
                kept = new Loader(parent).define("U", bytes);
                outcome = String.valueOf(kept.getMethod("use").invoke(null));
            } catch (VerifyError e) {
                outcome = "refused";
            } catch (Throwable t) {
                outcome = String.valueOf(t.getCause() == null ? t : t.getCause());
            }
        }
    }

    public static void main(String[] args) throws Exception {
        String b = "public class B { }", m = "public class M extends B { int x = 5; public int m() { return x; } }";
        String user = "public class U { static M cast(A a) { return a; } public static int use() { return cast(new A()).m(); } }";
        Map<String, byte[]> with = Sources.compile("public class A extends M { }", b, m, user);
        byte[] without = Sources.compile("public class A extends B { }", b).get("A");
        Loader l = new Loader(null);
        for (String name : new String[] { "B", "M", "A" }) l.define(name, with.get(name));
        Class<?> a = l.loadClass("A");
        a.getConstructor().newInstance();
        int rounds = Integer.parseInt(args[0]), done = 0, refused = 0, wrong = 0;
        long step = 0;
        for (int i = 0; i < rounds; i++) {
            go = false;
            User u = new User(l, with.get("U"), step = (step + 37_000) % 3_000_000);
            u.start();
            go = true;
            boolean changed = true;
            try {
                inst.redefineClasses(new ClassDefinition(a, without));
            } catch (UnsupportedOperationException e) {
                changed = false;
            }
            u.join();
            boolean ran = u.outcome.equals("5");
            if (changed == ran || !ran && !u.outcome.equals("refused")) {
                wrong++;
                System.out.println("round " + i + ": the change is " + (changed ? "done" : "refused") + ", the class: " + u.outcome);
            }
            if (changed) done++;
            else refused++;
            if (changed) inst.redefineClasses(new ClassDefinition(a, with.get("A")));
            u = null;
            for (int k = 0; !changed && k < 3; k++) System.gc(); // the class goes
        }
        System.out.println("wrong " + wrong);
        System.err.println(done + " done, " + refused + " refused");
        System.exit(wrong);
    }
}
