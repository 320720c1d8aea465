// SPDX-License-Identifier: Apache-2.0
/** For each byte that it reads ten calls with different arguments, and one that takes a while and fails inside. */
public class TraceSteps {
    static int step(int n, String text) { return n; }
    static void fails() { throw new IllegalStateException("no"); }
    static void inner() throws Exception {
        Thread.sleep(60);
        try { fails(); } catch (IllegalStateException e) { }
        slowFailure();
    }
    static void slowFailure() throws Exception { Thread.sleep(50); throw new InterruptedException("slow"); }
    static void outer() throws Exception {
        Thread.sleep(50);
        try { inner(); } catch (InterruptedException e) { }
    }
    static void round() throws Exception {
        for (int i = 0; i < 10; i++) step(i, i % 2 == 0 ? "even" : "odd");
        outer();
    }
    public static void main(String[] args) throws Exception {
        System.out.println(ProcessHandle.current().pid());
        for (int n = 1; System.in.read() >= 0; n++) { round(); System.out.println("round " + n); }
    }
}
