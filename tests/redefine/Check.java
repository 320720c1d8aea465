// SPDX-License-Identifier: Apache-2.0
package redefine;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What the code of a case may call (imported statically): findings, state across the change, a paused frame, reflection. */
public final class Check {
    public interface Body { Object run() throws Throwable; }
    interface Redefiner { void redefine(ClassDefinition... definitions) throws Exception; }

    static final int PATIENCE = 60; // seconds; only a broken VM needs them
    static Instrumentation inst;
    static Redefiner redefiner; // of the change that the case is about
    static Matrix.Case current;
    static final List<String> wrong = new ArrayList<>();
    static final Map<String, Object> state = new HashMap<>();
    private static CountDownLatch inside, released;
    private static Thread walker;
    private static volatile Object answer;

    private Check() { }

    static void reset(Matrix.Case c) {
        current = c;
        wrong.clear();
        state.clear();
        walker = null;
    }

    public static void wrong(String text) { synchronized (wrong) { wrong.add(text); } }

    public static void same(String what, Object got, Object want) {
        if (!Objects.deepEquals(got, want)) wrong(what + ": " + got + " instead of " + want);
    }

    public static void is(String what, boolean right) { if (!right) wrong("not " + what); }

    /** The body must throw exactly this class. */
    public static void fails(String what, Class<?> want, Body body) {
        try {
            wrong(what + ": " + body.run() + " instead of " + want.getName());
        } catch (Throwable t) {
            if (t.getClass() != want) wrong(what + ": " + t + " instead of " + want.getName());
        }
    }

    public static void keep(String name, Object value) { state.put(name, value); }

    @SuppressWarnings("unchecked")
    public static <V> V kept(String name) { return (V) state.get(name); }

    // ---- a frame that is active during the change ----

    /** Runs the body in a thread of its own, until it calls pause(). */
    public static void enter(Body body) throws Exception {
        inside = new CountDownLatch(1);
        released = new CountDownLatch(1);
        answer = null;
        walker = new Thread(() -> {
            try { answer = body.run(); } catch (Throwable t) { answer = t; }
            inside.countDown();
        });
        walker.setDaemon(true);
        walker.start();
        if (!inside.await(PATIENCE, TimeUnit.SECONDS)) wrong("the frame does not pause");
    }

    public static void pause() {
        inside.countDown();
        try { released.await(PATIENCE, TimeUnit.SECONDS); } catch (InterruptedException e) { wrong(e.toString()); }
    }

    /** Lets the paused frame go on; its result, or the text of what it threw. */
    public static Object leave() throws Exception {
        released.countDown();
        walker.join(PATIENCE * 1000L);
        return answer instanceof Throwable ? answer.toString() : answer;
    }

    static void abandon() { if (released != null) released.countDown(); }

    // ---- reflection, and changes made by the case itself ----

    /** Calls the method of this name that takes so many arguments; of an object, or static of a class. */
    public static Object call(Object target, String name, Object... args) throws Throwable {
        Class<?> start = target instanceof Class ? (Class<?>) target : target.getClass();
        for (Class<?> c = start; c != null; c = c.getSuperclass())
            for (Method m : c.getDeclaredMethods())
                if (m.getName().equals(name) && m.getParameterCount() == args.length) {
                    m.setAccessible(true);
                    try { return m.invoke(target, args); } catch (InvocationTargetException e) { throw e.getCause(); }
                }
        throw new NoSuchMethodException(name);
    }

    public static Object make(Class<?> c, Object... args) throws Throwable {
        for (Constructor<?> k : c.getDeclaredConstructors())
            if (k.getParameterCount() == args.length) {
                k.setAccessible(true);
                try { return k.newInstance(args); } catch (InvocationTargetException e) { throw e.getCause(); }
            }
        throw new NoSuchMethodException("<init>");
    }

    public static Object field(Object target, String name) throws Exception {
        Class<?> start = target instanceof Class ? (Class<?>) target : target.getClass();
        for (Class<?> c = start; c != null; c = c.getSuperclass())
            for (Field f : c.getDeclaredFields())
                if (f.getName().equals(name)) {
                    f.setAccessible(true);
                    return f.get(target);
                }
        throw new NoSuchFieldException(name);
    }

    public static Instrumentation instrumentation() { return inst; }

    /** Redefines once more: to the classes of this side, "old" or "new". */
    public static void swap(String side) throws Exception { current.redefine(side, inst::redefineClasses); }
}
