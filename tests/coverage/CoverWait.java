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
        System.out.println(ProcessHandle.current().pid());
        while (in.hasNextLine()) {
            String line = in.nextLine();
            int r = switch (line) {
                case "even" -> even(2);
                case "odd" -> odd(2);
                case "late" -> Late.value();
                case "hot" -> Hot.run(100);
                case "rare" -> Hot.rare(9);
                default -> 0;
            };
            System.out.println(line + " " + r);
            if (line.equals("busy"))            // until the next line
                busy();
        }
    }
}
