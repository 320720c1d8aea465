// SPDX-License-Identifier: Apache-2.0
// options: -Xmx64m
import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.*;
import java.util.*;
import java.util.concurrent.*;
import javax.management.*;
import javax.management.openmbean.CompositeData;

/** Pools, thresholds, collectors, notifications: facts that hold on every collector. */
public class Memory {
    static void check(String what, boolean ok) { System.out.println(what + ": " + ok); }
    static MemoryPoolMXBean heapPool(boolean collection) {
        MemoryPoolMXBean best = null;
        for (var p : ManagementFactory.getMemoryPoolMXBeans())
            if (p.getType() == MemoryType.HEAP && (collection ? p.isCollectionUsageThresholdSupported() : p.isUsageThresholdSupported())
                && (best == null || p.getName().contains("Old"))) best = p;
        return best;
    }
    static byte[][] keep = new byte[24][];
    static void churn() { for (int i = 0; i < 300; i++) keep[i % keep.length] = new byte[1 << 20]; }

    static void usage() {
        var m = ManagementFactory.getMemoryMXBean();
        for (var u : List.of(m.getHeapMemoryUsage(), m.getNonHeapMemoryUsage())) {
            check("used", u.getUsed() >= 0 && u.getCommitted() >= u.getUsed());
            check("init", u.getInit() >= 0);
        }
        check("max", m.getHeapMemoryUsage().getMax() > 0 && m.getHeapMemoryUsage().getMax() <= 64 << 20);
        boolean heap = false, other = false;
        for (var p : ManagementFactory.getMemoryPoolMXBeans()) {
            if (p.getType() == MemoryType.HEAP) heap = true; else other = true;
            if (!p.isValid() || p.getUsage() == null || p.getPeakUsage().getUsed() < 0) check(p.getName(), false);
            if (p.getType() == MemoryType.HEAP && p.getMemoryManagerNames().length == 0) check(p.getName(), false);
            if (!p.isUsageThresholdSupported())
                try { p.getUsageThreshold(); check("unsupported", false); } catch (UnsupportedOperationException e) { }
        }
        check("pools", heap && other);
        m.setVerbose(false);
        check("verbose", m.isVerbose());
    }

    static void peaks() {
        churn();
        for (var p : ManagementFactory.getMemoryPoolMXBeans()) {
            if (p.getType() != MemoryType.HEAP) continue;
            if (p.getPeakUsage().getUsed() < p.getUsage().getUsed()) check("peak", false);
            p.resetPeakUsage();
        }
        long peak = 0;
        for (var p : ManagementFactory.getMemoryPoolMXBeans())
            if (p.getType() == MemoryType.HEAP) peak += p.getPeakUsage().getUsed();
        check("peak after reset", peak < 64 << 20);
    }

    static void collectors() {
        long before = 0, after = 0, time = 0;
        for (var g : ManagementFactory.getGarbageCollectorMXBeans()) before += g.getCollectionCount();
        churn();
        System.gc();
        boolean info = false;
        for (var g : ManagementFactory.getGarbageCollectorMXBeans()) {
            after += g.getCollectionCount();
            time += g.getCollectionTime();
            long count = g.getCollectionCount();
            GcInfo i = ((com.sun.management.GarbageCollectorMXBean) g).getLastGcInfo();
            if (i == null ? count != 0 : g.getCollectionCount() == 0) check("last info of " + g.getName(), false);
            if (i == null) continue;
            info = true;
            if (i.getId() < count || i.getId() > g.getCollectionCount()) check("id", false);
            if (i.getEndTime() < i.getStartTime() || i.getDuration() != i.getEndTime() - i.getStartTime()) check("times", false);
            var names = new HashSet<String>();
            for (var p : ManagementFactory.getMemoryPoolMXBeans()) names.add(p.getName());
            if (!names.containsAll(i.getMemoryUsageBeforeGc().keySet()) || !names.containsAll(i.getMemoryUsageAfterGc().keySet())) check("pools of info", false);
            if (!i.containsKey("GcThreadCount") || ((Integer) i.get("GcThreadCount")) < 1) check("threads", false);
        }
        check("collected", after > before);
        check("time", time >= 0);
        check("info", info);
        boolean collectionUsage = false;
        for (var p : ManagementFactory.getMemoryPoolMXBeans())
            if (p.getType() == MemoryType.HEAP && p.getCollectionUsage() != null) collectionUsage = true;
        check("usage after collection", collectionUsage);
    }

