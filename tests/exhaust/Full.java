// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;

/** Writes where there is no room: Full hello|log|dump|oomdump|write. */
public class Full {
    interface Action { void run() throws Exception; }
    static void attempt(String what, Action a) {
        try {
            a.run();
            System.out.println(what + " done");
        } catch (Exception e) {
            System.out.println(what + ": " + e.toString().replaceAll("[0-9]{5,}", "N"));
        }
    }

    public static void main(String[] args) throws Exception {
        Method m = Class.forName("exhaust.family.Main").getDeclaredMethod("run");
        m.setAccessible(true);
        if (m.invoke(null).toString().isEmpty()) return;
        System.out.println("hello");
        switch (args[0]) {
        case "dump" -> attempt("dump", () -> ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class)
            .dumpHeap("/mnt/bean.hprof", true));
        case "oomdump" -> {
            Object[] o = null;
            try {
                while (true) o = new Object[] {o, new int[1000]};
            } catch (OutOfMemoryError e) {
                o = null;
                System.out.println(e.getMessage());
            }
        }
        case "write" -> {
            attempt("stream", () -> {
                try (FileOutputStream f = new FileOutputStream("/mnt/w")) { f.write(new byte[9000]); }
            });
            attempt("writer", () -> Files.writeString(Path.of("/mnt/t"), "x".repeat(9000)));
            attempt("mapped", () -> {
                try (RandomAccessFile f = new RandomAccessFile("/mnt/m", "rw")) {
                    f.setLength(1 << 20);
                    MappedByteBuffer b = f.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 1 << 20);
                    b.put(500_000, (byte) 1);
                } catch (InternalError e) { // a fault of the mapping, not a crash
                    throw new IOException("fault " + e.getMessage().startsWith("a fault occurred in a"));
                }
            });
        }
        }
    }
}
