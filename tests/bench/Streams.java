// SPDX-License-Identifier: Apache-2.0
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

/** Lambdas and sequential streams. */
public class Streams {
    record P(String name, int age, int dept) {}

    public static void main(String[] x) {
        long t = System.nanoTime();
        List<P> ps = IntStream.range(0, 20000).mapToObj(i -> new P("n" + i % 100, i % 80, i % 7)).collect(Collectors.toList());
        long s = 0;
        for (int r = 0; r < 10; r++) {
            s += ps.stream().filter(p -> p.age() > 20).mapToInt(P::age).sum();
            s += ps.stream().collect(Collectors.groupingBy(P::dept, Collectors.averagingInt(P::age))).size();
            s += ps.stream().map(P::name).distinct().sorted(Comparator.reverseOrder()).limit(10).count();
            s += IntStream.range(0, 60000).filter(i -> i % 3 == 0).mapToLong(i -> (long) i * i).reduce(0, Long::sum);
        }
        IntUnaryOperator f = i -> i + 1;
        for (int i = 0; i < 10; i++) { int k = i; f = f.andThen(v -> v * 3 ^ k); }
        for (int i = 0; i < 60000; i++) s += f.applyAsInt(i);
        System.out.println(s);
        Bench.done(t);
    }
}
