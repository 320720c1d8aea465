// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.util.*;

/** Hand-made class files: what the format checker, the linker and the verifier refuse, by class of error (not by message). */
public class Verify {
    static class W {
        final ByteArrayOutputStream pool = new ByteArrayOutputStream();
        final DataOutputStream p = new DataOutputStream(pool);
        int n = 1;
        int utf(String s) throws IOException { p.writeByte(1); p.writeUTF(s); return n++; }
        int cls(String s) throws IOException { int u = utf(s); p.writeByte(7); p.writeShort(u); return n++; }
        int nat(String a, String d) throws IOException { int x = utf(a), y = utf(d); p.writeByte(12); p.writeShort(x); p.writeShort(y); return n++; }
        int ref(int tag, String c, String a, String d) throws IOException { int x = cls(c), y = nat(a, d); p.writeByte(tag); p.writeShort(x); p.writeShort(y); return n++; }
        int str(String s) throws IOException { int u = utf(s); p.writeByte(8); p.writeShort(u); return n++; }
        int lng(long v) throws IOException { p.writeByte(5); p.writeLong(v); n += 2; return n - 2; }
    }

    /** One class "T" with "static Object m(int, Object)" made of the given code, no frames. */
    static byte[] make(int version, int access, String desc, int stack, int locals, W w, int... code) throws IOException {
        int self = w.cls("T"), sup = w.cls("java/lang/Object"), name = w.utf("m"), d = w.utf(desc), codeAttr = w.utf("Code");
        ByteArrayOutputStream b = new ByteArrayOutputStream();
        DataOutputStream o = new DataOutputStream(b);
        o.writeInt(0xcafebabe); o.writeShort(0); o.writeShort(version);
        o.writeShort(w.n); o.write(w.pool.toByteArray());
        o.writeShort(0x21); o.writeShort(self); o.writeShort(sup); o.writeShort(0); o.writeShort(0);
        o.writeShort(1); o.writeShort(access); o.writeShort(name); o.writeShort(d); o.writeShort(1);
        o.writeShort(codeAttr); o.writeInt(12 + code.length); o.writeShort(stack); o.writeShort(locals); o.writeInt(code.length);
        for (int c : code) o.writeByte(c);
        o.writeShort(0); o.writeShort(0); o.writeShort(0);
        return b.toByteArray();
    }

    static class L extends ClassLoader { Class<?> def(byte[] b) { return defineClass(null, b, 0, b.length); } }

    static void run(String what, byte[] b, Object... args) {
        String r;
        try {
            Class<?> c = new L().def(b);
            java.lang.reflect.Method m = c.getDeclaredMethods()[0];
            m.setAccessible(true);
            r = "ran " + m.invoke(null, args);
        } catch (java.lang.reflect.InvocationTargetException e) {
            r = "target " + e.getCause();
        } catch (Throwable t) {
            r = "threw " + t.getClass().getName();
        }
        System.out.println(what + ": " + r);
    }

