// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Loops that wait for a volatile field which they read by a getter end when another thread assigns it (JLS 17.4.5: reads are not taken out of the loop). */
public class VolatileGetters {
    static class Base {
        private volatile boolean done;
        private volatile int turn;
        private volatile long stamp;
        private volatile Object next;
        private int plain;

        boolean done() {
            return done;
        }

        int turn() {
            return turn;
        }

        long stamp() {
            return stamp;
        }

        Object next() {
            return next;
        }

        int plain() {
            return plain;
        }
    }

    static final class Waited extends Base {}

    private static final Waited W = new Waited();

    private static void untilDone(Waited w) {
        while (!w.done()) continue;
    }

    private static void untilTurn(Waited w) {
        while (w.turn() == 0) continue;
    }

    private static void untilStamp(Waited w) {
        while (w.stamp() == 0) continue;
    }

    private static void untilNext(Waited w) {
        while (w.next() == null) continue;
    }

    /** What was stored before the volatile store is seen behind the read. */
    private static int untilPlain(Waited w) {
        int before = w.plain();
        while (w.turn() == 0) continue;
        return w.plain() - before;
    }

    /** The same with the loop around, so that the method is hot before. */
    private static long untilEither(BooleanSupplier other) {
        long n = 0;
        while (!W.done() && !other.getAsBoolean()) n++;
        return n;
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 20_000; i++) untilEither(() -> true);
        int[] seen = {0};
        List<Thread> all = new ArrayList<>();
        String[] names = {"boolean", "int", "long", "reference", "plain behind", "either"};
        Runnable[] waits = {() -> untilDone(W), () -> untilTurn(W), () -> untilStamp(W), () -> untilNext(W), () -> seen[0] = untilPlain(W), () -> untilEither(() -> false)};
        for (Runnable r : waits) {
            Thread t = new Thread(r);
            t.setDaemon(true);
            t.start();
            all.add(t);
        }
        Thread.sleep(700);
        ((Base) W).plain = 7;
        ((Base) W).done = true;
        ((Base) W).turn = 1;
        ((Base) W).stamp = 1;
        ((Base) W).next = W;
        for (int i = 0; i < waits.length; i++) {
            all.get(i).join(20_000);
            System.out.println(names[i] + (all.get(i).isAlive() ? ": waits for ever" : ": seen"));
        }
        System.out.println(seen[0]);
    }
}
