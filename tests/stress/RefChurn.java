// SPDX-License-Identifier: Apache-2.0
import java.lang.ref.*;
import java.util.*;
import java.util.concurrent.atomic.*;

/**
 * RefChurn SECONDS: soft, weak and phantom references, cleaners and finalizers come and go under several threads; a model knows
 * which referents are held. No held referent may be cleared, no reference may be queued twice or while its referent is held, and at
 * the end everything that was dropped must be cleared and queued.
 */
public class RefChurn {
    static final AtomicLong made = new AtomicLong(), queued = new AtomicLong(), cleaned = new AtomicLong(), cleanersMade = new AtomicLong(),
        finalized = new AtomicLong(), finalizersMade = new AtomicLong();
    static final AtomicReference<String> failure = new AtomicReference<>();
    static final Cleaner CLEANER = Cleaner.create();

    static void fail(String s) { failure.compareAndSet(null, s); }

    /** Says when it is held, so that a reference to it can be judged. */
    static final class Thing {
        volatile boolean held = true;
        final long[] body;
        Thing(int n) { body = new long[n]; body[n - 1] = n; }
        boolean whole() { return body[body.length - 1] == body.length; }
    }

    static class Finalizable {
        final Thing inner = new Thing(3);
        @Override protected void finalize() {
            if (!inner.whole()) fail("a finalizer saw a damaged object");
            finalized.incrementAndGet();
        }
    }

    interface Watch { boolean take(); }
    static final class Weak extends WeakReference<Thing> implements Watch {
        final AtomicBoolean taken = new AtomicBoolean();
        Weak(Thing t, ReferenceQueue<Thing> q) { super(t, q); }
        public boolean take() { return taken.compareAndSet(false, true); }
    }
    static final class Soft extends SoftReference<Thing> implements Watch {
        final AtomicBoolean taken = new AtomicBoolean();
        Soft(Thing t, ReferenceQueue<Thing> q) { super(t, q); }
        public boolean take() { return taken.compareAndSet(false, true); }
    }
    static final class Phantom extends PhantomReference<Thing> implements Watch {
        final AtomicBoolean taken = new AtomicBoolean();
        Phantom(Thing t, ReferenceQueue<Thing> q) { super(t, q); }
        public boolean take() { return taken.compareAndSet(false, true); }
    }

    static Reference<Thing> reference(int kind, Thing t, ReferenceQueue<Thing> q) {
        made.incrementAndGet();
        return kind == 0 ? new Weak(t, q) : kind == 1 ? new Soft(t, q) : new Phantom(t, q);
    }

    /** One thread's objects: slots with a strong pointer (or not) and references to what is or was in it. */
    static final class Worker extends Thread {
        final ReferenceQueue<Thing> queue = new ReferenceQueue<>();
        final Thing[] strong = new Thing[500];
        final List<List<Reference<Thing>>> refs = new ArrayList<>();
        final Set<Reference<Thing>> all = Collections.newSetFromMap(new IdentityHashMap<>());
        final Random random;
        final long end;
        Worker(int seed, long end) {
            random = new Random(seed);
            this.end = end;
            for (int i = 0; i < strong.length; i++) refs.add(new ArrayList<>());
        }

        void check(int slot) {
            Thing held = strong[slot];
            if (held == null) return;
            if (!held.whole()) fail("a held object is damaged");
            for (Reference<Thing> r : refs.get(slot)) {
                if (!r.refersTo(held)) fail("a reference to a held object was cleared: " + r.getClass().getSimpleName());
                if (!(r instanceof Phantom) && r.get() != held) fail("get() of a reference to a held object");
            }
        }

        void poll() {
            for (Reference<? extends Thing> r; (r = queue.poll()) != null; ) {
                if (!((Watch) r).take()) fail("queued twice");
                if (!r.refersTo(null)) fail("queued, but not cleared");
                if (!all.remove(r)) fail("queued, but unknown");
                queued.incrementAndGet();
            }
        }

        void renew(int slot) {
            check(slot);
            refs.get(slot).clear();
            Thing t = strong[slot] = random.nextInt(4) == 0 ? null : new Thing(1 + random.nextInt(20));
            for (int k = random.nextInt(4); t != null && k > 0; k--) {
                Reference<Thing> r = reference(random.nextInt(3), t, queue);
                refs.get(slot).add(r);
                all.add(r);
            }
            if (t != null && random.nextInt(50) == 0) {
                cleanersMade.incrementAndGet();
                CLEANER.register(t, cleaned::incrementAndGet);
            }
            if (random.nextInt(100) == 0) { finalizersMade.incrementAndGet(); new Finalizable(); }
        }

        @Override public void run() {
            for (long i = 0; System.nanoTime() < end && failure.get() == null; i++) {
                renew(random.nextInt(strong.length));
                check(random.nextInt(strong.length));
                if (i % 64 == 0) poll();
                while (all.size() > 20_000) { /* the thread that queues references is behind */
                    System.gc();
                    try { Thread.sleep(1); } catch (InterruptedException e) { throw new Error(e); }
                    poll();
                }
            }
            for (int i = 0; i < strong.length; i++) { check(i); strong[i] = null; refs.get(i).clear(); }
        }
    }

    static void exhaust() {
        List<byte[]> hog = new ArrayList<>();
        try {
            while (true) hog.add(new byte[1 << 18]);
        } catch (OutOfMemoryError e) {
            hog = null;
        }
    }

    static boolean done(List<Worker> workers) {
        long left = 0;
        for (Worker w : workers) { w.poll(); left += w.all.size(); }
        return left == 0 && cleaned.get() == cleanersMade.get() && finalized.get() == finalizersMade.get();
    }

    public static void main(String[] args) throws Exception {
        long end = System.nanoTime() + (long) (Double.parseDouble(args[0]) * 1e9);
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < 4; i++) workers.add(new Worker(i, end));
        for (Worker w : workers) w.start();
        for (Worker w : workers) w.join();
        if (failure.get() != null) throw new Error(failure.get());
        for (int i = 0; i < 60 && !done(workers); i++) {
            if (i % 10 == 2) exhaust(); /* soft references too */
            System.gc();
            System.runFinalization();
            Thread.sleep(5);
        }
        long left = 0;
        for (Worker w : workers) left += w.all.size();
        left += cleanersMade.get() - cleaned.get() + finalizersMade.get() - finalized.get();
        /* a collector that reads stacks conservatively may take a stale word for one or the other */
        System.out.println(left <= 8 ? "all cleared and queued" : left + " left of " + made);
        if (args.length > 1) System.err.println(made + " references, " + queued + " queued, " + cleaned + " cleaned, " + finalized + " finalized");
    }
}
