// SPDX-License-Identifier: Apache-2.0
/** Slow calls with arguments of several types, one of them recursive, one fast in between, one that fails. */
public class TracedSpans {
    long total = 1L << 40;
    double handle(String user, int n, double part, boolean good, char c) throws Exception {
        Thread.sleep(n == 0 ? 0 : 8);
        if (n == 3) handle("inner", 1, 0.5, false, '"');
        if (n == 2) handle("fast", 0, 0.5, false, 'x');
        if (n == 4) throw new IllegalStateException("four");
        return part * n;
    }
    static void plain(int[] a, Object o) throws Exception { Thread.sleep(8); }

    public static void main(String[] args) throws Exception {
        TracedSpans t = new TracedSpans();
        for (int i = 1; i < 5; i++) try { t.handle("u\"" + i, i, 2, i > 2, 'c'); } catch (IllegalStateException e) { }
        Thread other = new Thread(() -> { try { t.handle("other", 1, 1e300 * 1e10, true, 'c'); } catch (Exception e) { } });
        other.start();
        other.join();
        plain(new int[] {1, 2}, null);
    }
}
