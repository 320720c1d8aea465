// SPDX-License-Identifier: Apache-2.0

/** A native that a library has by one of its names and an agent by the other: the short name is meant wherever it is. */
public class Namesakes {
    static native String agentShort();
    static native String agentLong();
    static native String bothLong();

    public static void main(String[] args) {
        System.loadLibrary("namesakes");
        System.out.println(agentShort() + "; " + agentLong() + "; " + bothLong());
    }
}
