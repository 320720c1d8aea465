// SPDX-License-Identifier: Apache-2.0
class Hooked {
    static final StringBuilder text = new StringBuilder("chain:000000");
    static int number() { return 12345; }
    public static void main(String[] args) { System.out.println(text + " " + number()); }
}

public class Hooks {
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(Hooked.text + " " + Hooked.number());
            } catch (Throwable t) {
                for (Throwable e = t; e != null; e = e.getCause())
                    System.out.println(e);
                for (StackTraceElement e : t.getStackTrace())
                    if (e.getClassName().startsWith("Hook"))
                        System.out.println("  " + e);
            }
        }
        if (args.length > 0) {
            Module m = ModuleLayer.boot().findModule("java.logging").get();
            Module app = Hooks.class.getModule(), boot = ClassLoader.getSystemClassLoader().getUnnamedModule();
            System.out.println(m.canRead(app) + " " + m.canRead(boot));
            java.util.logging.Logger.getLogger("x");
            System.out.println(m.canRead(app) + " " + m.canRead(boot));
        }
    }
}
