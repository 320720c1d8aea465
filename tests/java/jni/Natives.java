// SPDX-License-Identifier: Apache-2.0
// modes: !checkjni
import java.nio.*;
import java.util.*;

/** JNI by chapter, called from Java; the native side is Natives.c. */
public class Natives {
    static { System.loadLibrary("Natives"); }

    int i = 5; long l = 1L << 40; static double sd = 2.5; String s = "field"; boolean z; byte b = -3; char c = 'c'; short sh = 300; float f = 1.5f; static Object so;

    static native long many(byte b, char c, short s, int i, long l, float f, double d, boolean z, Object o, int i2, long l2, double d2, float f2, byte b2, double d3, double d4, double d5, double d6, double d7, float f3);
    static native float floats(float a, double b, float c); static native boolean bool(int i); static native byte narrowB(int i); static native char narrowC(int i); static native short narrowS(int i); static native double dbl(long l);
    native String fields(); native String calls(Natives other); static native Object construct(String cls, String arg);
    static native int[] arrays(int[] a, Object[] o); static native long critical(long[] a); static native String strings(String s);
    static native String throwing(int kind, Runnable r); static native String pending(Runnable r); static native Object refs(Object o, int n); static native String classes(Object o, Class<?> c);
    static native int monitor(Object o, int n); static native ByteBuffer direct(long n); static native long sumDirect(ByteBuffer b); static native String version(); static native Object reflected(Object m); static native String threads(Object o); static native int registered(int a); static native int overload(int a); static native int overload(int a, String s); native int under_score(); static native int déjà(); static native String locals();
    private String priv(int a, String x) { return "priv" + a + x + i; }
    static String stat(long a, double d) { return "stat" + a + d; }
    int virt() { return 1; }
    static class Sub extends Natives { @Override int virt() { return 2; } }

    interface Act { Object run() throws Throwable; }
    static void show(String w, Act a) { try { System.out.println(w + ": " + a.run()); } catch (Throwable t) { System.out.println(w + " threw " + t + (t.getCause() == null ? "" : " / " + t.getCause())); } }

    public static void main(String[] args) throws Throwable {
        show("many", () -> many((byte) -1, 'x', (short) -300, 70000, 1L << 50, 1.5f, -2.5, true, "o", 7, -8, 9.25, 10.5f, (byte) 11, 1, 2, 3, 4, 5, 6.5f));
        show("returns", () -> floats(1, 2, 3) + " " + bool(256) + bool(1) + " " + narrowB(511) + " " + (int) narrowC(-1) + " " + narrowS(98304 + 5) + " " + dbl(1L << 53));
        show("fields", () -> { Natives n = new Natives(); return n.fields() + n.i + n.l + sd + n.s + n.z + n.b + n.c + n.sh + n.f + so; });
        show("calls", () -> new Natives().calls(new Sub()));
        show("construct", () -> construct("java/lang/StringBuilder", "arg"));
        show("construct missing", () -> construct("no/Such", "arg"));
        show("construct abstract", () -> construct("java/io/Reader", null));
        show("arrays", () -> { int[] a = {1, 2, 3}; Object[] o = {"a", null}; int[] r = arrays(a, o); return Arrays.toString(a) + Arrays.toString(o) + Arrays.toString(r); });
        show("array bounds", () -> arrays(new int[1], new Object[2]));
        show("critical", () -> { long[] a = new long[1000]; Arrays.setAll(a, x -> x); return critical(a) + " " + a[3]; });
        show("strings", () -> strings("äbc中\0😀"));
        show("throw 0", () -> throwing(0, null)); show("throw 1", () -> throwing(1, null)); show("throw 2", () -> throwing(2, () -> { throw new IllegalStateException("java"); }));
        show("pending", () -> pending(() -> { throw new RuntimeException("seen by native"); }));
        show("refs", () -> refs("kept", 20000));
        show("classes", () -> classes(new Sub(), Natives.class));
        show("monitor", () -> { Object o = new Object(); int[] seen = new int[1]; Thread[] ts = new Thread[3]; for (int k = 0; k < 3; k++) (ts[k] = new Thread(() -> { for (int n = 0; n < 100; n++) { monitor(o, 1); synchronized (o) { seen[0]++; } } })).start(); for (Thread t : ts) t.join(); return monitor(o, 0) + " " + seen[0] + Thread.holdsLock(o); });
        show("monitor exit unowned", () -> monitor(new Object(), -1));
        show("direct", () -> { ByteBuffer d = direct(64); d.order(ByteOrder.nativeOrder()).putLong(0, 40).putLong(8, 2); return d.isDirect() + " " + d.capacity() + " " + sumDirect(d) + " " + sumDirect(ByteBuffer.allocate(8)); });
        show("version", () -> version());
        show("reflected", () -> reflected(Natives.class.getDeclaredMethod("stat", long.class, double.class)) + " " + reflected(Natives.class.getDeclaredField("l")));
        show("threads", () -> threads("token"));
        show("registered", () -> registered(20)); show("overload", () -> overload(1) + " " + overload(1, "s")); show("names", () -> new Natives().under_score() + " " + déjà());
        show("locals", () -> locals());
        show("missing", () -> { Missing.nope(1, "x"); return ""; });
        show("load twice", () -> { System.loadLibrary("Natives"); return "fine"; });
        show("load absent", () -> { System.load("/no/such/lib.so"); return ""; });
        show("load relative", () -> { System.load("lib.so"); return ""; });
        show("map", () -> System.mapLibraryName("x"));
    }

    static class Missing { static native int nope(int a, String b); }
}
