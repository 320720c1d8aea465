// SPDX-License-Identifier: Apache-2.0
/** Says hello; with an argument it makes so many objects of 1 KB first, some of which stay. */
public class Hello {
    public static void main(String[] args) {
        byte[][] kept = new byte[100][];
        for (int i = 0, n = args.length > 0 ? Integer.parseInt(args[0]) : 0; i < n; i++) kept[i % 100] = new byte[1000];
        System.out.println("Hello");
    }
}
