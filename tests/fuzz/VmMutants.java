// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

/**
 * VmMutants OUT JAR...: defines and links each mutant that mutants.c wrote and prints one line each: the class of what was thrown
 * and the first line of its message, or OK. Run on two VMs the lines say where they differ.
 */
public class VmMutants {
    static String judge(JudgeMutants.Loader loader, String name, byte[] b) {
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
        Map<String, byte[]> own = JudgeMutants.classes(a[1]);
        URL[] path = new URL[a.length - 1];
        for (int i = 1; i < a.length; i++)
            path[i - 1] = Path.of(a[i]).toUri().toURL();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(a[0])))) {
            for (int n = 0; in.available() > 0; n++) {
                String name = in.readUTF().replace('/', '.');
                byte[] b = new byte[in.readInt()];
                in.readFully(b);
                in.skipBytes(in.readUnsignedShort());         // the library's verdicts are for JudgeMutants
                for (int k = in.readUnsignedShort(); k > 0; k--)
                    in.skipBytes(in.readUnsignedShort());
                System.out.println(n + " " + judge(new JudgeMutants.Loader(own, path), name, b));
            }
        }
    }
}
