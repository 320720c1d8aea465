// SPDX-License-Identifier: Apache-2.0
// options: -Xmx400m
import java.util.*;

/**
 * Arrays so long that loops of the class library are not done by C functions, which nobody could stop: what they give is the same. Filled,
 * compared and hashed just below the length, at it and above, as a whole and in part, with the difference at either end.
 */
public class LongArrays {
    static final int BYTES = 64 << 20;

    static void bytes(int length) {
        byte[] a = new byte[length];
        Arrays.fill(a, (byte) -7);
        System.out.println(length + " bytes: " + a[0] + " " + a[length - 1] + " " + Arrays.hashCode(a));
        Arrays.fill(a, 3, length - 3, (byte) 9);
        System.out.println(a[2] + " " + a[3] + " " + a[length - 4] + " " + a[length - 3]);
        byte[] b = a.clone();
        System.out.println(Arrays.equals(a, b) + " " + Arrays.mismatch(a, b) + " " + Arrays.compare(a, b));
        for (int at : new int[] {length - 1, length - 9, length / 2, 7, 0}) {
            b[at]++;
            System.out.println(Arrays.equals(a, b) + " " + Arrays.mismatch(a, b) + " " + Arrays.compare(a, b));
        }
    }

    static void chars(int length) {
        char[] a = new char[length];
        Arrays.fill(a, 'x');
        Arrays.fill(a, 1, length, '\uffff');
        System.out.println(length + " chars: " + a[0] + " " + (int) a[1] + " " + (int) a[length - 1] + " " + Arrays.hashCode(a));
        char[] b = a.clone();
        b[length - 1] = 0;
        System.out.println(Arrays.equals(a, b) + " " + Arrays.mismatch(a, b));
    }

    static void longs(int length) {
        long[] a = new long[length];
        Arrays.fill(a, 0x123456789abcdefL);
        Arrays.fill(a, 1, length, -5);
        System.out.println(length + " longs: " + a[0] + " " + a[1] + " " + a[length - 1] + " " + Arrays.hashCode(a));
        long[] b = a.clone();
        b[length - 1] = 0;
        System.out.println(Arrays.equals(a, b) + " " + Arrays.mismatch(a, b));
    }

    public static void main(String[] args) {
        for (int more = -1; more <= 1; more++) {
            bytes(BYTES + more);
            chars(BYTES / 2 + more);
            longs(BYTES / 8 + more);
        }
        try {
            Arrays.fill(new int[BYTES / 4 + 1], 5, 3, 0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Arrays.fill(new int[BYTES / 4 + 1], 1, BYTES / 4 + 2, 0);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
