// SPDX-License-Identifier: Apache-2.0
import java.security.*;
import java.security.spec.*;
import java.util.*;
import javax.crypto.*;
import javax.crypto.spec.*;

/** Digests, MACs, ciphers, key pairs and signatures: long pure-Java integer code whose answers are known to the bit. */
public class Crypto {
    static String hex(byte[] b) { return HexFormat.of().formatHex(b); }

    public static void main(String[] args) throws Exception {
        byte[] data = new byte[100000];
        new Random(9).nextBytes(data);
        for (String a : new String[] {"MD5", "SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512", "SHA3-256", "SHA-512/256", "MD2"})
            System.out.println(a + " " + hex(MessageDigest.getInstance(a).digest(data)));
        for (String m : new String[] {"HmacMD5", "HmacSHA1", "HmacSHA256", "HmacSHA512"}) { Mac mac = Mac.getInstance(m); mac.init(new SecretKeySpec("key".getBytes(), m)); System.out.println(m + " " + hex(mac.doFinal(data))); }
        SecretKeySpec k = new SecretKeySpec(Arrays.copyOf(data, 16), "AES");
        for (String c : new String[] {"AES/ECB/PKCS5Padding", "AES/CBC/PKCS5Padding", "AES/CTR/NoPadding", "AES/GCM/NoPadding"}) {
            Cipher e = Cipher.getInstance(c);
            AlgorithmParameterSpec p = c.contains("ECB") ? null : c.contains("GCM") ? new GCMParameterSpec(128, data, 0, 12) : new IvParameterSpec(data, 16, 16);
            e.init(Cipher.ENCRYPT_MODE, k, p);
            byte[] enc = e.doFinal(data);
            e.init(Cipher.DECRYPT_MODE, k, p);
            System.out.println(c + " " + enc.length + " " + hex(MessageDigest.getInstance("MD5").digest(enc)) + " " + Arrays.equals(e.doFinal(enc), data));
        }
        Cipher cc = Cipher.getInstance("ChaCha20-Poly1305");
        cc.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(data, 0, 32, "ChaCha20"), new IvParameterSpec(data, 0, 12));
        System.out.println(hex(MessageDigest.getInstance("MD5").digest(cc.doFinal(data))));
        System.out.println(hex(SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(new PBEKeySpec("password".toCharArray(), "salt".getBytes(), 1000, 256)).getEncoded()));
        SecureRandom sr = SecureRandom.getInstance("SHA1PRNG");
        sr.setSeed(5);
        System.out.println(sr.nextLong());
        KeyPairGenerator g = KeyPairGenerator.getInstance("RSA");
        g.initialize(1024);
        KeyPair kp = g.generateKeyPair();
        Signature s = Signature.getInstance("SHA256withRSA");
        s.initSign(kp.getPrivate()); s.update(data);
        byte[] sig = s.sign();
        s.initVerify(kp.getPublic()); s.update(data);
        System.out.println(sig.length + " " + s.verify(sig));
        sig[5] ^= 1;
        s.initVerify(kp.getPublic()); s.update(data);
        System.out.println(s.verify(sig));
        KeyPair ec = KeyPairGenerator.getInstance("EC").generateKeyPair();
        Signature es = Signature.getInstance("SHA256withECDSA");
        es.initSign(ec.getPrivate()); es.update(data);
        byte[] esig = es.sign();
        es.initVerify(ec.getPublic()); es.update(data);
        System.out.println(es.verify(esig));
        try { MessageDigest.getInstance("NOPE"); } catch (NoSuchAlgorithmException e) { System.out.println(e.getMessage()); }
        try { Cipher e = Cipher.getInstance("AES"); e.init(Cipher.DECRYPT_MODE, k); e.doFinal(new byte[5]); } catch (IllegalBlockSizeException e) { System.out.println(e.getMessage()); }
    }
}
