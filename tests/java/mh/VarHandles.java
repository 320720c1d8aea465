// SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.*;
import java.nio.*;
import java.util.*;

/** VarHandles over fields, statics, arrays, byte views and buffers, in every access mode. */
public class VarHandles {
    int i = 1; long l = 2; volatile Object o = "o"; static double sd = 1.5; boolean z; byte b = 3; char c = 'c'; short s = 4; float f = 2.5f; final int fin = 8; String str = "s"; static String ss = "static";

    interface Act { Object run() throws Throwable; }

    static void show(String w, Act a) {
        try { System.out.println(w + ": " + a.run()); } catch (Throwable t) { System.out.println(w + " threw " + t.getClass().getSimpleName() + ": " + t.getMessage()); }
    }

    public static void main(String[] args) throws Exception {
        MethodHandles.Lookup lk = MethodHandles.lookup();
        VarHandles t = new VarHandles();
        VarHandle I = lk.findVarHandle(VarHandles.class, "i", int.class), L = lk.findVarHandle(VarHandles.class, "l", long.class), O = lk.findVarHandle(VarHandles.class, "o", Object.class),
            SD = lk.findStaticVarHandle(VarHandles.class, "sd", double.class), Z = lk.findVarHandle(VarHandles.class, "z", boolean.class), B = lk.findVarHandle(VarHandles.class, "b", byte.class),
            C = lk.findVarHandle(VarHandles.class, "c", char.class), S = lk.findVarHandle(VarHandles.class, "s", short.class), F = lk.findVarHandle(VarHandles.class, "f", float.class), FIN = lk.findVarHandle(VarHandles.class, "fin", int.class), SS = lk.findStaticVarHandle(VarHandles.class, "ss", String.class);
        show("int", () -> (int) I.get(t) + " " + (int) I.getAndAdd(t, 5) + " " + I.compareAndSet(t, 6, 10) + " " + I.compareAndSet(t, 6, 11) + " " + (int) I.compareAndExchange(t, 10, 12) + " " + (int) I.getAndSet(t, 0xf0) + " " + (int) I.getAndBitwiseOr(t, 0xf) + " " + (int) I.getAndBitwiseAnd(t, 0x3c) + " " + (int) I.getAndBitwiseXor(t, 1) + " " + t.i);
        show("long", () -> { L.setVolatile(t, 1L << 40); L.getAndAddAcquire(t, 3); L.setRelease(t, (long) L.getOpaque(t) + 1); return (long) L.getAcquire(t) + " " + L.weakCompareAndSetPlain(t, 0L, 1L) + " " + (long) L.getVolatile(t); });
        show("ref", () -> { O.set(t, 5); return O.getAndSet(t, "x") + " " + O.compareAndSet(t, "x", null) + " " + O.get(t) + " " + O.compareAndExchangeRelease(t, null, List.of()) + " " + t.o; });
        show("static", () -> (double) SD.getAndAdd(2.0) + " " + SD.compareAndSet(3.5, -0.0) + " " + sd + " " + SS.compareAndSet("static", "new") + ss);
        show("small", () -> { Z.set(t, true); return Z.compareAndSet(t, true, false) + " " + (boolean) Z.getAndBitwiseOr(t, true) + " " + (byte) B.getAndAdd(t, (byte) 127) + " " + t.b + " " + (char) C.getAndAdd(t, (char) 1) + t.c + " " + S.compareAndSet(t, (short) 4, (short) -1) + t.s + " " + (short) S.getAndBitwiseXor(t, (short) 0xff) + t.s + " " + (float) F.getAndAdd(t, 1f) + " " + F.compareAndSet(t, 3.5f, Float.NaN) + F.compareAndSet(t, Float.NaN, 1f) + t.f; });
        show("final", () -> { FIN.set(t, 3); return t.fin; });
        show("bad type", () -> { I.set(t, "x"); return ""; });
        show("bad receiver", () -> { I.set("no", 1); return ""; });
        show("null receiver", () -> (int) I.get((VarHandles) null));
        show("exact", () -> (Integer) I.withInvokeExactBehavior().get(t));
        show("no add on ref", () -> O.getAndAdd(t, 1));
        show("supported", () -> O.isAccessModeSupported(VarHandle.AccessMode.GET_AND_ADD) + " " + I.coordinateTypes() + " " + I.varType() + I.accessModeType(VarHandle.AccessMode.COMPARE_AND_SET));
        VarHandle IA = MethodHandles.arrayElementVarHandle(int[].class), SA = MethodHandles.arrayElementVarHandle(String[].class), BA = MethodHandles.arrayElementVarHandle(byte[].class);
        int[] ia = new int[4]; String[] sa = {"a", "b"}; byte[] ba = new byte[16];
        show("int array", () -> { IA.set(ia, 2, 7); return IA.compareAndSet(ia, 2, 7, 9) + " " + (int) IA.getAndAdd(ia, 2, 1) + Arrays.toString(ia); });
        show("bounds", () -> (int) IA.get(ia, 4));
        show("bounds neg", () -> { IA.setVolatile(ia, -1, 3); return ""; });
        show("string array", () -> SA.getAndSet(sa, 1, "z") + sa[1]);
        show("store check", () -> { Object[] x = sa; MethodHandles.arrayElementVarHandle(Object[].class).set(x, 0, 5); return ""; });
        show("null array", () -> (int) IA.get((int[]) null, 0));
        VarHandle LE = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN), BE = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN), DV = MethodHandles.byteBufferViewVarHandle(double[].class, ByteOrder.BIG_ENDIAN), SV = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
        show("views", () -> { LE.set(ba, 0, 0x0102030405060708L); BE.set(ba, 9, 0xcafebabe); SV.set(ba, 14, (short) 0x1234); return Arrays.toString(ba) + Integer.toHexString((int) BE.get(ba, 3)) + " " + BE.compareAndSet(ba, 4, 0x04030201, 5) + Arrays.toString(ba); });
        show("view misaligned", () -> BE.getVolatile(ba, 9));
        show("view bounds", () -> BE.get(ba, 13));
        ByteBuffer direct = ByteBuffer.allocateDirect(32);
        show("buffer", () -> { DV.set(direct, 8, Math.PI); return (double) DV.getVolatile(direct, 8) + " " + direct.getDouble(8) + " " + DV.compareAndSet(direct, 8, Math.PI, 1.0) + direct.get(8); });
        show("buffer ro", () -> { DV.set(direct.asReadOnlyBuffer(), 0, 1.0); return ""; });
        show("handle", () -> I.toMethodHandle(VarHandle.AccessMode.GET_AND_ADD).invoke(t, 4) + " " + t.i + " " + MethodHandles.varHandleInvoker(VarHandle.AccessMode.GET, MethodType.methodType(int.class, VarHandles.class)).invoke(I, t));
        VarHandle.fullFence(); VarHandle.acquireFence(); VarHandle.storeStoreFence();
        Thread[] ts = new Thread[4];
        for (int k = 0; k < 4; k++) (ts[k] = new Thread(() -> { for (int n = 0; n < 5000; n++) { I.getAndAdd(t, 1); int old; do old = (int) IA.getVolatile(ia, 0); while (!IA.weakCompareAndSet(ia, 0, old, old + 1)); } })).start();
        t.i = 0;
        for (Thread x : ts) x.join();
        System.out.println(ia[0]);
    }
}
