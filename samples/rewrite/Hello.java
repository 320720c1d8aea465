// SPDX-License-Identifier: Apache-2.0
public class Hello {
    final int n;

    Hello(int n) {
        this.n = n;
    }

    int twice() {
        return 2 * n;
    }

    public static void main(String[] args) {
        System.out.println(new Hello(21).twice());
    }
}
