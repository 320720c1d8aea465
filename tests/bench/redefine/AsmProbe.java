// SPDX-License-Identifier: Apache-2.0
import java.lang.instrument.*;
import java.security.ProtectionDomain;
import org.objectweb.asm.*;

/** Puts Probe.enter and Probe.leave into the classes TempNNNN with ASM, frames kept; with `swapped` in exchanged places. */
final class AsmProbe implements ClassFileTransformer {
    static boolean swapped;
    @Override public byte[] transform(ClassLoader l, String name, Class<?> c, ProtectionDomain d, byte[] b) {
        if (name == null || !name.startsWith("Temp"))
            return null;
        ClassReader r = new ClassReader(b);
        ClassWriter w = new ClassWriter(r, ClassWriter.COMPUTE_MAXS);
        r.accept(new ClassVisitor(Opcodes.ASM9, w) {
            @Override public MethodVisitor visitMethod(int access, String n, String desc, String sig, String[] ex) {
                return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, n, desc, sig, ex)) {
                    void call(String what) { visitMethodInsn(Opcodes.INVOKESTATIC, "Probe", what, "()V", false); }
                    @Override public void visitCode() { super.visitCode(); call(swapped ? "leave" : "enter"); }
                    @Override public void visitInsn(int op) {
                        if (op >= Opcodes.IRETURN && op <= Opcodes.RETURN)
                            call(swapped ? "enter" : "leave");
                        super.visitInsn(op);
                    }
                };
            }
        }, 0);
        return w.toByteArray();
    }
}
