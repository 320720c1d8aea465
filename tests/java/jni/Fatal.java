// SPDX-License-Identifier: Apache-2.0
// exit: 134
// stderr: any
/** FatalError: text, stack, abort. */
public class Fatal {
    static native void die(String s);
    private void middle(int n) { if (n > 0) middle(n - 1); else new Runnable() { public void run() { last(); } }.run(); }
    private void last() { die("at last"); }

    public static void main(String[] args) {
        System.loadLibrary("Fatal");
        System.out.println("before");
        new Fatal().middle(2);
        System.out.println("after");
    }
}
