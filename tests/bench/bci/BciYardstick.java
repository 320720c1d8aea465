// SPDX-License-Identifier: Apache-2.0
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.LocalVariablesSorter;

/**
 * The yardstick of bench-bci: ASM on all of java.base. Reads lines "ROW PASSES" and answers each with
 * the least CPU nanoseconds of one pass, so that the driver can alternate with the library under test.
 * With the argument "cold N" it makes one pass of row "exits" over N classes and ends.
 */
public class BciYardstick {
    static final List<byte[]> classes = new ArrayList<>();
    static final Map<String, String> superOf = new HashMap<>();
    static final Map<String, Boolean> isInterface = new HashMap<>();
    static long sink;

    static void load(int limit) throws Exception {
        Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", "java.base");
        try (var s = Files.walk(root)) {
            for (Path p : (Iterable<Path>) s.filter(x -> x.toString().endsWith(".class")).sorted()::iterator) {
                if (classes.size() >= limit)
                    break;
                byte[] b = Files.readAllBytes(p);
                if (p.toString().endsWith("module-info.class"))
                    continue;
                classes.add(b);
            }
        }
    }

    static void hierarchy() {
        for (byte[] b : classes) {
            ClassReader r = new ClassReader(b);
            superOf.put(r.getClassName(), r.getSuperName());
            isInterface.put(r.getClassName(), (r.getAccess() & Opcodes.ACC_INTERFACE) != 0);
        }
    }

    static boolean isSuper(String a, String b) {
        for (String c = b; c != null; c = superOf.get(c))
            if (c.equals(a))
                return true;
        return false;
    }

    static class Writer extends ClassWriter {
        Writer(ClassReader r, int flags) {
            super(r, flags);
        }
        @Override protected String getCommonSuperClass(String a, String b) {
            if (isInterface.getOrDefault(a, true) || isInterface.getOrDefault(b, true))
                return "java/lang/Object";
            for (String c = a; c != null; c = superOf.get(c))
                if (isSuper(c, b))
                    return c;
            return "java/lang/Object";
        }
    }

    /** Calls at entry and exits, by hand: no adapter of ASM's is as light. */
    static class Probes extends MethodVisitor {
        final boolean exits, wrap, guard;
        boolean waiting;        // for the call of super() or this()
        int news;
        Label start, handler;

        Probes(MethodVisitor mv, String name, boolean exits, boolean wrap, boolean guard) {
            super(Opcodes.ASM9, mv);
            this.exits = exits;
            this.wrap = wrap;
            this.guard = guard;
            waiting = name.equals("<init>");
        }
        void begin() {
            start = new Label();
            handler = new Label();
            mv.visitLabel(start);
        }
        void close() {
            Label end = new Label();
            mv.visitLabel(end);
            if (start.getOffset() < end.getOffset())
                mv.visitTryCatchBlock(start, end, handler, null);
        }
        @Override public void visitCode() {
            mv.visitCode();
            Label off = new Label();
            if (guard) {
                mv.visitFieldInsn(Opcodes.GETSTATIC, "Probe", "on", "Z");
                mv.visitJumpInsn(Opcodes.IFEQ, off);
            }
            mv.visitMethodInsn(Opcodes.INVOKESTATIC, "Probe", "enter", "()V", false);
            if (guard) {
                mv.visitLabel(off);
                mv.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
            }
            if (wrap && !waiting)
                begin();
        }
        @Override public void visitTypeInsn(int op, String type) {
            if (op == Opcodes.NEW)
                news++;
            mv.visitTypeInsn(op, type);
        }
        @Override public void visitMethodInsn(int op, String owner, String name, String desc, boolean itf) {
            mv.visitMethodInsn(op, owner, name, desc, itf);
            if (wrap && waiting && op == Opcodes.INVOKESPECIAL && name.equals("<init>") && news-- == 0) {
                waiting = false;
                begin();
            }
        }
        @Override public void visitInsn(int op) {
            boolean ret = op >= Opcodes.IRETURN && op <= Opcodes.RETURN;
            if (exits && ret) {
                if (wrap && handler != null)
                    close();
                mv.visitMethodInsn(Opcodes.INVOKESTATIC, "Probe", "exit", "()V", false);
            }
            mv.visitInsn(op);
            if (wrap && ret && handler != null) {
                start = new Label();
                mv.visitLabel(start);
            }
        }
        @Override public void visitMaxs(int stack, int locals) {
            if (wrap && handler != null) {
                Label here = new Label();
                mv.visitLabel(here);
                if (start.getOffset() < here.getOffset())
                    mv.visitTryCatchBlock(start, here, handler, null);
                mv.visitLabel(handler);
                mv.visitFrame(Opcodes.F_FULL, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"});
                mv.visitMethodInsn(Opcodes.INVOKESTATIC, "Probe", "exit", "()V", false);
                mv.visitInsn(Opcodes.ATHROW);
            }
            mv.visitMaxs(Math.max(stack, 1), locals);
        }
    }

