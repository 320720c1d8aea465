// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;
import java.util.zip.*;

/**
 * VmMutants OUT JAR...: defines and links each mutant that mutants.c wrote and prints one line each: the class of what was thrown
 * and the first line of its message, or OK. Run on two VMs the lines say where they differ.
 */
public class VmMutants {
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

    static String judge(Loader loader, String name, byte[] b) {
        try {
            Class<?> c = loader.define(name, b);
            c.getDeclaredMethods();                           // asks for a linked class
            c.getDeclaredFields();
            c.getDeclaredConstructors();
            c.getModifiers();
            return "OK";
        } catch (Throwable e) {
            String s = e.toString();
            int i = s.indexOf('\n');
            return (i < 0 ? s : s.substring(0, i)).replaceAll("@[0-9a-f]+", "@H");
        }
    }

    public static void main(String[] a) throws Exception {
        Map<String, byte[]> own = new HashMap<>();
        try (ZipFile z = new ZipFile(a[1])) {
            for (ZipEntry e : Collections.list(z.entries()))
                if (e.getName().endsWith(".class"))
                    own.put(e.getName().replace('/', '.').substring(0, e.getName().length() - 6),
                        z.getInputStream(e).readAllBytes());
        }
        URL[] path = new URL[a.length - 1];
        for (int i = 1; i < a.length; i++)
            path[i - 1] = Path.of(a[i]).toUri().toURL();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(a[0])))) {
            for (int n = 0; in.available() > 0; n++) {
                String name = in.readUTF().replace('/', '.');
                byte[] b = new byte[in.readInt()];
                in.readFully(b);
                in.skipBytes(in.readUnsignedShort());         // the library's verdict is for JudgeMutants
                System.out.println(n + " " + judge(new Loader(own, path), name, b));
            }
        }
    }
}
