// SPDX-License-Identifier: Apache-2.0
// options: -Djdk.attach.allowAttachSelf=true
/* A class redefines itself in its initialiser: who waited for it at a call runs the new method. */
import com.sun.tools.attach.VirtualMachine;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

public class InitRedefined {
    static class Target {
        static {
            System.out.println("the initialiser calls: " + call());
            letWait();
            redefine();
        }
        static String name() { return "first"; }
    }
    static Thread other;
    static String seen;
    static String call() { return Target.name(); }

    /* A thread that waits for an initialiser stands at the call. */
    static void letWait() {
        other = new Thread(() -> seen = call());
        other.start();
        for (StackTraceElement[] s = {}; s.length == 0 || !s[0].getMethodName().equals("call"); s = other.getStackTrace()) Thread.onSpinWait();
    }

    static Instrumentation instrumentation;
    public static void agentmain(String args, Instrumentation i) throws Exception {
        ClassLoader.getSystemClassLoader().loadClass("InitRedefined").getDeclaredField("instrumentation").set(null, i);
    }
    static void redefine() {
        try (InputStream in = InitRedefined.class.getResourceAsStream("InitRedefined$Target.class")) {
            String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).replace("first", "again");
            Class<?> c = Class.forName("InitRedefined$Target", false, InitRedefined.class.getClassLoader());
            instrumentation.redefineClasses(new ClassDefinition(c, text.getBytes(StandardCharsets.ISO_8859_1)));
        } catch (Exception e) {
            System.out.println(e);
        }
    }
    static void attach() throws Exception {
        Manifest m = new Manifest();
        m.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        m.getMainAttributes().putValue("Agent-Class", "InitRedefined");
        m.getMainAttributes().putValue("Can-Redefine-Classes", "true");
        Path jar = Files.createTempFile("agent", ".jar");
        try (OutputStream out = Files.newOutputStream(jar); JarOutputStream j = new JarOutputStream(out, m)) {
            j.putNextEntry(new JarEntry("x"));
        }
        VirtualMachine vm = VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
        vm.loadAgent(jar.toString());
        vm.detach();
        Files.delete(jar);
    }
    public static void main(String[] a) throws Exception {
        attach();
        System.out.println("main calls: " + call());
        other.join();
        System.out.println("who waited calls: " + seen);
        System.out.println("later: " + call());
    }
}
