// SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What java.lang.Class answers of classes that code does not know while it is compiled: subtypes, instances, kinds, modifiers; fields by reflection. */
public class ClassQuestions {
    interface Named {}
    interface Called extends Named {}
    static class C1 {}
    private static class C2 extends C1 implements Named {}
    protected static class C3 extends C2 {}
    abstract static class C4 extends C3 {}
    static class C5 extends C4 implements Called {}
    static class C6 extends C5 {}
    static class C7 extends C6 {}
    static class C8 extends C7 {}
    static class C9 extends C8 {}
    static final class C10 extends C9 {}
    final class Inner {}
    enum Color { RED, GREEN { int k; } }
    @interface Mark {}
    record Pair(int a, Object b) {}

    static final Class<?>[] CLASSES = {Object.class, String.class, Integer.class, Number.class, Comparable.class, CharSequence.class, List.class,
        ArrayList.class, int.class, long.class, void.class, boolean.class, int[].class, long[].class, int[][].class, Object[].class, String[].class,
        Comparable[].class, Object[][].class, Cloneable.class, java.io.Serializable.class, Named.class, Called.class, C1.class, C2.class, C3.class,
        C4.class, C5.class, C6.class, C7.class, C8.class, C9.class, C10.class, C10[].class, C2[].class, Named[].class, Inner.class, Color.class,
        Color.GREEN.getClass(), Mark.class, Pair.class, Class.class, Runnable.class, Override.class};

    static boolean above(Class<?> a, Class<?> b) { return a.isAssignableFrom(b); }
    static boolean aboveThatOf(Class<?> a, Object o) { return a.isAssignableFrom(o.getClass()); }
    static boolean has(Class<?> a, Object o) { return a.isInstance(o); }

    static int kind(Class<?> c) {
        return (c.isInterface() ? 1 : 0) + (c.isArray() ? 2 : 0) + (c.isPrimitive() ? 4 : 0) + (c.isHidden() ? 8 : 0);
    }

    static int modifiers(Class<?> c) { return c.getModifiers(); }
    static boolean isMadeByAll(Class<?> c) { return Modifier.isPublic(c.getModifiers()) && (c.getModifiers() & 0x4000) == 0; }

    static int casts(Class<?> c, Object o) {
        try {
            Object r = c.cast(o);
            return r == o ? 1 : -1;
        } catch (ClassCastException e) {
            return e.getMessage().startsWith("Cannot cast") ? 2 : -2;
        }
    }

    static int known(Object o) {
        int n = 0;
        if (Number.class.isAssignableFrom(o.getClass())) n += 1;
        if (o.getClass().isInstance(o)) n += 2;
        if (C5.class.isAssignableFrom(o.getClass())) n += 4;
        if (o.getClass().isAssignableFrom(C10.class)) n += 8;
        if (new C7().getClass().isInstance(o)) n += 16;
        if (int.class.isInstance(o)) n += 32;
        return n + (o.getClass().getModifiers() << 8);
    }

    static Object[] objects() {
        Runnable r = () -> {};
        return new Object[] {new Object(), "s", 1, 2L, 'c', new ArrayList<>(), new int[1], new int[1][1], new Object[0], new String[0], new Integer[0],
            new C10[2], new C1(), new C2(), new C3(), new C5(), new C6(), new C8(), new C9(), new C10(), new ClassQuestions().new Inner(), Color.RED,
            Color.GREEN, new Pair(1, ""), int.class, r};
    }

    static int nulls() {
        int n = 0;
        try {
            if (above(CLASSES[n % 3], null)) n++;
        } catch (NullPointerException e) {
            n += 10;
        }
        try {
            if (above(null, CLASSES[n % 3])) n++;
        } catch (NullPointerException e) {
            n += 100;
        }
        try {
            n += modifiers(null);
        } catch (NullPointerException e) {
            n += 1000;
        }
        try {
            n += kind(null);
        } catch (NullPointerException e) {
            n += 10000;
        }
        return has(CLASSES[1], null) ? -1 : n + casts(CLASSES[n % 3], null) + casts(CLASSES[9], null);
    }

    public int number;
    public static long count;
    public Object thing = "a";
    public volatile short small;

    static long byFields(ClassQuestions o, int turns) throws Exception {
        Field number = ClassQuestions.class.getField("number"), count = ClassQuestions.class.getField("count"),
              thing = ClassQuestions.class.getField("thing"), small = ClassQuestions.class.getField("small");
        long sum = 0;
        for (int i = 0; i < turns; i++) {
            number.setInt(o, number.getInt(o) ^ i);
            count.setLong(null, count.getLong(null) + i);
            small.setShort(o, (short) (small.getShort(o) + i));
            number.set(o, (Integer) number.get(o) + 1);
            if (i % 5 == 0) thing.set(o, i % 2 == 0 ? "even" : (Object) i);
            sum = sum * 31 + thing.get(o).hashCode() + o.number;
            if (i % 97 == 0)
                try {
                    number.getInt("no such object");
                } catch (IllegalArgumentException e) {
                    sum++;
                }
        }
        return sum + o.number + ClassQuestions.count + o.small;
    }

    public static void main(String[] x) throws Exception {
        Object[] objects = objects();
        for (int round = 0; round < 60; round++) {
            long sum = 0;
            for (Class<?> a : CLASSES) {
                for (Class<?> b : CLASSES) sum = sum * 3 + (above(a, b) ? 1 : 0);
                for (Object o : objects) sum = sum * 5 + (has(a, o) ? 2 : 0) + (aboveThatOf(a, o) ? 1 : 0) + (round % 8 == 0 ? 3 * casts(a, o) : 0);
                sum = sum * 31 + kind(a) + modifiers(a) + (isMadeByAll(a) ? 7 : 0);
            }
            for (Object o : objects) sum = sum * 31 + kind(o.getClass()) + (o instanceof Runnable ? 0 : known(o));
            if (round % 20 == 0) System.out.println(sum + " " + nulls());
            else nulls();
        }
        System.out.println(byFields(new ClassQuestions(), 3000));
        Random random = new Random(3);
        int n = 0;
        for (int i = 0; i < 20000; i++) n += above(CLASSES[random.nextInt(CLASSES.length)], CLASSES[random.nextInt(CLASSES.length)]) ? 1 : 0;
        System.out.println(n);
    }
}
