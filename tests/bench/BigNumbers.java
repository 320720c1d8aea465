// SPDX-License-Identifier: Apache-2.0
import java.math.*;

/** BigInteger and BigDecimal: digits of pi, modular powers, factorials. */
public class BigNumbers {
    static String pi(int digits) {
        BigInteger q = BigInteger.ONE, r = BigInteger.ZERO, u = BigInteger.ONE, k = u, m = BigInteger.valueOf(3), l = m;
        StringBuilder out = new StringBuilder();
        BigInteger two = BigInteger.TWO, three = m, four = BigInteger.valueOf(4), seven = BigInteger.valueOf(7);
        while (out.length() < digits) {
            if (q.multiply(four).add(r).subtract(u).compareTo(m.multiply(u)) < 0) {
                out.append(m);
                BigInteger nr = r.subtract(m.multiply(u)).multiply(BigInteger.TEN);
                m = q.multiply(three).add(r).multiply(BigInteger.TEN).divide(u).subtract(m.multiply(BigInteger.TEN));
                q = q.multiply(BigInteger.TEN); r = nr;
            } else {
                BigInteger nr = q.multiply(two).add(r).multiply(l);
                BigInteger nn = q.multiply(k.multiply(seven)).add(two).add(r.multiply(l)).divide(u.multiply(l));
                q = q.multiply(k); u = u.multiply(l); l = l.add(two); k = k.add(BigInteger.ONE); m = nn; r = nr;
            }
        }
        return out.toString();
    }

    public static void main(String[] x) {
        long t = System.nanoTime();
        BigInteger f = BigInteger.ONE;
        for (int i = 2; i < 4000; i++) f = f.multiply(BigInteger.valueOf(i));
        BigInteger p = BigInteger.ONE.shiftLeft(521).subtract(BigInteger.ONE), e = f.mod(p);
        for (int i = 0; i < 12; i++) e = e.modPow(BigInteger.valueOf(65537 + i), p).add(e);
        BigDecimal d = BigDecimal.ONE;
        for (int i = 1; i < 3000; i++) d = d.add(BigDecimal.valueOf(i).divide(d, 60, RoundingMode.HALF_EVEN));
        System.out.println(pi(1200).hashCode() + " " + f.toString().hashCode() + " " + e.hashCode() + " " + d.hashCode());
        Bench.done(t);
    }
}
