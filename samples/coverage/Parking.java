/* SPDX-License-Identifier: Apache-2.0 */
import java.util.List;

/** Parking fees: some rules are never tried, as a look at the coverage report tells. */
public class Parking {
    enum Vehicle { BIKE, CAR, BUS }

    static int fee(Vehicle v, int minutes) {
        if (minutes <= 15)
            return 0;
        int hours = (minutes + 59) / 60;
        return switch (v) {
            case BIKE -> hours;
            case CAR -> hours > 8 ? 20 : 3 * hours;
            case BUS -> 10 * hours;
        };
    }

    static int lost() {
        return 50;
    }

    public static void main(String[] args) {
        List<Integer> stays = List.of(10, 70, 300);
        int sum = stays.stream().mapToInt(m -> fee(Vehicle.CAR, m)).sum() + fee(Vehicle.BIKE, 90);
        System.out.println("income " + sum);
    }
}
