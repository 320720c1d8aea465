// SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/** The objects that can be reached from static fields of classes, as one hash: kinds, values, and which references meet. */
final class Heap {
    private final Map<Object, Integer> numbers = new IdentityHashMap<>();
    private final ArrayDeque<Object> work = new ArrayDeque<>();
    private static final Map<Class<?>, Field[]> fields = new HashMap<>();
    private long hash;
    private int objects;

    static String brief(Object o) {
        if (o == null) return "null";
        Class<?> c = o.getClass();
        if (c.isArray()) return c.getName() + Array.getLength(o);
        if (o instanceof String || o instanceof Number || o instanceof Class) return o.toString();
        return c.getName();
    }

    private void add(long v) { hash = hash * 1000003 + v; }

    private void reference(Object o) {
        if (o == null) { add(0); return; }
        Integer n = numbers.get(o);
        if (n == null) {
            numbers.put(o, n = numbers.size() + 1);
            if (objects++ < 3000) work.add(o);
        }
        add(n);
    }

    private void value(Field f, Object of) throws IllegalAccessException {
        Class<?> t = f.getType();
        if (!t.isPrimitive()) reference(f.get(of));
        else if (t == float.class) add(Float.floatToIntBits(f.getFloat(of)));
        else if (t == double.class) add(Double.doubleToLongBits(f.getDouble(of)));
        else if (t == boolean.class) add(f.getBoolean(of) ? 1 : 0);
        else if (t == char.class) add(f.getChar(of));
        else add(f.getLong(of));
    }

    private static Field[] fieldsOf(Class<?> c) {
        return fields.computeIfAbsent(c, k -> {
            Field[] all = k.getDeclaredFields();
            for (Field f : all) f.setAccessible(true);
            return all;
        });
    }

    private void array(Object o) {
        int n = Array.getLength(o);
        add(n);
        if (o instanceof Object[]) for (Object e : (Object[]) o) reference(e);
        else if (o instanceof float[]) for (float e : (float[]) o) add(Float.floatToIntBits(e));
        else if (o instanceof double[]) for (double e : (double[]) o) add(Double.doubleToLongBits(e));
        else if (o instanceof boolean[]) for (boolean e : (boolean[]) o) add(e ? 1 : 0);
        else if (o instanceof char[]) for (char e : (char[]) o) add(e);
        else for (int i = 0; i < n; i++) add(Array.getLong(o, i));
    }

    static String of(Class<?>[] roots) throws IllegalAccessException {
        Heap h = new Heap();
        fields.clear();
        for (Class<?> c : roots)
            for (Field f : fieldsOf(c))
                if (Modifier.isStatic(f.getModifiers())) h.value(f, null);
        h.reference(Val.kept);
        for (Object o; (o = h.work.poll()) != null; ) {
            Class<?> c = o.getClass();
            h.add(brief(o).hashCode());
            if (c.isArray()) h.array(o);
            else
                for (; c != null && (c == Val.class || c.getClassLoader() instanceof Execute.Loader); c = c.getSuperclass())
                    for (Field f : fieldsOf(c))
                        if (!Modifier.isStatic(f.getModifiers())) h.value(f, o);
        }
        return h.objects + " objects " + Long.toHexString(h.hash);
    }
}
