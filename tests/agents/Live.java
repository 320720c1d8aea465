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
                if (seen > 0) Thread.sleep(1000); // HotswapAgent sets new statics a little later than the class changes
                System.out.println(t.say());
                last = kind;
                seen++;
            }
            Thread.sleep(100);
        }
        System.out.println("seen " + seen);
    }
}
