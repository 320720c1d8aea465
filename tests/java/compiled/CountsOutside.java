// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:CompileThreshold=10
/** Loops over bytes that count in each turn, or in none, by a question that no element answers; so many that not all of them become two loops. */
public class CountsOutside {
    byte b;
    short s;

    static int number(byte[] from, byte[] to, CountsOutside asked, int y, int n) {
        int c = 0;
        byte b = asked.b;
        for (int i = 0; i < n; i++) { to[i] = from[i]; if (b == y) c += 1; }
        for (int i = 0; i < n; i++) { to[i] = from[i]; if (b == y + 1) c += 2; }
        for (int i = 0; i < n; i++) { to[i] = from[i]; if (b == y + 2) c += 3; }
        for (int i = 0; i < n; i++) { to[i] = from[i]; if (b == y + 3) c += 4; }
        for (int i = 0; i < n; i++) { to[i] = from[i]; if (b == y + 4) c += 5; }
        for (int i = 0; i < n; i++) { to[i] = from[i]; if (b == y + 5) c += 6; }
        for (int i = 0; i < n; i++) { to[i] = from[i]; if (b == y + 6) c += 7; }
        for (int i = 0; i < n; i++) { to[i] = from[i]; if (b == y + 7) c += 8; }
        for (int i = 0; i < n; i++) { to[i] = from[i]; if (b == y + 8) c += 9; }
        return c;
    }

    static int wider(byte[] from, byte[] to, CountsOutside asked, int n) {
        int c = 0;
        byte b = asked.b;
        short y = asked.s;
        for (int i = 0; i < n; i++) { to[i] = from[i]; if (b == y - 9) c += 1; }
        for (int i = 0; i < n; i++) { to[i] = from[i]; if (b == y - 1) c += 2; }
        for (int i = 0; i < n; i++) { to[i] = from[i]; if (b == y - 2) c += 3; }
        for (int i = 0; i < n; i++) { to[i] = from[i]; if (b == y - 3) c += 4; }
        for (int i = 0; i < n; i++) { to[i] = from[i]; if (b == y - 4) c += 5; }
        for (int i = 0; i < n; i++) { to[i] = from[i]; if (b == y - 5) c += 6; }
        for (int i = 0; i < n; i++) { to[i] = from[i]; if (b == y - 6) c += 7; }
        for (int i = 0; i < n; i++) { to[i] = from[i]; if (b == y - 7) c += 8; }
        for (int i = 0; i < n; i++) { to[i] = from[i]; if (b == y) c += 9; }
        return c;
    }

    public static void main(String[] args) {
        byte[] from = new byte[300], to = new byte[300];
        CountsOutside asked = new CountsOutside();
        long numbers = 0, same = 0, others = 0;
        for (int k = 0; k < 6000; k++) {
            asked.b = (byte) k;
            numbers = numbers * 31 + number(from, to, asked, asked.b - k % 10, 300);
            asked.b = (byte) (k % 100);
            asked.s = (short) (asked.b + 256); /* the same byte */
            others += wider(from, to, asked, 300);
            asked.s = asked.b;
            same += wider(from, to, asked, 300);
        }
        System.out.println(numbers + " " + others + " " + same);
    }
}
