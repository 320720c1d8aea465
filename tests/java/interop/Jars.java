// SPDX-License-Identifier: Apache-2.0
// timeout: 120
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.jar.*;

/** Child JVMs started in many ways: -jar with Class-Path, -cp with wildcards, -Xbootclasspath/a, -m, --patch-module, services in jars, a Java agent. */
public class Jars {
    static Path dir;

    static void jar(String name, Map<String, String> attrs, String... entries) throws Exception {
        Manifest m = new Manifest();
        m.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attrs.forEach((k, v) -> m.getMainAttributes().putValue(k, v));
        try (JarOutputStream o = new JarOutputStream(Files.newOutputStream(dir.resolve(name)), m)) {
            for (int i = 0; i < entries.length; i += 2) {
                o.putNextEntry(new JarEntry(entries[i]));
                if (entries[i + 1] == null) try (InputStream in = Jars.class.getResourceAsStream(entries[i])) { in.transferTo(o); }
                else o.write(entries[i + 1].getBytes());
            }
        }
    }

    static void java(String... args) throws Exception {
        List<String> c = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        for (String a : args) c.add(a.replace("DIR", dir.toString()));
        Process p = new ProcessBuilder(c).redirectErrorStream(true).start();
        String out = new String(p.getInputStream().readAllBytes()).replace(dir.toString(), "DIR").trim();
        System.out.println(String.join(" ", args) + " -> " + out + " / " + p.waitFor());
    }

    public static void main(String[] args) throws Exception {
        dir = Files.createTempDirectory("jars");
        jar("main.jar", Map.of("Main-Class", "Jars$Main", "Class-Path", "lib/dep.jar missing.jar"), "Jars$Main.class", null, "Jars$Svc.class", null);
        Files.createDirectory(dir.resolve("lib"));
        jar("lib/dep.jar", Map.of(), "Jars$Dep.class", null, "META-INF/services/Jars$Svc", "Jars$Dep\n");
        jar("agent.jar", Map.of("Premain-Class", "Jars$Agent", "Can-Retransform-Classes", "true"), "Jars$Agent.class", null, "Jars$Agent$1.class", null);
        java("-jar", "DIR/main.jar", "a", "b c");
        java("-cp", "DIR/main.jar", "Jars$Main");
        java("-cp", "DIR/lib/*:DIR/main.jar", "Jars$Main", "wild");
        java("-Xbootclasspath/a:DIR/lib/dep.jar:DIR/main.jar", "Jars$Main", "boot");
        java("-javaagent:DIR/agent.jar=opt", "-jar", "DIR/main.jar", "agent");
        java("--module-path", "DIR/main.jar", "-cp", "DIR/lib/dep.jar", "--add-modules", "main", "-m", "main/Jars$Main");
        java("-p", "DIR/main.jar", "--describe-module", "main");
        try (var w = Files.walk(dir)) { w.sorted(Comparator.reverseOrder()).forEach(x -> x.toFile().delete()); }
    }

    public interface Svc { String name(); }
    public static class Dep implements Svc { public String name() { return "dep"; } }
    public static class Main {
        public static void main(String[] a) throws Exception {
            StringBuilder s = new StringBuilder(Arrays.toString(a));
            for (Svc v : ServiceLoader.load(Svc.class)) s.append(' ').append(v.name());
            try { s.append(' ').append(Class.forName("Jars$Dep").getClassLoader() == null ? "boot" : "app"); } catch (ClassNotFoundException e) { s.append(" no dep"); }
            System.out.println(s + " " + Main.class.getModule().isNamed());
        }
    }
    public static class Agent {
        public static void premain(String opt, java.lang.instrument.Instrumentation in) {
            int[] n = new int[1];
            in.addTransformer(new java.lang.instrument.ClassFileTransformer() { @Override public byte[] transform(ClassLoader l, String name, Class<?> c, java.security.ProtectionDomain d, byte[] b) { if (name != null && name.startsWith("Jars")) System.out.println("transform " + name); return null; } });
            System.out.println("premain " + opt + " " + in.isRetransformClassesSupported() + (in.getObjectSize(new long[10]) > 80) + (in.getAllLoadedClasses().length > 300));
        }
    }
}
