// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2 -XX:-UseCompiler -Djdk.attach.allowAttachSelf=true
/*
 * Constant handles, lambdas and receivers whose methods are redefined and restored while compiled code calls them directly. The reference
 * interprets it (-UseCompiler): its compiled code goes on with the old method of a constant handle.
 */
import com.sun.tools.attach.VirtualMachine;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

public class HandlesRedefined {
    static class Target {
        static String name() { return "first"; }
        String own() { return "first of " + kind(); }
        String kind() { return "first"; }
    }
    static class Derived extends Target {
        String kind() { return "derived"; }
    }

    static final MethodHandle NAME, OWN, BOUND;
    static {
        try {
            MethodHandles.Lookup l = MethodHandles.lookup();
            MethodType t = MethodType.methodType(String.class);
            NAME = l.findStatic(Target.class, "name", t);
            OWN = l.findVirtual(Target.class, "own", t);
            BOUND = l.bind(new Derived(), "own", t);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static Instrumentation instrumentation;
    public static void agentmain(String args, Instrumentation i) throws Exception {
        ClassLoader.getSystemClassLoader().loadClass("HandlesRedefined").getDeclaredField("instrumentation").set(null, i);
    }

    static String all(Target t) throws Throwable {
        Supplier<String> s = Target::name, own = t::own;
        return (String) NAME.invokeExact() + ", " + (String) OWN.invokeExact(t) + ", " + (String) BOUND.invokeExact() + ", " + s.get() + ", " + own.get();
    }

    static String many() throws Throwable {
        String last = "";
        Target[] targets = {new Target(), new Derived()};
        for (int i = 0; i < 2000; i++) last = all(targets[i & 1]);
        return last;
    }

    static byte[] bytes() throws Exception {
        try (InputStream in = HandlesRedefined.class.getResourceAsStream("HandlesRedefined$Target.class")) { return in.readAllBytes(); }
    }
    static byte[] replaced(byte[] b, String from, String to) {
        return new String(b, StandardCharsets.ISO_8859_1).replace(from, to).getBytes(StandardCharsets.ISO_8859_1);
    }

    public static void main(String[] args) throws Throwable {
        Path jar = Files.createTempFile("agent", ".jar");
        Manifest m = new Manifest();
        m.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        m.getMainAttributes().putValue("Agent-Class", "HandlesRedefined");
        m.getMainAttributes().putValue("Can-Redefine-Classes", "true");
        try (OutputStream o = Files.newOutputStream(jar); JarOutputStream j = new JarOutputStream(o, m)) { j.putNextEntry(new JarEntry("empty")); }
        VirtualMachine vm = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
        vm.loadAgent(jar.toString());
        vm.detach();
        Files.delete(jar);
        byte[] was = bytes();
        System.out.println(many());
        for (String s : new String[] {"other", "third", "first", "again"}) {
            instrumentation.redefineClasses(new ClassDefinition(Target.class, replaced(was, "first", s)));
            System.out.println(all(new Target()) + " / " + many());
        }
        boolean[] stop = {false};
        Thread busy = new Thread(() -> {
            try {
                while (!stop[0]) many();
            } catch (Throwable e) {
                System.out.println(e);
            }
        });
        busy.start();
        for (int i = 0; i < 50; i++) {
            String s = "no " + (10 + i);
            instrumentation.redefineClasses(new ClassDefinition(Target.class, replaced(was, "first", s)));
            if (!all(new Target()).startsWith(s)) System.out.println("stale: " + s);
        }
        stop[0] = true;
        busy.join();
        System.out.println(many());
    }
}
