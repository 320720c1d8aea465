// SPDX-License-Identifier: Apache-2.0
// timeout: 120
import java.io.*;
import java.lang.instrument.*;
import java.nio.file.*;
import java.security.ProtectionDomain;
import java.util.*;
import java.util.jar.*;

/** java.lang.instrument: all of Instrumentation, in a child VM with -javaagent, in one that is attached to, with Launcher-Agent-Class. */
public class Instrument {
    static Path dir;

    static void jar(String name, Map<String, String> attrs, String... classes) throws Exception {
        Manifest m = new Manifest();
        m.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attrs.forEach((k, v) -> m.getMainAttributes().putValue(k, v));
        try (JarOutputStream o = new JarOutputStream(Files.newOutputStream(dir.resolve(name)), m)) {
            for (String c : classes) {
                o.putNextEntry(new JarEntry(c + ".class"));
                try (InputStream in = Instrument.class.getResourceAsStream(c + ".class")) { in.transferTo(o); }
            }
        }
    }

    static void java(String... args) throws Exception {
        List<String> c = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        for (String a : args) c.add(a.replace("DIR", dir.toString()));
        Process p = new ProcessBuilder(c).redirectErrorStream(true).start();
        String out = new String(p.getInputStream().readAllBytes()).replace(dir.toString(), "DIR").trim();
        if (out.contains("FATAL ERROR")) out = out.substring(0, out.indexOf("FATAL ERROR")); /* what follows is the VM's report */
        System.out.println(String.join(" ", args) + " -> " + out + "\n / " + p.waitFor());
    }

    static final String[] ALL = {"Instrument", "Instrument$Agent", "Instrument$Agent$1", "Instrument$Agent$2", "Instrument$Use", "Instrument$Target",
        "Instrument$Caught", "Instrument$Caught$Run", "Instrument$Late"};

    public static void main(String[] args) throws Exception {
        dir = Files.createTempDirectory("instrument");
        Map<String, String> can = Map.of("Premain-Class", "Instrument$Agent", "Agent-Class", "Instrument$Agent", "Main-Class", "Instrument$Use",
            "Can-Redefine-Classes", "true", "Can-Retransform-Classes", "true", "Can-Set-Native-Method-Prefix", "false");
        jar("agent.jar", can, ALL);
        jar("cannot.jar", Map.of("Premain-Class", "Instrument$Agent"), ALL);
        jar("wrong.jar", Map.of("Premain-Class", "No$Such"), ALL);
        jar("none.jar", Map.of("Main-Class", "Instrument$Use"), ALL);
        Map<String, String> launcher = new HashMap<>(can);
        launcher.put("Launcher-Agent-Class", "Instrument$Agent");
        jar("launcher.jar", launcher, ALL);
        jar("extra.jar", Map.of(), "Instrument$Late");
        java("-Xshare:off", "-javaagent:DIR/agent.jar=one", "-javaagent:DIR/agent.jar=two", "-cp", "DIR/agent.jar", "Instrument$Use", "DIR");
        java("-Xshare:off", "-javaagent:DIR/cannot.jar", "-cp", "DIR/agent.jar", "Instrument$Use", "DIR");
        java("-Xshare:off", "-jar", "DIR/launcher.jar", "DIR");
        java("-Xshare:off", "-Djdk.attach.allowAttachSelf=true", "-cp", "DIR/agent.jar", "Instrument$Use", "DIR", "attach");
        java("-javaagent:DIR/wrong.jar", "-version");
        java("-javaagent:DIR/none.jar", "-version");
        java("-javaagent:DIR/missing.jar", "-version");
        try (var w = Files.walk(dir)) { w.sorted(Comparator.reverseOrder()).forEach(x -> x.toFile().delete()); }
    }

    public static class Agent {
        static Instrumentation inst;
        public static void premain(String options, Instrumentation i) { came("premain", options, i); }
        public static void agentmain(String options, Instrumentation i) { came("agentmain", options, i); }
        static void came(String how, String options, Instrumentation i) {
            System.out.println(how + " " + options + " redefine " + i.isRedefineClassesSupported() + " retransform " + i.isRetransformClassesSupported()
                + " prefix " + i.isNativeMethodPrefixSupported());
            inst = i;
        }
        /** Replaces "before" by "after!" in constants. */
        static ClassFileTransformer changer(String name, String from, String to) {
            return new ClassFileTransformer() {
                public byte[] transform(Module m, ClassLoader l, String n, Class<?> c, ProtectionDomain d, byte[] b) {
                    if (!n.equals(name)) return null;
                    System.out.println("  " + from + "->" + to + " on " + (c == null ? "load" : "change of " + c.getSimpleName()) + " in " + m.getName() + " " + (d != null));
                    byte[] r = b.clone();
                    for (int i = 0; i + from.length() <= r.length; i++)
                        if (new String(r, i, from.length(), java.nio.charset.StandardCharsets.ISO_8859_1).equals(from)) System.arraycopy(to.getBytes(), 0, r, i, to.length());
                    return r;
                }
            };
        }
        static ClassFileTransformer thrower() {
            return new ClassFileTransformer() {
                public byte[] transform(ClassLoader l, String n, Class<?> c, ProtectionDomain d, byte[] b) {
                    if (n.equals("Instrument$Target")) { System.out.println("  thrower"); throw new IllegalStateException("ignored"); }
                    return null;
                }
            };
        }
    }

