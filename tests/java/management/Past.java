// SPDX-License-Identifier: Apache-2.0
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.management.*;
import javax.management.*;

/** The log of the last events names hidden classes that are gone. */
public class Past {
    static class Gone { int x; }

    static void unload() throws Exception {
        byte[] file;
        try (InputStream in = Past.class.getResourceAsStream("Past$Gone.class")) { file = in.readAllBytes(); }
        for (int i = 0; i < 200; i++) MethodHandles.lookup().defineHiddenClass(file, true);
        ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
        for (int i = 0; i < 100 && classes.getUnloadedClassCount() < 150; i++) {
            System.gc();
            Thread.sleep(10);
        }
    }

    public static void main(String[] none) throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
        String[] signature = {String[].class.getName()};
        unload();
        for (int i = 0; i < 200; i++) MethodHandles.lookup().findStatic(Past.class, "unload", java.lang.invoke.MethodType.methodType(void.class)); // what was freed is used again
        String text = (String) server.invoke(commands, "vmEvents", new Object[] {new String[0]}, signature);
        int nameless = 0, gone = 0;
        for (String line : text.split("\n")) {
            if (!line.contains("oading class ")) continue;
            String name = line.replaceAll(".*oading class ", "").replaceAll("0x[0-9a-f]{16}|[' ]", "");
            if (!name.matches("[\\w$/+.]+")) nameless++;
            if (name.startsWith("Past$Gone")) gone++;
        }
        System.out.println("without a name: " + nameless + ", ours: " + (gone > 0));
    }
}
