// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;

/** What other people's agents change: the same lines on every VM. */
public class Target {
    static int field;
    static int twice(int n) { field = n; return n * 2; }
    static void fail(String s) { throw new IllegalStateException(s); }
    public static void main(String[] a) throws Exception {
        if (a.length > 0 && a[0].equals("buddy")) Buddy.main(a);
        for (int i = 0; i < 3; i++) System.out.println("twice " + twice(i));
        try { fail("x"); } catch (IllegalStateException e) { System.out.println("caught " + e.getMessage()); }
        ArrayList<String> l = new ArrayList<>();
        l.add("a");
        System.out.println("size " + l.size() + " " + "".isEmpty() + " " + field);
    }
}
