// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:CompileThreshold=20
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** Reference.refersTo in compiled code: of weak and phantom references, null, and what is cleared while the loop runs. */
public class RefersTo {
    static int ask(Reference<?> w, Reference<?> p, Object x, Object y) {
        WeakReference<Object> weak = (WeakReference<Object>) w;
        PhantomReference<Object> phantom = (PhantomReference<Object>) p;
        int n = 0;
        if (weak.refersTo(x)) n |= 1;
        if (weak.refersTo(y)) n |= 2;
        if (weak.refersTo(null)) n |= 4;
        if (phantom.refersTo(x)) n |= 8;
        if (phantom.refersTo(null)) n |= 16;
        return n;
    }

    public static void main(String[] a) {
        Object x = new Object(), y = new Object();
        WeakReference<Object> w = new WeakReference<>(x);
        PhantomReference<Object> p = new PhantomReference<>(x, new ReferenceQueue<>());
        int[] seen = new int[32];
        for (int i = 0; i < 30000; i++) {
            seen[ask(w, p, x, y)]++;
            if (i == 10000) w.clear();
            if (i == 20000) p.clear();
        }
        for (int i = 0; i < seen.length; i++)
            if (seen[i] > 0) System.out.println(i + " " + seen[i]);
        try {
            ask(null, p, x, y);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        Reference.reachabilityFence(x);
    }
}
