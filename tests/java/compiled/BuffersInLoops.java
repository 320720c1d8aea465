// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=20 -Xbatch -XX:-OmitStackTraceInFastThrow
import java.nio.*;
import java.util.Arrays;

/**
 * Relative accesses of buffers in loops, whose positions are fields: on the heap, outside of it, of both orders, read-only, slices and views that share
 * their memory, one that is another under a second name, ends that are met too early, and what exceptions leave behind.
 */
public class BuffersInLoops {
    static void ints(ByteBuffer b, int n) {
        for (int i = 0; i < n; i++) b.putInt(i * 0x01020305);
    }
    static long sum(ByteBuffer b) {
        long s = 0;
        while (b.remaining() >= 4) s = s * 31 + b.getInt();
        return s;
    }
    static long kinds(ByteBuffer b, int n) {
        long s = 0;
        for (int i = 0; i < n; i++)
            b.put((byte) i).putShort((short) (i * 777)).putChar((char) (i * 999)).putLong(i * 0x123456789abL).putFloat(i / 3f).putDouble(i / 7.0);
        b.flip();
        while (b.hasRemaining()) s = s * 31 + b.get() + b.getShort() + b.getChar() + b.getLong() + Float.floatToIntBits(b.getFloat()) + (long) b.getDouble();
        return s;
    }
    static long bytes(ByteBuffer b) {
        long s = 0;
        while (b.hasRemaining()) s = s * 31 + b.get();
        return s;
    }
    static int varint(ByteBuffer b) {
        int v = 0, shift = 0;
        while (true) {
            byte x = b.get();
            v |= (x & 0x7f) << shift;
            if (x >= 0) return v;
            shift += 7;
        }
    }
    static void varint(ByteBuffer b, int v) {
        while ((v & ~0x7f) != 0) {
            b.put((byte) (v | 0x80));
            v >>>= 7;
        }
        b.put((byte) v);
    }
    /* to and from may share memory, or be one */
    static void along(ByteBuffer from, ByteBuffer to) {
        while (from.hasRemaining() && to.remaining() >= 3) to.putShort((short) (from.get() * 3));
    }
    static long views(ByteBuffer b) {
        long s = 0;
        b.clear();
        IntBuffer i = b.asIntBuffer();
        LongBuffer l = b.asLongBuffer();
        CharBuffer c = b.asCharBuffer();
        DoubleBuffer d = b.asDoubleBuffer();
        while (i.hasRemaining() && !b.isReadOnly()) i.put(i.position() * 0x10203);
        i.rewind();
        while (l.hasRemaining()) s = s * 31 + l.get() + i.get() + c.get() + (long) d.get();
        return s + i.position() + c.position();
    }
    static String meets(ByteBuffer b, int n) {
        int done = 0;
        try {
            for (; done < n; done++) b.putInt(done);
            b.flip();
            for (; ; done++) b.getInt();
        } catch (BufferOverflowException | BufferUnderflowException | ReadOnlyBufferException e) {
            StackTraceElement[] t = e.getStackTrace();
            return e.getClass().getSimpleName() + " " + done + " " + b.position() + " " + b.limit() + " " + t[t.length - 2].getMethodName();
        }
    }
    static String absolute(ByteBuffer b, int from) {
        long s = 0;
        try {
            for (int i = from; ; i += 5) s = s * 31 + b.getInt(i) + b.get(i + 1) + b.getShort(i + 2);
        } catch (IndexOutOfBoundsException e) {
            return s + " " + b.position();
        }
    }
    static int counted;
    static final class Counter { int n, bytes; }
    /* fields beside memory that is no object's */
    static int beside(ByteBuffer b, Counter c) {
        b.clear();
        while (b.remaining() >= 4) {
            b.putInt(c.n += 3);
            counted++;
            c.bytes += 4;
        }
        return c.n + c.bytes + counted;
    }
    static String pieces(ByteBuffer b) {
        byte[] a = new byte[9];
        StringBuilder t = new StringBuilder();
        for (int n = 0; b.remaining() > n; n = (n + 1) % 9) {
            b.get(a, 9 - n, n);
            b.position(b.position() + 1);
            if (!b.isReadOnly() && b.remaining() >= 9) b.duplicate().put(a, 0, n);
            t.append(Arrays.hashCode(a)).append(b.position());
        }
        return t.toString();
    }

    static ByteBuffer[] all() {
        ByteBuffer heap = ByteBuffer.allocate(203), direct = ByteBuffer.allocateDirect(203);
        ByteBuffer part = ByteBuffer.wrap(new byte[300], 17, 200).slice().order(ByteOrder.LITTLE_ENDIAN);
        direct.position(3);
        ByteBuffer odd = direct.slice();
        direct.clear();
        return new ByteBuffer[] {heap, direct, part, odd.order(ByteOrder.LITTLE_ENDIAN), heap.duplicate().order(ByteOrder.LITTLE_ENDIAN), heap.asReadOnlyBuffer(),
                                 direct.asReadOnlyBuffer(), direct.duplicate(), ByteBuffer.allocate(0), ByteBuffer.allocateDirect(5)};
    }

    static String once(int turn) {
        StringBuilder t = new StringBuilder();
        ByteBuffer[] all = all();
        for (ByteBuffer b : all) {
            t.append(meets(b, turn)).append(' ').append(absolute(b, turn - 3)).append(' ');
            b.clear();
            t.append(bytes(b)).append(' ').append(views(b)).append(' ');
            b.clear();
            t.append(pieces(b)).append(' ');
            if (b.isReadOnly()) continue;
            b.clear();
            ints(b, b.capacity() / 4);
            b.rewind();
            t.append(sum(b)).append(' ').append(beside(b, new Counter())).append(' ');
            b.clear();
            t.append(kinds(b, b.capacity() / 25)).append(' ');
            b.clear();
            for (int i = 1; b.remaining() >= 5; i = i * 31 + turn) varint(b, i);
            b.flip();
            while (b.hasRemaining()) t.append(varint(b)).append(' ');
        }
        for (ByteBuffer x : all)
            for (ByteBuffer y : all) {
                if (y.isReadOnly()) continue;
                x.clear();
                y.clear();
                along(x, y);
                x.clear();
                t.append(x.position()).append(y.position()).append(bytes(x)).append(' ');
            }
        return t.toString();
    }

    public static void main(String[] args) {
        long h = 0;
        for (int turn = 0; turn < 60; turn++) h = h * 31 + once(turn).hashCode();
        System.out.println(h + " " + counted);
        System.out.println(once(7));
    }
}
