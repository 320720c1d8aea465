// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// options: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
import java.lang.module.*;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.stream.Stream;
import jdk.internal.org.objectweb.asm.*;

/**
 * Who may extend a sealed class (JVMS 5.3.5): a class that it lists, of the same run-time module, and public or of the same run-time package;
 * in named and unnamed modules, of one loader and of two.
 */
public class Sealed implements Opcodes {
    static byte[] type(String name, int access, String superclass, String face, String... permitted) {
        ClassWriter w = new ClassWriter(0);
        w.visit(V17, access, name, null, superclass, face == null ? null : new String[] { face });
        for (String s : permitted) w.visitPermittedSubclassExperimental(s);
        w.visitEnd();
        return w.toByteArray();
    }
    static final String[] LISTED = { "p/Public", "p/Own", "q/Public", "q/Own", "q/PublicFace", "q/OwnFace", "p/OwnFace" };

    static Map<String, byte[]> types(boolean publicSuper) {
        Map<String, byte[]> m = new LinkedHashMap<>();
        int access = publicSuper ? ACC_PUBLIC : 0;
        m.put("p/Class", type("p/Class", access | ACC_ABSTRACT | ACC_SUPER, "java/lang/Object", null, LISTED));
        m.put("p/Face", type("p/Face", access | ACC_ABSTRACT | ACC_INTERFACE, "java/lang/Object", null, LISTED));
        m.put("p/Nobody", type("p/Nobody", access | ACC_ABSTRACT | ACC_SUPER, "java/lang/Object", null));
        for (String name : new String[] { "p/Public", "p/Own", "p/Other", "q/Public", "q/Own", "q/Other", "q/OtherOwn" }) {
            int flags = ACC_SUPER | (name.endsWith("Own") ? 0 : ACC_PUBLIC);
            m.put(name, type(name, flags, "p/Class", null));
            m.put(name + "2", type(name, flags, "java/lang/Object", "p/Face")); // the other of that name
        }
        for (String name : new String[] { "q/PublicFace", "q/OwnFace", "p/OwnFace", "q/OtherFace" })
            m.put(name, type(name, ACC_ABSTRACT | ACC_INTERFACE | (name.contains("Own") ? 0 : ACC_PUBLIC), "java/lang/Object", "p/Face"));
        return m;
    }

    /** An unnamed module: all in one loader, or those of q in another. */
    static class L extends ClassLoader {
        final Map<String, byte[]> types;
        final String mine;
        L(ClassLoader parent, Map<String, byte[]> types, String mine) {
            super(parent);
            this.types = types;
            this.mine = mine;
        }
        @Override protected Class<?> findClass(String n) throws ClassNotFoundException {
            byte[] b = types.get(n.replace('.', '/'));
            if (b == null || !n.startsWith(mine)) throw new ClassNotFoundException(n);
            return defineClass(null, b, 0, b.length);
        }
    }

    /** Modules in memory: all packages in one, or each in its own. */
    static ModuleLayer layer(Map<String, byte[]> types, boolean two) {
        Map<String, ModuleReference> all = new HashMap<>();
        ModuleDescriptor.Builder p = ModuleDescriptor.newModule("m.p").exports("p"), q = ModuleDescriptor.newModule("m.q").requires("m.p").exports("q");
        if (two) all.put("m.q", module(q.build(), types));
        else p.exports("q");
        all.put("m.p", module(p.build(), types));
        ModuleFinder finder = new ModuleFinder() {
            @Override public Optional<ModuleReference> find(String name) { return Optional.ofNullable(all.get(name)); }
            @Override public Set<ModuleReference> findAll() { return new HashSet<>(all.values()); }
        };
        ModuleLayer boot = ModuleLayer.boot();
        Configuration c = boot.configuration().resolve(finder, ModuleFinder.of(), all.keySet());
        return boot.defineModulesWithOneLoader(c, ClassLoader.getSystemClassLoader());
    }
    static ModuleReference module(ModuleDescriptor d, Map<String, byte[]> types) {
        return new ModuleReference(d, URI.create("mem:///" + d.name())) {
            @Override public ModuleReader open() {
                return new ModuleReader() {
                    @Override public Optional<URI> find(String name) { return Optional.empty(); }
                    @Override public Optional<ByteBuffer> read(String name) {
                        return Optional.ofNullable(types.get(name.replace(".class", ""))).map(ByteBuffer::wrap);
                    }
                    @Override public Stream<String> list() { return types.keySet().stream().map(s -> s + ".class"); }
                    @Override public void close() { }
                };
            }
        };
    }

    static void say(String where, Map<String, byte[]> types, java.util.function.Function<Map<String, byte[]>, ClassLoader> loader) {
        for (boolean second : new boolean[] { false, true }) {
            Map<String, byte[]> now = new LinkedHashMap<>(types);
            now.keySet().removeIf(k -> k.endsWith("2"));
            if (second) types.forEach((k, v) -> { if (k.endsWith("2")) now.put(k.substring(0, k.length() - 1), v); });
            ClassLoader l = loader.apply(now);
            for (String name : now.keySet()) {
                if (second && name.contains("Face")) continue;
                String said;
                try {
                    Class<?> c = Class.forName(name.replace('/', '.'), false, l);
                    said = "loaded" + (c.isSealed() ? ", sealed, permits " + Arrays.toString(Stream.of(c.getPermittedSubclasses()).map(Class::getName).toArray()) : "");
                } catch (Throwable t) {
                    said = t.toString().replaceAll("@[0-9a-f]+", "@");
                }
                System.out.println(where + (second ? " interface " : " ") + name + ": " + said);
            }
        }
    }

    public static void main(String[] none) {
        for (boolean open : new boolean[] { true, false }) {
            Map<String, byte[]> types = types(open);
            String of = open ? "" : "package's ";
            say(of + "unnamed", types, t -> new L(null, t, ""));
            say(of + "unnamed, two loaders", types, t -> new L(new L(null, t, "p."), t, "q."));
            say(of + "one module", types, t -> layer(t, false).findLoader("m.p"));
            say(of + "two modules", types, t -> layer(t, true).findLoader("m.q"));
        }
    }
}
