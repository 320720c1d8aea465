// SPDX-License-Identifier: Apache-2.0
/** Every exported name, every slot of the JNI, invocation and management tables; the native half is made from the .def tables. */
public class Tables {
    static native void jni();
    static native void exports();
    static native void management();

    public static void main(String[] args) {
        System.loadLibrary("Tables");
        jni();
        exports();
        management();
    }
}
