// SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.MethodHandles;
import java.util.function.*;

/** Lambdas, references to methods, and classes defined as hidden ones, each called a known number of times. */
public class TracedHidden {
    public static class Made implements IntUnaryOperator {
        public int applyAsInt(int x) { return inner(x) + 1; }
        private int inner(int y) { if (y == 5) throw new IllegalStateException(); return y; }
    }
    static int twice(int x) { return 2 * x; }
    static IntUnaryOperator hidden(boolean nested) throws Exception {
        byte[] bytes = TracedHidden.class.getResourceAsStream("TracedHidden$Made.class").readAllBytes();
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Class<?> c = (nested ? lookup.defineHiddenClass(bytes, true, MethodHandles.Lookup.ClassOption.NESTMATE)
            : lookup.defineHiddenClass(bytes, true)).lookupClass();
        if (!c.isHidden() || (c.getNestHost() == TracedHidden.class) != nested) throw new AssertionError(c);
        return (IntUnaryOperator) c.getDeclaredConstructor().newInstance();
    }
    public static void main(String[] args) throws Exception {
        int sum = 0;
        IntUnaryOperator lambda = x -> twice(x), reference = TracedHidden::twice, hidden = hidden(false), nested = hidden(true);
        for (int i = 0; i < 5; i++) sum += lambda.applyAsInt(i) + reference.applyAsInt(i) + hidden.applyAsInt(i);
        for (int i = 0; i < 7; i++) try { sum += nested.applyAsInt(i); } catch (IllegalStateException e) { sum += 100; }
        Supplier<IntUnaryOperator> deep = () -> y -> twice(y);
        sum += deep.get().applyAsInt(3);
        System.out.println(sum);
    }
}