    public static void main(String[] args) throws Exception {
        String d = "(ILjava/lang/Object;)Ljava/lang/Object;";
        for (int v : new int[] {45, 49, 50, 51, 61}) {
            System.out.println("version " + v);
            run("fine", make(v, 9, d, 1, 2, new W(), 0x2b, 0xb0), 1, "arg");
            run("stack underflow", make(v, 9, d, 1, 2, new W(), 0xb0), 1, "arg");
            run("stack overflow", make(v, 9, d, 1, 2, new W(), 0x2b, 0x2b, 0x57, 0xb0), 1, "arg");
            run("int as reference", make(v, 9, d, 1, 2, new W(), 0x1a, 0xb0), 1, "arg");
            run("reference as int", make(v, 9, d, 1, 2, new W(), 0x2b, 0xac), 1, "arg");
            run("falls off", make(v, 9, d, 1, 2, new W(), 0x2b, 0x57, 0x00), 1, "arg");
            run("bad local", make(v, 9, d, 1, 2, new W(), 0x2d, 0xb0), 1, "arg");
            run("wrong return", make(v, 9, d, 1, 2, new W(), 0xb1), 1, "arg");
            run("bad opcode", make(v, 9, d, 1, 2, new W(), 0xfe, 0x2b, 0xb0), 1, "arg");
            run("branch out", make(v, 9, d, 1, 2, new W(), 0xa7, 0x00, 0x50, 0x2b, 0xb0), 1, "arg");
            run("branch inside", make(v, 9, d, 2, 2, new W(), 0x1a, 0x99, 0x00, 0x05, 0x11, 0x2b, 0xb0, 0x57, 0x2b, 0xb0), 0, "arg");
            run("branch no frames", make(v, 9, d, 1, 2, new W(), 0x1a, 0x99, 0x00, 0x05, 0x01, 0xb0, 0x2b, 0xb0), 0, "arg");
            run("loop no frames", make(v, 9, d, 1, 2, new W(), 0x84, 0x00, 0xff, 0x1a, 0x9d, 0xff, 0xfc, 0x2b, 0xb0), 5, "arg");
            run("long split", make(v, 9, d, 2, 3, new W(), 0x0a, 0x57, 0x57, 0x2b, 0xb0), 1, "arg");
            run("empty code", make(v, 9, d, 1, 2, new W()), 1, "arg");
            run("abstract with code", make(v, 0x409, d, 1, 2, new W(), 0x2b, 0xb0), 1, "arg");
            run("bad descriptor", make(v, 9, "(I;)V", 1, 2, new W(), 0xb1), 1);
            run("locals too few", make(v, 9, d, 1, 1, new W(), 0x2b, 0xb0), 1, "arg");
            W w = new W();
            int s = w.str("const");
            run("ldc", make(v, 9, d, 1, 2, w, 0x12, s, 0xb0), 1, "arg");
            w = new W();
            int l = w.lng(5);
            run("ldc long", make(v, 9, d, 2, 2, w, 0x12, l, 0xb0), 1, "arg");
            w = new W();
            int m = w.ref(10, "java/lang/String", "length", "()I");
            run("call on Object", make(v, 9, "(ILjava/lang/Object;)I", 1, 2, w, 0x2b, 0xb6, 0, m, 0xac), 1, "arg");
            w = new W();
            int cc = w.cls("java/lang/String");
            int m2 = w.ref(10, "java/lang/String", "length", "()I");
            run("call after cast", make(v, 9, "(ILjava/lang/Object;)I", 1, 2, w, 0x2b, 0xc0, 0, cc, 0xb6, 0, m2, 0xac), 1, "four");
            w = new W();
            int no = w.cls("java/lang/Object");
            run("uninitialised", make(v, 9, d, 2, 2, w, 0xbb, 0, no, 0xb0), 1, "arg");
            w = new W();
            int g = w.cls("no/Such");
            run("new missing", make(v, 9, d, 2, 2, w, 0xbb, 0, g, 0x57, 0x2b, 0xb0), 1, "arg");
            w = new W();
            int f = w.ref(9, "java/lang/System", "nope", "I");
            run("getstatic missing", make(v, 9, "(ILjava/lang/Object;)I", 1, 2, w, 0xb2, 0, f, 0xac), 1, "arg");
            run("jsr", make(v, 9, d, 2, 3, new W(), 0xa8, 0x00, 0x05, 0x2b, 0xb0, 0x4d, 0xa9, 0x02), 1, "arg");
            run("monitor", make(v, 9, d, 2, 2, new W(), 0x2b, 0xc2, 0x2b, 0xc3, 0x2b, 0xb0), 1, "arg");
            run("monitor unbalanced", make(v, 9, d, 2, 2, new W(), 0x2b, 0xc3, 0x2b, 0xb0), 1, "arg");
            run("throw int", make(v, 9, d, 2, 2, new W(), 0x1a, 0xbf), 1, "arg");
            run("throw object", make(v, 9, d, 2, 2, new W(), 0x2b, 0xbf), 1, "arg");
            run("dup forms", make(v, 9, "(II)I", 6, 2, new W(), 0x1a, 0x1b, 0x5d, 0x60, 0x5b, 0x64, 0x60, 0x60, 0xac), 30, 4);
            run("wide", make(v, 9, "(II)I", 6, 300, new W(), 0x1a, 0xc4, 0x36, 1, 0x2b, 0xc4, 0x84, 1, 0x2b, 0x7f, 0xff, 0xc4, 0x15, 1, 0x2b, 0xac), 30, 4);
            run("goto_w", make(v, 9, d, 1, 2, new W(), 0xc8, 0, 0, 0, 5, 0x2b, 0xb0), 1, "arg");
        }
    }
}
