// SPDX-License-Identifier: Apache-2.0

/** A recursion of three methods, whose stacks are main, node, left or right, node, ...: agent_async.c looks at each. */
public class Chains {
    static int sink;
    static int node(int d) { return d <= 0 ? 1 : left(d - 1) + right(d - 2); }
    static int left(int d) { return d <= 0 ? 1 : node(d - 1) + 1; }
    static int right(int d) { return d <= 0 ? 1 : node(d - 1) ^ 1; }
    public static void main(String[] args) {
        for (long start = System.nanoTime(); System.nanoTime() - start < 2_000_000_000L; ) sink += node(24);
        System.out.println("end");
    }
}
