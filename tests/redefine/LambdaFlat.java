// SPDX-License-Identifier: Apache-2.0
package redefine;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * args: rounds OTHER. A class with lambdas is redefined again and again, to the bytes in folder OTHER and back; each version
 * links its call sites again. The classes of lambdas that nobody can call any more must go, and those that are held must stay.
 */
public final class LambdaFlat {
    private static Instrumentation inst;

    public static void premain(String options, Instrumentation i) { inst = i; }

    static final class Target {
        static int factor() { return 1; }
        static IntSupplier capturing(int k) { return () -> k * factor(); }
        static Supplier<String> plain() { return () -> "lambda"; }
        static Supplier<Object> reference() { return Object::new; }
        static String concatenation(int k) { return "k = " + k; }
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
        byte[][] files = new byte[2][];
        files[0] = LambdaFlat.class.getResourceAsStream("LambdaFlat$Target.class").readAllBytes();
        files[1] = Files.readAllBytes(Path.of(args[1], "redefine", "LambdaFlat$Target.class"));
        List<IntSupplier> held = new ArrayList<>();
        long wrong = 0, first = 0, peak = 0, made = classes.getTotalLoadedClassCount();
        for (int i = 1; i <= rounds; i++) {
            inst.redefineClasses(new ClassDefinition(Target.class, files[i & 1]));
            int factor = (i & 1) * 9 + 1;
            IntSupplier s = Target.capturing(i);
            if (s.getAsInt() != i * factor || !Target.plain().get().equals("lambda") || Target.reference().get() == null
                || !Target.concatenation(i).equals("k = " + i)) wrong++;
            if (i % (rounds / 10) == 0) held.add(s);
            if (i == 10) first = classes.getLoadedClassCount();
            peak = Math.max(peak, classes.getLoadedClassCount());
        }
        made = classes.getTotalLoadedClassCount() - made;
        for (int i = 0; i < held.size(); i++)
            if (held.get(i).getAsInt() != rounds / 10 * (i + 1) * ((rounds & 1) * 9 + 1)) wrong++;
        System.gc();
        System.gc();
        long left = classes.getLoadedClassCount() - first;
        System.out.println("wrong " + wrong + ", lambdas linked each round " + (made > rounds * 2L)
            + ", classes left over " + (left < 100 ? "few" : left) + ", at most " + (peak - first < 8000 ? "some" : peak));
    }
}
