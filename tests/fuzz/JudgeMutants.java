// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.zip.*;

/**
 * JudgeMutants [-v] OUT JAR...: defines and links each mutant that mutants.c wrote and compares what this VM says with the
 * verdict in the file. The classes of the first JAR share the mutant's loader. Exit 1 if a mutant is judged
 * differently (accepted here, refused there, or another kind of error), unless this VM complains of another of several
 * methods that are bad.
 */
public class JudgeMutants {
    static class Loader extends URLClassLoader {
        final Map<String, byte[]> own;
        Loader(Map<String, byte[]> own, URL[] path) { super(path, ClassLoader.getPlatformClassLoader()); this.own = own; }
        Class<?> define(String name, byte[] b) { return defineClass(name, b, 0, b.length); }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> c = findLoadedClass(name);
                byte[] b = own.get(name);
                if (c == null && b != null)
                    c = defineClass(name, b, 0, b.length);
                return c != null ? c : super.loadClass(name, resolve);
            }
        }
    }

    static Map<String, byte[]> classes(String jar) throws IOException {
        Map<String, byte[]> m = new HashMap<>();
        try (ZipFile z = new ZipFile(jar)) {
            for (ZipEntry e : Collections.list(z.entries()))
                if (e.getName().endsWith(".class"))
                    m.put(e.getName().replace('/', '.').substring(0, e.getName().length() - 6),
                        z.getInputStream(e).readAllBytes());
        }
        return m;
    }

    /** The verdict of this VM; null = something else than the class file itself was at fault. */
    static String judge(Loader loader, String name, byte[] b) {
        try {
            loader.define(name, b).getDeclaredMethods();      // asks for a linked class
            return "OK";
        } catch (VerifyError | ClassFormatError e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        } catch (NoClassDefFoundError e) {
            return String.valueOf(e.getMessage()).contains("ACC_MODULE")
                ? "NoClassDefFoundError: " + e.getMessage() : null;
        } catch (Throwable e) {
            return null;
        }
    }

    static List<String> methods(DataInputStream in) throws IOException {
        List<String> l = new ArrayList<>();
        for (int n = in.readUnsignedShort(); n > 0; n--) {
            byte[] t = new byte[in.readUnsignedShort()];
            in.readFully(t);
            l.add(new String(t, StandardCharsets.UTF_8));
        }
        return l;
    }

    static String kind(String v) { int i = v.indexOf(": "); return i < 0 ? v : v.substring(0, i); }
    static String head(String v) { int i = v.indexOf('\n'); return i < 0 ? v : v.substring(0, i); }

    public static void main(String[] a) throws Exception {
        boolean verbose = a[0].equals("-v");
        if (verbose)
            a = Arrays.copyOfRange(a, 1, a.length);
        Map<String, byte[]> own = classes(a[1]);
        URL[] path = new URL[a.length - 1];
        for (int i = 1; i < a.length; i++)
            path[i - 1] = Path.of(a[i]).toUri().toURL();
        int all = 0, other = 0, ok = 0, kinds = 0, heads = 0, texts = 0, order = 0;
        Map<String, Integer> seen = new TreeMap<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(a[0])))) {
            for (int size; in.available() > 0; all++) {
                String name = in.readUTF().replace('/', '.');
                byte[] b = new byte[size = in.readInt()];
                in.readFully(b);
                byte[] t = new byte[in.readUnsignedShort()];
                in.readFully(t);
                List<String> others = methods(in);
                String ours = new String(t, StandardCharsets.UTF_8), theirs = judge(new Loader(own, path), name, b);
                if (theirs == null || ours.startsWith("OPEN")) {
                    other++;
                    continue;
                }
                seen.merge(kind(theirs), 1, Integer::sum);
                String what = null;
                // The reference verifies methods in the order of its symbol table.
                if (!head(ours).equals(head(theirs)) && others.stream().anyMatch(m -> head(m).equals(head(theirs)))) {
                    order++;
                } else if (!kind(ours).equals(kind(theirs))) {
                    kinds++;
                    what = "KIND";
                } else if (!head(ours).equals(head(theirs))) {
                    heads++;
                    what = "HEAD";
                } else if (!ours.equals(theirs) && ours.length() < 3500) {
                    texts++;
                    what = "TEXT";
                } else {
                    ok++;
                }
                if (what != null && (verbose || what.equals("KIND"))) {
                    System.out.println(what + " mutant " + all + "\n  ours:   " + (what.equals("TEXT") ? ours : head(ours))
                        + "\n  theirs: " + (what.equals("TEXT") ? theirs : head(theirs)));
                    if (verbose && what.equals("KIND"))
                        Files.write(Path.of("mutant" + all + ".class"), b);
                }
            }
        }
        System.out.println(all + " mutants: " + ok + " judged the same, " + order + " by another of several bad methods, " + texts + " differ in detail, " + heads
            + " in message, " + kinds + " in kind, " + other + " not comparable; the VM said " + seen);
        System.exit(kinds > 0 ? 1 : 0);
    }
}