    public static class Target {
        static String text() { return "before"; }
        static int count = 3;
    }
    public static class Late { public String toString() { return "late from " + getClass().getClassLoader(); } }

    interface Caught {
        interface Run { Object run() throws Throwable; }
        static void say(String what, Run r) {
            try { System.out.println(what + ": " + r.run()); }
            catch (Throwable t) { System.out.println(what + ": " + t); }
        }
    }

    public static class Use {
        static byte[] bytes(Class<?> k) throws IOException {
            try (InputStream in = k.getResourceAsStream("/" + k.getName().replace('.', '/') + ".class")) { return in.readAllBytes(); }
        }
        public static void main(String[] args) throws Throwable {
            Class<?> agent = Agent.class;
            if (args.length > 1) {
                Object vm = Class.forName("com.sun.tools.attach.VirtualMachine").getMethod("attach", String.class)
                    .invoke(null, "" + ProcessHandle.current().pid());
                Class.forName("com.sun.tools.attach.VirtualMachine").getMethod("loadAgent", String.class, String.class).invoke(vm, args[0] + "/agent.jar", "attached");
            }
            Instrumentation in = Agent.inst;
            if (in == null) in = (Instrumentation) ClassLoader.getSystemClassLoader().loadClass("Instrument$Agent").getDeclaredField("inst").get(null);
            Instrumentation i = in;
            Caught.say("redefine", () -> { i.redefineClasses(); i.redefineClasses(new ClassDefinition(Target.class, bytes(Target.class))); return Target.text(); });
            Caught.say("redefine bad", () -> { i.redefineClasses(new ClassDefinition(Target.class, new byte[] {1, 2, 3})); return "?"; });
            Caught.say("redefine other", () -> { i.redefineClasses(new ClassDefinition(Target.class, bytes(Late.class))); return "?"; });
            Caught.say("redefine array", () -> { i.redefineClasses(new ClassDefinition(int[].class, bytes(Late.class))); return "?"; });
            Caught.say("retransform array", () -> { i.retransformClasses(int[].class); return "?"; });
            Caught.say("retransform none", () -> { i.retransformClasses(); return "fine"; });
            Caught.say("retransform null", () -> { i.retransformClasses((Class<?>) null); return "?"; });
            ClassFileTransformer a = Agent.changer("Instrument$Target", "before", "after!"), b = Agent.changer("Instrument$Target", "after!", "twice!"),
                n = Agent.changer("Instrument$Target", "before", "nonret");
            Caught.say("add", () -> { i.addTransformer(n); i.addTransformer(a, true); i.addTransformer(b, true); i.addTransformer(Agent.thrower(), true); return "added"; });
            Caught.say("retransform", () -> { i.retransformClasses(Target.class); return Target.text(); });
            Caught.say("removed b", () -> { System.out.println(i.removeTransformer(b)); i.retransformClasses(Target.class); return Target.text(); });
            Caught.say("redefined", () -> { System.out.println(i.removeTransformer(n)); i.redefineClasses(new ClassDefinition(Target.class, bytes(Target.class))); return Target.text() + Target.count; });
            Caught.say("removed all", () -> { System.out.println(i.removeTransformer(a) + " " + i.removeTransformer(n)); i.retransformClasses(Target.class); return Target.text(); });
            Caught.say("modifiable", () -> i.isModifiableClass(Target.class) + " " + i.isModifiableClass(int.class) + " " + i.isModifiableClass(String[].class)
                + " " + i.isModifiableClass(((Runnable) () -> { }).getClass()) + " " + i.isModifiableClass(Object.class));
            Caught.say("loaded", () -> Arrays.asList(i.getAllLoadedClasses()).containsAll(List.of(Target.class, Object.class, int[].class)));
            Caught.say("initiated", () -> Arrays.asList(i.getInitiatedClasses(Target.class.getClassLoader())).contains(Target.class)
                + " " + (i.getInitiatedClasses(null).length > 100));
            Caught.say("size", () -> (i.getObjectSize(new Object()) > 0) + " " + (i.getObjectSize(new byte[1000]) >= 1000) + " " + (i.getObjectSize("x") % 8));
            Caught.say("size null", () -> i.getObjectSize(null));
            Module base = Object.class.getModule(), me = Target.class.getModule();
            Caught.say("module", () -> {
                Set<Module> to = Set.of(me);
                i.redefineModule(base, Set.of(), Map.of("sun.security.x509", to), Map.of("java.util", to), Set.of(), Map.of());
                java.lang.reflect.Field f = ArrayList.class.getDeclaredField("size");
                f.setAccessible(true);
                return base.isExported("sun.security.x509", me) + " " + f.get(new ArrayList<>(List.of(1, 2))) + " " + i.isModifiableModule(base);
            });
            Caught.say("module bad", () -> { i.redefineModule(base, Set.of(), Map.of("no.such", Set.of(me)), Map.of(), Set.of(), Map.of()); return "?"; });
            Caught.say("prefix", () -> { i.setNativeMethodPrefix(a, "p_"); return "?"; });
            Caught.say("boot path", () -> { i.appendToBootstrapClassLoaderSearch(new JarFile(args[0] + "/extra.jar")); return Class.forName("Instrument$Late", true, null).getDeclaredConstructor().newInstance(); });
            Caught.say("class path", () -> { i.appendToSystemClassLoaderSearch(new JarFile(args[0] + "/extra.jar")); return "appended"; });
        }
    }
}
