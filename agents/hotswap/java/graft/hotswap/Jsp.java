// SPDX-License-Identifier: Apache-2.0
package graft.hotswap;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;

/**
 * Pages that Jasper (Tomcat, Jetty) has compiled against a method or field that a swapped class has no longer are compiled anew when they are asked
 * for. Their class files say what they use.
 */
public final class Jsp {
    public static void swapped(Class<?>[] classes, Object[] found) throws Exception {
        for (Object page : found) {
            Object context = page.getClass().getMethod("getJspEngineContext").invoke(page);
            File file = new File((String) context.getClass().getMethod("getClassFileName").invoke(context));
            if (!file.isFile() || !misses(Files.readAllBytes(file.toPath()), classes) || !file.delete()) continue;
            page.getClass().getMethod("setLastModificationTest", long.class).invoke(page, 0L);
            Caches.open(page.getClass().getDeclaredField("mustCompile")).set(page, true);
        }
    }

    /** Does this class file name a member that is not there? Indices of its constant pool are in `at`, two for a pair. */
    private static boolean misses(byte[] file, Class<?>[] classes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(file));
        in.readLong();
        int n = in.readUnsignedShort();
        int[] tags = new int[n];
        int[][] at = new int[n][2];
        String[] texts = new String[n];
        for (int i = 1; i < n; i++) {
            switch (tags[i] = in.readUnsignedByte()) {
            case 1: texts[i] = in.readUTF(); break;
            case 7: case 8: case 16: case 19: case 20: at[i][0] = in.readUnsignedShort(); break;
            case 15: in.readUnsignedByte(); at[i][0] = in.readUnsignedShort(); break;
            case 5: case 6: in.readLong(); i++; break; // counts twice
            default: at[i][0] = in.readUnsignedShort(); at[i][1] = in.readUnsignedShort(); break;
            }
        }
        for (int i = 1; i < n; i++) {
            if (tags[i] < 9 || tags[i] > 11) continue;
            String owner = texts[at[at[i][0]][0]].replace('/', '.');
            int[] pair = at[at[i][1]];
            for (Class<?> c : classes)
                if (c.getName().equals(owner) && !has(c, texts[pair[0]], texts[pair[1]])) return true;
        }
        return false;
    }

    private static boolean has(Class<?> c, String name, String type) {
        if (c == null) return false;
        for (Field f : c.getDeclaredFields())
            if (f.getName().equals(name) && descriptor(f.getType()).equals(type)) return true;
        for (Method m : c.getDeclaredMethods())
            if (m.getName().equals(name) && descriptor(m.getReturnType(), m.getParameterTypes()).equals(type)) return true;
        if (name.equals("<init>")) {
            for (Constructor<?> m : c.getDeclaredConstructors())
                if (descriptor(void.class, m.getParameterTypes()).equals(type)) return true;
            return false;
        }
        for (Class<?> i : c.getInterfaces())
            if (has(i, name, type)) return true;
        return has(c.isInterface() ? Object.class : c.getSuperclass(), name, type);
    }

    private static String descriptor(Class<?> result, Class<?>... parameters) {
        return MethodType.methodType(result, parameters).toMethodDescriptorString();
    }

    private static String descriptor(Class<?> type) {
        return descriptor(type, new Class<?>[0]).substring(2);
    }
}
