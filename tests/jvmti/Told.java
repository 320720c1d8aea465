// SPDX-License-Identifier: Apache-2.0
import java.lang.management.ManagementFactory;
import java.util.*;
import javax.management.ObjectName;

/** Callbacks of the VM's own thread: the locks that they want, and the thread: agent_told.c. */
public class Told {
    static native void tag(Object o);
    static native int freed();
    static native void walk(int how, boolean monitor);
    static native void hold(boolean monitor);
    static native boolean loading();
    static native void release();
    static native int starts();

    static final int N = 200;
    static void litter() {
        for (int i = 0; i < N; i++) tag(new Object());
    }
    static void use() {
        byte[] b = new byte[20_000];
        for (int i = 0; i < b.length; i++) b[i] = (byte) i;
    }
    static void walks(int from, int to) throws Exception {
        for (int how = from; how < to; how++) {
            for (boolean monitor : new boolean[] {true, false}) {
                if (how == 4 && !monitor) continue; // there the caller itself tells the rest
                litter();
                use();
                walk(how, monitor);
                for (int i = 0; i < 1000 && freed() < N * 9 / 10; i++) Thread.sleep(10);
                System.out.println("told: " + (freed() >= N * 9 / 10 ? "all" : "" + freed()));
            }
        }
    }

    /** A method of its own each time: it is compiled anew. */
    static class Own extends ClassLoader {
        Own() { super(Told.class.getClassLoader()); }
        Works make() throws Exception {
            try (var in = Told.class.getResourceAsStream("Told$Work.class")) {
                byte[] b = in.readAllBytes();
                return (Works) defineClass("Told$Work", b, 0, b.length).getDeclaredConstructor().newInstance();
            }
        }
    }
    public interface Works { void works(); } // of which `work` may be a body
    public static class Work implements Works {
        public Work() {}
        static int sum;
        static void work() {
            for (int i = 0; i < 10; i++) sum += i * sum;
        }
        public void works() { work(); }
    }
    static void compile(boolean monitor) throws Exception {
        Works r = new Own().make();
        hold(monitor);
        long end = System.nanoTime() + 20_000_000_000L;
        while (!loading() && System.nanoTime() < end)
            for (int i = 0; i < 1000; i++) r.works();
        System.out.println(loading() ? "a callback waits" : "no callback came");
        release();
    }

    static void listed() throws Exception {
        Thread[] group = new Thread[100];
        ThreadGroup top = Thread.currentThread().getThreadGroup().getParent();
        int n = top.enumerate(group);
        boolean found = Thread.getAllStackTraces().keySet().stream().anyMatch(t -> t.getName().equals("Service Thread"));
        for (int i = 0; i < n; i++) found |= group[i].getName().equals("Service Thread");
        for (var i : ManagementFactory.getThreadMXBean().dumpAllThreads(false, false)) found |= i.getThreadName().equals("Service Thread");
        System.out.println("lists have it: " + found + ", ThreadStart: " + starts());
        String dump = (String) ManagementFactory.getPlatformMBeanServer().invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"),
            "threadPrint", new Object[] {new String[0]}, new String[] {"[Ljava.lang.String;"});
        String[] lines = dump.split("\n");
        for (int i = 0; i < lines.length; i++)
            if (lines[i].startsWith("\"Service Thread\""))
                System.out.println(lines[i].replaceAll("#\\d+", "#N").replaceAll("os_prio.*", "") + lines[i + 1]);
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("off")) {
            walks(4, 5);
            return;
        }
        walks(0, 4);
        compile(true);
        compile(false);
        listed();
        System.out.println("end");
    }
}
