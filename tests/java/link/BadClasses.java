// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.util.*;

/**
 * Some three hundred bad class files, each wrong in one respect, made by a table: error class and first line of its message. Bodies of
 * methods are tried in four versions: type inference (48), fail-over (50), type checking (52 and 61).
 */
public class BadClasses {
    interface Bytes { void to(DataOutputStream o) throws IOException; }
    interface Change { void on(G g) throws IOException; }

    static byte[] bytes(Bytes b) {
        try {
            ByteArrayOutputStream a = new ByteArrayOutputStream();
            b.to(new DataOutputStream(a));
            return a.toByteArray();
        } catch (IOException e) { throw new AssertionError(e); }
    }

    /** A member: flags, name, descriptor, attributes. */
    static class M {
        int flags, name, desc;
        final List<byte[]> attrs = new ArrayList<>();
    }

    /** A class file under construction. */
    static class G {
        int magic = 0xcafebabe, minor = 0, major = 52, flags = 0x21, poolCount = -1, cut = -1, ifCount = -1;
        final ByteArrayOutputStream pool = new ByteArrayOutputStream();
        final DataOutputStream p = new DataOutputStream(pool);
        int n = 1, self, sup;
        final List<Integer> ifs = new ArrayList<>();
        final List<M> fields = new ArrayList<>(), methods = new ArrayList<>();
        final List<byte[]> attrs = new ArrayList<>();
        byte[] tail = {};

        G() { self = cls("T"); sup = cls("java/lang/Object"); }
        int add(Bytes b) { byte[] x = bytes(b); pool.write(x, 0, x.length); return n++; }
        int utf(String s) { return add(o -> { o.writeByte(1); o.writeUTF(s); }); }
        int cls(String s) { int u = utf(s); return add(o -> { o.writeByte(7); o.writeShort(u); }); }
        int str(String s) { int u = utf(s); return add(o -> { o.writeByte(8); o.writeShort(u); }); }
        int num(int v) { return add(o -> { o.writeByte(3); o.writeInt(v); }); }
        int lng(long v) { int i = add(o -> { o.writeByte(5); o.writeLong(v); }); n++; return i; }
        int two(int tag, int a, int b) { return add(o -> { o.writeByte(tag); o.writeShort(a); o.writeShort(b); }); }
        int one(int tag, int a) { return add(o -> { o.writeByte(tag); o.writeShort(a); }); }
        int nat(String a, String d) { return two(12, utf(a), utf(d)); }
        int ref(int tag, String c, String a, String d) { return two(tag, cls(c), nat(a, d)); }
        int field(String c, String a, String d) { return ref(9, c, a, d); }
        int method(String c, String a, String d) { return ref(10, c, a, d); }
        int imethod(String c, String a, String d) { return ref(11, c, a, d); }
        int handle(int kind, int r) { return add(o -> { o.writeByte(15); o.writeByte(kind); o.writeShort(r); }); }
        byte[] attr(String name, Bytes b) { return attr(name, bytes(b)); }
        byte[] attr(String name, byte[] x) { int u = utf(name); return bytes(o -> { o.writeShort(u); o.writeInt(x.length); o.write(x); }); }
        M f(int flags, String name, String desc) { M m = new M(); m.flags = flags; m.name = utf(name); m.desc = utf(desc); fields.add(m); return m; }
        M m(int flags, String name, String desc) { M m = new M(); m.flags = flags; m.name = utf(name); m.desc = utf(desc); methods.add(m); return m; }
        /** Code with the given limits; what follows the code (handlers, attributes) is appended raw. */
        byte[] code(int stack, int locals, byte[] code, byte[] rest) {
            return attr("Code", o -> { o.writeShort(stack); o.writeShort(locals); o.writeInt(code.length); o.write(code); o.write(rest); });
        }
        static final byte[] NOTHING = {0, 0, 0, 0};
        M body(int flags, String name, String desc, int stack, int locals, int... code) { M m = m(flags, name, desc); m.attrs.add(code(stack, locals, b(code), NOTHING)); return m; }
        void member(DataOutputStream o, M m) throws IOException { o.writeShort(m.flags); o.writeShort(m.name); o.writeShort(m.desc); o.writeShort(m.attrs.size()); for (byte[] a : m.attrs) o.write(a); }
        byte[] file() {
            byte[] all = bytes(o -> {
                o.writeInt(magic); o.writeShort(minor); o.writeShort(major);
                o.writeShort(poolCount >= 0 ? poolCount : n); o.write(pool.toByteArray());
                o.writeShort(flags); o.writeShort(self); o.writeShort(sup);
                o.writeShort(ifCount >= 0 ? ifCount : ifs.size()); for (int i : ifs) o.writeShort(i);
                o.writeShort(fields.size()); for (M m : fields) member(o, m);
                o.writeShort(methods.size()); for (M m : methods) member(o, m);
                o.writeShort(attrs.size()); for (byte[] a : attrs) o.write(a);
                o.write(tail);
            });
            return cut >= 0 ? Arrays.copyOf(all, Math.min(cut, all.length)) : cut < -1 ? Arrays.copyOf(all, all.length + cut + 1) : all;
        }
    }

    static byte[] b(int... v) { byte[] r = new byte[v.length]; for (int i = 0; i < v.length; i++) r[i] = (byte) v[i]; return r; }
    static int[] cat(int[]... parts) { return Arrays.stream(parts).flatMapToInt(Arrays::stream).toArray(); }
    static int[] u2(int v) { return new int[] {v >> 8 & 255, v & 255}; }
    static int[] op(int op, int index) { return new int[] {op, index >> 8 & 255, index & 255}; }
    static int[] ops(int... v) { return v; }

    static class L extends ClassLoader {
        Class<?> def(byte[] b) { return defineClass("T", b, 0, b.length); }
    }

    static int tried;
    static void judge(String what, byte[] file) {
        tried++;
        String s;
        try {
            Class<?> c = new L().def(file);
            Class.forName("T", true, c.getClassLoader());
            c.getDeclaredMethods();
            s = "OK";
        } catch (Throwable t) {
            s = t.toString();
            int i = s.indexOf('\n');
            if (i >= 0) s = s.substring(0, i);
            s = s.replaceAll("@(0x)?[0-9a-f]+", "@");
        }
        System.out.println(what + ": " + s);
    }

    static void bad(String what, Change c) throws IOException {
        G g = new G();
        c.on(g);
        judge(what, g.file());
    }

