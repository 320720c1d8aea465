// SPDX-License-Identifier: Apache-2.0
import java.lang.ref.*;
import java.util.*;

/** Keeps exact numbers of objects in known places, and asks for snapshots by signal. */
public class HeapLeak {
    static final class Session { Session next; long[] data = new long[8]; }
    static final class Entry { Object value; Entry(Object v) { value = v; } }
    static final class Shared { int[] big = new int[1000]; }
    static final class Weakly { byte[] own = new byte[5000]; }
    static final class Local { Object[] parts = new Object[10]; }
    static class Registry { final List<Entry> entries = new ArrayList<>(); }
    static final Registry registry = new Registry();
    static Session sessions;
    static Reference<Weakly> weak;

    static void grow(int n) {
        for (int i = 0; i < n; i++) {
            Session s = new Session();
            s.next = sessions;
            sessions = s;
            registry.entries.add(new Entry(null));
        }
    }
    static void ask(String file, int n) throws Exception {
        new ProcessBuilder("sh", "-c", "kill -QUIT $PPID").inheritIO().start().waitFor();
        for (int i = 0; i < 600; i++) {
            String text = new java.io.File(file).exists() ? new String(java.nio.file.Files.readAllBytes(java.nio.file.Paths.get(file))) : "";
            if (text.contains("=== Heap snapshot " + n) && text.endsWith("\n\n")) return;
            Thread.sleep(50);
        }
        System.out.println("no snapshot " + n);
    }
    public static void main(String[] args) throws Exception {
        Shared shared = new Shared();
        Weakly strong = new Weakly();
        weak = new WeakReference<>(strong);
        Local local = new Local();
        local.parts[3] = new Entry(shared);
        local.parts[4] = new Entry(shared);
        grow(1000);
        ask(args[0], 1);
        grow(5000);
        strong = null;
        ask(args[0], 2);
        System.out.println(local.parts.length + " " + (shared.big.length + registry.entries.size()));
        weak.get();
    }
}
