// SPDX-License-Identifier: Apache-2.0
package redefine;

import java.io.IOException;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * What can be changed in a loaded class: cases of the *.cases files, each a pair of sources.
 *
 *     Matrix compile DIR FILE...          (reference JDK) classes of all cases to DIR/old and DIR/new, two runs of javac
 *     Matrix run DIR FILE... [NAME...]    with itself as -javaagent: one line per case
 *     Matrix enhanced FLOOR DIR FILE...   the same where changes have no limits: cases as they should be are counted
 *
 * A case begins with "== name" (its package) and has sections "-- both|old|new" of class declarations, "-- before" (statements
 * compiled with the old classes, run before the change) and "-- after" (compiled with the new ones, run after it).
 * Lines "| key: value" between head and sections:
 *     enhanced: refused | either     expected without limits; without this line: accepted and right
 *     reference: wrong | order of names   where we do not follow the reference (jvmti/README.md): its fields and record
 *                                    components keep what they had; it reports the added or the deleted method first
 *     malformed: CLASS               its new bytes are cut short
 *     bytes: CLASS=OTHER             its new bytes are those of another class
 *     stays: CLASS                   it is not redefined
 *     gone: CLASS                    a new class that cannot be found
 * All old classes are loaded; those whose bytes differ are redefined in one call. Classes that are only in the new set, After
 * among them, are defined when first used. Beside what the case checks itself, reflection must show an accepted class as a
 * fresh load shows it, and a refused one as before.
 */
public final class Matrix {
    static Path dir;

    public static void premain(String options, Instrumentation inst) {
        Check.inst = inst;
        Check.redefiner = inst::redefineClasses;
    }

    public static void main(String[] args) throws Exception {
        boolean enhanced = args[0].equals("enhanced");
        int at = enhanced ? 2 : 1, right = 0;
        dir = Path.of(args[at++]);
        List<Case> cases = new ArrayList<>();
        while (at < args.length && args[at].endsWith(".cases")) cases.addAll(read(Path.of(args[at++])));
        List<String> names = Arrays.asList(args).subList(at, args.length);
        if (args[0].equals("compile")) {
            for (String side : new String[] { "old", "new" }) compile(side, cases);
            return;
        }
        cases.removeIf(c -> !names.isEmpty() && !names.contains(c.name));
        for (Case c : cases) {
            String line = c.runGuarded();
            boolean good = c.expected(line);
            if (good) right++;
            System.out.println(c.name + ": " + line + (enhanced && !good ? "  <<<" : ""));
        }
        if (!enhanced) {
            System.out.println(cases.size() + " cases");
            return;
        }
        int floor = Integer.parseInt(args[1]);
        System.out.println(cases.size() + " cases, " + right + " as they should be, floor " + floor);
        System.exit(right >= floor ? 0 : 1);
    }

    // ---- sources ----

    static List<Case> read(Path file) throws IOException {
        List<Case> cases = new ArrayList<>();
        StringBuilder section = null;
        for (String line : Files.readAllLines(file)) {
            Case last = cases.isEmpty() ? null : cases.get(cases.size() - 1);
            if (line.startsWith("== ")) {
                cases.add(new Case(line.substring(3).trim()));
                section = null;
            } else if (line.startsWith("-- ")) {
                section = last.sections.computeIfAbsent(line.substring(3).trim(), k -> new StringBuilder());
            } else if (section != null) {
                section.append(line).append('\n');
            } else if (line.startsWith("| ")) {
                String[] pair = line.substring(2).split(": *", 2);
                last.keys.put(pair[0], pair[1].trim());
            }
        }
        return cases;
    }

    private static final Pattern PUBLIC = Pattern.compile("(?m)^public (?:\\w+ )*(?:class|interface|enum|record) (\\w+)");

    static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(Case c, String file, String text) {
            super(URI.create("mem:///" + c.name + "/" + file + ".java"), Kind.SOURCE);
            this.text = "package " + c.name + "; import static redefine.Check.*; import java.util.*; import java.util.function.*;"
                + " import java.lang.reflect.*; import java.lang.invoke.*;"
                + " import java.lang.annotation.*; import java.lang.instrument.*;\n" + text;
        }

