// SPDX-License-Identifier: Apache-2.0
// timeout: 120
import java.io.*;
import java.net.*;
import java.util.*;
import javax.tools.*;

/** Binary incompatibilities: a client compiled against one version of a library and linked with another. */
public class Incompatible {
    static final Map<String, byte[]> OUT = new HashMap<>();

    static class Source extends SimpleJavaFileObject {
        final String text;
        Source(String name, String text) { super(URI.create("string:///" + name + ".java"), Kind.SOURCE); this.text = text; }
        @Override public CharSequence getCharContent(boolean b) { return text; }
    }

    static class Mem extends ForwardingJavaFileManager<JavaFileManager> {
        final Map<String, ByteArrayOutputStream> made = new HashMap<>();
        Mem(JavaFileManager m) { super(m); }
        @Override public JavaFileObject getJavaFileForOutput(Location l, String cls, JavaFileObject.Kind k, FileObject sib) {
            return new SimpleJavaFileObject(URI.create("mem:///" + cls.replace('.', '/')), k) {
                @Override public OutputStream openOutputStream() { ByteArrayOutputStream b = new ByteArrayOutputStream(); made.put(cls, b); return b; }
            };
        }
    }

    static Map<String, byte[]> compile(String... nameText) {
        JavaCompiler c = ToolProvider.getSystemJavaCompiler();
        Mem mem = new Mem(c.getStandardFileManager(null, null, null));
        List<Source> s = new ArrayList<>();
        for (int i = 0; i < nameText.length; i += 2) s.add(new Source(nameText[i], nameText[i + 1]));
        StringWriter err = new StringWriter();
        if (!c.getTask(err, mem, null, List.of("-nowarn"), null, s).call()) throw new Error(err.toString());
        Map<String, byte[]> r = new TreeMap<>();
        mem.made.forEach((k, v) -> r.put(k, v.toByteArray()));
        return r;
    }

    static class L extends ClassLoader {
        final Map<String, byte[]> m;
        L(Map<String, byte[]> m) { this.m = m; }
        @Override protected Class<?> findClass(String n) throws ClassNotFoundException { byte[] b = m.get(n); if (b == null) throw new ClassNotFoundException(n); return defineClass(n, b, 0, b.length); }
        @Override public String toString() { return "L"; }
    }

    static final String CLIENT = """
        public class Client {
            static Object call(int k, Lib l, Itf i) {
                switch (k) {
                case 0: return l.gone();
                case 1: return Lib.becameInstance();
                case 2: return l.becameStatic();
                case 3: return l.field;
                case 4: return Lib.sfield;
                case 5: return l.typeChanged;
                case 6: return l.becamePrivate();
                case 7: return new Lib(1);
                case 8: return i.newAbstract();
                case 9: return new Abs();
                case 10: { l.fin = 5; return l.fin; }
                case 11: return l.pfield;
                case 12: return i.wasInterface();
                case 13: return Gone.x();
                case 14: return new Gone[2].length;
                case 15: return (Object) l instanceof Gone;
                case 16: return l.returns();
                case 17: return ((Both) (Object) l).both();
                case 18: return Lib.CONST;
                case 19: return Itf.stat();
                case 20: return new Impl().newAbstract();
                case 22: return Gone.class;
                case 23: { Runnable r = l::become; r.run(); return "ran"; }
                case 24: return Hidden2.value();
                }
                return "?";
            }
        }
        class Impl implements Itf { public String wasInterface() { return "impl"; } }
        """;

    static String lib(boolean v2) {
        return (v2 ? "" : "class Gone { static int x() { return 1; } }\n") + """
            public class Lib %s {
                public Lib() {}
                %s
            }
            """.formatted(v2 ? "" : "implements Both",
            v2 ? """
                String becameInstance() { return ""; } static String becameStatic() { return "now static"; } static int field; int sfield; long typeChanged; private String becamePrivate() { return ""; }
                final int fin = 3; private int pfield; Object returns() { return 1; } static final int CONST = 2; private void become() {} public String both() { return "b"; }
                """ : """
                public Lib(int x) {} String gone() { return "gone"; } static String becameInstance() { return ""; } String becameStatic() { return ""; } int field; static int sfield; int typeChanged; String becamePrivate() { return ""; }
                int fin = 3; int pfield; String returns() { return "s"; } static final int CONST = 1; void become() {} public String both() { return "b"; }
                """);
    }

