// SPDX-License-Identifier: Apache-2.0
/** Calls `step` 100 times for each byte it reads, and tells when it is done. */
public class TraceWait {
    static int calls;
    static void step() { calls++; }
    static void round() { for (int i = 0; i < 100; i++) step(); }
    public static void main(String[] args) throws Exception {
        System.out.println(ProcessHandle.current().pid());
        while (System.in.read() >= 0) { round(); System.out.println("calls " + calls); }
    }
}
