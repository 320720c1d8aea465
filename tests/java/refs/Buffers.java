// SPDX-License-Identifier: Apache-2.0
// options: -XX:MaxDirectMemorySize=16m -Xmx64m
import java.nio.*;
import java.util.*;

/** Direct memory: its limit, release by collection, alignment, bulk copies between heap and native, large counts. */
public class Buffers {
    public static void main(String[] args) {
        long sum = 0;
        for (int i = 0; i < 400; i++) {
            ByteBuffer b = ByteBuffer.allocateDirect(1 << 20);
            b.putInt(1 << 19, i);
            sum += b.getInt(1 << 19);
        }
        System.out.println("released by collection " + sum);
        List<ByteBuffer> keep = new ArrayList<>();
        try { while (true) keep.add(ByteBuffer.allocateDirect(1 << 20)); } catch (OutOfMemoryError e) { System.out.println(keep.size() + " " + e.getMessage().replaceAll("\\d+", "N")); }
        keep = null;
        ByteBuffer d = ByteBuffer.allocateDirect(4096).order(ByteOrder.LITTLE_ENDIAN), h = ByteBuffer.allocate(4096);
        for (int i = 0; i < 4096; i++) h.put(i, (byte) (i * 7));
        d.put(h.duplicate()).flip();
        byte[] out = new byte[4000];
        d.position(50).get(out, 10, 3990 - 10);
        System.out.println(Arrays.hashCode(out) + " " + d.getLong(9) + " " + d.getDouble(17) + " " + d.getShort(4094) + " " + d.equals(h.position(d.position())) + " " + d.compareTo(h) + " " + h.mismatch(d));
        LongBuffer l = d.clear().asLongBuffer();
        long[] longs = new long[l.remaining()];
        l.get(longs);
        Arrays.sort(longs);
        l.flip().put(longs, 0, 100);
        CharBuffer c = h.clear().asCharBuffer();
        System.out.println(longs[0] + " " + l.get(99) + " " + c.get(5) + 0 + c.subSequence(1, 3).length() + " " + d.alignedSlice(8).capacity() + " " + h.hasArray() + d.hasArray() + h.arrayOffset());
        float[] f = new float[64];
        FloatBuffer.wrap(f).put(3, 1.5f).slice(2, 4).put(0, 2.5f);
        System.out.println(f[2] + f[3]);
    }
}