    /** A static method of the given descriptor in four versions. */
    interface Code { int[] of(G g); }
    static void code(String what, String desc, int stack, int locals, Code code) throws IOException { code(what, 9, "m", desc, stack, locals, code, null); }
    static void code(String what, int flags, String name, String desc, int stack, int locals, Code code, Bytes rest) throws IOException {
        for (int v : new int[] {48, 50, 52, 61}) {
            G g = new G();
            g.major = v;
            M m = g.m(flags, name, desc);
            int[] c = code.of(g);
            m.attrs.add(g.code(stack, locals, b(c), rest == null ? G.NOTHING : bytes(rest)));
            judge(what + " " + v, g.file());
        }
    }
    /** With a StackMapTable (versions from 50). */
    static void map(String what, String desc, int stack, int locals, Code code, int count, Code map) throws IOException {
        for (int v : new int[] {50, 52}) {
            G g = new G();
            g.major = v;
            M m = g.m(9, "m", desc);
            int[] c = code.of(g), t = map.of(g);
            byte[] a = g.attr("StackMapTable", o -> { o.writeShort(count); o.write(b(t)); });
            m.attrs.add(g.code(stack, locals, b(c), bytes(o -> { o.writeShort(0); o.writeShort(1); o.write(a); })));
            judge(what + " " + v, g.file());
        }
    }

    public static void main(String[] args) throws IOException {
        header();
        supers();
        pool();
        fields();
        methods();
        attributes();
        stack();
        locals();
        members();
        objects();
        flow();
        maps();
        System.out.println(tried + " classes");
    }

    static void header() throws IOException {
        bad("fine", g -> { });
        bad("magic", g -> g.magic = 0xcafebabf);
        for (int v : new int[] {0, 44, 45, 48, 61, 62, 65535}) bad("version " + v, g -> g.major = v);
        bad("minor", g -> { g.major = 56; g.minor = 1; });
        bad("minor of old", g -> { g.major = 52; g.minor = 7; });
        bad("preview", g -> { g.major = 61; g.minor = 65535; });
        bad("preview of older", g -> { g.major = 60; g.minor = 65535; });
        for (int cut : new int[] {0, 3, 4, 7, 8, 9, 11, 14, 20, 30, 36, 38, 40, 42, 44}) bad("cut at " + cut, g -> g.cut = cut);
        bad("last byte missing", g -> g.cut = -2);
        bad("extra byte", g -> g.tail = new byte[1]);
        bad("pool count 0", g -> g.poolCount = 0);
        bad("pool count too large", g -> g.poolCount = 100);
        bad("pool count too small", g -> g.poolCount = 2);
        for (int f : new int[] {0x0, 0x400, 0x410, 0x30, 0x200, 0x600, 0x610, 0x620, 0x4000, 0x4600, 0x2000, 0x2600, 0x8000, 0x8200, 0xffff, 0x1000}) bad(String.format("class flags %x", f), g -> g.flags = f);
        for (int f : new int[] {0x200, 0x620, 0x2000, 0x8000}) bad(String.format("class flags %x of 48", f), g -> { g.flags = f; g.major = 48; });
        bad("this 0", g -> g.self = 0);
        bad("this is a string", g -> g.self = 1);
        bad("this out of range", g -> g.self = 1000);
        bad("this is an array", g -> g.self = g.cls("[I"));
        bad("wrong name", g -> g.self = g.cls("Other"));
        bad("wrong name and more", g -> { g.self = g.cls("Other"); g.m(0, "m", "()V"); });
    }

    static void supers() throws IOException {
        bad("super 0", g -> g.sup = 0);
        bad("super is a string", g -> g.sup = 1);
        bad("super out of range", g -> g.sup = 1000);
        bad("super is an array", g -> g.sup = g.cls("[I"));
        bad("super is final", g -> g.sup = g.cls("java/lang/String"));
        bad("super is an interface", g -> g.sup = g.cls("java/lang/Runnable"));
        bad("super is itself", g -> g.sup = g.self);
        for (String accessor : new String[] {"MagicAccessorImpl", "MethodAccessorImpl", "ConstructorAccessorImpl", "FieldAccessorImpl", "MethodAccessor"})
            bad("super is " + accessor, g -> g.sup = g.cls("jdk/internal/reflect/" + accessor));
        bad("super is missing", g -> g.sup = g.cls("no/Such"));
        bad("super is an enum", g -> g.sup = g.cls("java/lang/Thread$State"));
        bad("super is sealed", g -> { g.major = 61; g.sup = g.cls("java/lang/constant/DynamicConstantDesc"); });
        bad("super is a record", g -> g.sup = g.cls("java/lang/Record"));
        bad("super not exported", g -> g.sup = g.cls("jdk/internal/misc/VM"));
        bad("super not public", g -> g.sup = g.cls("java/lang/AbstractStringBuilder"));
        bad("interface with a superclass", g -> { g.flags = 0x600; g.sup = g.cls("java/lang/Thread"); });
        bad("interface is a class", g -> g.ifs.add(g.cls("java/lang/Thread")));
        bad("interface is missing", g -> g.ifs.add(g.cls("no/Such")));
        bad("interface is itself", g -> g.ifs.add(g.self));
        bad("interface is an array", g -> g.ifs.add(g.cls("[I")));
        bad("interface is a string", g -> g.ifs.add(1));
        bad("interface out of range", g -> g.ifs.add(999));
        bad("interface twice", g -> { g.ifs.add(g.cls("java/lang/Runnable")); g.ifs.add(g.cls("java/lang/Runnable")); });
        bad("interface is sealed", g -> { g.major = 61; g.ifs.add(g.cls("java/lang/constant/ConstantDesc")); });
        bad("interface not exported", g -> g.ifs.add(g.cls("jdk/internal/access/JavaLangAccess")));
        bad("too many interfaces", g -> g.ifCount = 3000);
        bad("final method overridden", g -> { g.sup = g.cls("java/lang/Thread"); g.body(1, "isAlive", "()Z", 1, 1, 3, 172); });
        bad("abstract method missing", g -> g.ifs.add(g.cls("java/lang/Runnable")));
    }

