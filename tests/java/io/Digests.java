// SPDX-License-Identifier: Apache-2.0
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Random;

/** Digests of pieces of all lengths, which begin anywhere: blocks are hashed one by one, and many at once. */
public class Digests {
    public static void main(String[] args) throws Exception {
        byte[] bytes = new byte[3000];
        new Random(4).nextBytes(bytes);
        for (String name : new String[] {"SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512", "MD5", "SHA3-256"}) {
            MessageDigest d = MessageDigest.getInstance(name), other = MessageDigest.getInstance("SHA-256");
            long h = 0;
            for (int i = 0; i < 2000; i++) {
                d.update(bytes, i % 70, i * 37 % 2900);
                other.update(bytes, i % 7, i % 300);
                if (i % 3 != 0) h = h * 31 + Arrays.hashCode(d.digest());
            }
            System.out.println(name + " " + h + " " + Arrays.hashCode(d.digest()) + " " + Arrays.hashCode(other.digest()));
            try {
                d.update(bytes, 2990, 20);
            } catch (RuntimeException e) {
                System.out.println(e);
            }
        }
    }
}
