#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: libbcprov-java libbcpkix-java libbctls-java libbcutil-java
# extent: suite
#
# BouncyCastle: provider self-tests of the light API, certificates, CMS, TLS over its own provider.
. "$(dirname "$0")/common.sh"
jars bcprov bcpkix bctls bcutil
driver BcApp <<'JAVA'
import java.io.*;
import java.math.BigInteger;
import java.net.*;
import java.security.*;
import java.security.cert.*;
import java.security.spec.*;
import java.util.*;
import javax.crypto.*;
import javax.crypto.spec.*;
import javax.net.ssl.*;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.*;
import org.bouncycastle.cert.jcajce.*;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.jsse.provider.BouncyCastleJsseProvider;
import org.bouncycastle.operator.jcajce.*;
import org.bouncycastle.util.encoders.Hex;

public class BcApp {
    static String hex(byte[] b) { return Hex.toHexString(b.length > 32 ? Arrays.copyOf(b, 32) : b) + "/" + b.length; }
    public static void main(String[] a) throws Exception {
        java.util.logging.LogManager.getLogManager().reset();
        Security.insertProviderAt(new BouncyCastleProvider(), 1);
        Security.insertProviderAt(new BouncyCastleJsseProvider(), 2);
        byte[] data = "The quick brown fox".getBytes();
        for (String alg : new TreeSet<>(Security.getAlgorithms("MessageDigest"))) {
            try { System.out.println(alg + " " + hex(MessageDigest.getInstance(alg, "BC").digest(data))); }
            catch (Exception e) { System.out.println(alg + " " + e.getClass().getSimpleName()); }
        }
        byte[] key = new byte[32], iv = new byte[16];
        Arrays.fill(key, (byte) 7);
        for (String alg : "AES/CBC/PKCS5Padding AES/CTR/NoPadding AES/EAX/NoPadding Camellia/CBC/PKCS7Padding Serpent/CFB8/NoPadding Twofish/OFB/NoPadding AES/CCM/NoPadding".split(" ")) {
            Cipher c = Cipher.getInstance(alg, "BC");
            c.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, alg.split("/")[0]), new IvParameterSpec(alg.contains("CCM") ? new byte[12] : iv));
            System.out.println(alg + " " + hex(c.doFinal(data)));
        }
        for (String alg : "HmacSHA3-256 Poly1305 SKEINMAC AESCMAC GMAC".split(" ")) {
            try {
                Mac m = Mac.getInstance(alg, "BC");
                if (alg.equals("GMAC")) m.init(new SecretKeySpec(key, "AES"), new IvParameterSpec(new byte[12])); else m.init(new SecretKeySpec(key, alg));
                System.out.println(alg + " " + hex(m.doFinal(data)));
            } catch (Exception e) { System.out.println(alg + " " + e.getClass().getSimpleName()); }
        }
        SecretKeyFactory f = SecretKeyFactory.getInstance("PBKDF2WITHHMACSHA256", "BC");
        System.out.println(hex(f.generateSecret(new PBEKeySpec("pw".toCharArray(), iv, 1000, 256)).getEncoded()));
        System.out.println(hex(org.bouncycastle.crypto.generators.SCrypt.generate(data, iv, 1024, 8, 1, 32)));
        KeyPair[] pairs = new KeyPair[3];
        String[] kinds = {"RSA", "EC", "Ed25519"}, sigs = {"SHA256withRSAandMGF1", "SHA384withECDSA", "Ed25519"};
        for (int i = 0; i < kinds.length; i++) {
            KeyPairGenerator g = KeyPairGenerator.getInstance(kinds[i], "BC");
            if (i == 0) g.initialize(768); else if (i == 1) g.initialize(new ECGenParameterSpec("brainpoolP256r1"));
            pairs[i] = g.generateKeyPair();
            Signature s = Signature.getInstance(sigs[i], "BC");
            s.initSign(pairs[i].getPrivate());
            s.update(data);
            byte[] sig = s.sign();
            s.initVerify(pairs[i].getPublic());
            s.update(data);
            boolean good = s.verify(sig);
            s.initVerify(pairs[i].getPublic());
            s.update(key);
            System.out.println(sigs[i] + " " + good + " " + s.verify(sig) + " " + pairs[i].getPublic().getFormat());
        }
        KeyPairGenerator g = KeyPairGenerator.getInstance("RSA", "BC");
        g.initialize(1024);
        KeyPair kp = g.generateKeyPair();
        Date from = new Date(System.currentTimeMillis() - 86400000L), to = new Date(System.currentTimeMillis() + 86400000L);
        JcaX509v3CertificateBuilder b = new JcaX509v3CertificateBuilder(new X500Name("CN=localhost"), BigInteger.ONE, from, to, new X500Name("CN=localhost"), kp.getPublic());
        b.addExtension(org.bouncycastle.asn1.x509.Extension.subjectAlternativeName, false, new GeneralNames(new GeneralName(GeneralName.dNSName, "localhost")));
        X509Certificate cert = new JcaX509CertificateConverter().setProvider("BC").getCertificate(b.build(new JcaContentSignerBuilder("SHA256withRSA").build(kp.getPrivate())));
        cert.verify(kp.getPublic());
        System.out.println(cert.getSubjectX500Principal() + " " + cert.getSigAlgName() + " " + cert.getSubjectAlternativeNames());
        KeyStore ks = KeyStore.getInstance("PKCS12", "BC");
        ks.load(null, null);
        ks.setKeyEntry("k", kp.getPrivate(), "pw".toCharArray(), new java.security.cert.Certificate[] {cert});
        KeyStore trust = KeyStore.getInstance("PKCS12", "BC");
        trust.load(null, null);
        trust.setCertificateEntry("c", cert);
        KeyManagerFactory km = KeyManagerFactory.getInstance("PKIX", "BCJSSE");
        km.init(ks, "pw".toCharArray());
        TrustManagerFactory tm = TrustManagerFactory.getInstance("PKIX", "BCJSSE");
        tm.init(trust);
        for (String proto : new String[] {"TLSv1.2", "TLSv1.3"}) {
            SSLContext ctx = SSLContext.getInstance(proto, "BCJSSE");
            ctx.init(km.getKeyManagers(), tm.getTrustManagers(), null);
            try (SSLServerSocket ss = (SSLServerSocket) ctx.getServerSocketFactory().createServerSocket(0)) {
                Thread t = new Thread(() -> {
                    try (Socket s = ss.accept()) { s.getInputStream().transferTo(s.getOutputStream()); } catch (IOException e) { System.out.println("server " + e); }
                });
                t.start();
                try (SSLSocket s = (SSLSocket) ctx.getSocketFactory().createSocket("localhost", ss.getLocalPort())) {
                    s.setEnabledProtocols(new String[] {proto});
                    s.startHandshake();
                    byte[] big = new byte[100000];
                    s.getOutputStream().write(big);
                    System.out.println(s.getSession().getProtocol() + " " + s.getInputStream().readNBytes(100000).length);
                }
                t.join();
            }
        }
    }
}
JAVA
run() { vm "$1" BcApp; }
compare run
