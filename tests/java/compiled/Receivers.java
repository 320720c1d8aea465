// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2 -XX:-UseCompiler -Djdk.attach.allowAttachSelf=true
/*
 * Calls whose receivers were of one class for long, and that class: others come, null comes, its methods are redefined and restored, its loader goes.
 */
import com.sun.tools.attach.VirtualMachine;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

public class Receivers {
    interface Shape {
        int area(int n);
        double scale(double by);
        long wide(long a, int b);
        default String name() { return "shape"; }
        default int field() { return -1; }
    }
    static class Square implements Shape {
        int side = 3;
        public int area(int n) { return n * side; }
        public double scale(double by) { return by * side; }
        public long wide(long a, int b) { return a * b + side; }
        public int field() { return side; }
    }
    static class Round implements Shape {
        public int area(int n) { if (n < 0) throw new IllegalStateException("negative " + n); return 2 * n; }
        public double scale(double by) { return by / 2; }
        public long wide(long a, int b) { return a - b; }
        public String name() { return "round"; }
    }
    static abstract class Base {
        abstract String of(int i);
        int two(int i) { return i + 2; }
    }
    static class Left extends Base {
        String of(int i) { return i < 0 ? "below" : "first"; }
    }
    static class Right extends Base {
        String of(int i) { return "right"; }
        int two(int i) { return i + 22; }
    }
    static class Third extends Base {
        String of(int i) { return "third"; }
        int two(int i) { return i + 222; }
    }

    static long all(Shape s, int i) {
        long sum = s.area(i);
        sum = sum * 31 + (long) s.scale(i);
        sum = sum * 31 + s.wide(sum, i) + s.field();
        return sum * 31 + s.name().length() + (s.area(i) == 6 ? 1 : 2);
    }
    static String all(Base b, int i) { return b.of(i) + b.two(i); }

