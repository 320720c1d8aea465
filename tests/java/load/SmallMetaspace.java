// SPDX-License-Identifier: Apache-2.0
// options: -XX:MaxMetaspaceSize=6m -Xmx200m
// A limit of class data that is enough for the reference, whose archive holds the JDK's classes, is enough here; and it is one.
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class SmallMetaspace {
    public static class Loaded { int a(int x) { return x + 1; } }
    static final class Own extends ClassLoader {
        Class<?> define(byte[] b) { return defineClass("SmallMetaspace$Loaded", b, 0, b.length); }
    }
    public static void main(String[] args) throws Exception {
        System.out.println(IntStream.range(0, 20).mapToObj(i -> "s" + i).collect(Collectors.joining(",")));
        Runnable r = (Runnable) Proxy.newProxyInstance(SmallMetaspace.class.getClassLoader(), new Class<?>[] {Runnable.class}, (p, m, a) -> null);
        r.run();
        System.out.println(String.format("%5.1f %s", 1.5, "x".repeat(3)));
        byte[] bytes = SmallMetaspace.class.getResourceAsStream("SmallMetaspace$Loaded.class").readAllBytes();
        List<Object> keep = new ArrayList<>();
        String said = "nothing";
        try {
            while (keep.size() < 100_000) keep.add(new Own().define(bytes));
        } catch (OutOfMemoryError e) {
            int n = keep.size();
            keep = null;
            said = e.getMessage() + (n > 100 ? ", after many" : ", after " + n);
        }
        System.out.println(said);
    }
}
