// SPDX-License-Identifier: Apache-2.0
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** An agent that disturbs a program in what must not change it: classes are retransformed into themselves, stacks are taken, collections asked for. */
public class Disturb {
    public static void premain(String options, Instrumentation all) {
        all.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] file) {
                return loader == null ? null : file.clone();
            }
        }, true);
        Thread t = new Thread(() -> disturb(all, new Random(Long.parseLong(options))), "disturb");
        t.setDaemon(true);
        t.start();
    }

    private static void disturb(Instrumentation all, Random r) {
        try {
            while (true) {
                Thread.sleep(r.nextInt(8));
                switch (r.nextInt(8)) {
                    case 0: System.gc(); break;
                    case 1: case 2: Thread.getAllStackTraces(); break;
                    default: all.retransformClasses(some(all, r));
                }
            }
        } catch (Throwable t) {
            System.out.println("disturb: " + t);
        }
    }

    private static Class<?>[] some(Instrumentation all, Random r) {
        List<Class<?>> some = new ArrayList<>();
        for (Class<?> c : all.getAllLoadedClasses())
            if (c.getClassLoader() == ClassLoader.getSystemClassLoader() && all.isModifiableClass(c) && c != Disturb.class && r.nextInt(3) == 0)
                some.add(c);
        if (r.nextInt(4) == 0)
            some.add(r.nextBoolean() ? Integer.class : java.util.ArrayList.class);
        return some.toArray(new Class<?>[0]);
    }
}
