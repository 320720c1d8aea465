// SPDX-License-Identifier: Apache-2.0
/** Prints the time of the measured section on standard error, in microseconds; standard output is the checked result. */
final class Bench {
    static void done(long start) {
        System.err.println("bench-us " + (System.nanoTime() - start) / 1000);
    }
}
