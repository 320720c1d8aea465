// SPDX-License-Identifier: Apache-2.0
public class HelloNatives {
    static native int twice(int n);
    synchronized native void fail();

    public static void main(String[] args) {
        System.load(args[0]);
        System.out.println(twice(21));
        try {
            new HelloNatives().fail();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + ", called " + e.getStackTrace()[0].getMethodName().endsWith("fail"));
        }
    }
}
