// SPDX-License-Identifier: Apache-2.0
// timeout: 120
import java.lang.invoke.*;
import java.lang.management.ManagementFactory;
import java.util.function.IntSupplier;
import java.util.regex.*;
import javax.management.*;
import java.io.InputStream;

/** Classes of lambdas come and go, each with a name never seen before: what was kept of the names must go too. */
public class SymbolsOfHidden {
    public static class Guest implements IntSupplier { public int getAsInt() { IntSupplier s = () -> 7; return s.getAsInt(); } }

    static final class Own extends ClassLoader {
        final byte[] guest;
        Own(byte[] guest) { super(SymbolsOfHidden.class.getClassLoader()); this.guest = guest; }
        @Override public Class<?> loadClass(String n, boolean resolve) throws ClassNotFoundException {
            return n.endsWith("$Guest") ? defineClass(n, guest, 0, guest.length) : super.loadClass(n, resolve);
        }
    }

    static int symbols() throws Exception {
        for (int i = 0; ; i++) {
            String s = (String) ManagementFactory.getPlatformMBeanServer().invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "vmSymboltable", new Object[] {new String[0]}, new String[] {String[].class.getName()});
            Matcher m = Pattern.compile("Number of (?:entries|literals) *: *(\\d+)").matcher(s);
            if (m.find()) return Integer.parseInt(m.group(1));
            if (i == 100) throw new Error(s);
            Thread.sleep(50); /* the reference has no statistics while its table grows or is cleaned */
        }
    }

    static void rounds(int n, byte[] guest) throws Exception {
        for (int i = 0; i < n; i++)
            if (((IntSupplier) new Own(guest).loadClass("SymbolsOfHidden$Guest").getConstructor().newInstance()).getAsInt() != 7) throw new Error();
    }

    public static void main(String[] args) throws Exception {
        byte[] guest;
        try (InputStream in = SymbolsOfHidden.class.getResourceAsStream("SymbolsOfHidden$Guest.class")) { guest = in.readAllBytes(); }
        rounds(20, guest);
        symbols();
        int before = symbols(), n = 2000, after = 0;
        rounds(n, guest);
        for (int i = 0; i < 100; i++) { /* the reference drops its names some time after the classes */
            System.gc();
            if ((after = symbols()) - before < n / 4) break;
            Thread.sleep(50);
        }
        System.out.println(after - before < n / 4 ? "no name is left" : after - before + " symbols more after " + n + " classes");
    }
}
