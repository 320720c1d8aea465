// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** Boxing caches, parsing and printing of numbers, hex and unsigned forms, and their errors. */
public class BoxesAndParsing {
    static void attempt(String what, Runnable r) {
        try {
            r.run();
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e);
        }
    }

    public static void main(String[] args) {
        Integer a = 127, b = 127, c = 128, d = 128;
        Long l1 = -128L, l2 = -128L, l3 = -129L, l4 = -129L;
        Character c1 = 127, c2 = 127;
        System.out.println((a == b) + " " + (c == d) + " " + c.equals(d) + " " + (l1 == l2) + " " + (l3 == l4) + " " + (c1 == c2) + " " + a.equals(127L));
        Integer n = 5;
        n++; n += 2;
        int prim = n * 2;
        double mixed = true ? n : 2.0;
        System.out.println(n + " " + prim + " " + mixed + " " + (Object) (false ? 1 : 'a'));
        System.out.println(Integer.parseInt("-2147483648") + " " + Integer.parseInt("+7f", 16) + " " + Integer.parseUnsignedInt("4294967295")
            + " " + Long.parseLong("-zz", 36) + " " + Integer.decode("0x7fff") + " " + Integer.decode("-010") + " " + Long.toUnsignedString(-1)
            + " " + Integer.toBinaryString(-8) + " " + Integer.toString(-255, 16) + " " + Integer.toHexString(-1) + " " + Long.toOctalString(511)
            + " " + Integer.divideUnsigned(-1, 3) + " " + Long.remainderUnsigned(-1, 10));
        System.out.println(Double.parseDouble("1e400") + " " + Double.parseDouble("-0x1.8p3") + " " + Double.valueOf("  3.14d ") + " "
            + Float.parseFloat("1.17549435E-38f") + " " + Double.toHexString(0.1) + " " + Float.toHexString(1f / 3) + " " + Double.parseDouble("2.2250738585072012e-308"));
        attempt("1", () -> Integer.parseInt("2147483648"));
        attempt("2", () -> Integer.parseInt(""));
        attempt("3", () -> Integer.parseInt(null));
        attempt("4", () -> Long.parseLong("12L"));
        attempt("5", () -> Double.parseDouble("abc"));
        attempt("6", () -> Byte.parseByte("128"));
        attempt("7", () -> { Integer z = null; int y = z; });
        System.out.println(Double.valueOf(Double.NaN).equals(Double.NaN) + " " + Double.valueOf(0.0).equals(-0.0) + " " + Boolean.hashCode(true)
            + " " + Double.hashCode(1.5) + " " + Long.hashCode(1L << 40) + " " + Character.getNumericValue('Ⅷ') + " " + Character.isLetter('é')
            + " " + Character.toUpperCase('ß') + " " + Character.getName('€') + " " + Character.isJavaIdentifierStart('$') + " " + Character.toChars(0x1F600).length);
        System.out.println(Arrays.asList((byte) -1, (short) 300, 'x', 1f, 2.0, 3L, true).toString() + Byte.toUnsignedInt((byte) -1));
    }
}
