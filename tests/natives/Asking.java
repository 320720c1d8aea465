// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** Natives that use JNI in known ways: calls of Java methods, references that are kept or not, arguments of every kind. */
public class Asking {
    static { System.loadLibrary("asking"); }
    static native void callBack(Asking a, int times);
    static native void callStatics(double d, long l);
    static native Object make(String s);
    static native long keep(Object o, boolean weak);
    static native void drop(long ref, boolean weak);
    static native int told(boolean z, byte b, char c, short s, int i, long j, float f, double d, String text, byte[] bytes, int[] ints,
                           Object o, Object[] none);
    static native boolean beyond(Thread t);
    native void of(String text);

    int called;
    static double sum;
    final String text;
    Asking() { this(null); }
    Asking(String s) { text = s; }
    void back(int i) { called += i; }
    static double add(byte b, float f, double d, long l, char c) { return sum += b + f + d + l + c; }
    static void fail(int i) { throw new IllegalStateException("as asked " + i); }

    static long[] leak(int n) {
        long[] refs = new long[n];
        for (int i = 0; i < n; i++) refs[i] = keep(new int[i], false);
        return refs;
    }

    public static void main(String[] args) throws Exception {
        Asking a = new Asking();
        callBack(a, 100);
        callStatics(0.5, 7);
        System.out.println(a.called + " " + sum + " " + ((Asking) make("made")).text);
        long[] kept = leak(30);
        for (int i = 0; i < 10; i++) drop(kept[i], false);
        Thread[] ts = new Thread[4];
        for (int k = 0; k < ts.length; k++)
            (ts[k] = new Thread(() -> { for (int i = 0; i < 500; i++) drop(keep("x", false), false); })).start();
        for (Thread t : ts) t.join();
        for (int i = 0; i < 3; i++) keep(a, true);
        drop(keep(a, true), true);
        System.out.println(told(true, (byte) -1, 'c', (short) 2, 3, 4L, 1.5f, 0.25, "line\n\"\u00e9\u20ac", new byte[] {'a', 0, 'b', 0, 0}, new int[9], a, null));
        told(false, (byte) 0, '\n', (short) 0, 0, 0, 0, 0, new String(new char[500]).replace((char) 0, 'l'), new byte[100], null, new Object[2][2], new String[3]);
        for (int i = 0; i < 50; i++) a.of("text " + i % 5);
        System.out.println(beyond(Thread.currentThread()));
        try { callBack(null, -1); } catch (IllegalStateException e) { System.out.println(e.getMessage()); }
    }
}