    static String[] others(boolean v2) {
        return new String[] {
            "Both", v2 ? "public abstract class Both { abstract String both(); }" : "public interface Both { String both(); }",
            "Itf", v2 ? "public interface Itf { String newAbstract(); String wasInterface(); String stat(); }" : "public interface Itf { default String newAbstract() { return \"d\"; } String wasInterface(); static String stat() { return \"s\"; } }",
            "Abs", v2 ? "public abstract class Abs { }" : "public class Abs { }",
            "Hidden2", v2 ? "public class Hidden2 { static String value() throws Exception { throw new Exception(\"v2\"); } static { if (true) throw new IllegalStateException(\"bad init\"); } }" : "public class Hidden2 { static String value() { return \"\"; } }"};
    }

    static String[] sources(boolean v2) { List<String> l = new ArrayList<>(List.of("Lib", lib(v2))); l.addAll(List.of(others(v2))); return l.toArray(new String[0]); }

    public static void main(String[] args) throws Throwable {
        List<String> first = new ArrayList<>(List.of(sources(false)));
        first.addAll(List.of("Client", CLIENT));
        Map<String, byte[]> v1 = compile(first.toArray(new String[0])), v2 = compile(sources(true));
        v2.put("Client", v1.get("Client"));
        v2.put("Impl", v1.get("Impl"));
        for (int round = 0; round < 2; round++) {
            L l = new L(round == 0 ? v1 : v2);
            Class<?> c = l.loadClass("Client");
            java.lang.reflect.Method m;
            try {
                m = c.getDeclaredMethod("call", int.class, l.loadClass("Lib"), l.loadClass("Itf"));
            } catch (Throwable t) { System.out.println("whole class: " + t); continue; }
            m.setAccessible(true);
            Object lib = l.loadClass("Lib").getConstructor().newInstance();
            java.lang.reflect.Constructor<?> ic = l.loadClass("Impl").getDeclaredConstructor();
            ic.setAccessible(true);
            Object impl = ic.newInstance();
            for (int k = 0; k < 25; k++)
                for (int again = 0; again < 2; again++) {
                    String r;
                    try { r = String.valueOf(m.invoke(null, k, lib, impl)); } catch (java.lang.reflect.InvocationTargetException e) { r = e.getCause() + (e.getCause().getCause() == null ? "" : " / " + e.getCause().getCause()); }
                    System.out.println(round + " " + k + " " + r.replaceAll("@[0-9a-f]+", "@H"));
                }
        }
        hierarchy("super final", "class A1 {} class B1 extends A1 {}", "final class A1 {}");
        hierarchy("super interface", "class A1 {} class B1 extends A1 {}", "interface A1 {}");
        hierarchy("interface class", "interface A1 {} class B1 implements A1 {}", "class A1 {}");
        hierarchy("missing super", "class A1 {} class B1 extends A1 {}", "class Unrelated {}");
        hierarchy("circular", "class A1 {} class B1 extends A1 {}", "class A1 extends B1 {} class B1 {}");
        hierarchy("final override", "class A1 { void m() {} } class B1 extends A1 { void m() {} }", "class A1 { final void m() {} }");
        hierarchy("sealed", "class A1 {} class B1 extends A1 {}", "sealed class A1 permits C1 {} final class C1 extends A1 {}");
        hierarchy("private ctor", "class A1 {} class B1 extends A1 {}", "class A1 { private A1() {} }");
        hierarchy("enum super", "class A1 {} class B1 extends A1 {}", "enum A1 { X }");
        hierarchy("two defaults", "interface A1 { } interface Z1 { default String m() { return \"z\"; } } class B1 implements A1, Z1 { public String toString() { return m(); } }", "interface A1 { default String m() { return \"a\"; } }");
    }

    static void hierarchy(String what, String v1, String v2) {
        Map<String, byte[]> m = compile("X", v1), n = compile("X", v2);
        byte[] b = m.get("B1");
        m.putAll(n);
        m.put("B1", b);
        if (what.startsWith("missing")) m.remove("A1");
        try {
            java.lang.reflect.Constructor<?> c = new L(m).loadClass("B1").getDeclaredConstructor();
            c.setAccessible(true);
            System.out.println(what + ": " + String.valueOf(c.newInstance()).replaceAll("@[0-9a-f]+", "@H"));
        } catch (java.lang.reflect.InvocationTargetException e) {
            System.out.println(what + " target " + e.getCause().toString().replaceAll("@[0-9a-f]+", "@H"));
        } catch (Throwable t) {
            System.out.println(what + " threw " + t.toString().replaceAll("@[0-9a-f]+", "@H"));
        }
    }
}
