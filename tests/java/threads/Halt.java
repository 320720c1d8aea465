// SPDX-License-Identifier: Apache-2.0
// exit: 7
/** Runtime.halt: no hooks, exit code kept. */
public class Halt {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook must not run")));
        System.out.println("halting");
        System.out.flush();
        Runtime.getRuntime().halt(7);
    }
}
