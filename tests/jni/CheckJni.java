// SPDX-License-Identifier: Apache-2.0
/** One misuse of JNI per run, or "list"; the native half is tests/java/jni/CheckedJni.c. */
public class CheckJni {
    static native int run(String scenario, Object a, Object b);
    static native String list();
    int field = 1; static int sfield = 2; String text = "t";
    int method(int a) { return a; }
    static int smethod(int a) { return a; }
    static void fails() { throw new RuntimeException("from Java"); }
    static void nothing() { }
    static Object other = new StringBuilder("other");

    public static void main(String[] args) {
        System.loadLibrary("CheckedJni");
        if (args[0].equals("list")) { System.out.print(list()); return; }
        try {
            System.out.println("result " + run(args[0], new CheckJni(), new int[] {1, 2, 3}));
            nothing();
        } catch (Throwable t) { System.out.println("thrown " + t); }
        System.out.println("survived");
    }
}
