// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2 -Xbatch -Djdk.attach.allowAttachSelf=true
/*
 * A method that is replaced while it stands in the middle of itself, and then runs a loop until that is compiled: the code is of a method that
 * nobody calls any more.  It goes with the old version, and the next changes do not look at it.
 */
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

public class ObsoleteHot {
    static class Target {
        static String run(Runnable r, int n) {
            int s = 0;
            r.run();
            for (int i = 0; i < n; i++) s = s * 31 + step(i);
            return "first" + s;
        }
        static int step(int i) { return i ^ 7; }
    }
    static class Other {
        static String name() { return "first"; }
    }

    static Instrumentation instrumentation;
    public static void agentmain(String args, Instrumentation i) throws Exception {
        ClassLoader.getSystemClassLoader().loadClass("ObsoleteHot").getDeclaredField("instrumentation").set(null, i);
    }

    static void redefine(Class<?> c, String to) {
        try (InputStream in = ObsoleteHot.class.getResourceAsStream(c.getName() + ".class")) {
            byte[] b = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).replace("first", to).getBytes(StandardCharsets.ISO_8859_1);
            instrumentation.redefineClasses(new ClassDefinition(c, b));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static void attach() throws Exception {
        Path jar = Files.createTempFile("obsolete", ".jar");
        Manifest m = new Manifest();
        m.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        m.getMainAttributes().putValue("Agent-Class", "ObsoleteHot");
        m.getMainAttributes().putValue("Can-Redefine-Classes", "true");
        try (OutputStream o = Files.newOutputStream(jar); JarOutputStream j = new JarOutputStream(o, m)) {
            j.putNextEntry(new JarEntry("ObsoleteHot.class"));
            try (InputStream in = ObsoleteHot.class.getResourceAsStream("ObsoleteHot.class")) { in.transferTo(j); }
        }
        VirtualMachine vm = VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
        vm.loadAgent(jar.toString());
        vm.detach();
        Files.delete(jar);
    }

    public static void main(String[] args) throws Exception {
        attach();
        String[] names = {"other", "third", "fifth", "sixth"};
        for (int k = 0; k < 40; k++) {
            String to = names[k % names.length];
            String[] old = {null};
            Thread t = new Thread(() -> old[0] = Target.run(() -> redefine(Target.class, to), 20000)); /* no word of its stack is left */
            t.start();
            t.join();
            for (int i = 0; i < 4; i++) redefine(Other.class, names[(k + i) % names.length]); /* the old version goes */
            if (k % 10 == 0) System.gc();
            if (k < 4) System.out.println(old[0] + " " + Target.run(() -> { }, 3) + " " + Other.name());
        }
        System.out.println("done");
    }
}
