// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** HeapOptions max|fill|array|classes|thread: the size of the heap, or an OutOfMemoryError of some kind. */
public class HeapOptions {
    public static class Loaded { static byte[] some = new byte[10]; int a(int x) { return x + 1; } }

    static final class Own extends ClassLoader {
        Class<?> define(byte[] b) { return defineClass("HeapOptions$Loaded", b, 0, b.length); }
    }

    static Object exhaust(String how) throws Exception {
        List<Object> keep = new ArrayList<>();
        byte[] bytes = HeapOptions.class.getResourceAsStream("HeapOptions$Loaded.class").readAllBytes();
        try {
            switch (how) {
            case "array": return new long[Integer.MAX_VALUE];
            case "thread": /* no system has that much for a stack */
                Thread t = new Thread(null, () -> System.out.println("started"), "large", 1L << 46);
                t.start();
                return t;
            case "fill": while (true) keep.add(new long[10_000]);
            default: while (true) keep.add(new Own().define(bytes).getDeclaredConstructor().newInstance());
            }
        } catch (OutOfMemoryError e) {
            keep = null;
            return e.getMessage();
        }
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("max")) System.out.println((Runtime.getRuntime().maxMemory() >> 20) + " MB");
        else System.out.println(exhaust(args[0]));
    }
}
