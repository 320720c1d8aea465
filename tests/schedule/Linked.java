// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.lang.instrument.*;

/** A class that is being linked waits for its pause, because code relied on its superclass alone; the superclass changes before that. */
public class Linked {
    public static class A { public int f() { return 1; } public int call() { return f(); } }
    public static class B extends A { @Override public int f() { return 2; } }

    static int call(A a) { return a.f(); }
    static Instrumentation inst;
    public static void premain(String options, Instrumentation i) { inst = i; }

    public static void main(String[] file) throws Exception {
        byte[] changed = new FileInputStream(file[0]).readAllBytes();
        ClassDefinition other = new ClassDefinition(Other.class, new FileInputStream(file[1]).readAllBytes());
        inst.redefineClasses(other); // all that is needed below
        A a = new A();
        int sum = 0;
        Class.forName("Linked$B", false, Linked.class.getClassLoader());
        for (int i = 0; i < 200_000; i++) sum += call(a);
        int[] got = new int[3];
        Thread linker = new Thread(() -> {
            A b = new B();
            got[0] = b.f();
            got[1] = b.call();
        }, "linker");
        linker.start();
        Thread.sleep(500);
        inst.redefineClasses(new ClassDefinition(A.class, changed));
        for (; linker.isAlive(); linker.join(10)) inst.redefineClasses(other); // it comes to its point once more
        System.out.println(sum + " " + got[0] + " " + got[1]);
    }
    public static class Other { }
}
