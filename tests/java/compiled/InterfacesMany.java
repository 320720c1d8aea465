// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=2
/* More interfaces than there are keys for them (InterfaceSet), so that several share one, and a class with more than a row has places. */
public class InterfacesMany {
    interface I0 { } interface I1 { } interface I2 { } interface I3 { } interface I4 { } interface I5 { } interface I6 { } interface I7 { }
    interface I8 { } interface I9 { } interface I10 { } interface I11 { } interface I12 { } interface I13 { } interface I14 { } interface I15 { }
    interface I16 { } interface I17 { } interface I18 { } interface I19 { } interface I20 { } interface I21 { } interface I22 { } interface I23 { }
    interface I24 { } interface I25 { } interface I26 { } interface I27 { } interface I28 { } interface I29 { } interface I30 { } interface I31 { }
    interface I32 { } interface I33 { } interface I34 { } interface I35 { } interface I36 { } interface I37 { } interface I38 { } interface I39 { }
    interface I40 { } interface I41 { } interface I42 { } interface I43 { } interface I44 { } interface I45 { } interface I46 { } interface I47 { }
    interface I48 { } interface I49 { } interface I50 { } interface I51 { } interface I52 { } interface I53 { } interface I54 { } interface I55 { }
    interface I56 { } interface I57 { } interface I58 { } interface I59 { } interface I60 { } interface I61 { } interface I62 { } interface I63 { }
    interface I64 { } interface I65 { } interface I66 { } interface I67 { } interface I68 { } interface I69 { } interface I70 { } interface I71 { }
    static class C0 { }
    static class C1 implements I0 { }
    static class C2 implements I1 { }
    static class C3 implements I17 { }
    static class C4 implements I0, I16, I32 { }
    static class C5 implements I3, I19 { }
    static class C6 implements I0, I1, I2, I3, I4, I5, I6, I7, I8, I9, I10, I11, I12, I13, I14, I15, I16, I17, I18, I19, I20, I21, I22, I23 { }
    static class C7 implements I40, I41, I42, I43, I44, I45, I46, I47, I48, I49, I50, I51, I52, I53, I54, I55, I56, I57, I58, I59, I60, I61, I62, I63, I64, I65, I66, I67, I68, I69, I70, I71 { }
    static class C8 implements I5, I69 { }
    static class C9 implements I71 { }
    static class C10 implements I13, I19, I38, I50, I61 { }
    static class C11 implements I2, I8, I51 { }
    static class C12 extends C8 implements I7, I28, I35, I46, I66, I68 { }
    static class C13 extends C9 implements I3, I13, I27, I33 { }
    static class C14 extends C10 implements I21, I24, I34, I37, I39, I47 { }
    static class C15 extends C11 implements I43, I49, I64 { }
    static class C16 extends C12 implements I11, I22, I31, I35, I60 { }
    static class C17 extends C13 implements I0, I24, I37, I39, I52, I65 { }
    static class C18 extends C14 implements I5, I20, I29, I33, I36, I39, I55, I57 { }
    static class C19 extends C15 implements I5, I35, I59 { }
    interface J extends I2, I18, I34, I50 { }
    static class D extends C3 implements J { }
    static final Object[] ALL = {new C0(), new C1(), new C2(), new C3(), new C4(), new C5(), new C6(), new C7(), new C8(), new C9(), new C10(), new C11(), new C12(), new C13(), new C14(), new C15(), new C16(), new C17(), new C18(), new C19(), new D(), "text", 5, new int[1], new D[1], new C6[2], null, (Runnable) () -> { }};
    static long has0(Object o) {
        long r = 0;
        if (o instanceof I0) r |= 1L;
        if (o instanceof I1) r |= 2L;
        if (o instanceof I2) r |= 4L;
        if (o instanceof I3) r |= 8L;
        if (o instanceof I4) r |= 16L;
        if (o instanceof I5) r |= 32L;
        if (o instanceof I6) r |= 64L;
        if (o instanceof I7) r |= 128L;
        if (o instanceof I8) r |= 256L;
        if (o instanceof I9) r |= 512L;
        if (o instanceof I10) r |= 1024L;
        if (o instanceof I11) r |= 2048L;
        if (o instanceof I12) r |= 4096L;
        if (o instanceof I13) r |= 8192L;
        if (o instanceof I14) r |= 16384L;
        if (o instanceof I15) r |= 32768L;
        if (o instanceof I16) r |= 65536L;
        if (o instanceof I17) r |= 131072L;
        if (o instanceof I18) r |= 262144L;
        if (o instanceof I19) r |= 524288L;
        if (o instanceof I20) r |= 1048576L;
        if (o instanceof I21) r |= 2097152L;
        if (o instanceof I22) r |= 4194304L;
        if (o instanceof I23) r |= 8388608L;
        return r;
    }
    static long has1(Object o) {
        long r = 0;
        if (o instanceof I24) r |= 1L;
        if (o instanceof I25) r |= 2L;
        if (o instanceof I26) r |= 4L;
        if (o instanceof I27) r |= 8L;
        if (o instanceof I28) r |= 16L;
        if (o instanceof I29) r |= 32L;
        if (o instanceof I30) r |= 64L;
        if (o instanceof I31) r |= 128L;
        if (o instanceof I32) r |= 256L;
        if (o instanceof I33) r |= 512L;
        if (o instanceof I34) r |= 1024L;
        if (o instanceof I35) r |= 2048L;
        if (o instanceof I36) r |= 4096L;
        if (o instanceof I37) r |= 8192L;
        if (o instanceof I38) r |= 16384L;
        if (o instanceof I39) r |= 32768L;
        if (o instanceof I40) r |= 65536L;
        if (o instanceof I41) r |= 131072L;
        if (o instanceof I42) r |= 262144L;
        if (o instanceof I43) r |= 524288L;
        if (o instanceof I44) r |= 1048576L;
        if (o instanceof I45) r |= 2097152L;
        if (o instanceof I46) r |= 4194304L;
        if (o instanceof I47) r |= 8388608L;
        return r;
    }
    static long has2(Object o) {
        long r = 0;
        if (o instanceof I48) r |= 1L;
        if (o instanceof I49) r |= 2L;
        if (o instanceof I50) r |= 4L;
        if (o instanceof I51) r |= 8L;
        if (o instanceof I52) r |= 16L;
        if (o instanceof I53) r |= 32L;
        if (o instanceof I54) r |= 64L;
        if (o instanceof I55) r |= 128L;
        if (o instanceof I56) r |= 256L;
        if (o instanceof I57) r |= 512L;
        if (o instanceof I58) r |= 1024L;
        if (o instanceof I59) r |= 2048L;
        if (o instanceof I60) r |= 4096L;
        if (o instanceof I61) r |= 8192L;
        if (o instanceof I62) r |= 16384L;
        if (o instanceof I63) r |= 32768L;
        if (o instanceof I64) r |= 65536L;
        if (o instanceof I65) r |= 131072L;
        if (o instanceof I66) r |= 262144L;
        if (o instanceof I67) r |= 524288L;
        if (o instanceof I68) r |= 1048576L;
        if (o instanceof I69) r |= 2097152L;
        if (o instanceof I70) r |= 4194304L;
        if (o instanceof I71) r |= 8388608L;
        return r;
    }
    static int counts(Object[] all) {
        int r = 0;
        for (Object o : all) {
            boolean x = o instanceof I3, y = o instanceof I18, z = o instanceof I71;
            r += (x ? 1 : 0) + (y ? 10 : 0) + (z ? 100 : 0);
        }
        return r;
    }
    static int casts(Object[] all, boolean strict) {
        int r = 0;
        for (Object o : all)
            try {
                if (strict || o instanceof I17) r += ((I17) o) == null ? 10 : 1;
                r++;
            } catch (ClassCastException e) {
                r += 100;
            }
        return r;
    }
    static String arrays(Object o) {
        return (o instanceof Cloneable) + " " + (o instanceof java.io.Serializable) + " " + (o instanceof Object[]) + " " + (o instanceof I2[]) + " "
            + (o instanceof I18[]) + " " + (o instanceof Comparable) + " " + (o instanceof Runnable);
    }

    public static void main(String[] x) {
        for (int i = 0; i < 400; i++)
            for (Object o : ALL) { has0(o); has1(o); has2(o); counts(ALL); casts(ALL, i > 390); arrays(o); }
        for (Object o : ALL) System.out.println(Long.toHexString(has0(o)) + " " + Long.toHexString(has1(o)) + " " + Long.toHexString(has2(o)) + " " + arrays(o));
        System.out.println(counts(ALL) + " " + casts(ALL, false) + " " + casts(ALL, true));
        int wrong = 0;
        for (Object o : ALL)
            for (int i = 0; i < 72; i++)
                try {
                    long r = i < 24 ? has0(o) : i < 48 ? has1(o) : has2(o);
                    if ((r >> i % 24 & 1) != (Class.forName("InterfacesMany$I" + i).isInstance(o) ? 1 : 0)) wrong++;
                } catch (ClassNotFoundException e) {
                    wrong++;
                }
        System.out.println(wrong);
    }
}
