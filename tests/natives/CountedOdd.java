// SPDX-License-Identifier: Apache-2.0
/** A native method whose name lies beyond U+FFFF; nobody has it. */
public class CountedOdd {
    static native void call𐐀();
    public static void main(String[] args) {
        try { call𐐀(); } catch (UnsatisfiedLinkError e) { System.out.println("unlinked"); }
    }
}
