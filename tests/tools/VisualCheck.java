// SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.util.*;
import org.graalvm.visualvm.lib.jfluid.heap.*;

/** Reads a heap dump with VisualVM's library: "instances class" per class, then facts about roots and references. */
public class VisualCheck {
    public static void main(String[] a) throws Exception {
        Heap h = HeapFactory.createHeap(new File(a[0]));
        var lines = new TreeMap<String, Integer>();
        for (JavaClass c : h.getAllClasses()) lines.merge(c.getName(), c.getInstancesCount(), Integer::sum);
        lines.forEach((n, k) -> { if (k > 0) System.out.println(k + " " + n); });
        HeapSummary s = h.getSummary();
        System.out.println("total " + s.getTotalLiveInstances());
        var kinds = new TreeMap<String, Integer>();
        int frames = 0, withFrame = 0;
        for (GCRoot r : h.getGCRoots()) {
            kinds.merge(r.getKind(), 1, Integer::sum);
            if (r instanceof JavaFrameGCRoot f) {
                frames++;
                var trace = f.getThreadGCRoot() == null ? null : f.getThreadGCRoot().getStackTrace();
                if (trace != null && f.getFrameNumber() >= 0 && f.getFrameNumber() < trace.length) withFrame++;
            }
        }
        System.out.println("roots " + kinds.keySet() + " frames " + (frames > 0) + " numbered " + (frames == withFrame));
        int threads = 0;
        for (GCRoot r : h.getGCRoots())
            if (r instanceof ThreadObjectGCRoot t && t.getStackTrace() != null && t.getInstance() != null) threads++;
        System.out.println("threads " + (threads > 5));
        JavaClass target = h.getJavaClassByName("Target");
        Object kept = target.getValueOfStaticField("kept");
        System.out.println("kept " + ((ObjectArrayInstance) kept).getLength() + " "
                           + ((ObjectArrayInstance) kept).getValues().get(0).getJavaClass().getName());
        Instance lock = (Instance) target.getValueOfStaticField("LOCK");
        System.out.println("lock " + lock.getJavaClass().getName() + " " + !lock.getReferences().isEmpty() + " " + (lock.getNearestGCRootPointer() != null));
        System.out.println("properties " + (h.getSystemProperties() != null && h.getSystemProperties().containsKey("java.version")));
    }
}
