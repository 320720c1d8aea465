#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 200
# packages: liblz4-java libsnappy-java libjzlib-java
# extent: suite
#
# LZ4, Snappy (by JNI) and JZlib: round trips, streams, corrupt input.
. "$(dirname "$0")/common.sh"
jars lz4-java snappy-java jzlib
driver Codecs <<'JAVA'
import java.io.*;
import java.util.*;
import net.jpountz.lz4.*;
import net.jpountz.xxhash.*;
import org.xerial.snappy.*;
public class Codecs {
    public static void main(String[] a) throws Exception {
        byte[] in = new byte[200_000];
        Random r = new Random(5);
        for (int i = 0; i < in.length; i++) in[i] = (byte) (i % 1000 < 700 ? i / 64 : r.nextInt());
        for (LZ4Factory f : new LZ4Factory[] {LZ4Factory.safeInstance(), LZ4Factory.unsafeInstance()}) {
            byte[] c = f.fastCompressor().compress(in), h = f.highCompressor(9).compress(in);
            System.out.println(c.length + " " + h.length + " " + Arrays.equals(in, f.fastDecompressor().decompress(c, in.length)) + Arrays.equals(in, f.safeDecompressor().decompress(h, in.length)));
            c[10] ^= 0x55; c[11] = -1;
            try { System.out.println("corrupt " + f.safeDecompressor().decompress(Arrays.copyOf(c, 200), in.length).length); } catch (LZ4Exception e) { System.out.println("corrupt"); }
        }
        for (XXHashFactory f : new XXHashFactory[] {XXHashFactory.safeInstance(), XXHashFactory.unsafeInstance()})
            System.out.println(f.hash32().hash(in, 0, in.length, 7) + " " + f.hash64().hash(in, 0, in.length, 7));
        byte[] s = Snappy.compress(in);
        System.out.println(s.length + " " + Arrays.equals(in, Snappy.uncompress(s)) + " " + Snappy.isValidCompressedBuffer(Arrays.copyOf(s, 50)));
        ByteArrayOutputStream o = new ByteArrayOutputStream();
        try (OutputStream q = new com.jcraft.jzlib.DeflaterOutputStream(o)) { q.write(in); }
        System.out.println(o.size() + " " + Arrays.equals(in, new com.jcraft.jzlib.InflaterInputStream(new ByteArrayInputStream(o.toByteArray())).readAllBytes())
            + " " + Arrays.equals(in, new java.util.zip.InflaterInputStream(new ByteArrayInputStream(o.toByteArray())).readAllBytes()));
    }
}
JAVA
run() { vm "$1" -Djava.io.tmpdir=. -Djava.library.path=/usr/lib/jni:/usr/lib/x86_64-linux-gnu/jni Codecs; local c=$?; rm -f ./*.so ./*.lck; return $c; }
compare run
