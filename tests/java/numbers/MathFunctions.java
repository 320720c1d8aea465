// SPDX-License-Identifier: Apache-2.0
/** java.lang.Math and StrictMath over a grid of arguments; intrinsics must agree to the last bit. */
public class MathFunctions {
    static final double[] X = {0, -0.0, 0.5, -0.5, 1, -1, 2, 10, 100.25, -3.75, 1e-8, 1e8, 1e300, Double.NaN,
        Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1.5707963267948966, 3.141592653589793, 710, -745};

    public static void main(String[] args) {
        for (double x : X) {
            System.out.println(x + ": " + Math.sqrt(x) + " " + Math.cbrt(x) + " " + Math.abs(x) + " " + Math.ulp(x) + " " + Math.signum(x)
                + " " + Math.nextUp(x) + " " + Math.getExponent(x) + " " + Math.toRadians(x) + " " + Math.scalb(x, 3));
            System.out.println("  strict " + StrictMath.sin(x) + " " + StrictMath.cos(x) + " " + StrictMath.tan(x) + " " + StrictMath.asin(x)
                + " " + StrictMath.acos(x) + " " + StrictMath.atan(x) + " " + StrictMath.exp(x) + " " + StrictMath.log(x) + " "
                + StrictMath.log10(x) + " " + StrictMath.sinh(x) + " " + StrictMath.cosh(x) + " " + StrictMath.tanh(x)
                + " " + StrictMath.expm1(x) + " " + StrictMath.log1p(x) + " " + StrictMath.hypot(x, 3) + " " + StrictMath.atan2(x, 2) + " " + StrictMath.pow(x, 3));
            // Math.sin and friends may differ by an ulp between implementations: compare rounded.
            System.out.printf("  %.10e %.10e %.10e %.10e %.10e %.10e%n", Math.sin(x), Math.cos(x), Math.tan(x), Math.exp(x), Math.log(x), Math.log10(x));
            for (double y : new double[] {0, 0.5, 2, -1, 3, Double.NaN, Double.POSITIVE_INFINITY})
                System.out.printf(" %.10e", Math.pow(x, y));
            System.out.println();
        }
        System.out.println(Math.sqrt(2) + " " + Math.pow(2, 0.5) + " " + Math.hypot(3, 4) + " " + Math.atan2(1, 1));
        System.out.println(Math.abs(Integer.MIN_VALUE) + " " + Math.negateExact(5) + " " + Math.clamp(5));
    }

    static class Math {
        static double sqrt(double x) { return java.lang.Math.sqrt(x); }
        static double cbrt(double x) { return java.lang.Math.cbrt(x); }
        static double abs(double x) { return java.lang.Math.abs(x); }
        static int abs(int x) { return java.lang.Math.abs(x); }
        static double ulp(double x) { return java.lang.Math.ulp(x); }
        static double signum(double x) { return java.lang.Math.signum(x); }
        static double nextUp(double x) { return java.lang.Math.nextUp(x); }
        static int getExponent(double x) { return java.lang.Math.getExponent(x); }
        static double toRadians(double x) { return java.lang.Math.toRadians(x); }
        static double scalb(double x, int n) { return java.lang.Math.scalb(x, n); }
        static double sin(double x) { return java.lang.Math.sin(x); }
        static double cos(double x) { return java.lang.Math.cos(x); }
        static double tan(double x) { return java.lang.Math.tan(x); }
        static double exp(double x) { return java.lang.Math.exp(x); }
        static double log(double x) { return java.lang.Math.log(x); }
        static double log10(double x) { return java.lang.Math.log10(x); }
        static double pow(double x, double y) { return java.lang.Math.pow(x, y); }
        static double hypot(double x, double y) { return java.lang.Math.hypot(x, y); }
        static double atan2(double x, double y) { return java.lang.Math.atan2(x, y); }
        static int negateExact(int x) { return java.lang.Math.negateExact(x); }
        static int clamp(int x) { return java.lang.Math.max(0, java.lang.Math.min(x, 3)); }
    }
}
