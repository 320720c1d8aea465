// SPDX-License-Identifier: Apache-2.0
// javac: -g:none
import java.util.*;

/** Helpful NullPointerException messages, without local-variable names; each kind of null access. */
public class HelpfulNpe {
    int[] ints; HelpfulNpe next; static HelpfulNpe st; long lf; String str; int[][] multi; Object[] objs = new Object[2]; byte[] bytes; double[] dbls;

    HelpfulNpe next() { return next; }
    static HelpfulNpe make(int i, String s) { return null; }
    synchronized void sync() {}

    interface Act { void run() throws Throwable; }

    static void show(Act a) {
        try {
            a.run();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        } catch (Throwable t) {
            System.out.println("?? " + t);
        }
    }

    static void param(HelpfulNpe p, long w, int[] q) {
        show(() -> System.out.println(p.lf));
        q[1] = 3;
    }

    void instance() {
        next.next.lf = 5;
    }

    public static void main(String[] args) {
        HelpfulNpe n = new HelpfulNpe();
        show(() -> n.ints[3] = 1);
        show(() -> System.out.println(n.ints[n.objs.length]));
        show(() -> System.out.println(n.next.lf));
        show(() -> n.next().next().sync());
        show(() -> n.next.str.length());
        show(() -> st.str = "x");
        show(() -> make(1, "a").next.next());
        show(() -> System.out.println(n.multi[1][2]));
        show(() -> { n.multi = new int[2][]; n.multi[1][0] = 4; });
        show(() -> n.objs[1].toString());
        show(() -> System.out.println(((String) n.objs[0]).length()));
        show(() -> { synchronized (n.next) { } });
        show(() -> { throw null; });
        show(() -> { RuntimeException r = (RuntimeException) n.objs[0]; throw r; });
        show(() -> System.out.println(n.ints.length));
        show(() -> n.bytes[0]++);
        show(() -> n.dbls[0] += 1);
        show(() -> param(null, 1, null));
        show(() -> new HelpfulNpe().instance());
        show(() -> { Integer i = (Integer) n.objs[1]; int j = i; });
        show(() -> { int k = 3; Object[][] o = new Object[5][]; o[k + 1][k * 2] = o; });
        show(() -> { long[] l = null; l[(int) n.lf] = 1L; });
        show(() -> Objects.requireNonNull(null, "required"));
        show(() -> { throw new NullPointerException(); });
        show(() -> { throw new NullPointerException("own"); });
        show(() -> ((Runnable) n.objs[0]).run());
        show(() -> { Map<String, Integer> m = new HashMap<>(); int v = m.get("k"); });
        show(() -> { for (String s : (List<String>) n.objs[0]) s.length(); });
        show(() -> n.new Inner().outer());
        show(() -> { HelpfulNpe z = null; z.new Inner(); });
        show(() -> { String s = null; switch (s) { case "a": } });
    }

    class Inner {
        void outer() { HelpfulNpe.this.next.ints[0] = 1; }
    }
}
