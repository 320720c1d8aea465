// SPDX-License-Identifier: Apache-2.0
/** Natives of every shape, called a known number of times from several threads. */
public class Counted {
    static { System.loadLibrary("counted"); }
    static native int add(int a, int b);
    static native double mix(byte b, long l, float f, double d, char c);
    native String name(String prefix);
    static native synchronized long sum(int[] a, byte[] b, long[] none);
    static native void fail(int when) throws java.io.IOException;
    private native Counted self();
    static native int $graft(int over);
    static native int $graft(long load);

    public static void main(String[] args) throws Exception {
        int s = 0;
        for (int i = 0; i < 1000; i++) s += add(i, 1);
        Thread[] ts = new Thread[4];
        for (int k = 0; k < ts.length; k++) (ts[k] = new Thread(() -> { for (int i = 0; i < 500; i++) add(i, i); })).start();
        for (Thread t : ts) t.join();
        System.out.println(s + " " + mix((byte) -3, 1L << 40, 1.5f, 0.25, 'x') + " " + new Counted().name("n-"));
        System.out.println(sum(new int[] {1, 2, 3}, new byte[10], null));
        int failed = 0;
        for (int i = 0; i < 10; i++) try { fail(i); } catch (java.io.IOException e) {
            failed++;
            if (i == 1) for (StackTraceElement f : e.getStackTrace()) System.out.println(f);
        }
        Counted c = new Counted();
        System.out.println(failed + " " + (c.self() == c) + " " + $graft(1) + " " + $graft(2L));
        System.out.println(java.lang.reflect.Modifier.toString(Counted.class.getDeclaredMethod("self").getModifiers()) + " "
            + Counted.class.getDeclaredMethod("fail", int.class).getExceptionTypes()[0]);
    }
}
