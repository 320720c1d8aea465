// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.lang.instrument.*;
import java.util.*;

/**
 * Time of redefineClasses and retransformClasses for 1, 100 and 1000 classes of 21 methods, and of one class while ten threads
 * run it.  With "asm" or "native": of retransformation with a transformer that puts probes into each method, by ASM or by
 * probe_agent.c; then classes are named to java.lang.instrument, or with the path of probe_agent's library behind "native" to
 * that.  The probes are put in as they are already, then ("swapped") each time with the two calls in exchanged places.
 * Run with itself as agent except in the last case; prints "name microseconds", the median of the rounds.
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

    static native void retransform(Class<?>[] classes, boolean swapped);
    static void retransform(Class<?>[] classes, boolean swapped, boolean direct) throws Exception {
        if (direct) {
            retransform(classes, swapped);
        } else {
            AsmProbe.swapped = swapped;
            inst.retransformClasses(classes);
        }
    }

    static void probes(String[] how, Class<?>[] all) throws Exception {
        boolean direct = how.length > 1;
        if (direct)
            System.load(how[1]);
        if (how[0].equals("asm"))
            inst.addTransformer((ClassFileTransformer) Class.forName("AsmProbe").getDeclaredConstructor().newInstance(), true);
        for (int size : new int[] {1, 100, 1000}) {
            Class<?>[] some = Arrays.copyOf(all, size);
            int rounds = size == 1 ? 101 : size == 100 ? 21 : 7;
            measure("probes-" + size, rounds, r -> retransform(some, false, direct));
            if (direct || how[0].equals("asm"))
                measure("swapped-" + size, rounds, r -> retransform(some, r == 1, direct));
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
            probes(args, all);
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