    static void pool() throws IOException {
        for (int tag : new int[] {0, 2, 13, 14, 21, 255}) bad("tag " + tag, g -> g.add(o -> o.writeByte(tag)));
        bad("class of a class", g -> g.one(7, g.self));
        bad("class index 0", g -> g.one(7, 0));
        bad("class index out of range", g -> g.one(7, 999));
        bad("string of a class", g -> g.one(8, g.self));
        for (String s : new String[] {"", "a.b", "a;b", "/a", "a/", "a//b", "[", "[X", "[V", "[La", "[L;", "a[b", "<a>", "[Ljava/lang/String;x"}) bad("class name \"" + s + "\"", g -> g.cls(s));
        bad("class name of 48", g -> { g.major = 48; g.cls("a-b"); });
        for (String s : new String[] {"1a", "a b", "a+b", "a/1", "\u00e9t\u00e9", "$_a1", "a<b"}) { bad("field name of 48 " + s, g -> { g.major = 48; g.f(1, s, "I"); }); bad("method name of 48 " + s, g -> { g.major = 48; g.body(9, s, "()V", 0, 0, 177); }); bad("class name of 48 " + s, g -> { g.major = 48; g.cls(s); }); }
        bad("class name with a space", g -> g.cls("a b"));
        bad("array of 256 dimensions", g -> g.cls("[".repeat(256) + "I"));
        bad("utf8 with a zero", g -> g.add(o -> { o.writeByte(1); o.writeShort(1); o.writeByte(0); }));
        bad("utf8 of four bytes", g -> g.add(o -> { o.writeByte(1); o.writeShort(4); o.write(b(0xf0, 0x9f, 0x98, 0x80)); }));
        bad("utf8 cut", g -> g.add(o -> { o.writeByte(1); o.writeShort(2); o.write(b('a', 0xe2)); }));
        bad("utf8 bad continuation", g -> g.add(o -> { o.writeByte(1); o.writeShort(2); o.write(b(0xc3, 0x41)); }));
        bad("name and type of classes", g -> g.two(12, g.self, g.sup));
        bad("name and type: empty name", g -> g.nat("", "I"));
        bad("name and type: empty descriptor", g -> g.nat("a", ""));
        bad("name and type: bad name", g -> g.nat("a/b", "I"));
        bad("name and type: bad descriptor", g -> g.nat("a", "II"));
        bad("name and type: bad method descriptor", g -> g.nat("a", "(I"));
        bad("field with a method descriptor", g -> g.field("T", "a", "()V"));
        bad("method with a field descriptor", g -> g.method("T", "a", "I"));
        bad("method <clinit>", g -> g.method("T", "<clinit>", "()V"));
        bad("method <other>", g -> g.method("T", "<other>", "()V"));
        bad("method <init> with a result", g -> g.method("T", "<init>", "()I"));
        bad("interface method <init>", g -> g.imethod("T", "<init>", "()V"));
        bad("reference to a string", g -> g.two(10, 1, 1));
        bad("reference class index 0", g -> g.two(9, 0, g.nat("a", "I")));
        for (int kind : new int[] {0, 10, 255}) bad("handle kind " + kind, g -> g.handle(kind, g.method("T", "a", "()V")));
        bad("handle of a field for invokestatic", g -> g.handle(6, g.field("T", "a", "I")));
        bad("handle of a method for getfield", g -> g.handle(1, g.method("T", "a", "()V")));
        bad("handle newinvokespecial of a method", g -> g.handle(8, g.method("T", "a", "()V")));
        bad("handle invokestatic of <init>", g -> g.handle(6, g.method("T", "<init>", "()V")));
        bad("handle invokeinterface of a method", g -> g.handle(9, g.method("T", "a", "()V")));
        bad("handle out of range", g -> g.handle(6, 999));
        bad("handle in 50", g -> { g.major = 50; g.handle(6, g.method("T", "a", "()V")); });
        bad("method type of a field", g -> g.one(16, g.utf("I")));
        bad("method type of a class", g -> g.one(16, g.self));
        bad("invokedynamic without bootstrap methods", g -> g.two(18, 0, g.nat("a", "()V")));
        bad("invokedynamic with a field type", g -> g.two(18, 0, g.nat("a", "I")));
        bad("dynamic with a method type", g -> { g.major = 55; g.two(17, 0, g.nat("a", "()V")); });
        bad("dynamic in 54", g -> { g.major = 54; g.two(17, 0, g.nat("a", "I")); });
        bad("module constant", g -> { g.major = 53; g.one(19, g.utf("m")); });
        bad("long at the end", g -> { g.lng(1); g.n--; });
    }

    static void fields() throws IOException {
        for (int f : new int[] {0, 3, 5, 6, 0x50, 0x18, 0x1000, 0x4000, 0xffff, 0x200}) bad(String.format("field flags %x", f), g -> g.f(f, "a", "I"));
        for (int f : new int[] {0, 1, 9, 0x19, 0x1a, 0x59, 0x4019, 0x1019}) bad(String.format("interface field flags %x", f), g -> { g.flags = 0x600; g.f(f, "a", "I"); });
        for (String s : new String[] {"", "a.b", "a;b", "a/b", "a[b", "<init>", "<", "a b", "1"}) bad("field name \"" + s + "\"", g -> g.f(1, s, "I"));
        for (String s : new String[] {"", "X", "V", "II", "L", "L;", "La", "La.b;", "[", "[V", "()V", "[".repeat(256) + "I", "Ljava/lang/String", "L[I;"}) bad("field descriptor \"" + (s.length() > 50 ? "long" : s) + "\"", g -> g.f(1, "a", s));
        bad("field twice", g -> { g.f(1, "a", "I"); g.f(2, "a", "I"); });
        bad("field with two types", g -> { g.f(1, "a", "I"); g.f(2, "a", "J"); });
        bad("field name index", g -> g.f(1, "a", "I").name = g.self);
        bad("field name index and flags", g -> g.f(3, "a", "I").name = g.self);
        bad("field descriptor index", g -> g.f(1, "a", "I").desc = 0);
        bad("field descriptor index and name", g -> g.f(1, "a/b", "I").desc = 0);
        bad("constant length", g -> g.f(8, "a", "I").attrs.add(g.attr("ConstantValue", b(0, 1, 2))));
        bad("constant index", g -> g.f(8, "a", "I").attrs.add(g.attr("ConstantValue", b(0, 0))));
        bad("constant of another type", g -> g.f(8, "a", "I").attrs.add(g.attr("ConstantValue", b(u2(g.lng(3))))));
        bad("constant of an object", g -> g.f(8, "a", "Ljava/lang/Object;").attrs.add(g.attr("ConstantValue", b(u2(g.str("s"))))));
        bad("constant string is an int", g -> g.f(8, "a", "Ljava/lang/String;").attrs.add(g.attr("ConstantValue", b(u2(g.num(3))))));
        bad("constant twice", g -> { M m = g.f(8, "a", "I"); m.attrs.add(g.attr("ConstantValue", b(u2(g.num(3))))); m.attrs.add(g.attr("ConstantValue", b(u2(g.num(3))))); });
        bad("constant of an instance field", g -> g.f(1, "a", "I").attrs.add(g.attr("ConstantValue", b(0, 0, 0))));
        bad("synthetic length", g -> g.f(1, "a", "I").attrs.add(g.attr("Synthetic", b(0))));
        bad("deprecated length", g -> g.f(1, "a", "I").attrs.add(g.attr("Deprecated", b(0))));
        bad("signature length", g -> g.f(1, "a", "I").attrs.add(g.attr("Signature", b(0))));
        bad("signature index", g -> g.f(1, "a", "I").attrs.add(g.attr("Signature", b(u2(g.self)))));
        bad("attribute name index", g -> g.f(1, "a", "I").attrs.add(b(0, 0, 0, 0, 0, 0)));
        bad("attribute too long", g -> g.f(1, "a", "I").attrs.add(bytes(o -> { o.writeShort(g.utf("Unknown")); o.writeInt(1000000); })));
        bad("constant too long", g -> g.f(8, "a", "I").attrs.add(bytes(o -> { o.writeShort(g.utf("ConstantValue")); o.writeInt(1000000); })));
    }

