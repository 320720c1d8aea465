// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports=java.base/jdk.internal.misc=ALL-UNNAMED
// options: --add-opens=java.base/java.util=ALL-UNNAMED --add-exports=java.base/jdk.internal.misc=ALL-UNNAMED
import java.lang.module.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.stream.*;

/** Module API, enforced exports and opens, layers, services, resources of modules. */
public class Modules {
    interface Act { Object run() throws Throwable; }
    static void show(String w, Act a) { try { System.out.println(w + ": " + a.run()); } catch (Throwable t) { System.out.println(w + " threw " + t.getClass().getName() + ": " + String.valueOf(t.getMessage()).replaceAll("@[0-9a-f]+", "@H")); } }

    public static void main(String[] args) throws Throwable {
        Module base = Object.class.getModule(), me = Modules.class.getModule(), sql = Class.forName("java.sql.Connection").getModule();
        System.out.println(base + " " + me.isNamed() + " " + me.getName() + " " + sql.getName() + " " + sql.getClassLoader().getName() + " " + base.isExported("java.lang") + base.isExported("jdk.internal.misc") + base.isExported("jdk.internal.misc", me) + base.isOpen("java.util", me) + base.isOpen("java.lang", me) + base.isOpen("java.util") + me.canRead(sql) + base.canRead(me) + sql.canRead(base));
        System.out.println(sql.getDescriptor().requires().stream().map(Object::toString).sorted().toList() + " " + base.getPackages().size() + " " + base.getDescriptor().exports().stream().filter(e -> !e.isQualified()).count() + " " + sql.getDescriptor().uses());
        show("opened field", () -> { Field f = ArrayList.class.getDeclaredField("size"); f.setAccessible(true); return f.get(new ArrayList<>(List.of(1, 2))); });
        show("closed field", () -> { Field f = String.class.getDeclaredField("hash"); f.setAccessible(true); return f.get("x"); });
        show("exported internal", () -> jdk.internal.misc.VM.initLevel());
        show("not exported", () -> Class.forName("jdk.internal.loader.BootLoader").getMethod("getUnnamedModule").invoke(null));
        show("not exported new", () -> Class.forName("sun.security.provider.Sun").getConstructor().newInstance());
        show("try accessible", () -> String.class.getDeclaredMethod("isLatin1").trySetAccessible() + " " + ArrayList.class.getDeclaredField("elementData").trySetAccessible() + String.class.getMethod("length").canAccess("x"));
        System.out.println(ModuleLayer.boot().modules().size() + " " + ModuleLayer.boot().findModule("java.logging").isPresent() + ModuleLayer.boot().findModule("nope").isPresent() + " " + ModuleLayer.boot().findLoader("java.sql").getName());
        System.out.println(ModuleLayer.boot().modules().stream().map(Module::getName).sorted().collect(Collectors.joining(" ")));
        System.out.println(ModuleFinder.ofSystem().findAll().size() + " " + ModuleFinder.ofSystem().find("java.xml").get().descriptor().isOpen());
        System.out.println(ServiceLoader.load(java.nio.file.spi.FileSystemProvider.class).stream().map(p -> p.type().getSimpleName()).sorted().toList() + " " + ServiceLoader.load(javax.tools.Tool.class).findFirst().isPresent());
        show("resource", () -> base.getResourceAsStream("java/lang/Object.class").readAllBytes().length > 1000 && base.getResourceAsStream("nope") == null);
        show("own layer", () -> {
            ModuleDescriptor d = ModuleDescriptor.newModule("dyn.mod").packages(Set.of("dyn.pkg")).exports("dyn.pkg").requires("java.base").build();
            ModuleFinder f = new ModuleFinder() {
                ModuleReference r = new ModuleReference(d, java.net.URI.create("mem:/x")) { public ModuleReader open() { throw new UnsupportedOperationException(); } };
                public Optional<ModuleReference> find(String n) { return n.equals("dyn.mod") ? Optional.of(r) : Optional.empty(); }
                public Set<ModuleReference> findAll() { return Set.of(r); }
            };
            Configuration c = ModuleLayer.boot().configuration().resolve(f, ModuleFinder.of(), Set.of("dyn.mod"));
            ModuleLayer l = ModuleLayer.boot().defineModulesWithOneLoader(c, Modules.class.getClassLoader());
            Module m = l.findModule("dyn.mod").get();
            return m + " " + m.canRead(Object.class.getModule()) + m.isExported("dyn.pkg") + m.getLayer().parents().size() + " " + c.findModule("dyn.mod").get().reads().size();
        });
        show("add reads", () -> { Modules.class.getModule().addReads(sql); base.addExports("jdk.internal.perf", me); return ""; });
        System.out.println(Runtime.version().feature() + " " + Class.forName(base, "java.util.Map") + Class.forName(sql, "java.util.Nope") + Class.forName(base, "java.sql.Connection"));
    }

}
