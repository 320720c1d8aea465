// SPDX-License-Identifier: Apache-2.0
package redefine;

import java.lang.instrument.ClassDefinition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The cases of the matrix, each redefined again and again while the first, second, third ... allocation of the redefinition fails,
 * until none does.
 *
 *     Starve native|heap STRIDE DIR FILE... [NAME...]    with Matrix as -javaagent; every STRIDEth allocation
 *
 * A redefinition that meets it is refused for want of memory, and then nothing has changed; or, if it can do without, it is done
 * and right. A case that is refused anyway may also be refused as ever. In the end the case must come out as without all this.
 */
public final class Starve {
    static native int redefine(Class<?>[] classes, byte[][] bytes, boolean heap, int nth);
    static native String nameOf(int error);

    static boolean heap;
    static int attempts, refused, done, wrong;

    /** One run of a case: attempts from `nth` on until one is not refused for want of memory. */
    static final class Attempt implements Check.Redefiner {
        final Matrix.Case test;
        final int stride;
        int nth;
        boolean met; // the last one has met the failure
        final List<String> findings = new ArrayList<>();

        Attempt(Matrix.Case test, int nth, int stride) {
            this.test = test;
            this.nth = nth;
            this.stride = stride;
        }

        @Override public void redefine(ClassDefinition... definitions) throws Exception {
            Class<?>[] classes = new Class<?>[definitions.length];
            byte[][] bytes = new byte[classes.length][];
            for (int i = 0; i < classes.length; i++) {
                classes[i] = definitions[i].getDefinitionClass();
                bytes[i] = definitions[i].getDefinitionClassFile();
            }
            for (;; nth += stride) {
                int answer = Starve.redefine(classes, bytes, heap, nth), error = answer % 1000;
                met = answer >= 1000;
                attempts++;
                if (!nameOf(error).equals("OUT_OF_MEMORY")) {
                    if (error != 0) throw new UnsupportedOperationException(nameOf(error));
                    if (met) done++;
                    return;
                }
                refused++;
                if (!met) findings.add("refused although there was memory");
                String difference = test.changed();
                if (difference != null) findings.add("refused at " + nth + ", but " + difference);
                if (!findings.isEmpty()) return;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        System.loadLibrary("agent_starve");
        heap = args[0].equals("heap");
        int stride = Integer.parseInt(args[1]), at = 3, first = 0;
        Matrix.dir = Path.of(args[2]);
        List<Matrix.Case> cases = new ArrayList<>();
        while (at < args.length && args[at].endsWith(".cases")) cases.addAll(Matrix.read(Path.of(args[at++])));
        List<String> names = List.of(args).subList(at, args.length);
        for (Matrix.Case c : cases)
            if (names.isEmpty() || names.contains(c.name)) run(c, 1 + first++ % stride, stride);
        System.out.println((heap ? "heap" : "native") + ": " + (attempts > refused && refused > 0 ? "redefined, some refused" : "nothing seen") + ", wrong " + wrong);
        System.err.println(attempts + " attempts, " + refused + " refused, " + done + " done all the same");
        System.exit(wrong == 0 ? 0 : 1);
    }

    static void run(Matrix.Case test, int nth, int stride) throws Exception {
        Check.redefiner = Check.inst::redefineClasses;
        if (!test.expected(test.runGuarded())) return; // as redefine/enhanced has it
        for (boolean met = true; met; nth += stride) {
            test = test.again();
            Attempt a = new Attempt(test, nth, stride);
            Check.redefiner = a;
            String line = test.runGuarded();
            nth = a.nth;
            met = a.met;
            if (!test.expected(line)) a.findings.add(line + (met ? ", although it is done" : ", with memory"));
            if (a.findings.isEmpty()) continue;
            wrong++;
            System.out.println(test.name + " at " + nth + ": " + a.findings);
            return;
        }
    }
}
