// SPDX-License-Identifier: Apache-2.0
package redefine;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Newcomers ROUNDS: threads define subclasses of a class while it gets a superclass in between; in each round it is another class. Each of
 * them must be what its superclasses make it, whenever it was made.
 */
public final class Newcomers {
    static Instrumentation inst;
    public static void premain(String options, Instrumentation i) { inst = i; }

    static final String ROOT = "public class Root { public int depth() { return 1; } }",
        MIDDLE = "public class Middle extends Root implements Runnable { public void run() { } }",
        LOW = "public class Base extends Root implements Comparable<Base> { public int compareTo(Base b) { return 0; } public static int of(Root r) { return r.depth(); } }",
        HIGH = LOW.replace("extends Root", "extends Middle"),
        SUB = "public class Sub extends Base implements java.util.concurrent.Callable<Integer> { public int depth() { return super.depth() + 1; }"
            + " public Integer call() { Base b = this; Root r = b; return Base.of(this) + Base.of(r) + b.compareTo(this); } }";
    static final Map<String, byte[]> low = Sources.compile(ROOT, MIDDLE, LOW, SUB), high = Sources.compile(ROOT, MIDDLE, HIGH);

    static final class Loader extends ClassLoader {
        Loader(ClassLoader parent) { super(parent); }
        Class<?> define(String name) { byte[] b = low.get(name); return defineClass(name, b, 0, b.length); }
    }

    static final AtomicReference<String> wrong = new AtomicReference<>();
    static final AtomicInteger made = new AtomicInteger();
    static volatile boolean over;

    static volatile Class<?> base;

    static void come() {
        try {
            while (!over && wrong.get() == null) {
                Class<?> now = base, sub = new Loader(now.getClassLoader()).define("Sub");
                Object o = sub.getConstructor().newInstance();
                if ((Integer) ((Callable<?>) o).call() != 4) throw new IllegalStateException("call");
                if (!now.isInstance(o) || !now.isAssignableFrom(sub)) throw new IllegalStateException(sub + " is no " + now);
                made.incrementAndGet();
            }
        } catch (Throwable t) {
            wrong.compareAndSet(null, String.valueOf(t));
        }
    }

    static Class<?> newBase() {
        Loader l = new Loader(ClassLoader.getSystemClassLoader());
        l.define("Root");
        l.define("Middle");
        return l.define("Base");
    }

    public static void main(String[] args) throws Exception {
        base = newBase();
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) (threads[i] = new Thread(Newcomers::come)).start();
        try {
            for (int i = 0; i < Integer.parseInt(args[0]) && wrong.get() == null; i++) {
                inst.redefineClasses(new ClassDefinition(base, high.get("Base")));
                if (base.getSuperclass().getName() != "Middle") throw new IllegalStateException("not redefined");
                base = newBase();
            }
        } finally {
            over = true;
            for (Thread t : threads) t.join();
        }
        System.out.println(wrong.get() == null ? "right" : wrong.get());
        System.err.println(made + " classes");
        if (wrong.get() != null) System.exit(1);
    }
}
