// SPDX-License-Identifier: Apache-2.0
public class HelloLines {
    public static void main(String[] args) {
        int sum = 0;
        int i = 0;
        while (i < 3) {
            sum += i;
            i++;
        }
        System.out.println(sum);
    }
}
