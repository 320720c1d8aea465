// SPDX-License-Identifier: Apache-2.0
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.ReentrantLock;

/** Known numbers of calls on virtual threads, many of which wait inside of calls, so that they change their carriers in the midst of them. Since JDK 21. */
public class TracedVirtual {
    static final ReentrantLock lock = new ReentrantLock();
    static int shared;
    static int leaf(int x) { return x + 1; }
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static int waits(int n) throws Exception {
        int s = leaf(n);
        Thread.sleep(1);
        s += leaf(s);
        if (n > 0) s += waits(n - 1);
        Thread.yield();
        return s + leaf(s);
    }
    static void fails(int n) throws Exception { Thread.yield(); if (n == 0) throw new IllegalStateException(); fails(n - 1); }
    static void task(int i) throws Exception {
        waits(2);
        fib(5);
        try { fails(3); } catch (IllegalStateException e) { leaf(0); }
        lock.lock();
        try { counted(i); } finally { lock.unlock(); }
    }
    static void counted(int i) { shared++; }
    static void platform() { leaf(0); }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[0]), last = args.length > 1 ? Integer.parseInt(args[1]) : 0;
        try (ExecutorService e = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < n; i++) { int k = i; all.add(e.submit(() -> { task(k); return null; })); }
            for (Future<?> f : all) f.get();
        }
        for (int i = 0; i < 5; i++) Thread.ofPlatform().start(TracedVirtual::platform).join();
        // one after the other
        for (int i = 0; i < last; i++) Thread.startVirtualThread(TracedVirtual::platform).join();
        Thread t = Thread.ofVirtual().name("named").unstarted(() -> fib(3));
        t.start();
        t.join();
        System.out.println(shared == n);
    }
}
