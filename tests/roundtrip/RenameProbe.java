// SPDX-License-Identifier: Apache-2.0
package probe.before;

import java.io.*;
import java.lang.annotation.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.function.*;

/** Names in every place of a class file, printed by reflection and by running. */
public class RenameProbe<T extends RenameProbe.Shape & Comparable<? super T>> {
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.FIELD, ElementType.PARAMETER, ElementType.TYPE_USE})
    @interface Mark {
        Class<?> type() default Circle.class;
        Level level() default Level.LOW;
        Level[] levels() default {Level.LOW, Level.HIGH};
        Inner nested() default @Inner(Square[].class);
    }
    @Retention(RetentionPolicy.RUNTIME)
    @interface Inner {
        Class<?>[] value();
    }
    enum Level { LOW, HIGH { int weight() { return 2; } }; int weight() { return 1; } }
    sealed interface Shape permits Circle, Square { double area(); }
    record Circle(@Mark double radius, List<? extends Level> levels) implements Shape {
        public double area() { return radius * radius; }
    }
    record Square(double side) implements Shape {
        public double area() { return side * side; }
    }
    interface Step<A> { A apply(Level l, A a); }
    interface Sent extends Serializable { Shape send(Level l, Circle[] c); }
    static class Failure extends RuntimeException {
        Failure(String s) { super(s); }
    }

    @Mark(level = Level.HIGH, type = Level[].class)
    private Map<String, ? super List<Circle[]>> map = new HashMap<>();
    private final int secret = 42;

    private int hidden(int a) { return a + secret; }
    class Part<U> { class Deep { U u; } }
    RenameProbe<T>.Part<Level>.Deep deep;

    @Mark
    <X extends Failure> Part<T> make(@Mark(levels = {}) Level l, Circle[][] c) throws X {
        return new Part<>();
    }

    static int weigh(Shape s) {
        Object o = s;
        int n = 0;
        for (Level l : Level.values()) {
            switch (l) {
            case LOW: n += 10; break;
            default: n += l.weight();
            }
            Shape[] both = {s, new Square(n)};
            Shape pick = n > 11 ? both[0] : both[1];
            try {
                if (pick instanceof Circle c && c.levels().isEmpty())
                    throw new Failure("empty");
                n += (int) pick.area();
            } catch (Failure f) {
                n += f.getMessage().length();
            }
        }
        return n;
    }

    static Sent copied(Sent s) throws Exception {
        ByteArrayOutputStream b = new ByteArrayOutputStream();
        new ObjectOutputStream(b).writeObject(s);
        return (Sent) new ObjectInputStream(new ByteArrayInputStream(b.toByteArray())).readObject();
    }

    /** With elements in the order of their types: that of names is another one after renaming, that of the VM is by chance. */
    static String text(Annotation... all) throws Exception {
        StringBuilder s = new StringBuilder("[");
        for (Annotation a : all) {
            Method[] elements = a.annotationType().getDeclaredMethods();
            Arrays.sort(elements, Comparator.comparing(e -> e.getReturnType().getName()));
            s.append('@').append(a.annotationType().getName());
            for (Method e : elements)
                s.append(' ').append(e.getName()).append('=').append(Arrays.deepToString(new Object[] {e.invoke(a)}));
        }
        return s + "]";
    }

    static String parameters(Method m) throws Exception {
        String s = "";
        for (Annotation[] a : m.getParameterAnnotations())
            s += text(a);
        return s;
    }

    static void show(Class<?> c) throws Exception {
        System.out.println(c.toGenericString() + " host " + c.getNestHost().getSimpleName() + " in " + c.getEnclosingClass()
                           + " by " + c.getEnclosingMethod() + " simple " + c.getSimpleName());
        for (TypeVariable<?> v : c.getTypeParameters())
            System.out.println("  <" + v + "> " + Arrays.toString(v.getBounds()));
        if (c.isSealed())
            System.out.println("  permits " + Arrays.toString(c.getPermittedSubclasses()));
        if (c.isRecord())
            for (RecordComponent r : c.getRecordComponents())
                System.out.println("  component " + r.getGenericType() + " " + text(r.getAnnotations()));
        List<String> all = new ArrayList<>();
        for (Field f : c.getDeclaredFields())
            all.add(f.toGenericString() + " " + text(f.getAnnotations()));
        for (Method m : c.getDeclaredMethods())
            all.add(m.toGenericString() + " " + text(m.getAnnotations()) + parameters(m)
                    + " " + Arrays.deepToString(new Object[] {m.getDefaultValue()}));
        Collections.sort(all);
        for (String s : all)
            System.out.println("  " + s);
        for (Class<?> k : c.getDeclaredClasses())
            all.add(k.getName());
    }

    public static void main(String[] a) throws Exception {
        Object local = new Object() { public String toString() { return "anonymous"; } };
        for (Class<?> c : new Class<?>[] {RenameProbe.class, Mark.class, Inner.class, Level.class, Shape.class, Circle.class,
                                          Square.class, RenameProbe.Part.class, RenameProbe.Part.Deep.class, Step.class, local.getClass()})
            show(c);
        System.out.println(local + " " + Class.forName("probe.before.RenameProbe$Circle").getName());
        Step<Integer> step = (l, n) -> n + l.weight();
        BiFunction<Double, List<Level>, Shape> maker = Circle::new;
        Supplier<Function<Shape, Double>> area = () -> Shape::area;
        System.out.println(step.apply(Level.HIGH, 40) + " " + maker.apply(2.0, List.of()).getClass() + " " + area.get().apply(new Square(3)));
        System.out.println(weigh(new Circle(3, List.of())) + " " + weigh(new Circle(3, List.of(Level.LOW))));
        System.out.println(new RenameProbe<>().hidden(1));
        System.out.println(copied((l, c) -> new Square(l.ordinal() + c.length)).send(Level.HIGH, new Circle[1]).area());
        System.out.println(new Circle(1, List.of(Level.HIGH)).equals(new Circle(1, List.of(Level.HIGH))));
    }
}
