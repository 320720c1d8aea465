// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2 -Djdk.attach.allowAttachSelf=true
/*
 * Small synchronized methods that are redefined while compiled code has their bodies in it, some of them in the midst of one: the old method
 * ends as it began, gives its monitor back, and the next call is one of the new method.
 */
import com.sun.tools.attach.VirtualMachine;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

public class SynchronizedRedefined {
    static class Target {
        int n;
        static int all;
        synchronized int inc() { return ++n; }
        synchronized void twice() { inc(); inc(); }
        synchronized String held(Runnable r) { r.run(); return "first"; }
        synchronized String asked(Runnable r) { inc(); return held(r); }
        static synchronized String common(Runnable r) { all++; r.run(); return "first"; }
    }

    static Instrumentation instrumentation;
    public static void agentmain(String args, Instrumentation i) throws Exception {
        ClassLoader.getSystemClassLoader().loadClass("SynchronizedRedefined").getDeclaredField("instrumentation").set(null, i);
    }

    static byte[] replaced(byte[] b, String to) {
        return new String(b, StandardCharsets.ISO_8859_1).replace("first", to).getBytes(StandardCharsets.ISO_8859_1);
    }
    static byte[] was;
    static void redefine(String to) throws Exception {
        instrumentation.redefineClasses(new ClassDefinition(Target.class, replaced(was, to)));
    }

    static String work(Target t, Runnable r) {
        t.twice();
        return t.held(r) + " " + t.asked(r) + " " + Target.common(r) + " " + Thread.holdsLock(t) + Thread.holdsLock(Target.class);
    }

    static boolean isFree(Object o) throws Exception {
        boolean[] got = {false};
        Thread t = new Thread(() -> { synchronized (o) { got[0] = true; } });
        t.setDaemon(true);
        t.start();
        t.join(20000);
        return got[0];
    }

    static class Gate implements Runnable {
        final CountDownLatch in = new CountDownLatch(1), out = new CountDownLatch(1);
        int left;
        Gate(int left) { this.left = left; }
        public void run() {
            if (left-- != 0) return;
            in.countDown();
            try {
                out.await();
            } catch (InterruptedException e) {
                throw new Error(e);
            }
        }
    }

    static void inTheMidst(int place, String to) throws Exception {
        Target t = new Target();
        Runnable none = () -> { };
        for (int i = 0; i < 30; i++) work(t, none);
        Gate g = new Gate(place);
        String[] result = {null};
        Thread worker = new Thread(() -> result[0] = work(t, g));
        worker.setDaemon(true);
        worker.start();
        g.in.await();
        redefine(to);
        Thread other = new Thread(() -> { if (place < 2) t.twice(); else Target.common(none); });
        other.start();
        while (other.getState() != Thread.State.BLOCKED) Thread.sleep(1);
        g.out.countDown();
        worker.join();
        other.join();
        System.out.println(place + ": " + result[0] + " / " + work(t, none) + " " + t.n + isFree(t) + isFree(Target.class));
    }

    public static void main(String[] args) throws Throwable {
        Path jar = Files.createTempFile("agent", ".jar");
        Manifest m = new Manifest();
        m.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        m.getMainAttributes().putValue("Agent-Class", "SynchronizedRedefined");
        m.getMainAttributes().putValue("Can-Redefine-Classes", "true");
        try (OutputStream o = Files.newOutputStream(jar); JarOutputStream j = new JarOutputStream(o, m)) { j.putNextEntry(new JarEntry("empty")); }
        VirtualMachine vm = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
        vm.loadAgent(jar.toString());
        vm.detach();
        Files.delete(jar);
        try (InputStream in = SynchronizedRedefined.class.getResourceAsStream("SynchronizedRedefined$Target.class")) { was = in.readAllBytes(); }
        for (int place = 0; place < 3; place++) inTheMidst(place, "othr" + place);

        Target t = new Target();
        int[] rounds = new int[2];
        boolean[] stop = {false};
        Thread[] busy = new Thread[2];
        for (int k = 0; k < 2; k++) {
            int id = k;
            busy[k] = new Thread(() -> {
                while (!stop[0]) {
                    String s = work(t, () -> { });
                    if (!s.endsWith("falsefalse")) System.out.println(s);
                    rounds[id]++;
                }
            });
            busy[k].start();
        }
        for (int i = 0; i < 40; i++) {
            String to = "no " + (10 + i);
            redefine(to);
            if (!work(t, () -> { }).startsWith(to)) System.out.println("stale: " + to);
        }
        stop[0] = true;
        for (Thread b : busy) b.join();
        System.out.println(t.n == 3 * (rounds[0] + rounds[1] + 40) ? "counted" : "lost: " + t.n + " " + rounds[0] + " " + rounds[1]);
        System.out.println(isFree(t) + " " + isFree(Target.class));
    }
}
