#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 200
# packages: libjna-java
# extent: suite
#
# JNA: C functions by proxies and direct mapping, structures, callbacks from C into Java, errno, variadic calls.
. "$(dirname "$0")/common.sh"
jars jna
driver Native <<'JAVA'
import com.sun.jna.*;
import com.sun.jna.ptr.*;
import java.util.*;
public class Native {
    public interface C extends Library {
        C I = com.sun.jna.Native.load("c", C.class);
        interface Compare extends Callback { int invoke(Pointer a, Pointer b); }
        void qsort(int[] v, NativeLong n, NativeLong size, Compare c);
        int snprintf(byte[] b, NativeLong n, String f, Object... args);
        int open(String p, int flags) throws LastErrorException;
        Tm gmtime_r(LongByReference t, Tm tm);
        String getenv(String n);
        Pointer memchr(byte[] b, int c, NativeLong n);
        double strtod(String s, PointerByReference end);
    }
    @Structure.FieldOrder({"sec", "min", "hour", "mday", "mon", "year", "wday", "yday", "isdst", "off", "zone"})
    public static class Tm extends Structure { public int sec, min, hour, mday, mon, year, wday, yday, isdst; public NativeLong off; public String zone; }
    public static class M { static { com.sun.jna.Native.register("m"); } static native double cos(double x); static native float fabsf(float x); static native double ldexp(double x, int e); }
    public static void main(String[] a) throws Exception {
        int[] v = new Random(3).ints(500, 0, 1000).toArray();
        int[] calls = {0};
        C.I.qsort(v, new NativeLong(v.length), new NativeLong(4), (p, q) -> { calls[0]++; return Integer.compare(p.getInt(0), q.getInt(0)); });
        System.out.println(Arrays.hashCode(v) + " sorted " + (v[0] <= v[1] && v[498] <= v[499]) + " " + (calls[0] > 500));
        byte[] b = new byte[100];
        System.out.println(C.I.snprintf(b, new NativeLong(100), "%d %s %.3f %c %ld", 5, "text", 2.5, 'c', new NativeLong(1L << 40)) + " " + com.sun.jna.Native.toString(b));
        try { C.I.open("/no/such/file", 0); } catch (LastErrorException e) { System.out.println(e.getErrorCode() + " " + e.getMessage()); }
        Tm t = C.I.gmtime_r(new LongByReference(1_700_000_000L), new Tm());
        System.out.println(t.year + " " + t.mon + " " + t.mday + " " + t.hour + " " + t.zone);
        System.out.println(M.cos(0) + " " + M.fabsf(-2.5f) + " " + M.ldexp(1.5, 10) + " " + C.I.getenv("NO_SUCH"));
        PointerByReference end = new PointerByReference();
        System.out.println(C.I.strtod("12.5rest", end) + " " + end.getValue().getString(0));
        Memory m = new Memory(64);
        m.setString(0, "z\u00e9", "UTF-8"); m.setLong(16, -1L); m.setPointer(24, m);
        System.out.println(m.getString(0, "UTF-8") + " " + m.getLong(16) + " " + m.getPointer(24).equals(m) + " " + m.getByteBuffer(0, 8).get(1));
        try { m.getInt(62); } catch (IndexOutOfBoundsException e) { System.out.println(e.getMessage()); }
        try { com.sun.jna.Native.load("nothing_here", C.class); } catch (UnsatisfiedLinkError e) { System.out.println(e.getMessage().lines().findFirst().get()); }
        try { Function.getFunction("c", "no_function"); } catch (UnsatisfiedLinkError e) { System.out.println(e.getMessage().contains("no_function")); }
        Thread[] w = new Thread[4];
        for (int i = 0; i < w.length; i++) (w[i] = new Thread(() -> { for (int k = 0; k < 50; k++) C.I.qsort(new int[] {3, 2, 1}, new NativeLong(3), new NativeLong(4), (p, q) -> p.getInt(0) - q.getInt(0)); })).start();
        for (Thread x : w) x.join();
        for (int i = 0; i < 3; i++) { System.gc(); Thread.sleep(10); }
        System.out.println("end");
    }
}
JAVA
run() { vm "$1" -Djna.nosys=false Native; }
compare run
