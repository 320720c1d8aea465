// SPDX-License-Identifier: Apache-2.0
package graft.hotswap;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Members of a framework's classes, by their names: nothing of it is needed to compile this. A step is done for all objects that were found of a
 * class. What a version of the framework does not have is told at the end, after all other steps; names of which it has one are written "a|b", one
 * that it need not have "a?".
 */
final class Caches {
    private final Object[] found;
    private final StringBuilder missing = new StringBuilder();

    Caches(Object[] found) {
        this.found = found;
    }

    /** Calls a method without arguments. */
    void call(String type, String method) {
        for (Object o : found) {
            Class<?> c = as(o, type);
            try {
                if (c != null) open(c.getDeclaredMethod(method)).invoke(o instanceof Class ? null : o);
            } catch (ReflectiveOperationException | RuntimeException e) {
                miss(type, method, e);
            }
        }
    }

    /** Empties what is in these fields. */
    void empty(String type, String... fields) {
        for (Object o : found) {
            Class<?> c = as(o, type);
            for (int i = 0; c != null && i < fields.length; i++) {
                try {
                    Field f = field(c, o, fields[i]);
                    if (f != null) empty(f.get(o));
                } catch (ReflectiveOperationException | RuntimeException e) {
                    miss(type, fields[i], e);
                }
            }
        }
    }

    /** What was made for one class beforehand is forgotten, so that it is looked for again. */
    void forget(String type, String field) {
        for (Object o : found) {
            Class<?> c = as(o, type);
            try {
                Field f = c == null ? null : field(c, o, field);
                if (f != null) f.set(o, null);
            } catch (ReflectiveOperationException | RuntimeException e) {
                miss(type, field, e);
            }
        }
    }

    /** The end of all steps. */
    void done() {
        if (missing.length() != 0) throw new IllegalStateException("not as expected, another version?" + missing);
    }

    static <T extends AccessibleObject> T open(T member) {
        member.setAccessible(true);
        return member;
    }

    static Object get(Object o, Class<?> c, String field) throws ReflectiveOperationException {
        return open(c.getDeclaredField(field)).get(o);
    }

    /** The class of this name that an object has, or that it is; else null. */
    private static Class<?> as(Object o, String type) {
        if (o instanceof Class) return ((Class<?>) o).getName().equals(type) ? (Class<?>) o : null;
        for (Class<?> c = o.getClass(); c != null; c = c.getSuperclass())
            if (c.getName().equals(type)) return c;
        return null;
    }

    /** Null: it need not be there, or belongs to objects where this is a class, or the other way around. */
    private static Field field(Class<?> c, Object o, String names) throws NoSuchFieldException {
        boolean optional = names.endsWith("?");
        for (String name : names.replace("?", "").split("\\|")) {
            for (Field f : c.getDeclaredFields())
                if (f.getName().equals(name)) return Modifier.isStatic(f.getModifiers()) == o instanceof Class ? open(f) : null;
        }
        if (optional) return null;
        throw new NoSuchFieldException(names);
    }

    /** A map or collection, what an AtomicReference holds, what has a method clear, or maps behind another object. */
    private static void empty(Object cache) throws ReflectiveOperationException {
        if (cache == null) return;
        if (cache instanceof Map) {
            ((Map<?, ?>) cache).clear();
            if (cache.getClass().getClassLoader() != null) emptyMaps(cache); // it may keep its entries in another one
        } else if (cache instanceof Collection) ((Collection<?>) cache).clear();
        else if (cache instanceof AtomicReference) ((AtomicReference<?>) cache).set(null);
        else if (!cleared(cache) && !emptyMaps(cache)) throw new NoSuchFieldException("a map in " + cache.getClass().getName());
    }

    private static boolean cleared(Object cache) throws ReflectiveOperationException {
        for (Class<?> c = cache.getClass(); c != Object.class; c = c.getSuperclass())
            for (Method m : c.getDeclaredMethods())
                if (m.getName().equals("clear") && m.getParameterCount() == 0) {
                    open(m).invoke(cache);
                    return true;
                }
        return false;
    }

    private static boolean emptyMaps(Object cache) throws ReflectiveOperationException {
        boolean any = false;
        for (Field f : cache.getClass().getDeclaredFields()) {
            Object map = Map.class.isAssignableFrom(f.getType()) && !Modifier.isStatic(f.getModifiers()) ? open(f).get(cache) : null;
            if (map != null) ((Map<?, ?>) map).clear();
            any |= map != null;
        }
        return any;
    }

    private void miss(String type, String member, Exception e) {
        String text = " " + type + "." + member;
        if (missing.indexOf(text) >= 0) return;
        missing.append(missing.length() == 0 ? "" : ",").append(text);
        if (!(e instanceof NoSuchMethodException || e instanceof NoSuchFieldException))
            missing.append(" (").append(e.getCause() != null ? e.getCause() : e).append(')');
    }
}