    static void methods() throws IOException {
        for (int f : new int[] {3, 7, 0x410, 0x402, 0x408, 0x420, 0x500, 0xc00}) bad(String.format("method flags %x", f), g -> g.m(f, "a", "()V"));
        for (int f : new int[] {0x400, 1, 0x401, 0x404, 0x402, 0x409, 0x411, 0x421, 0x501, 0xc01}) bad(String.format("interface method flags %x", f), g -> { g.flags = 0x600; g.m(f, "a", "()V"); });
        for (int f : new int[] {2, 9, 0xa, 3, 4, 0x11, 0x21}) bad(String.format("interface method with code, flags %x", f), g -> { g.flags = 0x600; g.body(f, "a", "()V", 0, 1, 177); });
        for (int f : new int[] {2, 9, 1}) bad(String.format("interface method with code in 51, flags %x", f), g -> { g.major = 51; g.flags = 0x600; g.body(f, "a", "()V", 0, 1, 177); });
        for (int f : new int[] {8, 0x10, 0x20, 0x100, 0x400, 0x40}) bad(String.format("constructor flags %x", f), g -> g.body(f, "<init>", "()V", 0, 1, 177));
        bad("interface constructor", g -> { g.flags = 0x600; g.body(1, "<init>", "()V", 0, 1, 177); });
        bad("constructor with a result", g -> g.body(1, "<init>", "()I", 1, 1, 3, 172));
        bad("initialiser not static", g -> g.body(0, "<clinit>", "()V", 0, 1, 177));
        bad("initialiser not static in 50", g -> { g.major = 50; g.body(0, "<clinit>", "()V", 0, 1, 177); });
        bad("initialiser with arguments", g -> g.body(8, "<clinit>", "(I)V", 0, 1, 177));
        bad("initialiser with arguments in 50", g -> { g.major = 50; g.body(8, "<clinit>", "(I)V", 0, 1, 177); });
        bad("initialiser with a result", g -> g.body(8, "<clinit>", "()I", 1, 0, 3, 172));
        for (String s : new String[] {"", "a.b", "a;b", "a/b", "a[b", "<x>", "a<b", "a>b", "1a", "a b"}) bad("method name \"" + s + "\"", g -> g.body(9, s, "()V", 0, 0, 177));
        for (String s : new String[] {"", "I", "()", "(V)V", "()VV", "(I", "(L)V", "(La)V", "()La", "(X)V", "()[V", "I()V", "(" + "J".repeat(128) + ")V", "(" + "I".repeat(255) + ")V", "(" + "I".repeat(256) + ")V", "(" + "[".repeat(256) + "I)V"}) bad("method descriptor \"" + (s.length() > 50 ? "long " + s.length() : s) + "\"", g -> g.body(9, "a", s, 0, 300, 177));
        bad("instance method of 255 arguments", g -> g.body(1, "a", "(" + "I".repeat(255) + ")V", 0, 300, 177));
        bad("method twice", g -> { g.body(9, "a", "()V", 0, 0, 177); g.body(1, "a", "()V", 0, 1, 177); });
        bad("method name index", g -> g.body(9, "a", "()V", 0, 0, 177).name = g.self);
        bad("method descriptor index", g -> g.body(9, "a", "()V", 0, 0, 177).desc = 0);
        bad("method descriptor index and name", g -> g.body(9, "a/b", "()V", 0, 0, 177).desc = 0);
        bad("no code", g -> g.m(9, "a", "()V"));
        bad("native with code", g -> g.body(0x109, "a", "()V", 0, 0, 177));
        bad("abstract with code", g -> g.body(0x401, "a", "()V", 0, 1, 177));
        bad("code twice", g -> { M m = g.body(9, "a", "()V", 0, 0, 177); m.attrs.add(m.attrs.get(0)); });
        bad("code of no length", g -> g.body(9, "a", "()V", 0, 0));
        bad("code of 65536 bytes", g -> g.body(9, "a", "()V", 0, 0, new int[65536]));
        bad("code of 65535 bytes", g -> { int[] c = new int[65535]; c[65534] = 177; g.body(9, "a", "()V", 0, 0, c); });
        bad("arguments beyond max_locals", g -> g.body(9, "a", "(IJ)V", 0, 2, 177));
        bad("this beyond max_locals", g -> g.body(1, "a", "()V", 0, 0, 177));
        bad("code attribute too long", g -> g.m(9, "a", "()V").attrs.add(g.attr("Code", b(0, 0, 0, 0, 0, 0, 0, 1, 177, 0, 0, 0, 0, 0))));
        bad("code attribute too short", g -> g.m(9, "a", "()V").attrs.add(g.attr("Code", b(0, 0, 0, 0, 0, 0, 0, 1, 177, 0, 0))));
        bad("code attribute of two bytes", g -> g.m(9, "a", "()V").attrs.add(g.attr("Code", b(0, 0))));
        for (int[] h : new int[][] {{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 9, 0, 0}, {0, 1, 9, 0}, {0, 1, 0, 1}, {0, 1, 0, 999}, {0, 3, 1, 0}, {1, 3, 0, 0}})
            bad("handler " + Arrays.toString(h), g -> g.m(9, "a", "()V").attrs.add(g.code(1, 0, b(0, 16, 1, 87, 177), bytes(o -> { o.writeShort(1); for (int x : h) o.writeShort(x); o.writeShort(0); }))));
        bad("handler of no throwable", g -> { int c = g.cls("java/lang/String"); g.m(9, "a", "()V").attrs.add(g.code(1, 0, b(0, 177), bytes(o -> { o.writeShort(1); for (int x : new int[] {0, 1, 1, c}) o.writeShort(x); o.writeShort(0); }))); });
        bad("exceptions index", g -> g.body(9, "a", "()V", 0, 0, 177).attrs.add(g.attr("Exceptions", b(0, 1, 0, 1))));
        bad("exceptions length", g -> g.body(9, "a", "()V", 0, 0, 177).attrs.add(g.attr("Exceptions", b(0, 0, 0))));
        bad("exceptions twice", g -> { M m = g.body(9, "a", "()V", 0, 0, 177); m.attrs.add(g.attr("Exceptions", b(0, 0))); m.attrs.add(g.attr("Exceptions", b(0, 0))); });
        bad("exceptions count", g -> g.body(9, "a", "()V", 0, 0, 177).attrs.add(g.attr("Exceptions", b(90, 0))));
        inCode("line number", g -> g.attr("LineNumberTable", b(0, 1, 0, 5, 0, 1)));
        inCode("line table length", g -> g.attr("LineNumberTable", b(0, 2, 0, 0, 0, 1)));
        inCode("variable start", g -> var(g, "LocalVariableTable", 5, 0, "a", "I", 0));
        inCode("variable length", g -> var(g, "LocalVariableTable", 0, 5, "a", "I", 0));
        inCode("variable slot", g -> var(g, "LocalVariableTable", 0, 1, "a", "I", 5));
        inCode("variable slot of a long", g -> var(g, "LocalVariableTable", 0, 1, "a", "J", 1));
        inCode("variable name", g -> var(g, "LocalVariableTable", 0, 1, "a/b", "I", 0));
        inCode("variable descriptor", g -> var(g, "LocalVariableTable", 0, 1, "a", "II", 0));
        inCode("variable table length", g -> g.attr("LocalVariableTable", b(0, 1, 0)));
        inCode("type without a variable", g -> var(g, "LocalVariableTypeTable", 0, 1, "a", "TT;", 0));
        inCode("map twice", g -> bytes(o -> { o.write(g.attr("StackMapTable", b(0, 0))); }), g -> g.attr("StackMapTable", b(0, 0)));
        inCode("variable twice", g -> var(g, "LocalVariableTable", 0, 1, "a", "I", 0), g -> var(g, "LocalVariableTable", 0, 1, "a", "I", 0));
        bad("method parameters length", g -> g.body(9, "a", "()V", 0, 0, 177).attrs.add(g.attr("MethodParameters", b(1))));
        bad("method signature length", g -> g.body(9, "a", "()V", 0, 0, 177).attrs.add(g.attr("Signature", b(1))));
        bad("method attribute name", g -> g.body(9, "a", "()V", 0, 0, 177).attrs.add(b(0, 99, 0, 0, 0, 0)));
    }
    interface Attr { byte[] of(G g); }
    static byte[] var(G g, String table, int start, int len, String name, String desc, int slot) {
        int u = g.utf(name), d = g.utf(desc);
        return g.attr(table, o -> { for (int x : new int[] {1, start, len, u, d, slot}) o.writeShort(x); });
    }
    static void inCode(String what, Attr... attrs) throws IOException {
        bad(what, g -> {
            byte[][] all = Arrays.stream(attrs).map(a -> a.of(g)).toArray(byte[][]::new);
            g.m(9, "a", "()V").attrs.add(g.code(0, 2, b(177), bytes(o -> { o.writeShort(0); o.writeShort(all.length); for (byte[] a : all) o.write(a); })));
        });
    }

