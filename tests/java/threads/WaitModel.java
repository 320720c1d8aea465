// SPDX-License-Identifier: Apache-2.0
// timeout: 120
import java.util.*;

/**
 * Semaphores made of wait and notify, taken by threads that are interrupted and time out at random.
 * A notification that is lost leaves a token that nobody takes: the program stalls. One that wakes two is
 * seen by counting: without time-outs, no more waits end normally than notify was called.
 */
public class WaitModel {
    static class Sem {
        int tokens, notified, normal, interrupted; // guarded by this
        synchronized void give() {
            tokens++;
            notified++;
            notify();
        }
        synchronized void take(long ms) {
            while (tokens == 0)
                try {
                    wait(ms);
                    normal++;
                } catch (InterruptedException e) {
                    interrupted++;
                }
            tokens--;
        }
        synchronized int interrupts() { return interrupted; }
    }
    static volatile boolean stop;

    /** Tokens go round between two semaphores, which never hold more than three. */
    static boolean round(int rounds, long ms) throws InterruptedException {
        Sem full = new Sem(), empty = new Sem();
        for (int i = 0; i < 3; i++) empty.give();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            long limit = i % 2 == 0 ? 0 : ms;
            all.add(new Thread(() -> { for (int k = 0; k < rounds; k++) { empty.take(limit); full.give(); } }));
            all.add(new Thread(() -> { for (int k = 0; k < rounds; k++) { full.take(limit); empty.give(); } }));
        }
        stop = false;
        Thread bother = new Thread(() -> {
            Random r = new Random(7);
            while (!stop) { all.get(r.nextInt(all.size())).interrupt(); if (r.nextInt(4) != 0) Thread.yield(); }
        });
        bother.start();
        for (int i = 1; i < all.size(); i += 2) all.get(i).start(); // these wait: there are no full ones yet
        while (full.interrupts() == 0) Thread.yield();
        for (int i = 0; i < all.size(); i += 2) all.get(i).start();
        for (Thread t : all) t.join(50_000);
        stop = true;
        bother.join();
        for (Thread t : all)
            if (t.isAlive()) {
                System.out.println("stalled with " + full.tokens + " and " + empty.tokens + " tokens");
                return false;
            }
        System.out.println("tokens " + full.tokens + " " + empty.tokens + ", interrupted " + (full.interrupted + empty.interrupted > 0)
            + ", woken by nothing " + (ms == 0 && (full.normal > full.notified || empty.normal > empty.notified)));
        return true;
    }
    public static void main(String[] a) throws Exception {
        int rounds = a.length > 0 ? Integer.parseInt(a[0]) : 3000;
        System.exit(round(rounds, 0) && round(rounds, 1) ? 0 : 1);
    }
}
