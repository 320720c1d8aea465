// SPDX-License-Identifier: Apache-2.0
package redefine;

import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/** What a trace shows of code that was replaced since it was taken: its lines after a retransformation, none after a redefinition. */
public class Lines {
    static class Thrower {
        static Exception made() {
            return new Exception("made");
        }
    }

    private static Instrumentation all;

    public static void premain(String options, Instrumentation all) {
        Lines.all = all;
    }

    private static void shows(String what, Exception e, boolean line) {
        StackTraceElement top = e.getStackTrace()[0];
        String is = top.getMethodName() + " " + top.getFileName() + " " + top.getLineNumber();
        String due = line ? "made Lines.java " + LINE : "made null -1";
        System.out.println((is.equals(due) ? "ok " : "WRONG ") + what + ": " + is);
        wrong |= !is.equals(due);
    }

    private static final int LINE = Thrower.made().getStackTrace()[0].getLineNumber();
    private static boolean wrong;

    public static void main(String[] args) throws Exception {
        byte[] bytes;
        try (InputStream in = Lines.class.getResourceAsStream("Lines$Thrower.class")) {
            bytes = in.readAllBytes();
        }
        all.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] file) {
                return redefined == Thrower.class ? file.clone() : null;
            }
        }, true);
        Exception once = Thrower.made(), twice = Thrower.made(), redefined = Thrower.made(), both = Thrower.made();
        all.retransformClasses(Thrower.class);
        shows("retransformed", once, true);
        all.retransformClasses(Thrower.class);
        shows("retransformed twice", twice, true);
        all.redefineClasses(new ClassDefinition(Thrower.class, bytes));
        shows("redefined", redefined, false);
        Exception now = Thrower.made(), later = Thrower.made();
        shows("made by what is there now", now, true);
        all.retransformClasses(Thrower.class);
        shows("redefined, then retransformed", both, false);
        shows("made between, then retransformed", later, true);
        System.exit(wrong ? 1 : 0);
    }
}