    static void attributes() throws IOException {
        for (String a : new String[] {"SourceFile", "Signature", "EnclosingMethod", "NestHost", "InnerClasses", "NestMembers", "PermittedSubclasses", "Record", "BootstrapMethods", "Synthetic", "Deprecated", "SourceDebugExtension", "RuntimeVisibleAnnotations", "Module"})
            for (byte[] x : new byte[][] {{}, {0}, {0, 0}, {0, 1}, {0, 9, 0}, {0, 0, 0, 0, 0}})
                bad(a + " of " + Arrays.toString(x), g -> { g.major = 61; g.attrs.add(g.attr(a, x)); });
        for (String a : new String[] {"SourceFile", "EnclosingMethod", "NestHost", "InnerClasses", "NestMembers", "PermittedSubclasses", "Record", "BootstrapMethods", "Signature"})
            bad(a + " twice", g -> { g.major = 61; byte[] x = a.equals("EnclosingMethod") ? b(cat(u2(g.sup), u2(0))) : a.equals("SourceFile") || a.equals("Signature") ? b(u2(g.utf("s"))) : a.equals("NestHost") ? b(u2(g.sup)) : b(0, 0); g.attrs.add(g.attr(a, x)); g.attrs.add(g.attr(a, x)); });
        bad("nest host and members", g -> { g.major = 61; g.attrs.add(g.attr("NestHost", b(u2(g.sup)))); g.attrs.add(g.attr("NestMembers", b(0, 0))); });
        bad("record not final", g -> { g.major = 61; g.sup = g.cls("java/lang/Record"); g.attrs.add(g.attr("Record", b(0, 0))); });
        bad("record of Object", g -> { g.major = 61; g.flags = 0x31; g.attrs.add(g.attr("Record", b(0, 0))); });
        bad("sealed and final", g -> { g.major = 61; g.flags = 0x31; g.attrs.add(g.attr("PermittedSubclasses", b(cat(u2(1), u2(g.sup))))); });
        bad("permits nothing", g -> { g.major = 61; g.attrs.add(g.attr("PermittedSubclasses", b(0, 0))); });
        bad("inner class of itself", g -> g.attrs.add(g.attr("InnerClasses", b(cat(u2(1), u2(g.self), u2(g.self), u2(0), u2(1))))));
        bad("inner class twice", g -> g.attrs.add(g.attr("InnerClasses", b(cat(u2(2), u2(g.self), u2(0), u2(0), u2(1), u2(g.self), u2(0), u2(0), u2(1))))));
        bad("inner class flags", g -> g.attrs.add(g.attr("InnerClasses", b(cat(u2(1), u2(g.self), u2(0), u2(0), u2(0x410))))));
        bad("inner class index", g -> g.attrs.add(g.attr("InnerClasses", b(cat(u2(1), u2(1), u2(0), u2(0), u2(1))))));
        bad("outer class index", g -> g.attrs.add(g.attr("InnerClasses", b(cat(u2(1), u2(g.self), u2(1), u2(0), u2(1))))));
        bad("inner name index", g -> g.attrs.add(g.attr("InnerClasses", b(cat(u2(1), u2(g.self), u2(0), u2(g.self), u2(1))))));
        bad("enclosing method index", g -> g.attrs.add(g.attr("EnclosingMethod", b(cat(u2(g.self), u2(1))))));
        bad("enclosing class index", g -> g.attrs.add(g.attr("EnclosingMethod", b(cat(u2(1), u2(0))))));
        bad("bootstrap method index", g -> g.attrs.add(g.attr("BootstrapMethods", b(cat(u2(1), u2(g.self), u2(0))))));
        bad("bootstrap argument index", g -> { int h = g.handle(6, g.method("T", "a", "()V")); g.attrs.add(g.attr("BootstrapMethods", b(cat(u2(1), u2(h), u2(1), u2(1))))); });
        bad("bootstrap index used beyond the table", g -> { int h = g.handle(6, g.method("T", "a", "()V")); g.two(18, 3, g.nat("a", "()V")); g.attrs.add(g.attr("BootstrapMethods", b(cat(u2(1), u2(h), u2(0))))); });
    }

