// SPDX-License-Identifier: Apache-2.0
import java.lang.instrument.*;
import java.nio.file.*;
import java.util.*;

/** An enum compiled by ecj, whose field of all constants has another name than javac's, gets other constants. */
public class EcjEnum {
    static Instrumentation inst;
    public static void premain(String options, Instrumentation i) { inst = i; }

    static <E extends Enum<E>> void check(Class<E> type, Path changed) throws Exception {
        E a = Enum.valueOf(type, "A"), c = Enum.valueOf(type, "C");
        EnumSet<E> set = EnumSet.of(a, c);
        EnumMap<E, Integer> map = new EnumMap<>(Map.of(a, 1, c, 3));
        inst.redefineClasses(new ClassDefinition(type, Files.readAllBytes(changed)));
        System.out.println(Arrays.toString(type.getEnumConstants()) + " " + a.ordinal() + c.ordinal() + " " + set + " " + map + " " + EnumSet.complementOf(set));
    }
    @SuppressWarnings("unchecked")
    public static void main(String[] files) throws Exception {
        for (String file : files) check((Class<? extends Enum>) Class.forName(Path.of(file).getFileName().toString().replace(".class", "")), Path.of(file));
    }
}
