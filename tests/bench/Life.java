// SPDX-License-Identifier: Apache-2.0
/** Game of life on byte arrays, and eight queens: branches, small ints, recursion over arrays. */
public class Life {
    static byte[][] next(byte[][] g) {
        int n = g.length;
        byte[][] r = new byte[n][n];
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                int c = 0;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++)
                        if ((dx | dy) != 0) c += g[y + dy + n & n - 1][x + dx + n & n - 1];
                r[y][x] = (byte) (c == 3 || c == 2 && g[y][x] == 1 ? 1 : 0);
            }
        return r;
    }

    static int queens(int[] at, int row) {
        if (row == at.length) return 1;
        int found = 0;
        place:
        for (int c = 0; c < at.length; c++) {
            for (int r = 0; r < row; r++) if (at[r] == c || Math.abs(at[r] - c) == row - r) continue place;
            at[row] = c;
            found += queens(at, row + 1);
        }
        return found;
    }

    public static void main(String[] a) {
        long t = System.nanoTime();
        byte[][] g = new byte[128][128];
        for (int i = 0; i < 128 * 128; i++) g[i >> 7][i & 127] = (byte) (i * 7919 % 11 < 4 ? 1 : 0);
        for (int i = 0; i < 300; i++) g = next(g);
        int alive = 0;
        for (byte[] row : g) for (byte c : row) alive += c;
        System.out.println(alive + " " + queens(new int[10], 0));
        Bench.done(t);
    }
}
