// SPDX-License-Identifier: Apache-2.0
// modes: !checkjni
import java.util.Arrays;

/** JNI arrays, strings and fields: every element type, bounds, modes, edges. */
public class Values {
    boolean fZ = true; byte fB = -7; char fC = 'q'; short fS = -300; int fI = 1 << 30; long fJ = -1L << 50; float fF = 1.25f; double fD = -2.5; Object fL = "field";
    static boolean sZ = true; static byte sB = -8; static char sC = 'r'; static short sS = -301; static int sI = 1 << 29; static long sJ = -1L << 51; static float sF = 1.75f; static double sD = -3.5; static Object sL = "static";
    volatile long vJ = 7; static volatile double vsD = 8; volatile Object vL = "volatile"; final int fin = Integer.parseInt("5"); static final Object sfin = new StringBuilder("final");

    static class Sub extends Values { int fI = 99; int own = 4; }
    interface Constants { Object CONST = new StringBuilder("constant"); int NUMBER = Integer.parseInt("17"); }
    static class Implementer implements Constants { }
    static class BadFields { static int n = Integer.parseInt("x"); int m; }

    static native void arrays();
    static native void bounds();
    static native void objects();
    static native void strings(String[] all);
    static native void criticals(int[] a, String latin, String wide);
    static native void fields(Values v, Sub sub, Class<?> bad);

    public static void main(String[] args) {
        System.loadLibrary("Values");
        arrays();
        bounds();
        objects();
        strings(new String[] {"", "a", "plain ascii", "h\u00e9llo \u00ff", "\u0000zero\u0000", "\u20ac\u07ff\u0800\uffff", "\ud83d\ude00 pair", "lone \ud800", "\udc00 low", "x".repeat(1000)});
        int[] a = {1, 2, 3};
        criticals(a, "latin", "wide \u4e00");
        System.out.println(Arrays.toString(a));
        Values v = new Values();
        Sub s = new Sub();
        fields(v, s, BadFields.class);
        System.out.println(v.fZ + " " + v.fB + " " + (int) v.fC + " " + v.fS + " " + v.fI + " " + v.fJ + " " + v.fF + " " + v.fD + " " + v.fL);
        System.out.println(sZ + " " + sB + " " + (int) sC + " " + sS + " " + sI + " " + sJ + " " + sF + " " + sD + " " + sL);
        System.out.println(v.vJ + " " + vsD + " " + v.vL + " " + readFinal(v) + " " + s.fI + " " + ((Values) s).fI);
    }
    static int readFinal(Values v) { return v.fin; }
}
