// SPDX-License-Identifier: Apache-2.0
//
// Math.log10 to the last bit: exact at powers of ten, and the nearest double elsewhere.
public class LogTen {
    public static void main(String[] args) {
        int exact = 0;
        for (int n = -300; n <= 300; n++) {
            if (Math.log10(Double.parseDouble("1e" + n)) == n) exact++;
        }
        System.out.println(exact + " powers of ten");
        for (int i = 1; i <= 1000; i++) {
            System.out.println(Long.toHexString(Double.doubleToLongBits(Math.log10(i / 7.0))));
        }
        for (double x : new double[] {0.0, -0.0, -1, Double.NaN, Double.MIN_VALUE, Double.MAX_VALUE, 1 / 0.0}) {
            System.out.println(x + " " + Math.log10(x));
        }
    }
}
