// SPDX-License-Identifier: Apache-2.0
// timeout: 120
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.spi.ToolProvider;
import java.util.stream.*;

/** The JDK's own tools in the process: javac with good and bad source, jar, javap, jdeps; results byte for byte. */
public class Compile {
    static String tool(Path dir, String t, String... a) {
        StringWriter o = new StringWriter(), e = new StringWriter();
        int rc = ToolProvider.findFirst(t).get().run(new PrintWriter(o), new PrintWriter(e), a);
        return t + " " + rc + "\n" + (o + "|" + e).replace(dir.toString(), "DIR");
    }

    public static void main(String[] args) throws Exception {
        Path dir = Files.createTempDirectory("compile");
        Path a = dir.resolve("A.java"), bad = dir.resolve("Bad.java");
        Files.writeString(a, "import java.util.*;\npublic class A<T> { enum E { X, Y }\n record R(int a, List<String> b) {}\n String s(Object o, E e) { return switch (e) { case X -> o instanceof String q ? q : \"no\"; case Y -> { try (var z = new java.io.StringReader(\"\")) { yield \"y\" + z.read(); } catch (Exception x) { throw new Error(x); } } }; }\n Runnable r(int n) { return () -> System.out.println(n + s(null, E.X)); } }\n");
        Files.writeString(bad, "class Bad { int x = \"s\"; void m() { undefined(); return 1; } List<String> l; }\nclass Bad extends Nope {}\n");
        System.out.println(tool(dir, "javac", "-g", "-Xlint:all", "-d", dir.toString(), a.toString()));
        System.out.println(tool(dir, "javac", "-d", dir.toString(), bad.toString()));
        try (Stream<Path> l = Files.list(dir)) {
            for (Path p : l.sorted().filter(x -> x.toString().endsWith(".class")).collect(Collectors.toList())) System.out.println(p.getFileName() + " " + Files.size(p) + " " + Arrays.hashCode(Files.readAllBytes(p)));
        }
        System.out.println(tool(dir, "javap", "-v", "-p", "-cp", dir.toString(), "A$R").replaceAll("(?m)^(Classfile|  Last modified|  SHA-256).*$", ""));
        System.out.println(tool(dir, "jar", "--create", "--file", dir + "/x.jar", "-C", dir.toString(), "A.class"));
        System.out.println(tool(dir, "jar", "tf", dir + "/x.jar"));
        System.out.println(tool(dir, "jdeps", "-summary", dir + "/x.jar"));
        try (Stream<Path> w = Files.walk(dir)) { w.sorted(Comparator.reverseOrder()).forEach(p -> p.toFile().delete()); }
    }
}
