// SPDX-License-Identifier: Apache-2.0
import java.lang.instrument.*;
import java.lang.reflect.*;
import java.nio.file.*;
import java.util.*;

/** Redefines T from folders v1, v2 ... (add_delete.sh), says what came of it, and what T does then. */
public class AddDelete {
    static Instrumentation inst;
    public static void premain(String args, Instrumentation i) { inst = i; }

    static void methods(Class<?> c) {
        List<String> names = new ArrayList<>();
        for (Method m : c.getDeclaredMethods()) names.add(Modifier.toString(m.getModifiers()) + " " + m.getName());
        Collections.sort(names);
        System.out.println("  " + names);
    }
    static void redefine(String from) throws Exception {
        try {
            inst.redefineClasses(new ClassDefinition(T.class, Files.readAllBytes(Path.of(from, "T.class"))));
            System.out.println(from + ": done");
        } catch (UnsupportedOperationException | LinkageError e) {
            System.out.println(from + ": " + e);
        }
    }
    static void show(T t) throws Exception {
        System.out.println("  " + t.answer());
        methods(T.class);
        for (String name : new String[] {"helper", "extra", "own"})
            try {
                Method m = T.class.getDeclaredMethod(name);
                m.setAccessible(true);
                System.out.println("  " + name + " " + m.invoke(t));
            } catch (NoSuchMethodException e) {
                System.out.println("  no " + name);
            }
    }
    public static void main(String[] args) throws Exception {
        T t = new T(41);
        show(t);
        for (String v : args) {
            redefine(v);
            show(t);
            if (v.equals("v2")) { // a retransformation starts from what was given last
                inst.retransformClasses(T.class);
                System.out.println("  again " + t.answer());
            }
        }
    }
}
