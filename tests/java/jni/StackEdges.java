// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=10
// timeout: 300
import java.util.Arrays;

/** Compiled code where the C stack ends: entered with any few bytes left, in threads with small stacks, in the midst of natives. */
public class StackEdges {
    static native int below(int bytes);
    static native int mixed(int n);
    static native int attach(int bytes, boolean edges);
    static int depth;

    static int deep(int n) { depth = n; return deep(n + 1) + 1; }
    static int overflow() {
        depth = 0;
        try {
            return deep(1);
        } catch (StackOverflowError e) {
            return depth;
        }
    }
    static int mixed2(int n) { depth = n; return small(n) + (n % 3 == 0 ? mixed(n) : mixed2(n + 1)); }
    static int small(int n) { return n < 0 ? mixed(n) : 1; }
    static int work(int size) {
        int r = 0;
        for (int i = 0; i < 30000; i++) r = r * 31 + Integer.toString(i).hashCode() + Arrays.asList(i, "a").hashCode();
        return overflow() > 0 ? r : 0;
    }

    static boolean overflowsMixed() {
        try {
            return mixed2(0) < 0;
        } catch (StackOverflowError e) {
            return depth > 20 && e.getStackTrace().length > 20;
        }
    }

    /** The least number of bytes with which nothing is left for a call. */
    static int end(int size) {
        int lo = 0, hi = size;
        while (hi - lo > 16) {
            int mid = (lo + hi) / 2 & ~15;
            if (enters(mid)) lo = mid;
            else hi = mid;
        }
        return hi;
    }
    static boolean enters(int bytes) {
        try {
            return below(bytes) > 0;
        } catch (StackOverflowError e) {
            return false;
        }
    }
    static int edges(int size) {
        int entered = 0;
        for (int i = 0; i < 3; i++) enters(0);
        int end = end(size * 3 / 4);
        for (int bytes = end - 2000; bytes < end + 800; bytes += 16) if (enters(bytes)) entered++;
        return entered > 60 ? 1 : 0;
    }

    static void in(int size, Runnable r) throws Exception {
        Thread t = new Thread(null, r, "t", size);
        t.start();
        t.join();
    }

    public static void main(String[] args) throws Exception {
        System.loadLibrary("StackEdges");
        for (int i = 0; i < 30; i++) overflow();
        for (int k = 256; k <= 1024; k *= 2) {
            int size = k << 10;
            in(size, () -> System.out.println("edges " + edges(size)));
            in(size, () -> System.out.println("mixed " + overflowsMixed()));
        }
        System.out.println("mixed " + overflowsMixed() + " " + overflowsMixed());
        int expected = work(0);
        for (int size : new int[] {256 << 10, 512 << 10, 1 << 20, 8 << 20}) System.out.println("attached " + (attach(size, false) == expected));
        for (int size : new int[] {160 << 10, 192 << 10, 256 << 10, 512 << 10}) System.out.println("attached edges " + attach(size, true));
        System.out.println(overflow() > 100);
    }
}
