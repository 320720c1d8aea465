// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.file.*;

/** A memory-mapped file that becomes shorter: accesses behind its end raise InternalError, and the VM goes on. */
public class TruncatedMap {
    interface Access { Object run(); }
    static Path file;

    static MappedByteBuffer map() throws IOException {
        try (RandomAccessFile f = new RandomAccessFile(file.toFile(), "rw")) {
            f.setLength(64 << 10);
            MappedByteBuffer m = f.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 64 << 10);
            m.put(0, (byte) 5);
            f.setLength(4096);
            return m;
        }
    }

    static void show(String what, Access a) {
        try {
            Object o = a.run();
            System.out.println(what + ": " + o);
        } catch (InternalError e) { System.out.println(what + ": InternalError " + e.getMessage().contains("fault occurred in")); }
    }

    public static void main(String[] args) throws Exception {
        file = Files.createTempFile("truncated", ".map");
        MappedByteBuffer a = map();
        show("inside", () -> a.get(0));
        show("get", () -> a.get(20000));
        MappedByteBuffer b = map();
        show("put", () -> b.put(30000, (byte) 1).capacity());
        MappedByteBuffer c = map();
        show("getLong", () -> c.getLong(40000));
        MappedByteBuffer d = map();
        byte[] bytes = new byte[30000];
        show("bulk get", () -> { d.position(10000); d.get(bytes); return d.position(); });
        MappedByteBuffer e = map();
        show("bulk put", () -> { e.position(10000); e.put(bytes); return e.position(); });
        MappedByteBuffer f = map();
        show("copy", () -> { ByteBuffer x = ByteBuffer.allocateDirect(64 << 10); x.put(f); return x.position(); });
        MappedByteBuffer g = map();
        show("loop", () -> { int s = 0; for (int i = 0; i < g.capacity(); i++) s += g.get(i); return s; });
        show("inside again", () -> a.get(0));
        Files.delete(file);
        System.out.println("alive");
    }
}
