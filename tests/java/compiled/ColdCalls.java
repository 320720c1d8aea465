// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;

/** Calls on ways that were taken a few times at most when the code was made: caches that are filled, tables that grow, what is rare and then is not. */
public class ColdCalls {
    private Object accessor;
    private int[] table = new int[4];
    private int used, fills;
    static int sum;

    Object make(Object[] args) {
        fills++;
        return args.length + ":" + args[0];
    }

    int use(int i) {
        Object[] args = {i, "x", this};
        Object a = accessor;
        if (a == null) accessor = a = make(args);
        int n = a.hashCode() + (Integer) args[0];
        args[1] = n;
        return n + args[1].hashCode();
    }

    void grow() {
        int[] more = new int[2 * table.length];
        System.arraycopy(table, 0, more, 0, used);
        table = more;
    }

    void add(int v) {
        if (used == table.length) grow();
        table[used++] = v;
    }

    static int odd(int i, int[] pair) {
        sum += pair[0] + pair[1];
        if (i % 7 == 0) throw new IllegalStateException("odd " + i);
        return i - pair[1];
    }

    static int rare(int i, int every) {
        int[] pair = {i, i ^ 5};
        int r = i * 3;
        if (i % every == every - 1) r += odd(i, pair);
        return r + pair[0];
    }

    static synchronized int counted(int i) {
        if (i == 4444) return late(i) + sum;
        return i + 1;
    }

    static int late(int i) {
        StackTraceElement[] trace = new Throwable().getStackTrace();
        return trace[0].getMethodName().length() + trace[1].getMethodName().length() * i + trace[1].getLineNumber() - trace[0].getLineNumber();
    }

    static final class Node {
        final int v;
        final Node next;
        Node(int v, Node next) {
            this.v = v;
            this.next = next;
            if (v < 0) mark(this);
        }
    }

    static final List<Node> MARKED = new ArrayList<>();
    static void mark(Node n) { MARKED.add(n); }

    static int nodes(int i) {
        Node n = new Node(i, new Node(i + 1, null));
        return n.v + n.next.v;
    }

    interface Step { int step(int i); }
    static class Plain implements Step {
        public int step(int i) { return i + 1; }
    }
    static class Fancy extends Plain {
        @Override public int step(int i) { return helper(i) * 2; }
        private int helper(int i) { return i % 3 == 0 ? seldom(i) : i; }
        int seldom(int i) { return -i; }
    }

    static int steps(Step s, int n) {
        int x = 0;
        for (int i = 0; i < n; i++) x = x * 31 + s.step(i % 50 == 49 || n < 50 ? i : i - i % 3 + 1);
        return x;
    }

    public static void main(String[] x) {
        ColdCalls[] all = new ColdCalls[40];
        for (int k = 0; k < all.length; k++) all[k] = new ColdCalls();
        long total = 0;
        for (int round = 0; round < all.length; round++) {
            ColdCalls c = all[round < 20 ? 0 : round];
            if (round == 30) all[0].accessor = null;
            for (int i = 0; i < 2000; i++) total = total * 31 + c.use(i) + all[0].use(i);
            for (int i = 0; i < (round % 10 == 9 ? 3000 : 3); i++) c.add(i);
            for (int i = 0; i < 2000; i++)
                try {
                    total += rare(i, round < 25 ? 1999 : round < 35 ? 500 : 9);
                } catch (IllegalStateException e) {
                    total += e.getMessage().length() + e.getStackTrace()[0].getLineNumber() * 3 + e.getStackTrace()[1].getLineNumber();
                }
            for (int i = 0; i < 300; i++) total += counted(i + round * 300);
            for (int i = 0; i < 1000; i++) total += nodes(round == 33 ? -i : i);
            total += steps(round % 5 == 4 ? new Fancy() : new Plain(), round < 20 ? 1000 : 40);
            if (round % 8 == 7) System.out.println(total + " " + sum + " " + c.used + " " + c.fills + " " + MARKED.size());
        }
        long marked = 0;
        for (Node n : MARKED) marked = marked * 7 + n.v + (n.next == null ? 1 : n.next.v);
        System.out.println(total + " " + sum + " " + marked + " " + all[0].fills);
    }
}
