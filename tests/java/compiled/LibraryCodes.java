// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/* Digests, checksums, ciphers and Base64, whose inner loops C code stands for: all lengths around blocks, in place, in parts. */
public class LibraryCodes {
    static long sum;
    static void add(long v) { sum = sum * 31 + v; }
    static void add(byte[] b) { add(b.length); add(Arrays.hashCode(b)); }
    static void show(String what) { System.out.println(what + " " + Long.toHexString(sum)); sum = 0; }
    static final byte[] DATA = new byte[3000];
    static final int[] LENGTHS = {0, 1, 3, 7, 8, 9, 15, 16, 17, 31, 32, 48, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 160, 255, 256, 257, 1000, 2048};

    static void digests(String name) throws Exception {
        MessageDigest d = MessageDigest.getInstance(name);
        for (int n : LENGTHS) {
            add(d.digest(Arrays.copyOf(DATA, n)));
            for (int at = 0; at < n; at += 37) d.update(DATA, at, Math.min(37, n - at));
            MessageDigest copy = (MessageDigest) d.clone();
            add(d.digest());
            copy.update(DATA, 1, n);
            add(copy.digest());
        }
        show(name);
    }

    static void sums(Checksum c) {
        for (int n : LENGTHS) {
            c.reset();
            c.update(DATA, 0, n);
            c.update(DATA, 5, n);
            c.update(n);
            add(c.getValue());
            ByteBuffer direct = ByteBuffer.allocateDirect(n + 3);
            direct.put(DATA, 3, n).flip();
            c.update(direct);
            c.update(ByteBuffer.wrap(DATA, 7, n));
            add(c.getValue());
        }
        for (int[] range : new int[][] {{-1, 2}, {0, -1}, {2999, 2}, {3001, 0}, {Integer.MAX_VALUE, 1}})
            try {
                c.update(DATA, range[0], range[1]);
                add(1);
            } catch (ArrayIndexOutOfBoundsException e) {
                add(2);
            }
        show(c.getClass().getName());
    }

    static void cipher(String name, int keyBytes) throws Exception {
        SecretKeySpec key = new SecretKeySpec(Arrays.copyOfRange(DATA, 100, 100 + keyBytes), "AES");
        boolean gcm = name.contains("GCM"), ecb = name.contains("ECB"), stream = name.contains("CTR") || gcm;
        Cipher c = Cipher.getInstance(name), back = Cipher.getInstance(name);
        for (int n : LENGTHS) {
            if (!stream && name.contains("NoPadding")) n &= -16;
            for (int mode = 0; mode < 3; mode++) {
                byte[] iv = Arrays.copyOf(DATA, gcm ? 12 : 16);
                if (mode == 2) Arrays.fill(iv, (byte) 255);
                iv[0] = (byte) (n + mode);
                java.security.spec.AlgorithmParameterSpec spec = ecb ? null : gcm ? new GCMParameterSpec(128, iv) : new IvParameterSpec(iv);
                try {
                    c.init(Cipher.ENCRYPT_MODE, key, spec);
                } catch (java.security.InvalidAlgorithmParameterException e) { /* a key and vector twice */
                    iv[1]++;
                    iv[2] = (byte) (7 * n + mode);
                    c.init(Cipher.ENCRYPT_MODE, key, spec = new GCMParameterSpec(128, iv));
                }
                if (gcm) c.updateAAD(DATA, 0, n % 50);
                byte[] coded;
                if (mode == 0) {
                    coded = c.doFinal(DATA, 0, n);
                } else { /* in parts, the last one in place */
                    byte[] out = new byte[n + 64];
                    int at = c.update(DATA, 0, n / 3, out, 0);
                    at += c.update(DATA, n / 3, n / 2 - n / 3, out, at);
                    at += c.doFinal(DATA, n / 2, n - n / 2, out, at);
                    coded = Arrays.copyOf(out, at);
                }
                add(coded);
                back.init(Cipher.DECRYPT_MODE, key, spec);
                if (gcm) back.updateAAD(DATA, 0, n % 50);
                byte[] plain = mode == 1 ? back.doFinal(coded) : null;
                if (plain == null) { /* in place */
                    byte[] place = Arrays.copyOf(coded, coded.length + 32);
                    int got = back.doFinal(place, 0, coded.length, place, 0);
                    plain = Arrays.copyOf(place, got);
                }
                if (!Arrays.equals(plain, Arrays.copyOf(DATA, n))) System.out.println(name + " of " + n + " is not undone");
            }
        }
        /* outputs over inputs, one behind the other */
        if (!gcm)
            for (int shift : new int[] {0, 1, 15, 16, 17, 40}) {
                byte[] place = Arrays.copyOf(DATA, 512);
                c.init(Cipher.ENCRYPT_MODE, key, ecb ? null : new IvParameterSpec(Arrays.copyOf(DATA, 16)));
                c.update(place, 0, 256, place, shift);
                c.update(place, 100, 160, place, Math.max(0, 100 - shift));
                add(place);
                c.init(Cipher.DECRYPT_MODE, key, ecb ? null : new IvParameterSpec(Arrays.copyOf(DATA, 16)));
                c.update(place, 0, 256, place, shift);
                add(place);
            }
        show(name + " " + keyBytes * 8);
    }

