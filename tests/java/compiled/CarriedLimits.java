// SPDX-License-Identifier: Apache-2.0

/** The bound of an inner loop is a field that the outer one stores, so the value is carried from turn to turn: what asks for it in front of the inner loop asks for that. */
public class CarriedLimits {
    int low, high;
    int[] all = new int[40];

    int sums(int rounds) {
        int sum = 0;
        for (int r = 0; r < rounds; r++) {
            for (int i = 0; i < high; i++) sum += all[i] ^ i;
            high = (high * 5 + r) % 41;
        }
        return sum;
    }
    int between(int rounds) {
        int sum = 0;
        for (int r = 0; r < rounds; r++) {
            for (int i = low; i < high; i++) sum = sum * 31 + all[i];
            low = r % 7;
            high = low + r % 30;
        }
        return sum;
    }
    int down(int rounds) {
        int sum = 0;
        for (int r = 0; r < rounds; r++) {
            for (int i = high - 1; i >= low; i--) sum = sum * 31 + all[i];
            low = r % 5;
            high = low + r % 33;
        }
        return sum;
    }
    int outside(int rounds) {
        int sum = 0;
        try {
            for (int r = 0; r < rounds; r++) {
                for (int i = 0; i < high; i++) sum += all[i];
                high = r * 3;
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            sum = sum * 31 + high + e.getMessage().length();
        }
        return sum;
    }

    public static void main(String[] args) {
        CarriedLimits c = new CarriedLimits();
        long h = 0;
        for (int i = 0; i < c.all.length; i++) c.all[i] = i * i - 100;
        for (int k = 0; k < 3000; k++) {
            c.low = k % 3;
            c.high = k % 40;
            h = h * 31 + c.sums(k % 20);
            h = h * 31 + c.between(k % 19);
            h = h * 31 + c.down(k % 18);
            h = h * 31 + c.outside(k % 16);
        }
        System.out.println(h);
    }
}
