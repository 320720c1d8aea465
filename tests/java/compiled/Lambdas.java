// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2 -XX:-OmitStackTraceInFastThrow
/*
 * Call sites in loops: lambdas that capture and that do not, method references, string concatenation, streams. What goes through a loop unchanged
 * and what does not; the exceptions of their bodies with traces; null receivers and wrong arguments of handles; branches that constants decide.
 */
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

public class Lambdas {
    static final int ROUNDS = 60;
    static final boolean ON = true, OFF = false;
    static final IntUnaryOperator PLUS_ONE = x -> x + 1;
    static final String PREFIX = "<";
    static final MethodHandle LENGTH, CONCAT, DIVIDE, IS_EMPTY, PLAIN;
    int field = 5;
    static int calls;

    static {
        try {
            MethodHandles.Lookup l = MethodHandles.lookup();
            LENGTH = l.findVirtual(String.class, "length", MethodType.methodType(int.class));
            CONCAT = l.findVirtual(String.class, "concat", MethodType.methodType(String.class, String.class));
            DIVIDE = l.findStatic(Lambdas.class, "divide", MethodType.methodType(int.class, int.class, int.class));
            IS_EMPTY = l.findVirtual(List.class, "isEmpty", MethodType.methodType(boolean.class));
            PLAIN = l.findVirtual(Lambdas.class, "plain", MethodType.methodType(long.class, long.class, int.class));
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }

    static int divide(int a, int b) { return a / b; }
    long plain(long a, int b) { return a * field + b; }

    interface Shape { double area(); }
    record Square(double side) implements Shape { public double area() { return side * side; } }
    record Circle(double r) implements Shape { public double area() { return 3 * r * r; } }

    /* --- sites --- */

    static int capturing(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            int k = i;
            IntUnaryOperator f = x -> x * 3 + k;
            s += f.applyAsInt(i);
        }
        return s;
    }
    static int notCapturing(int n) {
        IntUnaryOperator f = x -> x ^ 5;
        int s = 0;
        for (int i = 0; i < n; i++) s += f.applyAsInt(i);
        return s;
    }
    /* The operator is assigned in the loop: another one from the second turn on. */
    static int changing(int n) {
        IntUnaryOperator f = x -> x + 1;
        int s = 0;
        for (int i = 0; i < n; i++) {
            s += f.applyAsInt(i);
            if (i == 7) f = x -> x * 2;
        }
        return s;
    }
    /* The outer loop assigns what the inner one keeps. */
    static long nested(int n) {
        long s = 0;
        long wide = 3;
        IntBinaryOperator f = (x, y) -> x - y;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < 4; j++) s += f.applyAsInt(i, j) * wide;
            if ((i & 3) == 3) {
                wide += i;
                f = f == null ? (x, y) -> x : (x, y) -> y - x;
            }
        }
        return s;
    }
    /* Halves of a long: an int is written over the second one. */
    static long overlapping(int n) {
        long s = 0;
        for (int i = 0; i < n; i++) {
            if ((i & 1) == 0) {
                long a = i * 5L, b = a + 1;
                s += a ^ b;
            } else {
                int a = i, b = a + 2, c = b * 3;
                s += a + b + c;
            }
        }
        return s;
    }
    long bound(int n) {
        LongSupplier f = this::own;
        long s = 0;
        for (int i = 0; i < n; i++) s += f.getAsLong();
        return s;
    }
    long own() { return field++ * 7L; }
    static String text(int i, long j, double d, String s, Object o, char c, boolean z, byte b) {
        return PREFIX + i + "," + j + ',' + d + s + o + c + z + b + (i > 3 ? "x" : null);
    }
    static String constants(int n) {
        if (OFF) throw new IllegalStateException("off");
        String s = "";
        switch (ROUNDS) {
        case 1: s += "one"; break;
        case 60: s += "sixty"; break;
        default: s += "other";
        }
        for (int i = 0; ON && i < n; i++) s = s.length() > 30 ? "" : s + PLUS_ONE.applyAsInt(i);
        return s;
    }

    /* --- handles --- */

    static int handles(String[] texts) {
        int s = 0;
        for (String t : texts) {
            try {
                s += (int) LENGTH.invokeExact(t) + ((String) CONCAT.invokeExact(t, "end")).length();
            } catch (Throwable e) {
                s += 1000;
            }
        }
        return s;
    }
    static String quotient(int a, int b) {
        try {
            return "" + (int) DIVIDE.invokeExact(a, b);
        } catch (Throwable e) {
            return e + at(e);
        }
    }
    static String empty(Object o) {
        try {
            return "" + (boolean) IS_EMPTY.invoke(o);
        } catch (Throwable e) {
            return e.getClass().getName();
        }
    }
    static long plainly(Lambdas[] all) {
        long s = 0;
        for (Lambdas l : all) {
            try {
                s += (long) PLAIN.invokeExact(l, 3L, 4);
            } catch (NullPointerException e) {
                s -= 1;
            } catch (Throwable e) {
                throw new Error(e);
            }
        }
        return s;
    }
    /* Not known while compiling. */
    static int variable(MethodHandle h, int a, int b) throws Throwable { return (int) h.invokeExact(a, b); }

    static String at(Throwable e) {
        StringBuilder s = new StringBuilder();
        for (StackTraceElement f : e.getStackTrace()) {
            if (f.getClassName().startsWith("Lambdas")) s.append(" ").append(f.getMethodName()).append(":").append(f.getLineNumber());
        }
        return s.toString();
    }
    static String thrown(Supplier<?> f) {
        try {
            return "" + f.get();
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName() + at(e);
        }
    }

    /* --- streams --- */

    static String streams(List<String> words, int turn) {
        int k = turn % 5;
        int sum = IntStream.range(0, 50).map(x -> x * 2 + k).filter(x -> x % 3 == 0).sum();
        List<String> upper = words.stream().filter(w -> w.length() > k).map(String::toUpperCase).sorted(Comparator.reverseOrder()).collect(Collectors.toList());
        long sizes = words.stream().mapToInt(String::length).asLongStream().sum();
        double area = Stream.of(new Square(k), new Circle(2), new Square(3)).mapToDouble(Shape::area).sum();
        String joined = words.stream().collect(Collectors.groupingBy(String::length, Collectors.counting())).toString();
        return sum + " " + upper + " " + sizes + " " + area + " " + joined + " " + words.stream().anyMatch(w -> w.equals("ab" + "c"));
    }
    static int sorted(int n) {
        List<int[]> rows = new ArrayList<>();
        for (int i = 0; i < n; i++) rows.add(new int[] {i * 37 % 11, i});
        rows.sort(Comparator.<int[]>comparingInt(r -> r[0]).thenComparing(r -> -r[1]));
        int s = 0;
        for (int[] r : rows) s = s * 31 + r[1];
        return s;
    }
    static <T> Function<T, Long> counting(ToLongFunction<T> f) {
        return t -> {
            calls++;
            return f.applyAsLong(t) + calls;
        };
    }

    public static void main(String[] args) throws Throwable {
        List<String> words = Arrays.asList("a", "bcd", "abc", "", "zz", "long word");
        BiFunction<Integer, Integer, Integer> add = Integer::sum;
        Function<String, Long> counted = counting(s -> s.length());
        IntPredicate odd = x -> (x & 1) == 1;
        Lambdas me = new Lambdas();
        MethodHandle sum = MethodHandles.lookup().findStatic(Integer.class, "sum", MethodType.methodType(int.class, int.class, int.class));
        long total = 0;
        String last = "";
        for (int i = 0; i < ROUNDS; i++) {
            total = total * 31 + capturing(i) + notCapturing(i) + changing(i) + nested(i) + overlapping(i) + me.bound(i);
            total += add.apply(i, 4) + counted.apply("abc") + (odd.test(i) ? 1 : 0) + sorted(i);
            total += handles(new String[] {"x", i % 7 == 6 ? null : "yy", "" + i}) + plainly(new Lambdas[] {me, i % 9 == 8 ? null : me});
            total += variable(i % 2 == 0 ? sum : DIVIDE, i, 3);
            last = text(i, i * 3L, i / 2.0, "s" + i, i % 3 == 0 ? null : "o", (char) ('a' + i % 26), i % 2 == 0, (byte) (i * 5)) + constants(i) + streams(words, i);
            total += last.hashCode();
            int d = i % 6;
            String[] array = i % 4 == 3 ? null : new String[] {"e"};
            Object o = i % 5 == 4 ? "text" : (Object) 7;
            String failing = quotient(i, d) + empty(i % 2 == 0 ? words : o) + thrown(() -> 10 / d) + thrown(() -> array[d / 3]) + thrown(() -> (Integer) o);
            total += failing.hashCode();
            if (i % 12 == 0 || i > ROUNDS - 7) System.out.println(i + " " + total + " " + last + " " + failing);
        }
        System.out.println(total + " " + calls);
    }
}
