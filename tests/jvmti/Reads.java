// SPDX-License-Identifier: Apache-2.0
import java.lang.instrument.*;
import java.security.ProtectionDomain;
import java.util.*;

/** Who redefines or retransforms a class while somebody listens to class files gives its module the unnamed modules to read, changed or not. */
public class Reads {
    static byte[] bytes(Class<?> c) throws Exception {
        try (var in = c.getModule().getResourceAsStream(c.getName().replace('.', '/') + ".class")) { return in.readAllBytes(); }
    }
    static void say(String what, Class<?> c) {
        System.out.println(what + " " + c.getModule().canRead(Reads.class.getModule()));
    }
    public static void premain(String options, Instrumentation in) throws Exception {
        // The reference loses the edges if it has to load classes of the module system for them.
        in.redefineModule(ModuleLayer.boot().findModule("java.logging").get(), Set.of(Reads.class.getModule()), Map.of(), Map.of(), Set.of(), Map.of());
        Class<?> redefined = Random.class, retransformed = javax.xml.XMLConstants.class;
        in.redefineClasses(new ClassDefinition(redefined, bytes(redefined)));
        say("nobody listens", redefined);
        in.addTransformer(new ClassFileTransformer() {
            public byte[] transform(ClassLoader l, String name, Class<?> c, ProtectionDomain d, byte[] given) { return null; }
        }, true);
        say("before", retransformed);
        in.redefineClasses(new ClassDefinition(redefined, bytes(redefined)));
        say("redefined", redefined);
        in.retransformClasses(retransformed);
        say("retransformed", retransformed);
    }
    public static void main(String[] args) { say("others", java.net.http.HttpClient.class); }
}