        @Override public CharSequence getCharContent(boolean ignore) { return text; }
    }

    static void compile(String side, List<Case> cases) throws IOException {
        List<JavaFileObject> sources = new ArrayList<>();
        for (Case c : cases) {
            String text = c.section(side), part = side.equals("old") ? "Before" : "After";
            Matcher m = PUBLIC.matcher(text);
            sources.add(new Source(c, m.find() ? m.group(1) : "All", text));
            sources.add(new Source(c, "Both", c.section("both")));
            sources.add(new Source(c, part, "class " + part + " { static void run() throws Throwable {\n"
                + c.section(part.toLowerCase()) + "} }"));
        }
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        Path to = dir.resolve(side);
        Files.createDirectories(to);
        List<String> options = List.of("-g", "-parameters", "-nowarn", "-Xlint:none", "-proc:none", "-d", to.toString());
        if (!javac.getTask(null, null, null, options, null, sources).call()) System.exit(1);
    }

    // ---- one case ----

    static final class Case {
        final String name;
        final Map<String, String> keys = new LinkedHashMap<>();
        final Map<String, StringBuilder> sections = new LinkedHashMap<>();
        boolean right, refused;
        private Loader loader;
        private List<Class<?>> classes;
        private String before;
        private final Map<String, byte[]> now = new TreeMap<>();

        Case(String name) { this.name = name; }

        /** The same case, not run yet. */
        Case again() {
            Case c = new Case(name);
            c.keys.putAll(keys);
            c.sections.putAll(sections);
            return c;
        }

        /** Between the old classes and what they are now; null: none. */
        String changed() {
            String side = loader.side;
            loader.side = "old";
            String after = shape(classes);
            loader.side = side;
            return after.equals(before) ? null : difference(before, after);
        }

        String section(String key) {
            StringBuilder text = sections.get(key);
            return text == null ? "" : text.toString();
        }

        byte[] bytes(String side, String type) throws IOException {
            Path file = dir.resolve(side).resolve(type.replace('.', '/') + ".class");
            return Files.exists(file) ? Files.readAllBytes(file) : null;
        }

        private List<String> loadedAtFirst() throws IOException {
            try (Stream<Path> files = Files.list(dir.resolve("old").resolve(name))) {
                return files.map(p -> p.getFileName().toString().replace(".class", "")).sorted()
                    .filter(s -> !s.equals("Before")).map(s -> name + "." + s).toList();
            }
        }

        boolean expected(String line) {
            String want = keys.getOrDefault("enhanced", "right");
            return right && !want.equals("refused") || refused && !want.equals("right");
        }

        /** In a thread of its own, so that a loop without end is a finding. */
        String runGuarded() throws InterruptedException {
            String[] line = { "hangs" };
            Check.reset(this);
            Thread t = new Thread(() -> {
                try { line[0] = run(); } catch (Throwable e) { line[0] = "case broken: " + e; e.printStackTrace(); }
            });
            t.setDaemon(true);
            t.start();
            t.join(Check.PATIENCE * 2000L);
            Check.abandon();
            return line[0];
        }

        private String run() throws Exception {
            loader = new Loader(this, "old");
            classes = new ArrayList<>();
            for (String type : loadedAtFirst()) {
                classes.add(loader.loadClass(type));
                now.put(type, bytes("old", type));
            }
            runPart("Before");
            if (!Check.wrong.isEmpty()) return "before the change: " + Check.wrong;
            before = shape(classes);
            loader.side = "new";
            try {
                redefine("new", Check.redefiner);
            } catch (Throwable t) {
                loader.side = "old";
                String after = shape(classes);
                refused = after.equals(before);
                String why = t.toString();
                if ("order of names".equals(keys.get("reference"))) why = why.replaceAll("(add|delete) a method", "add or delete a method");
                return "refused " + why + (refused ? "" : "; changed all the same: " + difference(before, after));
            }
            runPart("After");
            Loader fresh = new Loader(this, "new");
            List<Class<?>> again = new ArrayList<>();
            classes.removeIf(c -> !Files.exists(dir.resolve("new").resolve(c.getName().replace('.', '/') + ".class")));
            for (Class<?> c : classes) again.add(fresh.loadClass(c.getName()));
            String want = keys.containsKey("bytes") ? before : shape(again), got = shape(classes);
            if (!got.equals(want)) Check.wrong("reflection: " + difference(want, got));
            right = Check.wrong.isEmpty();
            return "accepted, " + ("wrong".equals(keys.get("reference")) ? "reference " : "") + (right ? "right" : "wrong: " + String.join("; ", Check.wrong));
        }

        private void runPart(String part) {
            try {
                var m = loader.loadClass(name + "." + part).getDeclaredMethod("run");
                m.setAccessible(true);
                m.invoke(null);
            } catch (Throwable t) {
                Throwable why = t.getCause() == null ? t : t.getCause();
                Check.wrong(part + ": " + why);
                if (System.getenv("TRACES") != null) why.printStackTrace();
            }
        }

        void redefine(String side, Check.Redefiner redefiner) throws Exception {
            List<ClassDefinition> changed = new ArrayList<>();
            for (var entry : now.entrySet()) {
                String type = entry.getKey(), from = type;
                String other = keys.getOrDefault("bytes", ""), simple = type.substring(name.length() + 1);
                if (side.equals("new") && other.startsWith(simple + "=")) from = name + "." + other.split("=")[1];
                byte[] b = bytes(side, from);
                if (b == null || simple.equals(keys.get("stays"))) continue;
                if (side.equals("new") && simple.equals(keys.get("malformed"))) b = Arrays.copyOf(b, b.length - 7);
                if (Arrays.equals(b, entry.getValue())) continue;
                changed.add(new ClassDefinition(loader.loadClass(type), b));
            }
            redefiner.redefine(changed.toArray(new ClassDefinition[0]));
            for (ClassDefinition d : changed) now.put(d.getDefinitionClass().getName(), d.getDefinitionClassFile());
        }
    }

    /** Defines the classes of one side of a case; while and after they change, those that are only new. */
    static final class Loader extends ClassLoader {
        private final Case test;
        volatile String side;

        Loader(Case test, String side) {
            super(Matrix.class.getClassLoader());
            this.test = test;
            this.side = side;
        }

        @Override protected Class<?> findClass(String type) throws ClassNotFoundException {
            try {
                byte[] b = type.endsWith("." + test.keys.get("gone")) ? null : test.bytes(side, type);
                if (b == null) throw new ClassNotFoundException(type);
                return defineClass(type, b, 0, b.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(type, e);
            }
        }
    }

    // ---- what reflection shows ----

    /** The first line that is not in the other text. */
    private static String difference(String want, String got) {
        List<String> a = want.lines().toList(), b = got.lines().toList();
        for (String s : b) if (!a.contains(s)) return "shows " + s;
        for (String s : a) if (!b.contains(s)) return "misses " + s;
        return "another order";
    }

    private static String shape(List<Class<?>> classes) {
        StringBuilder text = new StringBuilder();
        for (Class<?> c : classes) {
            String name = c.getSimpleName();
            String flags = Modifier.toString(c.getModifiers());
            text.append(name).append(" is ").append(flags).append(c.isInterface() ? "" : " class")
                .append(c.isRecord() ? " record" : "").append(c.isEnum() ? " enum" : "")
                .append(c.isSealed() ? " permits " + names(c.getPermittedSubclasses()) : "")
                .append(" extends ").append(c.getSuperclass() == null ? null : c.getSuperclass().getName())
                .append(" implements ").append(names(c.getInterfaces())).append('\n');
            List<String> members = new ArrayList<>();
            for (var f : c.getDeclaredFields()) members.add(f.toGenericString() + Arrays.toString(f.getAnnotations()));
            for (var m : c.getDeclaredMethods())
                members.add((m.isSynthetic() ? "synthetic " : "") + m.toGenericString() + Arrays.toString(m.getAnnotations())
                    + Arrays.toString(m.getParameters()));
            for (var k : c.getDeclaredConstructors()) members.add(k.toGenericString() + Arrays.toString(k.getAnnotations()));
            for (var a : c.getDeclaredAnnotations()) members.add("annotation " + a);
            if (c.isRecord()) for (var r : c.getRecordComponents()) members.add("component " + r);
            for (var i : c.getDeclaredClasses()) members.add("member class " + i.getName());
            members.sort(null);
            for (String m : members) text.append(name).append(": ").append(m).append('\n');
            text.append(name).append(" nest ").append(c.getNestHost().getName()).append(' ')
                .append(names(c.getNestHost().getNestMembers())).append('\n');
        }
        return text.toString();
    }

    private static String names(Class<?>[] classes) {
        return Arrays.toString(Stream.of(classes).map(Class::getName).toArray());
    }
}
