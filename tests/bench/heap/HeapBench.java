// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** A few million objects of the usual sorts, then walks over them. */
public class HeapBench {
    static native void measure();
    static final class Node { Node left, right; int key; Object value; }
    static Node tree(int depth, Random r) {
        if (depth == 0) return null;
        Node n = new Node();
        n.key = r.nextInt();
        n.left = tree(depth - 1, r);
        n.right = tree(depth - 1, r);
        n.value = depth % 3 == 0 ? new int[depth] : depth % 3 == 1 ? "v" + n.key : null;
        return n;
    }
    public static void main(String[] args) {
        Random r = new Random(1);
        List<Object> keep = new ArrayList<>();
        keep.add(tree(20, r));
        Map<Integer, String> map = new HashMap<>();
        for (int i = 0; i < 300_000; i++) map.put(i * 7, "value " + i);
        keep.add(map);
        Deque<Object> list = new LinkedList<>();
        for (int i = 0; i < 500_000; i++) list.add(new Object[] {list.peekLast(), map});
        keep.add(list);
        System.gc();
        for (int i = 0; i < 3; i++) measure();
        System.out.println("objects " + keep.size());
    }
}
