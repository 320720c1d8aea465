// SPDX-License-Identifier: Apache-2.0
// options: -Xmx64m
import java.lang.ref.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Weak, soft, phantom references, queues, Cleaner, finalizers with resurrection, WeakHashMap. */
public class References {
    static Object resurrected;
    static final CountDownLatch FINALIZED = new CountDownLatch(1);

    static class Fin {
        final int id;
        Fin(int id) { this.id = id; }
        @Override protected void finalize() throws Throwable {
            resurrected = this;
            FINALIZED.countDown();
            throw new Exception("ignored");
        }
    }

    static void gcUntil(java.util.function.BooleanSupplier s) throws Exception {
        for (int i = 0; i < 500 && !s.getAsBoolean(); i++) {
            System.gc();
            System.runFinalization();
            Thread.sleep(2);
        }
    }

    static WeakReference<Object> weak(ReferenceQueue<Object> q) { return new WeakReference<>(new Object(), q); }
    static void makeFin() { new Fin(7); }

    public static void main(String[] args) throws Exception {
        ReferenceQueue<Object> q = new ReferenceQueue<>();
        Object strong = new Object();
        WeakReference<Object> kept = new WeakReference<>(strong, q), lost = weak(q);
        gcUntil(() -> lost.get() == null);
        System.out.println((kept.get() == strong) + " " + lost.get() + " " + (q.remove(5000) == lost) + " " + q.poll() + " " + kept.refersTo(strong) + " " + lost.refersTo(null) + " " + lost.enqueue());
        PhantomReference<Object> ph = new PhantomReference<>(new Object(), q);
        System.out.println(ph.get());
        Reference<?>[] got = new Reference<?>[1];
        gcUntil(() -> (got[0] = q.poll()) != null);
        System.out.println(got[0] == ph);
        List<SoftReference<byte[]>> soft = new ArrayList<>();
        for (int i = 0; i < 20; i++)
            soft.add(new SoftReference<>(new byte[50_000]));
        System.gc();
        System.out.println("soft kept " + soft.stream().filter(r -> r.get() != null).count());
        List<byte[]> hog = new ArrayList<>();
        try { while (true) hog.add(new byte[1 << 20]); } catch (OutOfMemoryError e) { hog = null; }
        // a collector that reads stacks conservatively may take a stale word for one of them
        System.out.println("soft cleared " + (soft.stream().filter(r -> r.get() == null).count() >= 18));
        makeFin();
        gcUntil(() -> FINALIZED.getCount() == 0);
        System.out.println("finalized " + FINALIZED.await(5, TimeUnit.SECONDS) + " " + ((Fin) resurrected).id);
        resurrected = null;
        System.gc();
        System.runFinalization();
        Thread.sleep(20);
        System.out.println("finalized once " + (resurrected == null));
        Cleaner cl = Cleaner.create();
        AtomicInteger cleaned = new AtomicInteger();
        Cleaner.Cleanable c1 = cl.register(new Object(), cleaned::incrementAndGet);
        Cleaner.Cleanable c2 = cl.register(strong, () -> cleaned.addAndGet(100));
        gcUntil(() -> cleaned.get() == 1);
        System.out.println("cleaned " + cleaned);
        c2.clean(); c2.clean(); c1.clean();
        System.out.println("cleaned " + cleaned);
        WeakHashMap<Object, String> wm = new WeakHashMap<>();
        Object key = new Object();
        wm.put(key, "kept");
        for (int i = 0; i < 100; i++) wm.put(new Object(), "lost");
        gcUntil(() -> wm.size() == 1);
        System.out.println(wm.size() + wm.get(key));
        WeakReference<Object>[] chain = new WeakReference[1000];
        Object head = null;
        for (int i = 0; i < 1000; i++) { head = new Object[] {head, i}; chain[i] = new WeakReference<>(head); }
        System.gc();
        long alive = Arrays.stream(chain).filter(w -> w.get() != null).count();
        Reference.reachabilityFence(head);
        head = null;
        gcUntil(() -> Arrays.stream(chain).noneMatch(w -> w.get() != null));
        System.out.println(alive + " " + Arrays.stream(chain).filter(w -> w.get() != null).count());
        WeakReference<Thread> wt = new WeakReference<>(started());
        gcUntil(() -> wt.get() == null);
        System.out.println("dead thread collected " + (wt.get() == null));
        System.out.println(strong != null);
    }

    static Thread started() throws Exception { Thread t = new Thread(() -> {}); t.start(); t.join(); return t; }
}