    static long many(Shape s, int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) sum = sum * 17 + all(s, i);
        return sum;
    }
    static String many(Base b, int n) {
        String last = "";
        for (int i = 0; i < n; i++) last = all(b, i);
        return last;
    }
    static String failing(Runnable r) {
        try {
            r.run();
            return "nothing";
        } catch (RuntimeException e) {
            return e.getClass().getName() + " at " + e.getStackTrace()[0].getMethodName() + ", " + e.getStackTrace()[1].getMethodName();
        }
    }

    static void others() {
        System.out.println(many(new Square(), 3000) + " " + many(new Left(), 3000));
        System.out.println(many(new Round(), 3000) + " " + many(new Right(), 3000));
        Shape[] shapes = {new Square(), new Round()};
        Base[] bases = {new Left(), new Right(), new Third()};
        long sum = 0;
        for (int i = 0; i < 3000; i++) sum += all(shapes[i & 1], i) + all(bases[i % 3], i).length();
        System.out.println(sum);
        System.out.println(failing(() -> all((Shape) null, 1)) + " " + failing(() -> all((Base) null, 1)));
        System.out.println(failing(() -> all(new Round(), -1)));
        System.out.println(many(new Square(), 100) + " " + many(new Third(), 100));
    }

    /* Loops that see one class, then another, without being left. */
    static int loop(IntUnaryOperator[] of, int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum = sum * 3 + of[i * of.length / n].applyAsInt(i);
        return sum;
    }

    /* --- redefinition --- */

    static Instrumentation instrumentation;
    public static void agentmain(String args, Instrumentation i) throws Exception {
        ClassLoader.getSystemClassLoader().loadClass("Receivers").getDeclaredField("instrumentation").set(null, i);
    }
    static void attach() throws Exception {
        Path jar = Files.createTempFile("receivers", ".jar");
        Manifest m = new Manifest();
        m.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        m.getMainAttributes().putValue("Agent-Class", "Receivers");
        m.getMainAttributes().putValue("Can-Redefine-Classes", "true");
        try (OutputStream out = Files.newOutputStream(jar); JarOutputStream j = new JarOutputStream(out, m)) {
            j.putNextEntry(new JarEntry("Receivers.class"));
            j.write(bytes("Receivers"));
            j.closeEntry();
        }
        VirtualMachine vm = VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
        vm.loadAgent(jar.toString());
        vm.detach();
        Files.delete(jar);
    }
    static byte[] bytes(String name) throws Exception {
        try (InputStream in = Receivers.class.getResourceAsStream(name + ".class")) {
            return in.readAllBytes();
        }
    }
    static byte[] with(String name, String from, String to) throws Exception {
        String text = new String(bytes(name), StandardCharsets.ISO_8859_1);
        if (!text.contains(from) || from.length() != to.length()) throw new AssertionError(from);
        return text.replace(from, to).getBytes(StandardCharsets.ISO_8859_1);
    }
    static void redefined() throws Exception {
        attach();
        Base b = new Left();
        Named n = new Plain();
        for (int round = 0; round < 4; round++) {
            System.out.println(many(b, 2000) + " " + called(n, 2000));
            boolean back = (round & 1) == 1;
            instrumentation.redefineClasses(
                new ClassDefinition(Left.class, back ? bytes("Receivers$Left") : with("Receivers$Left", "first", "FIRST")),
                new ClassDefinition(Plain.class, back ? bytes("Receivers$Plain") : with("Receivers$Plain", "plain", "other")));
            System.out.println(many(b, 1) + " " + called(n, 1));
        }
        redefinedInLoop();
    }
    interface Named { String named(); }
    static class Plain implements Named { public String named() { return "plain"; } }
    static String called(Named n, int times) {
        String last = "";
        for (int i = 0; i < times; i++) last = n.named();
        return last;
    }
    /* The loop that has the body is running while the class is redefined. */
    static void redefinedInLoop() throws Exception {
        Named n = new Plain();
        String last = "";
        int changes = 0;
        for (int i = 0; i < 4000; i++) {
            String now = n.named();
            if (!now.equals(last)) changes++;
            last = now;
            if (i % 1000 == 999)
                instrumentation.redefineClasses(new ClassDefinition(Plain.class, i % 2000 == 999 ? with("Receivers$Plain", "plain", "other")
                                                                                              : bytes("Receivers$Plain")));
        }
        System.out.println(changes + " " + last);
    }

    /* --- unloading --- */

    public static class Worker implements Supplier<String> {
        public String get() { return "work"; }
    }
    static class Own extends ClassLoader {
        final String word; /* classes of all loaders differ */
        Own(String word) {
            super(Receivers.class.getClassLoader());
            this.word = word;
        }
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("Receivers$Worker")) return super.loadClass(name, resolve);
            try {
                byte[] b = with("Receivers$Worker", "work", word);
                return defineClass(name, b, 0, b.length);
            } catch (Exception e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
    static int work(Supplier<String> s, int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += s.get().charAt(3);
        return sum;
    }
    static WeakReference<ClassLoader> worked(String word) throws Exception {
        Own own = new Own(word);
        @SuppressWarnings("unchecked")
        Supplier<String> s = (Supplier<String>) own.loadClass("Receivers$Worker").getDeclaredConstructor().newInstance();
        System.out.println(work(s, 3000) + " " + (s.getClass().getClassLoader() == own));
        return new WeakReference<>(own);
    }
    static void unloaded() throws Exception {
        for (int round = 0; round < 4; round++) {
            WeakReference<ClassLoader> gone = worked("wor" + round);
            for (int i = 0; i < 50 && gone.get() != null; i++) {
                System.gc();
                Thread.sleep(5);
            }
            System.out.println(gone.get() == null ? "gone" : "still there");
            System.out.println(work(() -> "abcd", 100));
        }
    }

    public static void main(String[] args) throws Exception {
        others();
        IntUnaryOperator twice = i -> 2 * i, next = i -> i + 1;
        for (int i = 0; i < 20; i++) System.out.print(loop(new IntUnaryOperator[] {twice, i > 3 ? next : twice, twice}, 3000) + " ");
        System.out.println();
        redefined();
        unloaded();
    }
}
