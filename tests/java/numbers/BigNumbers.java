// SPDX-License-Identifier: Apache-2.0
import java.math.*;
import java.util.*;

/** BigInteger and BigDecimal: heavy long arithmetic in library code with known results. */
public class BigNumbers {
    public static void main(String[] args) throws InterruptedException {
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
        long sum = 0;
        Random random = new Random(5);
        for (int k = 0; k < 600; k++) sum = sum * 31 + operation(random);
        System.out.println(Long.toHexString(sum));
        whileCollected();
        squares(r);
    }

    /** Of all lengths around 32 and 64 bits, with rows of zeros or ones in it. */
    static BigInteger number(Random random, int most) {
        byte[] b = new byte[1 + random.nextInt(2 + random.nextInt(most)) / 4 * 4 + random.nextInt(2)];
        random.nextBytes(b);
        for (int k = random.nextInt(3); k > 0; k--) {
            int from = random.nextInt(b.length);
            Arrays.fill(b, from, from + random.nextInt(b.length - from + 1), (byte) -random.nextInt(2));
        }
        BigInteger v = new BigInteger(1, b);
        return random.nextInt(3) == 0 ? v.negate() : v;
    }

    static int operation(Random random) {
        BigInteger a = number(random, 700), b = number(random, 700), m = number(random, 150);
        try {
            switch (random.nextInt(7)) {
            case 0: return a.multiply(b).hashCode();
            case 1: return a.multiply(a).hashCode() * 31 + a.pow(3).hashCode();
            case 2: return Arrays.hashCode(a.divideAndRemainder(m));
            case 3: return a.modPow(number(random, 30), m.abs().setBit(0)).hashCode();
            case 4: return a.modPow(number(random, 12), m.abs().shiftLeft(1 + random.nextInt(70))).hashCode();
            case 5: return a.toString(2 + random.nextInt(35)).hashCode() * 31 + new BigInteger(b.toString()).compareTo(b);
            default: return a.gcd(b).hashCode() + a.shiftLeft(random.nextInt(99) - 50).hashCode() + m.modInverse(b).hashCode();
            }
        } catch (ArithmeticException | NumberFormatException e) {
            return e.toString().hashCode();
        }
    }

    /** A long product whose arrays move meanwhile: (2^n - 1)(2^k - 1). */
    static void whileCollected() throws InterruptedException {
        int n = 32 * 40_000, k = 32 * 79;
        BigInteger one = BigInteger.ONE, expected = one.shiftLeft(n + k).subtract(one.shiftLeft(n)).subtract(one.shiftLeft(k)).add(one);
        boolean[] right = {true};
        Thread thread = new Thread(() -> {
            for (int i = 0; i < 8; i++) {
                BigInteger a = one.shiftLeft(n).subtract(one), b = one.shiftLeft(k).subtract(one);
                right[0] &= (i % 2 == 0 ? a.multiply(b) : b.multiply(a)).equals(expected);
            }
        });
        thread.start();
        for (int i = 0; i < 30 && thread.isAlive(); i++) System.gc();
        thread.join();
        System.out.println(right[0]);
    }

    /* Squares against products: all bits set carry furthest; each also squares in Montgomery's form. */
    static void squares(Random r) {
        long hash = 0;
        for (int bits = 1; bits < 9000; bits += bits < 300 ? 1 : 97) {
            BigInteger ones = BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE), m = new BigInteger(bits, r).setBit(0).setBit(bits - 1);
            for (BigInteger x : new BigInteger[] {ones, BigInteger.ONE.shiftLeft(bits), ones.shiftRight(bits / 2), ones.xor(ones.shiftRight(bits / 3)), m}) {
                BigInteger square = x.multiply(x);
                if (!square.equals(x.add(BigInteger.ONE).multiply(x).subtract(x)) || !square.equals(x.pow(2))) System.out.println("square of " + x.toString(16));
                hash = hash * 31 + square.hashCode();
                if (bits < 2500) hash = hash * 31 + x.modPow(BigInteger.valueOf(21), m).hashCode() + x.modPow(BigInteger.valueOf(21), ones).hashCode();
            }
        }
        System.out.println(hash);
    }
}
