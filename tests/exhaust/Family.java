// SPDX-License-Identifier: Apache-2.0
package exhaust.family;

import java.lang.annotation.*;
import java.util.*;
import java.util.function.*;

@Retention(RetentionPolicy.RUNTIME) @interface Note { String value() default "n"; int[] numbers() default {1, 2}; }

/** Classes of every kind, loaded by Exhaust in ever new loaders. */
class Main {
    public static String run() {
        StringBuilder s = new StringBuilder();
        List<Shape> shapes = List.of(new Circle(1), new Square(2));
        Function<Shape, String> f = x -> x.name() + ":" + (int) x.area();
        for (Shape x : shapes) s.append(f.apply(x)).append(',');
        for (Colour c : Colour.values())
            switch (c) {
            case RED -> s.append("r");
            case GREEN -> s.append(c.ordinal());
            default -> s.append(c);
            }
        Supplier<Runnable> r = () -> () -> s.append("nested");
        r.get().run();
        s.append(switch ("" + shapes.size()) { case "2" -> "two"; default -> "?"; });
        int[][] grid = new int[3][4];
        long[][][] cube = new long[2][][];
        s.append(grid[2].length).append(cube.length).append(new Circle[2][1][0].length);
        s.append(new Generic<String>() { @Override public String make() { return "generic"; } }.make());
        try {
            Object o = "text";
            s.append((Integer) o);
        } catch (ClassCastException e) {
            s.append("cce");
        }
        synchronized (Main.class) { s.append(Statics.COUNT).append(Statics.NAME); }
        s.append(new Circle(3)).append(new Circle(3).equals(new Circle(3)));
        Iterator<String> it = new Inner("outer").new Deep().iterator();
        while (it.hasNext()) s.append(it.next());
        return s.toString();
    }
}

@Note("shape") sealed interface Shape permits Circle, Square {
    @Note double area();
    default String name() { return getClass().getSimpleName(); }
    static <T extends Shape> T pick(T a, List<? super T> b) throws IllegalStateException { return a; }
}
record Circle(@Note double r) implements Shape {
    public double area() { return r * r * 3; }
}
final class Square implements Shape {
    final double side;
    Square(double side) { this.side = side; }
    public double area() { return side * side; }
}
enum Colour {
    RED, GREEN { @Override int weight() { return 2; } }, BLUE;
    int weight() { return 1; }
}
class Generic<T> {
    public T make() { return null; }
}
class Statics {
    static final int COUNT = Integer.parseInt("42");
    static final String NAME = "static" + COUNT;
}
class Inner {
    final String text;
    Inner(String text) { this.text = text; }
    class Deep implements Iterable<String> {
        public Iterator<String> iterator() {
            return new Iterator<>() {
                int i;
                @Override public boolean hasNext() { return i < 2; }
                @Override public String next() { return text + i++; }
            };
        }
    }
}
class Edited {
    public static String say() {
        Supplier<String> s = () -> "one";
        return s.get();
    }
}
class Hidden {
    static final Object LOCK = new Object();
    public static String say() {
        synchronized (LOCK) { return "hidden" + new Hidden().hashCode() * 0; }
    }
}
