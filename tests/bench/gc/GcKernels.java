// SPDX-License-Identifier: Apache-2.0
import java.lang.ref.*;
import java.util.*;

/** GcKernels KERNEL [SCALE]: programs that mostly allocate. Each prints a checksum that depends on what it kept. */
public class GcKernels {
    static long scale;

    static final class Node { Node l, r; int v; Node(Node l, Node r, int v) { this.l = l; this.r = r; this.v = v; } }
    static Node tree(int d) { return d == 0 ? new Node(null, null, 1) : new Node(tree(d - 1), tree(d - 1), d); }
    static int count(Node n) { return n == null ? 0 : 1 + count(n.l) + count(n.r); }

    /** Many trees that die young beside one that stays. */
    static long trees() {
        Node stays = tree(18);
        long sum = 0;
        for (int i = 0; i < 150 * scale; i++) sum += count(tree(13));
        return sum + count(stays);
    }

    /** Boxes and map entries come and go; the table is old and written all the time. */
    static long maps() {
        HashMap<Integer, Integer> m = new HashMap<>();
        long sum = 0;
        int x = 1;
        for (int i = 0; i < 2_500_000 * scale; i++) {
            x = x * 1103515245 + 12345;
            Integer k = (x >>> 8) % 200_000;
            if ((x & 0x70) != 0) m.merge(k, i, Integer::sum);
            else m.remove(k);
        }
        for (Map.Entry<Integer, Integer> e : m.entrySet()) sum += e.getKey() ^ e.getValue();
        return sum;
    }

    /** A queue: objects die in the order of their birth, in old age. */
    static long queues() {
        LinkedList<int[]> q = new LinkedList<>();
        long sum = 0;
        for (int i = 0; i < 3_000_000 * scale; i++) {
            q.addLast(new int[] {i, i + 1});
            if (q.size() > 150_000) sum += q.removeFirst()[1];
        }
        return sum;
    }

    /** Arrays of 1 KB to 2 MB, the last sixty kept. */
    static long arrays() {
        byte[][] kept = new byte[60][];
        long sum = 0;
        int x = 7;
        for (int i = 0; i < 12_000 * scale; i++) {
            x = x * 1103515245 + 12345;
            int bits = 10 + (x >>> 16 & 0xff) * 12 / 256;
            byte[] b = new byte[1 << bits | (x >>> 8 & 0xff)];
            b[i % b.length] = (byte) i;
            int k = (x >>> 3 & 0xffff) % kept.length;
            if (kept[k] != null) sum += kept[k].length;
            kept[k] = b;
        }
        return sum;
    }

    /** Text is built, split and thrown away; some is kept. */
    static long strings() {
        String[] kept = new String[50_000];
        long sum = 0;
        for (int i = 0; i < 600_000 * scale; i++) {
            StringBuilder b = new StringBuilder();
            b.append("key-").append(i % 1000).append('=').append(i).append(";").append(i * 31L);
            String s = b.toString();
            int at = s.indexOf('=');
            kept[i % kept.length] = s.substring(at + 1);
            sum += s.substring(0, at).hashCode();
        }
        for (String s : kept) sum += s == null ? 0 : s.length();
        return sum;
    }

    /** Weak references and a queue of them; half of the referents stay. */
    static long weak() throws Exception {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Object[] strong = new Object[100_000];
        WeakReference<?>[] refs = new WeakReference<?>[200_000];
        long cleared = 0;
        for (int i = 0; i < 2_000_000 * scale; i++) {
            int k = (int) (i * 7919L % refs.length);
            Object o = new int[4];
            if (k < strong.length) strong[k] = o;
            refs[k] = new WeakReference<>(o, queue);
            if ((i & 1023) == 0) while (queue.poll() != null) cleared++;
        }
        long alive = 0;
        for (int k = 0; k < strong.length; k++) if (refs[k].get() == strong[k]) alive++;
        return cleared < 0 ? 0 : alive;
    }

    /** Some 100 MB live, little of it changes. */
    static long live() {
        Node[] roots = new Node[600];
        for (int i = 0; i < roots.length; i++) roots[i] = tree(12);
        long sum = 0;
        int x = 3;
        for (int i = 0; i < 3_000 * scale; i++) {
            x = x * 1103515245 + 12345;
            Node t = tree(10);
            sum += t.v;
            if (i % 20 == 0) roots[(x >>> 8) % roots.length] = tree(12);
        }
        for (Node n : roots) sum += count(n);
        return sum;
    }

    /** Old objects are pointed at young ones all over the heap. */
    static long mutation() {
        Object[][] table = new Object[2_000][200];
        long sum = 0;
        int x = 5;
        for (int i = 0; i < 4_000_000 * scale; i++) {
            x = x * 1103515245 + 12345;
            Object[] row = table[(x >>> 8) % table.length];
            int k = (x >>> 5 & 0xffff) % row.length;
            Object old = row[k];
            row[k] = old instanceof Node n ? new Node(n.l, null, n.v + 1) : new Node(null, null, 1);
        }
        for (Object[] row : table) for (Object o : row) if (o != null) sum += ((Node) o).v;
        return sum;
    }

    /** Four threads at once. */
    static long threads() throws Exception {
        Thread[] t = new Thread[4];
        long[] sums = new long[t.length];
        for (int i = 0; i < t.length; i++) {
            int me = i;
            t[i] = new Thread(() -> {
                ArrayDeque<Node> kept = new ArrayDeque<>();
                for (int k = 0; k < 150 * scale; k++) {
                    Node n = tree(11);
                    sums[me] += count(n);
                    kept.add(n);
                    if (kept.size() > 40) kept.remove();
                }
            });
            t[i].start();
        }
        for (Thread k : t) k.join();
        return Arrays.stream(sums).sum();
    }

    public static void main(String[] args) throws Exception {
        scale = args.length > 1 ? Long.parseLong(args[1]) : 1;
        long r;
        switch (args[0]) {
        case "trees": r = trees(); break;
        case "maps": r = maps(); break;
        case "queues": r = queues(); break;
        case "arrays": r = arrays(); break;
        case "strings": r = strings(); break;
        case "weak": r = weak(); break;
        case "live": r = live(); break;
        case "mutation": r = mutation(); break;
        case "threads": r = threads(); break;
        default: throw new IllegalArgumentException(args[0]);
        }
        System.out.println(args[0] + " " + r);
    }
}
