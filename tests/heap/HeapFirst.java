// SPDX-License-Identifier: Apache-2.0
/** Allocates a known number of objects and nothing before. */
public class HeapFirst {
    static class Small { long value; }
    static Object last;
    public static void main(String[] args) {
        for (int i = 0; i < 5000; i++) last = new Small();
    }
}
