// SPDX-License-Identifier: Apache-2.0

/** Driver of agent_dispose.c. */
public class Dispose {
    static native void request(int set);
    static native void dispose(int i);
    static native void reopen(int i);
    static native void pop();
    static int value;

    static int work() { return ++value; }
    static void round(String what, int set, int gone) {
        System.out.println("== " + what);
        request(set);
        if (gone >= 0)
            dispose(gone);
        System.out.println(work());
    }
    public static void main(String[] args) {
        System.loadLibrary("agent_dispose");
        System.out.println(work());
        round("both", 3, -1);
        round("first goes", 3, 0);
        System.out.println("== second alone");
        System.out.println(work());
        dispose(1);
        System.out.println("== none");
        System.out.println(work());
        reopen(1);
        round("new one", 2, -1);
        reopen(0);
        request(1);
        pop();
        System.out.println("== popped");
        System.out.println(work());
    }
}