    static void base64() {
        Base64.Encoder[] encoders = {Base64.getEncoder(), Base64.getUrlEncoder(), Base64.getMimeEncoder(), Base64.getEncoder().withoutPadding()};
        Base64.Decoder[] decoders = {Base64.getDecoder(), Base64.getUrlDecoder(), Base64.getMimeDecoder(), Base64.getDecoder()};
        for (int n : LENGTHS)
            for (int k = 0; k < encoders.length; k++) {
                byte[] plain = Arrays.copyOfRange(DATA, k, n + k), coded = encoders[k].encode(plain);
                add(coded);
                if (!Arrays.equals(decoders[k].decode(coded), plain)) System.out.println("not decoded: " + n);
                for (int at = 0; at < coded.length; at += 1 + coded.length / 7)
                    for (byte b : new byte[] {'=', '-', '/', ' ', -1, 0, '\n'}) {
                        byte[] bad = coded.clone();
                        bad[at] = b;
                        try {
                            add(decoders[k].decode(bad));
                        } catch (IllegalArgumentException e) {
                            add(e.getMessage().hashCode());
                        }
                    }
                byte[] to = new byte[coded.length + 2];
                for (int more = 0; more < 60; more += 7) { /* nothing is written behind the result */
                    byte[] room = new byte[n + 30], lines = Arrays.copyOf(coded, coded.length + more);
                    Arrays.fill(room, (byte) 0x55);
                    Arrays.fill(lines, coded.length, lines.length, (byte) '\n');
                    try {
                        add(decoders[k].decode(lines, room));
                    } catch (IllegalArgumentException e) {
                        add(e.getMessage().hashCode());
                    }
                    if (more == 0 || k == 2) add(room);
                    else for (int i = n; i < room.length; i++) add(room[i]);
                }
                add(encoders[k].encode(plain, to));
                add(decoders[k].decode(to.length > 4 ? Arrays.copyOf(to, coded.length) : new byte[0]));
            }
        show("Base64");
    }

    public static void main(String[] args) throws Exception {
        new Random(11).nextBytes(DATA);
        for (int round = 0; round < 2; round++) {
            for (String s : new String[] {"MD5", "SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512", "SHA-512/256", "SHA3-256"}) digests(s);
            sums(new CRC32());
            sums(new CRC32C());
            sums(new Adler32());
            for (String s : new String[] {"ECB/NoPadding", "ECB/PKCS5Padding", "CBC/NoPadding", "CBC/PKCS5Padding", "CTR/NoPadding", "GCM/NoPadding", "CFB/NoPadding"})
                for (int bytes = 16; bytes <= 32; bytes += 8) cipher("AES/" + s, bytes);
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(DATA, 0, 40, "HmacSHA256"));
            add(mac.doFinal(DATA));
            base64();
        }
    }
}
