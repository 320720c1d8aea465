// SPDX-License-Identifier: Apache-2.0
import java.math.BigInteger;

/** Decimal digits of ints and longs: around all powers of ten and of two, both signs, as a text of one byte each and of two, in texts that end there and that go on. */
public class Digits {
    static int checked;

    static String slowly(long v) {
        StringBuilder b = new StringBuilder();
        BigInteger x = BigInteger.valueOf(v).abs();
        do {
            BigInteger[] q = x.divideAndRemainder(BigInteger.TEN);
            b.append((char) ('0' + q[1].intValue()));
            x = q[0];
        } while (x.signum() != 0);
        return (v < 0 ? "-" : "") + b.reverse();
    }

    static void equal(String what, String wanted, String seen) {
        checked++;
        if (!wanted.equals(seen)) System.out.println(what + ": " + seen + ", not " + wanted);
    }

    static void check(long v) {
        String wanted = slowly(v), wide = "\u20ac" + wanted, between = "<" + wanted + ">";
        equal("Long.toString", wanted, Long.toString(v));
        equal("append(long)", between, new StringBuilder().append('<').append(v).append('>').toString());
        equal("append(long), wide", wide, new StringBuilder("\u20ac").append(v).toString());
        equal("+ long", between, "<" + v + ">");
        equal("+ long, wide", wide + "\u20ac", "\u20ac" + v + "\u20ac");
        if (v != (int) v) return;
        int i = (int) v;
        equal("Integer.toString", wanted, Integer.toString(i));
        equal("append(int)", between, new StringBuilder().append('<').append(i).append('>').toString());
        equal("append(int), wide", wide, new StringBuilder("\u20ac").append(i).toString());
        equal("+ int", between, "<" + i + ">");
        equal("+ int, wide", wide + "\u20ac", "\u20ac" + i + "\u20ac");
    }

    static void around(long v) {
        for (long d = -2; d <= 2; d++) {
            check(v + d);
            check(-v + d);
        }
    }

    public static void main(String[] args) {
        for (int round = 0; round < 20; round++) {
            long ten = 1;
            for (int n = 0; n < 19; n++, ten *= 10)
                for (int k = 1; k < 10; k++) around(k * ten);
            for (int bit = 0; bit < 64; bit++) around(1L << bit);
            long mixed = 1;
            for (int n = 0; n < 200; n++) check((mixed = mixed * 6364136223846793005L + 1442695040888963407L) >> n % 64);
        }
        System.out.println(checked + " " + Long.MIN_VALUE + " " + Integer.MIN_VALUE + " " + Long.MAX_VALUE);
    }
}
