// SPDX-License-Identifier: Apache-2.0
public class HelloAllocs {
    public static void main(String[] args) {
        for (int i = 0; i < 3; i++)
            new StringBuilder().append(i);
        int[][] grid = new int[2][3];
        System.out.println(new String[2].length + grid.length);
    }
}