    static void stack() throws IOException {
        code("fine", "()I", 1, 0, g -> ops(3, 172));
        code("overflow", "()V", 1, 0, g -> ops(3, 3, 177));
        code("overflow by a long", "()V", 1, 0, g -> ops(9, 177));
        code("underflow", "()V", 1, 0, g -> ops(87, 177));
        code("underflow of iadd", "()I", 2, 0, g -> ops(3, 96, 172));
        code("iadd of a reference", "()I", 2, 0, g -> ops(3, 1, 96, 172));
        code("ladd of ints", "()J", 4, 0, g -> ops(3, 3, 3, 3, 97, 173));
        code("fadd of ints", "()F", 4, 0, g -> ops(3, 3, 98, 174));
        code("pop of a long", "()V", 2, 0, g -> ops(9, 87, 177));
        code("pop2 of half a long", "()V", 3, 0, g -> ops(9, 3, 88, 177));
        code("dup of a long", "()V", 3, 0, g -> ops(9, 89, 177));
        code("dup2 of half a long", "()V", 6, 0, g -> ops(9, 3, 92, 177));
        code("dup_x1 over a long", "()V", 6, 0, g -> ops(9, 3, 90, 177));
        code("dup_x2 of half", "()V", 6, 0, g -> ops(9, 3, 3, 91, 177));
        code("swap of a long", "()V", 4, 0, g -> ops(9, 95, 177));
        code("return of an int for a reference", "()Ljava/lang/Object;", 1, 0, g -> ops(3, 176));
        code("return of another class", "()Ljava/lang/String;", 1, 0, g -> cat(op(187, g.cls("java/lang/Object")), ops(176)));
        code("ireturn from void", "()V", 1, 0, g -> ops(3, 172));
        code("return from int", "()I", 1, 0, g -> ops(177));
        code("lreturn from int", "()I", 2, 0, g -> ops(9, 173));
        code("areturn from int", "()I", 1, 0, g -> ops(1, 176));
        code("undefined opcode", "()V", 1, 0, g -> ops(203, 177));
        code("breakpoint", "()V", 1, 0, g -> ops(202, 177));
        code("impdep", "()V", 1, 0, g -> ops(254, 177));
        code("cut instruction", "()V", 1, 0, g -> ops(177, 17, 1));
        code("wide of nop", "()V", 1, 0, g -> ops(196, 0, 177));
        code("ldc of a long", "()V", 2, 0, g -> { int i = g.lng(1); return ops(18, i, 177); });
        code("ldc2_w of an int", "()V", 2, 0, g -> cat(op(20, g.num(1)), ops(177)));
        code("ldc of a name", "()V", 2, 0, g -> ops(18, 1, 177));
        code("ldc out of range", "()V", 2, 0, g -> ops(18, 250, 177));
        code("ldc of a class", "()V", 1, 0, g -> ops(18, g.self, 177));
        code("ldc of index 0", "()V", 1, 0, g -> ops(18, 0, 177));
    }

    static void locals() throws IOException {
        code("unset local", "()I", 1, 1, g -> ops(26, 172));
        code("local beyond max", "()I", 1, 1, g -> ops(27, 172));
        code("long at the last local", "()V", 2, 1, g -> ops(9, 63, 177));
        code("aload of an int", "(I)V", 1, 1, g -> ops(42, 87, 177));
        code("iload of a reference", "(Ljava/lang/Object;)V", 1, 1, g -> ops(26, 87, 177));
        code("iload of half a long", "(J)V", 1, 2, g -> ops(27, 87, 177));
        code("lload of two ints", "(II)V", 2, 2, g -> ops(30, 88, 177));
        code("long cut by an int", "(J)V", 2, 2, g -> ops(3, 60, 30, 88, 177));
        code("iinc of a reference", "(Ljava/lang/Object;)V", 1, 1, g -> ops(132, 0, 1, 177));
        code("iinc beyond max", "()V", 1, 1, g -> ops(132, 5, 1, 177));
        code("astore of an int", "()V", 1, 1, g -> ops(3, 75, 177));
        code("istore of a float", "()V", 1, 1, g -> ops(11, 59, 177));
        code("ret without jsr", "()V", 1, 1, g -> ops(3, 59, 169, 0, 177));
        code("jsr and ret", "()V", 1, 1, g -> ops(168, 0, 4, 177, 75, 169, 0));
        code("wide iload beyond max", "()V", 1, 1, g -> ops(196, 21, 1, 0, 177));
    }

    static void members() throws IOException {
        code("getstatic of a method", "()V", 1, 0, g -> cat(op(178, g.method("T", "a", "()V")), ops(177)));
        code("getstatic of index 0", "()V", 1, 0, g -> cat(op(178, 0), ops(177)));
        code("getfield of an int", "()V", 1, 0, g -> cat(ops(3), op(180, g.field("T", "a", "I")), ops(177)));
        code("getfield of another class", "(Ljava/lang/String;)V", 1, 1, g -> cat(ops(42), op(180, g.field("T", "a", "I")), ops(177)));
        code("putfield of a wrong value", "(LT;)V", 2, 1, g -> cat(ops(42, 1), op(181, g.field("T", "a", "I")), ops(177)));
        code("putstatic of a wrong value", "()V", 2, 0, g -> cat(ops(3), op(179, g.field("T", "a", "Ljava/lang/String;")), ops(177)));
        code("putstatic of a subclass", "(Ljava/lang/Object;)V", 2, 1, g -> cat(ops(42), op(179, g.field("T", "a", "Ljava/lang/String;")), ops(177)));
        code("putstatic of an interface", "(Ljava/lang/Object;)V", 2, 1, g -> cat(ops(42), op(179, g.field("T", "a", "Ljava/lang/Runnable;")), ops(177)));
        code("invokestatic of a field", "()V", 1, 0, g -> cat(op(184, g.field("T", "a", "I")), ops(177)));
        code("invokestatic of <init>", "()V", 1, 0, g -> cat(op(184, g.method("T", "<init>", "()V")), ops(177)));
        code("invokevirtual of an interface method", "(Ljava/lang/Runnable;)V", 1, 1, g -> cat(ops(42), op(182, g.imethod("java/lang/Runnable", "run", "()V")), ops(177)));
        code("invokeinterface of a method", "(Ljava/lang/Runnable;)V", 1, 1, g -> cat(ops(42), op(185, g.method("java/lang/Runnable", "run", "()V")), ops(1, 0, 177)));
        code("invokeinterface count", "(Ljava/lang/Runnable;)V", 1, 1, g -> cat(ops(42), op(185, g.imethod("java/lang/Runnable", "run", "()V")), ops(2, 0, 177)));
        code("invokeinterface count 0", "(Ljava/lang/Runnable;)V", 1, 1, g -> cat(ops(42), op(185, g.imethod("java/lang/Runnable", "run", "()V")), ops(0, 0, 177)));
        code("invokeinterface fourth byte", "(Ljava/lang/Runnable;)V", 1, 1, g -> cat(ops(42), op(185, g.imethod("java/lang/Runnable", "run", "()V")), ops(1, 1, 177)));
        code("invokevirtual on another class", "(Ljava/lang/Object;)V", 1, 1, g -> cat(ops(42), op(182, g.method("java/lang/String", "length", "()I")), ops(177)));
        code("invokevirtual with a wrong argument", "(Ljava/lang/String;)V", 2, 1, g -> cat(ops(42, 42), op(182, g.method("java/lang/String", "charAt", "(I)C")), ops(177)));
        code("invokevirtual without argument", "(Ljava/lang/String;)V", 2, 1, g -> cat(ops(42), op(182, g.method("java/lang/String", "charAt", "(I)C")), ops(177)));
        code("invokespecial of another class", "(Ljava/lang/String;)V", 2, 1, g -> cat(ops(42), op(183, g.method("java/lang/String", "length", "()I")), ops(177)));
        code("invokespecial of a superclass on another object", "(Ljava/lang/Object;)V", 2, 1, g -> cat(ops(42), op(183, g.method("java/lang/Object", "hashCode", "()I")), ops(177)));
        code("invokestatic interface", "()V", 1, 0, g -> cat(op(184, g.imethod("java/lang/Runnable", "x", "()V")), ops(177)));
        code("invokedynamic bytes", "()V", 1, 0, g -> cat(op(186, g.method("T", "a", "()V")), ops(0, 0, 177)));
        code("protected method of another package", "(Ljava/lang/Object;)V", 2, 1, g -> cat(ops(42), op(182, g.method("java/lang/Object", "clone", "()Ljava/lang/Object;")), ops(177)));
        code("protected method of an array", "([I)V", 2, 1, g -> cat(ops(42), op(182, g.method("java/lang/Object", "clone", "()Ljava/lang/Object;")), ops(177)));
    }

