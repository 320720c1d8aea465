// SPDX-License-Identifier: Apache-2.0

/** Driver of agent_listeners.c: three environments listen to MethodEntry of work(). */
public class Listeners {
    static native void plan(String what);

    static int work(int i) { return i + 1; }

    static void round(String what) {
        System.out.println("== " + what);
        plan(what);
        try {
            work(1);
        } catch (RuntimeException e) {
            System.out.println("thrown: " + e.getMessage());
        }
        System.out.println("-- again");
        work(2);
    }
    public static void main(String[] args) {
        System.loadLibrary("agent_listeners");
        round("nothing");
        round("second off");
        round("second on");
        round("second off for the thread alone");
        round("second on for the thread");
        round("self off, third off, second and third on");
        round("first on");
        round("callbacks of second gone");
        round("callbacks of second back");
        round("throw");
        round("second disposed of");
        round("fourth made");
        round("third disposes of itself");
    }
}
