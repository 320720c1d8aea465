// SPDX-License-Identifier: Apache-2.0
// exit: 1
/** ExceptionInInitializerError out of the main class. */
public class StaticInitMain {
    static final int[] A = {1, 2};
    static int x = A[2];

    public static void main(String[] args) {
        System.out.println("not reached");
    }
}