    static void objects() throws IOException {
        code("new of an array class", "()V", 1, 0, g -> cat(op(187, g.cls("[I")), ops(177)));
        code("new of a string constant", "()V", 1, 0, g -> cat(op(187, 1), ops(177)));
        code("uninitialised returned", "()Ljava/lang/Object;", 1, 0, g -> cat(op(187, g.sup), ops(176)));
        code("uninitialised used", "()V", 2, 0, g -> cat(op(187, g.sup), op(182, g.method("java/lang/Object", "hashCode", "()I")), ops(177)));
        code("uninitialised stored", "()V", 2, 0, g -> cat(op(187, g.sup), op(179, g.field("T", "a", "Ljava/lang/Object;")), ops(177)));
        code("initialised twice", "()V", 2, 0, g -> { int i = g.method("java/lang/Object", "<init>", "()V"); return cat(op(187, g.sup), ops(89), op(183, i), op(183, i), ops(177)); });
        code("initialised by another class", "()V", 2, 0, g -> cat(op(187, g.cls("java/lang/String")), op(183, g.method("java/lang/Object", "<init>", "()V")), ops(177)));
        code("<init> of an int", "()V", 2, 0, g -> cat(ops(3), op(183, g.method("java/lang/Object", "<init>", "()V")), ops(177)));
        code("<init> of null", "()V", 2, 0, g -> cat(ops(1), op(183, g.method("java/lang/Object", "<init>", "()V")), ops(177)));
        code("constructor without super", 1, "<init>", "()V", 1, 1, g -> ops(177), null);
        code("constructor calls super twice", 1, "<init>", "()V", 2, 1, g -> { int i = g.method("java/lang/Object", "<init>", "()V"); return cat(ops(42), op(183, i), ops(42), op(183, i), ops(177)); }, null);
        code("constructor calls another class", 1, "<init>", "()V", 2, 1, g -> cat(ops(42), op(183, g.method("java/lang/String", "<init>", "()V")), ops(177)), null);
        code("constructor uses this too early", 1, "<init>", "()V", 2, 1, g -> cat(ops(42), op(182, g.method("java/lang/Object", "hashCode", "()I")), ops(87, 42), op(183, g.method("java/lang/Object", "<init>", "()V")), ops(177)), null);
        code("constructor sets an own field early", 1, "<init>", "()V", 2, 1, g -> cat(ops(42, 3), op(181, g.field("T", "a", "I")), ops(42), op(183, g.method("java/lang/Object", "<init>", "()V")), ops(177)), null);
        code("newarray of type 3", "()V", 1, 0, g -> ops(3, 188, 3, 177));
        code("newarray of type 12", "()V", 1, 0, g -> ops(3, 188, 12, 177));
        code("newarray of a reference size", "()V", 1, 0, g -> ops(1, 188, 10, 177));
        code("anewarray of 256 dimensions", "()V", 1, 0, g -> cat(ops(3), op(189, g.cls("[".repeat(255) + "I")), ops(177)));
        code("multianewarray of no dimensions", "()V", 1, 0, g -> cat(op(197, g.cls("[[I")), ops(0, 177)));
        code("multianewarray of too many dimensions", "()V", 4, 0, g -> cat(ops(3, 3, 3), op(197, g.cls("[[I")), ops(3, 177)));
        code("iaload of a byte array", "([B)I", 2, 1, g -> ops(42, 3, 46, 172));
        code("baload of a boolean array", "([Z)I", 2, 1, g -> ops(42, 3, 51, 172));
        code("aaload of an int array", "([I)V", 2, 1, g -> ops(42, 3, 50, 177));
        code("aaload of null", "()Ljava/lang/String;", 2, 0, g -> ops(1, 3, 50, 176));
        code("aastore of an int", "([Ljava/lang/Object;)V", 3, 1, g -> ops(42, 3, 3, 83, 177));
        code("aastore into an int array", "([I)V", 3, 1, g -> ops(42, 3, 1, 83, 177));
        code("arraylength of an object", "(Ljava/lang/Object;)V", 1, 1, g -> ops(42, 190, 177));
        code("athrow of an object", "(Ljava/lang/Object;)V", 1, 1, g -> ops(42, 191));
        code("athrow of null", "()V", 1, 0, g -> ops(1, 191));
        code("checkcast of a string constant", "()V", 1, 0, g -> cat(ops(1), op(192, 1), ops(177)));
        code("instanceof of an int", "()V", 1, 0, g -> cat(ops(3), op(193, g.self), ops(177)));
        code("monitorenter of an int", "()V", 1, 0, g -> ops(3, 194, 177));
        code("checkcast of a missing class", "()V", 1, 0, g -> cat(ops(1), op(192, g.cls("no/Such")), ops(177)));
        code("argument of a missing class", "()V", 1, 0, g -> cat(op(187, g.cls("java/lang/Thread")), op(184, g.method("T", "a", "(Lno/Such;)V")), ops(177)));
        code("assignment to a missing class", "(Ljava/lang/String;)V", 1, 1, g -> cat(ops(42), op(184, g.method("T", "a", "(Lno/Such;)V")), ops(177)));
    }

