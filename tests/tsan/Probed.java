// SPDX-License-Identifier: Apache-2.0
import com.sun.tools.attach.VirtualMachine;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Probed TRACE COVERAGE HEAP FOLDER: three threads call, throw and load classes, while agents that are there from the start take their probes out where
 * they are dear (a budget, rounds of pruning), are told to begin and end, to look for other things and to report. What the threads compute must be right.
 */
public class Probed {
    static volatile boolean stop;
    static final AtomicInteger wrong = new AtomicInteger(), rounds = new AtomicInteger();

    public static class Work {
        int sum;
        int add(int i) { sum += i; return sum; }
        static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        static int thrown(int i) {
            try {
                throw new IllegalStateException("x" + i);
            } catch (IllegalStateException e) {
                return e.getMessage().length();
            }
        }
        static synchronized int branchy(int n) {
            int odd = 0;
            for (int i = 0; i < n; i++) if (i % 2 == 1) odd++;
            return odd;
        }
        static int late(int round) { return round % 50 == 49 ? round : 49; } // one way passes late
    }
    static void check(int got, int want) { if (got != want) wrong.incrementAndGet(); }

    static void work() {
        for (int round = 0; !stop; round++) {
            Work w = new Work();
            for (int i = 0; i < 10; i++) w.add(i);
            check(w.sum, 45);
            check(Work.fib(8), 21);
            check(Work.thrown(7), 2);
            check(Work.branchy(11), 5);
            check(Work.late(round) % 50, 49);
            if (round % 40 == 0) load();
            rounds.incrementAndGet();
        }
    }
    /** A copy of Work in a loader of its own. */
    static void load() {
        try (InputStream in = Probed.class.getResourceAsStream("Probed$Work.class")) {
            byte[] b = in.readAllBytes();
            Class<?> c = new ClassLoader(null) {
                Class<?> define() { return defineClass("Probed$Work", b, 0, b.length); }
            }.define();
            check((Integer) c.getDeclaredMethod("thrown", int.class).invoke(c.getConstructor().newInstance(), 12), 3);
        } catch (ReflectiveOperationException e) {
            check(e instanceof IllegalAccessException ? 0 : 1, 0);
        } catch (Exception e) {
            wrong.incrementAndGet();
        }
    }
    static void await(int more) throws InterruptedException {
        for (int until = rounds.get() + more; rounds.get() < until; ) Thread.sleep(20);
    }
    public static void main(String[] args) throws Exception {
        String trace = args[0], coverage = args[1], heap = args[2], folder = args[3];
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(Probed::work, "work" + i);
            threads[i].setDaemon(true);
            threads[i].start();
        }
        VirtualMachine vm = VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
        await(15);
        vm.loadAgentPath(trace, "dump");
        vm.loadAgentPath(coverage, "dump");
        await(15);
        vm.loadAgentPath(trace, "probe=Probed$Work.add when arg0 > 3 limit 50/s,argsfile=" + folder + "/args,file=" + folder + "/t1,budget=10%");
        await(15);
        vm.loadAgentPath(heap, "file=" + folder + "/heap");
        vm.loadAgentPath(trace, "include=Probed*,budget=2%,alloc,tree=" + folder + "/tree,file=" + folder + "/t2");
        await(15);
        vm.loadAgentPath(trace, "stop");
        await(10);
        vm.loadAgentPath(trace, "include=Probed*,budget=2%,file=" + folder + "/t3");
        vm.loadAgentPath(coverage, "stop");
        await(10);
        stop = true;
        for (Thread t : threads) t.join();
        System.out.println(wrong.get() == 0 ? "results right" : wrong + " wrong");
    }
}
