// SPDX-License-Identifier: Apache-2.0
/** Three hundred methods of thirty classes, all called as often, for two seconds of processor time: none of them is dear. The classes differ in their names only
 * and are made of this one's text: see trace_budget.sh. */
public class TracedFlat {
    interface Part { int turn(int n); }

    public static void main(String[] args) throws Exception {
        Part[] parts = new Part[30];
        for (int i = 0; i < parts.length; i++) parts[i] = (Part) Class.forName("TracedFlat" + i).getConstructor().newInstance();
        var clock = java.lang.management.ManagementFactory.getThreadMXBean();
        int sum = 0;
        for (long end = clock.getCurrentThreadCpuTime() + 2_000_000_000L; clock.getCurrentThreadCpuTime() < end;)
            for (int k = 0; k < 100; k++)
                for (Part p : parts) sum = p.turn(sum);
        System.out.println(sum == 7 ? "end." : "end");
    }
}
