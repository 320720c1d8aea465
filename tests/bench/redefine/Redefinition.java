// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.lang.instrument.*;
import java.util.*;

/**
 * Time of redefineClasses and retransformClasses for 1, 100 and 1000 classes of 21 methods, and of one class while ten threads
 * run it.  With "asm" or "native": of retransformClasses with a transformer that puts probes into each method, by ASM
 * or by probe_agent.c.  Run with itself as agent; prints "name microseconds", the median of the rounds.
 */
public class Redefinition {
    static Instrumentation inst;
    public static void premain(String options, Instrumentation i) { inst = i; }

    static final class Loader extends ClassLoader {
        Loader() { super(Redefinition.class.getClassLoader()); }
        Class<?> define(byte[] b) { return defineClass(null, b, 0, b.length); }
    }
    /** The bytes of Template as class TemplNNNN (same length), with `mark` in its constants. */
    static byte[] copy(byte[] template, int n, char mark) {
        byte[] b = template.clone(), name = String.format("Temp%04d", n).getBytes();
        for (int i = 0; i + 8 <= b.length; i++) {
            if (new String(b, i, 8, java.nio.charset.StandardCharsets.ISO_8859_1).equals("Template")) System.arraycopy(name, 0, b, i, 8);
            if (b[i] == 'm' && b[i + 1] == 'a' && b[i + 2] == 'r' && b[i + 3] == 'k' && b[i + 4] == '0') b[i + 4] = (byte) mark;
        }
        return b;
    }
    interface Action { void run(int round) throws Exception; }
    static void measure(String name, int rounds, Action a) throws Exception {
        long[] t = new long[rounds];
        for (int i = -2; i < rounds; i++) {
            long s = System.nanoTime();
            a.run(i & 1);
            if (i >= 0) t[i] = System.nanoTime() - s;
        }
        Arrays.sort(t);
        System.out.println(name + " " + t[rounds / 2] / 1000);
    }
    static volatile boolean stop;

    static void probes(String how, Class<?>[] all) throws Exception {
        if (how.equals("asm"))
            inst.addTransformer((ClassFileTransformer) Class.forName("AsmProbe").getDeclaredConstructor().newInstance(), true);
        for (int size : new int[] {1, 100, 1000}) {
            Class<?>[] some = Arrays.copyOf(all, size);
            measure("probes-" + size, size == 1 ? 101 : size == 100 ? 21 : 7, r -> inst.retransformClasses(some));
        }
        Probe.entered = Probe.left = 0;
        ((Runnable) all[999].getDeclaredConstructor().newInstance()).run();
        if (Probe.entered < 50 || Probe.left < 50)
            throw new AssertionError("no probes: " + Probe.entered + " " + Probe.left);
    }

    public static void main(String[] args) throws Exception {
        byte[] template;
        try (InputStream in = Redefinition.class.getResourceAsStream("/Template.class")) { template = in.readAllBytes(); }
        int n = 1000;
        Class<?>[] all = new Class<?>[n];
        ClassDefinition[][] defs = new ClassDefinition[2][n];
        Loader l = new Loader();
        for (int i = 0; i < n; i++) {
            all[i] = l.define(copy(template, i, '0'));
            ((Runnable) all[i].getDeclaredConstructor().newInstance()).run();
            for (int k = 0; k < 2; k++) defs[k][i] = new ClassDefinition(all[i], copy(template, i, (char) ('1' + k)));
        }
        if (args.length > 0) {
            probes(args[0], all);
            return;
        }
        for (int size : new int[] {1, 100, 1000}) {
            ClassDefinition[] a = Arrays.copyOf(defs[0], size), b = Arrays.copyOf(defs[1], size);
            Class<?>[] some = Arrays.copyOf(all, size);
            int rounds = size == 1 ? 101 : size == 100 ? 21 : 7;
            measure("redefine-" + size, rounds, r -> inst.redefineClasses(r == 0 ? a : b));
            measure("retransform-" + size, rounds, r -> inst.retransformClasses(some));
        }
        Thread[] ts = new Thread[10];
        for (int i = 0; i < ts.length; i++) {
            Runnable r = (Runnable) all[0].getDeclaredConstructor().newInstance();
            ts[i] = new Thread(() -> { while (!stop) r.run(); });
            ts[i].start();
        }
        measure("redefine-running", 21, r -> inst.redefineClasses(defs[r][0]));
        stop = true;
        for (Thread t : ts) t.join();
    }
}

