// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2
/* Fields without a quick instruction: volatile ones and static ones of every type; null receivers; cards of volatile references. */
public class VolatileFields {
    static volatile boolean sz; static volatile byte sb; static volatile char sc; static volatile short ss; static volatile int si;
    static volatile float sf; static volatile long sj; static volatile double sd; static volatile Object so;
    static boolean pz; static byte pb; static char pc; static short ps;
    volatile boolean z; volatile byte b; volatile char c; volatile short s; volatile int i; volatile float f; volatile long j; volatile double d;
    volatile Object o;
    static long sum;
    static void add(long v) { sum = sum * 31 + v; }
    static void add(double v) { add(Double.doubleToLongBits(v)); }

    static void statics(int n) {
        sz = (n & 1) != 0; sb = (byte) n; sc = (char) n; ss = (short) n; si = n; sf = n; sj = n * 0x100000001L; sd = n * 0.5; so = "s" + n;
        pz = sz; pb = sb; pc = sc; ps = ss;
        add(sz ? 1 : 0); add(sb); add(sc); add(ss); add(si); add(sf); add(sj); add(sd); add(so.hashCode()); add(pz ? 1 : 0); add(pb); add(pc); add(ps);
        sz = true; sb = -1; sc = '\uffff'; ss = -2; si = -3; sf = 1.5f; sj = -4; sd = 0.1; so = null; pb = -5; pc = 6; ps = -7; pz = false;
        add(sz ? 1 : 0); add(sb); add(sc); add(ss); add(si); add(sf); add(sj); add(sd); add(so == null ? 1 : 0); add(pb + pc + ps + (pz ? 100 : 0));
        for (int k = 0; k < 3; k++) { si += k; sj += k; sd *= 2; ss++; sc--; pb++; }
        add(si); add(sj); add(sd); add(ss); add(sc); add(pb);
        sj = 0x123456789abcdefL; add(sj);
    }
    void fields(int n) {
        z = (n & 1) != 0; b = (byte) n; c = (char) n; s = (short) n; i = n; f = n * 1.25f; j = n * 0x100000001L; d = n * 0.5; o = "f" + n;
        add(z ? 1 : 0); add(b); add(c); add(s); add(i); add(f); add(j); add(d); add(o.hashCode());
        z = true; b = -1; c = '\uffff'; s = -2; i = -3; f = 1.5f; j = -4; d = 0.1; o = null;
        add(z ? 1 : 0); add(b); add(c); add(s); add(i); add(f); add(j); add(d); add(o == null ? 1 : 0);
        for (int k = 0; k < 3; k++) { i += k; j += k; d *= 2; s++; c--; b++; }
        add(i); add(j); add(d); add(s); add(c); add(b);
        j = 0x123456789abcdefL; add(j);
    }
    static void write(VolatileFields v, Object x) { v.o = x; v.i = 5; }
    static int read(VolatileFields v) { return v.i; }

    public static void main(String[] args) {
        VolatileFields v = new VolatileFields();
        int failures = 0;
        for (int n = -300; n < 70000; n += 331) {
            statics(n);
            v.fields(n);
        }
        for (int k = 0; k < 10; k++) {
            try { write(k % 3 == 0 ? null : v, "x"); } catch (NullPointerException e) { failures++; add(e.getMessage().hashCode()); }
            try { add(read(k % 3 == 0 ? null : v)); } catch (NullPointerException e) { failures++; add(e.getMessage().hashCode()); }
        }
        VolatileFields[] old = new VolatileFields[100];
        for (int k = 0; k < old.length; k++) old[k] = new VolatileFields();
        System.gc();
        for (int k = 0; k < old.length; k++) {
            write(old[k], "kept" + k);
            if (k % 10 == 0) so = "static" + k;
        }
        for (int k = 0; k < 30000; k++) new int[300].clone();
        for (int k = 0; k < old.length; k++) if (!old[k].o.equals("kept" + k)) System.out.println("lost " + k);
        System.out.println(so + " " + failures + " " + Long.toHexString(sum));
    }
}
