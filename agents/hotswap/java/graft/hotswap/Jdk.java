// SPDX-License-Identifier: Apache-2.0
package graft.hotswap;

import java.beans.Introspector;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.ResourceBundle;

/**
 * What the class library remembers of classes. Reflection itself forgets by the VM's hand; properties of beans, fields of serialized
 * classes and resource bundles do not.
 */
public final class Jdk {
    public static void swapped(Class<?>[] classes, Object[] found) throws Exception {
        for (Object o : found) {
            Class<?> c = (Class<?>) o;
            switch (c.getName()) {
            case "java.beans.Introspector": Introspector.flushCaches(); break;
            case "java.beans.ThreadGroupContext": beans(c); break;
            case "java.io.ObjectStreamClass": streams(classes); break;
            default: bundles(classes); break;
            }
        }
    }

    /** Introspector has a cache for each group of threads, and empties that of the caller's only. */
    private static void beans(Class<?> c) throws Exception {
        Object contexts = Caches.get(null, c, "contexts");
        Method clear = Caches.open(c.getDeclaredMethod("clearBeanInfoCache"));
        Class<?> map = contexts.getClass().getSuperclass();
        synchronized (Caches.get(contexts, map, "queue")) {
            Object[] table = (Object[]) Caches.get(contexts, map, "table");
            for (int i = 0; table != null && i < table.length; i++)
                for (Object entry = table[i]; entry != null; entry = Caches.get(entry, entry.getClass(), "next"))
                    clear.invoke(Caches.get(entry, entry.getClass(), "value"));
        }
    }

    private static void streams(Class<?>[] classes) throws Exception {
        Class<?> caches = Class.forName("java.io.ObjectStreamClass$Caches");
        for (String field : new String[] {"localDescs", "reflectors"}) {
            Object cache = Caches.get(null, caches, field);
            if (cache instanceof Map) { // before 16.0.2
                ((Map<?, ?>) cache).clear();
                continue;
            }
            ClassValue<?> values = (ClassValue<?>) Caches.get(cache, cache.getClass().getSuperclass(), "map");
            for (Class<?> c : classes) values.remove(c);
        }
    }

    private static void bundles(Class<?>[] classes) {
        for (Class<?> c : classes)
            if (ResourceBundle.class.isAssignableFrom(c) && c.getClassLoader() != null) ResourceBundle.clearCache(c.getClassLoader());
    }
}
