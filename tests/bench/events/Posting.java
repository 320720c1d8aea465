// SPDX-License-Identifier: Apache-2.0
/** What one event costs: each loop without the event and with it, by turns, in one process. Needs bench_events.c as agent;
 * prints per event, of the best
 * rounds: nanoseconds more for each event, and the time of the loop as a ratio to the same loop without it. */
public class Posting {
    static final int ROUNDS = Integer.getInteger("rounds", 9);
    /** Turns event `kind` (an index of the loops below) on or off for this thread; returns how many came since it was turned on. */
    static native long turn(int kind, boolean on);

    static int field;
    static int leaf(int i) { return i * 31 + 7; }
    static int broken(int i) { return i * 31 + 7; }

    static int calls(int n) { int s = 0; for (int i = 0; i < n; i++) s = leaf(s); return s; }
    static int reads(int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 31 + field; return s; }
    static int steps(int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 31 + i; return s; }
    static int breaks(int n) { int s = 0; for (int i = 0; i < n; i++) s = broken(s); return s; }

    static final String[] NAMES = {"MethodEntry", "MethodExit", "FieldAccess", "SingleStep", "Breakpoint"};
    static int loop(int kind, int n) {
        switch (kind) {
        case 0: case 1: return calls(n);
        case 2: return reads(n);
        case 3: return steps(n);
        default: return breaks(n);
        }
    }
    static final java.lang.management.ThreadMXBean CLOCK = java.lang.management.ManagementFactory.getThreadMXBean();
    /** Processor time of this thread per iteration: other programs do not count. */
    static double time(int kind, int n) {
        long t = CLOCK.getCurrentThreadCpuTime();
        field += loop(kind, n);
        return (CLOCK.getCurrentThreadCpuTime() - t) / (double) n;
    }

    public static void main(String[] a) {
        System.load(System.getProperty("agent"));
        int with = Integer.getInteger("n", 100_000), without = 20 * with;
        for (int kind = 0; kind < NAMES.length; kind++) {
            double off = Double.MAX_VALUE, on = off, events = 0;
            for (int i = 0; i < 3; i++) time(kind, without);
            for (int r = 0; r < ROUNDS; r++) {
                off = Math.min(off, time(kind, without));
                turn(kind, true);
                on = Math.min(on, time(kind, with));
                events = turn(kind, false) / (double) with;
            }
            System.out.printf("%-12s %8.1f %8.1f%n", NAMES[kind], (on - off) / events, on / off);
        }
    }
}
