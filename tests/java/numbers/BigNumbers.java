// SPDX-License-Identifier: Apache-2.0
import java.math.*;
import java.util.*;

/** BigInteger and BigDecimal: heavy long arithmetic in library code with known results. */
public class BigNumbers {
    public static void main(String[] args) {
        BigInteger f = BigInteger.ONE;
        for (int i = 1; i <= 300; i++)
            f = f.multiply(BigInteger.valueOf(i));
        System.out.println(f);
        System.out.println(f.bitLength() + " " + f.mod(BigInteger.valueOf(1000003)) + " " + f.shiftRight(1900).toString(16));
        BigInteger p = BigInteger.TWO.pow(521).subtract(BigInteger.ONE);
        System.out.println(p.isProbablePrime(20) + " " + BigInteger.TEN.modPow(p.subtract(BigInteger.TWO), p).toString(36));
        System.out.println(new BigInteger("123456789012345678901234567890").gcd(new BigInteger("987654321098765432109876543210")));
        System.out.println(new BigInteger("-170141183460469231731687303715884105728").longValue() + " " + p.sqrt().hashCode());
        BigInteger a = new BigInteger("7").pow(3000), b = new BigInteger("11").pow(2500);
        System.out.println(a.multiply(b).hashCode() + " " + a.multiply(b).divide(a).equals(b) + " " + a.toString().length());
        MathContext mc = new MathContext(120, RoundingMode.HALF_EVEN);
        BigDecimal e = BigDecimal.ONE, t = BigDecimal.ONE;
        for (int i = 1; i < 90; i++) {
            t = t.divide(BigDecimal.valueOf(i), mc);
            e = e.add(t, mc);
        }
        System.out.println(e);
        System.out.println(new BigDecimal("2").sqrt(new MathContext(60)));
        for (RoundingMode m : RoundingMode.values())
            if (m != RoundingMode.UNNECESSARY)
                System.out.print(new BigDecimal("-2.5").setScale(0, m) + " " + new BigDecimal("1.05").setScale(1, m) + " ");
        System.out.println();
        try {
            BigDecimal.ONE.divide(BigDecimal.valueOf(3));
        } catch (ArithmeticException x) {
            System.out.println(x.getMessage());
        }
        System.out.println(new BigDecimal(0.1) + " " + new BigDecimal("1E+5").toPlainString() + " " + new BigDecimal("100").stripTrailingZeros());
        Random r = new Random(42);
        System.out.println(new BigInteger(200, r) + " " + BigInteger.probablePrime(64, r) + " " + r.nextGaussian() + " " + r.nextLong() + " " + r.nextDouble());
        System.out.println(new SplittableRandom(7).ints(5).boxed().toList() + " " + new Random(1).doubles(3).boxed().toList());
    }
}
