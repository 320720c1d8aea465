// SPDX-License-Identifier: Apache-2.0
// options: -Dgraft.one=1 -Dempty -Dgraft.eq=a=b -ea -da:SystemProps$Off -esa -Xss2m -XX:+UseSerialGC
// args: first second *.x
// env: GRAFT_ENV=envvalue
import java.util.*;

/** System properties, arguments, environment, assertions, time, in and out replacement, native order, security manager refusal. */
public class SystemProps {
    static class On { static boolean on() { boolean b = false; assert b = true; return b; } }
    static class Off { static boolean on() { boolean b = false; assert b = true; return b; } }

    public static void main(String[] args) throws Exception {
        System.out.println(Arrays.toString(args) + System.getProperty("graft.one") + "[" + System.getProperty("empty") + "]" + System.getProperty("graft.eq") + System.getProperty("none", "dflt") + Integer.getInteger("graft.one") + Boolean.getBoolean("x"));
        for (String k : new String[] {"java.version", "java.vendor", "java.specification.version", "java.specification.name", "java.specification.vendor", "java.vm.specification.version", "java.vm.specification.name", "java.class.version", "java.vendor.url", "os.name", "os.arch", "file.separator", "path.separator", "line.separator", "user.dir", "file.encoding", "sun.jnu.encoding", "java.io.tmpdir", "sun.arch.data.model", "sun.cpu.endian", "sun.java.command", "sun.java.launcher", "java.runtime.name", "java.vm.compressedOopsMode", "jdk.debug", "java.version.date", "native.encoding", "user.language", "java.library.path", "sun.management.compiler"})
            if (!k.equals("user.dir") && !k.equals("java.vm.compressedOopsMode") && !k.equals("sun.management.compiler"))
                System.out.println(k + "=" + String.valueOf(System.getProperty(k)).replace("\n", "\\n"));
        System.out.println(System.getProperty("java.home").length() > 3 && System.getProperty("java.vm.name") != null && System.getProperty("java.vm.version") != null && System.getProperty("java.vm.info") != null);
        System.out.println(On.on() + " " + Off.on() + " " + SystemProps.class.desiredAssertionStatus());
        try { assert args.length == 0 : "message " + args.length; } catch (AssertionError e) { System.out.println(e); }
        System.out.println(System.getenv("GRAFT_ENV") + System.getenv("NOT_SET"));
        try { System.getenv().put("a", "b"); } catch (UnsupportedOperationException e) { System.out.println("read only env"); }
        System.setProperty("set", "x"); System.clearProperty("graft.one");
        System.out.println(System.getProperty("set") + System.getProperty("graft.one"));
        try { System.getProperty(""); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        long n1 = System.nanoTime(), n2 = System.nanoTime(), ms = System.currentTimeMillis();
        System.out.println((n2 >= n1) + " " + (ms > 1600000000000L) + " " + java.nio.ByteOrder.nativeOrder() + " " + System.identityHashCode(null) + " " + (new Object().hashCode() != 0) + (System.lineSeparator().length()));
        System.out.println(System.getSecurityManager());
        java.io.ByteArrayOutputStream bo = new java.io.ByteArrayOutputStream();
        java.io.PrintStream old = System.out;
        System.setOut(new java.io.PrintStream(bo));
        System.out.print("captured");
        System.setOut(old);
        System.out.println(bo + " " + Runtime.version().feature() + " " + (Runtime.getRuntime().maxMemory() > 1 << 20));
        System.getLogger("x").log(System.Logger.Level.DEBUG, "not shown");
        java.util.logging.Logger.getLogger("quiet").fine("not shown");
        java.util.prefs.Preferences.class.getName();
        System.out.println(java.security.Security.getProviders().length > 5);
    }
}