    /** The time of the entry in a new local, read at each return. */
    static class Timer extends LocalVariablesSorter {
        int start;

        Timer(int access, String desc, MethodVisitor mv) {
            super(Opcodes.ASM9, access, desc, mv);
        }
        void now() {
            mv.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/System", "nanoTime", "()J", false);
        }
        @Override public void visitCode() {
            mv.visitCode();
            now();
            start = newLocal(Type.LONG_TYPE);
            mv.visitVarInsn(Opcodes.LSTORE, start);
        }
        @Override public void visitInsn(int op) {
            if (op >= Opcodes.IRETURN && op <= Opcodes.RETURN) {
                now();
                mv.visitVarInsn(Opcodes.LLOAD, start);
                mv.visitInsn(Opcodes.LSUB);
                mv.visitMethodInsn(Opcodes.INVOKESTATIC, "Probe", "took", "(J)V", false);
            }
            mv.visitInsn(op);
        }
        @Override public void visitMaxs(int stack, int locals) {
            super.visitMaxs(stack + 4, locals);
        }
    }

    static byte[] run(String row, byte[] b) {
        ClassReader r = new ClassReader(b);
        switch (row) {
        case "untouched":
        case "copy": {
            ClassWriter w = new ClassWriter(0);
            r.accept(w, 0);
            return w.toByteArray();
        }
        case "frames": {
            ClassWriter w = new Writer(null, ClassWriter.COMPUTE_FRAMES);
            r.accept(w, ClassReader.SKIP_FRAMES);
            return w.toByteArray();
        }
        default:
            boolean frames = row.equals("exits-frames"), wrap = row.equals("finally"), timed = row.equals("timed");
            boolean guard = row.equals("guard"), exits = !row.equals("entry") && !row.equals("edit") && !guard;
            ClassWriter w = new Writer(r, frames ? ClassWriter.COMPUTE_FRAMES : 0);
            r.accept(new ClassVisitor(Opcodes.ASM9, w) {
                @Override public MethodVisitor visitMethod(int acc, String n, String d, String s, String[] ex) {
                    MethodVisitor mv = super.visitMethod(acc, n, d, s, ex);
                    if (timed)
                        return new Timer(acc, d, mv);
                    return n.equals("finalize") ? mv : new Probes(mv, n, exits, wrap, guard);
                }
            }, timed ? ClassReader.EXPAND_FRAMES : frames ? ClassReader.SKIP_FRAMES : 0);
            return w.toByteArray();
        }
    }

    static final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    static long pass(String row) {
        long t = threads.getCurrentThreadCpuTime();
        for (byte[] b : classes)
            sink += run(row, b).length;
        return threads.getCurrentThreadCpuTime() - t;
    }

    public static void main(String[] args) throws Exception {
        boolean cold = args.length > 1 && args[0].equals("cold");
        load(cold ? Integer.parseInt(args[1]) : Integer.MAX_VALUE);
        hierarchy();
        if (cold) {
            pass("exits");
            return;
        }
        System.out.println("ready " + classes.size());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null;) {
            String[] f = line.split(" ");
            long best = Long.MAX_VALUE;
            for (int i = Integer.parseInt(f[1]); i > 0; i--)
                best = Math.min(best, pass(f[0]));
            System.out.println(best);
        }
    }
}
