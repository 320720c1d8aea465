// SPDX-License-Identifier: Apache-2.0
/** Each line it reads names a method to call; it answers when it has. */
public class CoverWait {
    static int even(int n) { return n % 2 == 0 ? n : -n; }
    static int odd(int n) { return n % 2 != 0 ? n : -n; }
    static class Late { static int value() { return 3; } }
    static class Hot {
        static int run(int n) {
            int s = 0;
            for (int i = 0; i < n; i++)
                s += (i & 1) == 0 ? i : -1;
            return s;
        }
        static int rare(int n) { return n > 5 ? n : 0; }
    }
    static void busy() throws Exception {
        while (System.in.available() == 0)
            odd(3);
    }
    public static void main(String[] args) throws Exception {
        java.util.Scanner in = new java.util.Scanner(System.in);
        System.out.println(new java.io.File("/proc/self").getCanonicalFile().getName());
        while (in.hasNextLine()) {
            String line = in.nextLine();
            int r = 0;
            switch (line) {
            case "even": r = even(2); break;
            case "odd": r = odd(2); break;
            case "late": r = Late.value(); break;
            case "hot": r = Hot.run(100); break;
            case "rare": r = Hot.rare(9); break;
            }
            System.out.println(line + " " + r);
            if (line.equals("busy"))            // until the next line
                busy();
        }
    }
}
