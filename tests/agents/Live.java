// SPDX-License-Identifier: Apache-2.0

/** Says what Thing says whenever that changes, at most three things, for so many seconds. */
public class Live {
    public static void main(String[] args) throws Exception {
        Thing t = new Thing();
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
        String last = "";
        int seen = 0;
        while (seen < 3 && System.nanoTime() < end) {
            String s = t.say(), kind = s.substring(0, 3);
            if (!kind.equals(last)) {
                System.out.println(s);
                last = kind;
                seen++;
            }
            Thread.sleep(100);
        }
        System.out.println("seen " + seen);
    }
}