    static void flow() throws IOException {
        code("falls off the end", "()V", 1, 0, g -> ops(0));
        code("falls off behind a constant", "()V", 1, 0, g -> ops(3));
        code("branch into an instruction", "()V", 1, 0, g -> ops(167, 0, 4, 17, 0, 0, 177));
        code("branch beyond the end", "()V", 1, 0, g -> ops(167, 0, 9, 177));
        code("branch before the start", "()V", 1, 0, g -> ops(0, 167, 0xff, 0xf0, 177));
        code("branch without a frame", "()V", 1, 0, g -> ops(3, 153, 0, 4, 0, 177));
        code("goto_w far away", "()V", 1, 0, g -> ops(200, 0, 0, 255, 0, 177)); // beyond 64 KB the text depends on the update
        code("code behind a return", "()V", 1, 0, g -> ops(177, 0, 177));
        code("ifeq of a reference", "()V", 1, 0, g -> ops(1, 153, 0, 3, 177));
        code("if_acmpeq of ints", "()V", 2, 0, g -> ops(3, 3, 165, 0, 3, 177));
        code("ifnull of an int", "()V", 2, 0, g -> ops(3, 198, 0, 3, 177));
        code("tableswitch low above high", "()V", 1, 0, g -> ops(3, 170, 0, 0, 0, 0, 0, 16, 0, 0, 0, 2, 0, 0, 0, 1, 177));
        code("tableswitch padding", "()V", 1, 0, g -> ops(3, 170, 1, 1, 0, 0, 0, 19, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 19, 177));
        code("tableswitch cut", "()V", 1, 0, g -> ops(3, 170, 0, 0, 0, 0, 0, 19, 0, 0, 0, 1));
        code("tableswitch huge", "()V", 1, 0, g -> ops(3, 170, 0, 0, 0, 0, 0, 19, 0, 0, 0, 0, 127, 255, 255, 255, 177));
        code("lookupswitch unsorted", "()V", 1, 0, g -> ops(3, 171, 0, 0, 0, 0, 0, 27, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 27, 0, 0, 0, 1, 0, 0, 0, 27, 177));
        code("lookupswitch of negative size", "()V", 1, 0, g -> ops(3, 171, 0, 0, 0, 0, 0, 11, 255, 255, 255, 255, 177));
        code("switch of a reference", "()V", 1, 0, g -> ops(1, 171, 0, 0, 0, 0, 0, 11, 0, 0, 0, 0, 177));
        code("handler covers half an instruction", 9, "m", "()V", 1, 0, g -> ops(16, 1, 87, 177), o -> { o.writeShort(1); for (int x : new int[] {1, 2, 3, 0}) o.writeShort(x); o.writeShort(0); });
        code("handler inside an instruction", 9, "m", "()V", 1, 0, g -> ops(16, 1, 87, 177), o -> { o.writeShort(1); for (int x : new int[] {0, 2, 1, 0}) o.writeShort(x); o.writeShort(0); });
        code("jsr", "()V", 1, 1, g -> ops(168, 0, 4, 177, 75, 169, 0));
    }

    static void maps() throws IOException {
        Code loop = g -> ops(3, 153, 0, 4, 0, 177);
        map("map", "()V", 1, 1, loop, 1, g -> ops(5));
        map("map at a wrong place", "()V", 1, 1, loop, 1, g -> ops(2));
        map("map behind the end", "()V", 1, 1, loop, 1, g -> ops(60));
        map("map of a reserved type", "()V", 1, 1, loop, 1, g -> ops(130));
        map("map with a stack item", "()V", 1, 1, loop, 1, g -> ops(64 + 5, 1));
        map("map with too many stack items", "()V", 1, 1, loop, 1, g -> ops(255, 0, 5, 0, 0, 0, 2, 1, 1));
        map("map with too many locals", "()V", 1, 1, loop, 1, g -> ops(255, 0, 5, 0, 2, 1, 1, 0, 0));
        map("map with a local that is not set", "()V", 1, 1, loop, 1, g -> ops(252, 0, 5, 1));
        map("map chops too much", "()V", 1, 1, loop, 1, g -> ops(248, 0, 5));
        map("map appends too much", "()V", 1, 1, loop, 1, g -> ops(254, 0, 5, 1, 1, 1));
        map("map with a bad type", "()V", 1, 1, loop, 1, g -> ops(252, 0, 5, 9));
        map("map with a bad class", "()V", 1, 1, loop, 1, g -> ops(252, 0, 5, 7, 0, 1));
        map("map with an object of no new", "()V", 1, 1, loop, 1, g -> ops(252, 0, 5, 8, 0, 0));
        map("map with an object beyond the end", "()V", 1, 1, loop, 1, g -> ops(252, 0, 5, 8, 0, 99));
        map("map cut", "()V", 1, 1, loop, 1, g -> ops(252, 0));
        map("map with extra bytes", "()V", 1, 1, loop, 1, g -> ops(5, 0, 0));
        map("map with a wrong count", "()V", 1, 1, loop, 2, g -> ops(5));
        map("map: two at one place", "()V", 1, 1, loop, 2, g -> ops(251, 0, 5, 251, 255, 255));
        map("map: this uninitialised in a static method", "()V", 1, 1, loop, 1, g -> ops(252, 0, 5, 6));
        map("map: int where a reference comes", "(Ljava/lang/Object;)V", 1, 1, loop, 1, g -> ops(255, 0, 5, 0, 1, 1, 0, 0));
        map("map: another class", "(Ljava/lang/Object;)V", 1, 1, loop, 1, g -> cat(ops(255, 0, 5, 0, 1, 7), u2(g.cls("java/lang/String")), ops(0, 0)));
        map("map: an interface", "(Ljava/lang/Object;)V", 1, 1, loop, 1, g -> cat(ops(255, 0, 5, 0, 1, 7), u2(g.cls("java/lang/Runnable")), ops(0, 0)));
        map("map: a missing class", "(Ljava/lang/Object;)V", 1, 1, loop, 1, g -> cat(ops(255, 0, 5, 0, 1, 7), u2(g.cls("no/Such")), ops(0, 0)));
        map("map: half a long", "(J)V", 1, 3, loop, 1, g -> ops(255, 0, 5, 0, 1, 1, 0, 0));
        map("map: long without room", "(J)V", 1, 2, loop, 1, g -> ops(255, 0, 5, 0, 2, 4, 4, 0, 0));
    }
}
