// SPDX-License-Identifier: Apache-2.0
public class HelloCalls {
    static int twice(int n) {
        return 2 * n;
    }

    public static void main(String[] args) {
        System.out.println(twice(21));
        System.out.println("abc".length());
    }
}
