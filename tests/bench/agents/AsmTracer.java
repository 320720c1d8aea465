// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.lang.instrument.*;
import java.security.ProtectionDomain;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.*;
import org.objectweb.asm.commons.AdviceAdapter;

/** A tracer as one writes it with ASM: counts and times each method of the program by probes at entry and exit. */
public class AsmTracer {
    static final List<String> names = new ArrayList<>();
    static final class Numbers { long[] calls = new long[1024], nanos = new long[1024], started = new long[1 << 16]; int depth; }
    static final Map<Thread, Numbers> all = new ConcurrentHashMap<>();
    static final ThreadLocal<Numbers> mine = ThreadLocal.withInitial(() -> { Numbers n = new Numbers(); all.put(Thread.currentThread(), n); return n; });

    public static void enter(int method) {
        Numbers n = mine.get();
        n.started[n.depth++ & 0xffff] = System.nanoTime();
    }
    public static void leave(int method) {
        Numbers n = mine.get();
        long t = System.nanoTime() - n.started[--n.depth & 0xffff];
        if (method >= n.calls.length) {
            n.calls = Arrays.copyOf(n.calls, 2 * method);
            n.nanos = Arrays.copyOf(n.nanos, 2 * method);
        }
        n.calls[method]++;
        n.nanos[method] += t;
    }
    static void report(String file) {
        try (PrintWriter out = new PrintWriter(file)) {
            for (int i = 0; i < names.size(); i++) {
                long c = 0, t = 0;
                for (Numbers n : all.values())
                    if (i < n.calls.length) { c += n.calls[i]; t += n.nanos[i]; }
                out.printf("%12d %14.3f %s%n", c, t / 1e6, names.get(i));
            }
        } catch (IOException e) { throw new UncheckedIOException(e); }
    }
    public static void premain(String file, Instrumentation inst) {
        inst.addTransformer(new ClassFileTransformer() {
            @Override public byte[] transform(ClassLoader l, String name, Class<?> c, ProtectionDomain d, byte[] b) {
                boolean ours = l != null && l != ClassLoader.getPlatformClassLoader() && !name.startsWith("AsmTracer") && !name.startsWith("org/objectweb/");
                return ours ? weave(name, b) : null;
            }
        }, true);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> report(file)));
    }
    static byte[] weave(String owner, byte[] b) {
        ClassReader r = new ClassReader(b);
        ClassWriter w = new ClassWriter(r, ClassWriter.COMPUTE_MAXS);
        r.accept(new ClassVisitor(Opcodes.ASM9, w) {
            @Override public MethodVisitor visitMethod(int access, String name, String desc, String sig, String[] ex) {
                MethodVisitor mv = super.visitMethod(access, name, desc, sig, ex);
                if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0)
                    return mv;
                int id;
                synchronized (names) { id = names.size(); names.add(owner + "." + name + desc); }
                return new AdviceAdapter(Opcodes.ASM9, mv, access, name, desc) {
                    void call(String what) { push(id); visitMethodInsn(INVOKESTATIC, "AsmTracer", what, "(I)V", false); }
                    @Override protected void onMethodEnter() { call("enter"); }
                    @Override protected void onMethodExit(int op) { call("leave"); }
                };
            }
        }, ClassReader.EXPAND_FRAMES);
        return w.toByteArray();
    }
}
