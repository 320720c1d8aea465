// SPDX-License-Identifier: Apache-2.0
/** Allocation and traversal of short-lived trees beside one long-lived tree. */
public class BinaryTrees {
    final BinaryTrees l, r;
    BinaryTrees(BinaryTrees l, BinaryTrees r) { this.l = l; this.r = r; }
    static BinaryTrees make(int d) { return d == 0 ? new BinaryTrees(null, null) : new BinaryTrees(make(d - 1), make(d - 1)); }
    int check() { return l == null ? 1 : 1 + l.check() + r.check(); }

    public static void main(String[] x) {
        long t = System.nanoTime();
        int max = 16;
        BinaryTrees live = make(max);
        for (int d = 4; d <= max; d += 2) {
            int n = 1 << max - d + 3, sum = 0;
            for (int i = 0; i < n; i++) sum += make(d).check();
            System.out.println(n + " " + d + " " + sum);
        }
        System.out.println(live.check());
        Bench.done(t);
    }
}