    static void notifications() throws Exception {
        var queue = new LinkedBlockingQueue<GarbageCollectionNotificationInfo>();
        NotificationListener l = (n, h) -> {
            if (n.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION))
                queue.add(GarbageCollectionNotificationInfo.from((CompositeData) n.getUserData()));
        };
        for (var g : ManagementFactory.getGarbageCollectorMXBeans()) ((NotificationEmitter) g).addNotificationListener(l, null, null);
        System.gc();
        GarbageCollectionNotificationInfo found = null;
        for (int i = 0; i < 100 && found == null; i++) {
            var n = queue.poll(30, TimeUnit.SECONDS);
            if (n == null) break;
            if (n.getGcCause().equals("System.gc()")) found = n;
        }
        check("notified", found != null);
        check("action", found.getGcAction().equals("end of major GC"));
        check("bean", ManagementFactory.getGarbageCollectorMXBeans().stream().anyMatch(queueName(found)));
        check("usage in it", !found.getGcInfo().getMemoryUsageAfterGc().isEmpty() && found.getGcInfo().getId() > 0);
        for (var g : ManagementFactory.getGarbageCollectorMXBeans()) ((NotificationEmitter) g).removeNotificationListener(l);
    }
    static java.util.function.Predicate<GarbageCollectorMXBean> queueName(GarbageCollectionNotificationInfo n) {
        return g -> g.getName().equals(n.getGcName());
    }

    static void thresholds() throws Exception {
        var p = heapPool(true);
        check("no threshold", p.getCollectionUsageThreshold() == 0 && !p.isCollectionUsageThresholdExceeded());
        try { p.setCollectionUsageThreshold(-1); } catch (IllegalArgumentException e) { System.out.println("negative"); }
        try { p.setCollectionUsageThreshold(Long.MAX_VALUE); } catch (IllegalArgumentException e) { System.out.println("too large"); }
        var told = new LinkedBlockingQueue<String>();
        ((NotificationEmitter) ManagementFactory.getMemoryMXBean()).addNotificationListener((n, h) -> {
            var i = MemoryNotificationInfo.from((CompositeData) n.getUserData());
            told.add(n.getType() + " " + (i.getUsage().getUsed() > 0) + " " + (i.getCount() > 0)); }, null, null);
        p.setCollectionUsageThreshold(1024);
        check("set", p.getCollectionUsageThreshold() == 1024);
        System.gc();
        System.out.println(told.poll(30, TimeUnit.SECONDS));
        check("exceeded", p.isCollectionUsageThresholdExceeded());
        check("count", p.getCollectionUsageThresholdCount() > 0);
        p.setCollectionUsageThreshold(0);
        var q = heapPool(false);
        q.setUsageThreshold(1024);
        System.gc();
        String s;
        do s = told.poll(30, TimeUnit.SECONDS);
        while (s != null && !s.startsWith(MemoryNotificationInfo.MEMORY_THRESHOLD_EXCEEDED));
        System.out.println(s);
        check("usage exceeded", q.isUsageThresholdExceeded());
        check("usage count", q.getUsageThresholdCount() == 1);
        q.setUsageThreshold(q.getUsage().getMax() > 0 ? q.getUsage().getMax() : 60 << 20);
        /* The sensor is cleared by another thread, some time after the threshold is set. */
        for (int i = 0; i < 3000 && q.isUsageThresholdExceeded(); i++) Thread.sleep(10);
        check("not any more", !q.isUsageThresholdExceeded());
    }

    public static void main(String[] a) throws Exception {
        usage();
        peaks();
        collectors();
        notifications();
        thresholds();
    }
}
