// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions -XX:-InlineNIOCheckIndex -XX:+UseBaseCompiler -XX:CompileThreshold=2 -XX:-OmitStackTraceInFastThrow
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/*
 * Small methods with handlers, which compilers put in place of their calls: what they catch and what passes them, from their own code and
 * from what they call; locals of theirs and of their callers, at first and after many exceptions.
 */
public class CatchingBodies {
    static final class Own extends RuntimeException {
        final int n;
        Own(int n) { super("own " + n); this.n = n; }
    }
    static int closed, entered;

    /* --- what is caught --- */
    static int div(int a, int b) { try { return a / b; } catch (ArithmeticException e) { return -a; } }
    static int at(int[] a, int i) { try { return a[i]; } catch (ArrayIndexOutOfBoundsException | NullPointerException e) { return e.getMessage().length(); } }
    static int length(String s) { try { return s.length(); } catch (NullPointerException e) { return -1; } }
    static void thrower(int n) { if (n % 7 == 3) throw new Own(n); if (n % 11 == 5) throw new IllegalStateException("ise " + n); }
    static int own(int n) { try { thrower(n); return 1; } catch (Own e) { return e.n; } }
    static long counted(int n) {
        long k = n;
        double d = n / 2.0;
        try {
            k += 5;
            d += 1;
            thrower(n);
            k *= 3;
        } catch (Own e) {
            return k * 1000 + (long) (d * 2);
        }
        return k + (long) d;
    }
    static int around(int n) {
        entered++;
        try { thrower(n); return n; } finally { closed++; }
    }
    static int again(int n) { try { return div(n, n % 3) + own(n); } catch (IllegalStateException e) { throw new Own(-n); } }
    static int nested(int n) {
        try {
            try { thrower(n); return n / (n % 5); } catch (Own e) { return e.n / (n % 2); }
        } catch (ArithmeticException e) {
            return 77;
        }
    }
    static Object cast(Object o) { try { return (String) o; } catch (ClassCastException e) { return "cce"; } }
    static int argument(int n, int k) {
        try { n += k; thrower(n); k = n * 2; } catch (Own e) { n -= 1000; }
        return n * 31 + k;
    }
    int field = 3;
    static int field(CatchingBodies x, int n) { try { return x.field += n; } catch (NullPointerException e) { return n; } }

    static String trace(Throwable e) {
        StringBuilder s = new StringBuilder(e.toString());
        for (StackTraceElement f : e.getStackTrace()) s.append(' ').append(f.getMethodName()).append(':').append(f.getLineNumber());
        return s.toString();
    }

    static long some(int i, int[] a, CatchingBodies x) {
        long sum = i;
        int k = i * 3;
        double d = i / 4.0;
        sum += div(i, i % 4) + at(i % 5 == 0 ? null : a, i % 6 - 1) * 3L;
        sum += length(i % 3 == 0 ? null : "abc") + k;
        try {
            sum = sum * 3 + own(i) + counted(i);
            sum += around(i) * 5;
            sum += again(i) + nested(i) + argument(i, k);
        } catch (IllegalStateException | Own e) {
            sum += e.getMessage().length() + k;
            if (i % 13 == 0) System.out.println(trace(e));
        }
        sum += (long) d + field(i % 4 == 0 ? null : x, k);
        return sum * 7 + cast(i % 2 == 0 ? "s" : (Object) i).hashCode();
    }

    /* Nobody throws for long: then somebody does. */
    static int late(int n) { try { if (n > 900) thrower(3 + n); return n & 3; } catch (RuntimeException e) { return e.getMessage().length() % 5; } }
    static int lateLoop(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) s = s * 3 + late(i);
        return s;
    }

    /* What leaves a body by an exception, its trace, and what the caller has. */
    static void passes(int n) { try { thrower(n); } catch (ArithmeticException e) { closed = -1; } }
    static String passed(int n) {
        int k = n + 1;
        String s = "s" + n;
        try {
            passes(n);
            k++;
        } catch (RuntimeException e) {
            return s + k + trace(e);
        }
        return s + k;
    }

    static int deep(int n) { return n == 0 ? deepest(n) : deepening(n); }
    static int deepening(int n) { try { return deep(n - 1) + 1; } finally { closed++; } }
    static int deepest(int n) { throw new Own(n); }

    /* --- the class library's --- */
    static void buffers(ByteBuffer b) {
        long s = 0;
        for (int i = 0; i < 40; i++) {
            b.order(i % 3 == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
            b.putInt(i, i * 7919).putLong(i + 4, i * 1234567890123L).putChar(i + 12, (char) (i * 99)).putDouble(i + 14, i / 3.0);
            b.putShort(i + 22, (short) (i * 999)).put(i + 24, (byte) i).putFloat(i + 25, i * 1.5f);
            s = s * 31 + b.getInt(i) + b.getLong(i + 2) + b.getChar(i + 9) + b.getShort(i + 8) + b.get(i + 3) + b.getInt(i + 25);
            s += Double.doubleToRawLongBits(b.getDouble(i + 11)) + Float.floatToRawIntBits(b.getFloat(i + 1));
        }
        b.clear();
        while (b.remaining() > 20) s = s * 31 + b.get() + b.getInt() + b.getShort() + b.getChar() + b.getLong();
        System.out.println(b.isDirect() + " " + b.isReadOnly() + " " + s);
        List<String> failed = new ArrayList<>();
        for (int at : new int[] {-1, 100, 97, 96, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            for (int k = 0; k < 6; k++) {
                try {
                    switch (k) {
                    case 0: b.getInt(at); break;
                    case 1: b.putInt(at, 4); break;
                    case 2: b.getLong(at); break;
                    case 3: b.put(at, (byte) 1); break;
                    case 4: b.getDouble(at); break;
                    default: b.position(Math.min(100, Math.max(0, at))); b.getInt(); break;
                    }
                } catch (RuntimeException e) {
                    failed.add(at + " " + k + " " + trace(e));
                }
            }
        }
        failed.forEach(System.out::println);
    }

    public static void main(String[] args) {
        int[] a = {5, 6, 7};
        CatchingBodies x = new CatchingBodies();
        long sum = 0;
        for (int i = 0; i < 400; i++) sum = sum * 31 + some(i, a, x);
        System.out.println(sum + " " + entered + " " + closed + " " + x.field);
        System.out.println(lateLoop(100) + " " + lateLoop(800) + " " + lateLoop(800) + " " + lateLoop(2000));
        for (int i = 0; i < 60; i++) {
            String s = passed(i);
            if (i % 7 == 3 || i % 20 == 0) System.out.println(s);
        }
        for (int i = 0; i < 20; i++) {
            try {
                deep(i);
            } catch (Own e) {
                System.out.println(trace(e) + " " + closed);
            }
        }
        for (int i = 0; i < 4; i++) {
            buffers(ByteBuffer.allocate(100));
            buffers(ByteBuffer.allocateDirect(100));
            buffers(ByteBuffer.allocate(150).position(30).slice().limit(100));
        }
        try {
            for (int i = 0; i < 20; i++) ByteBuffer.allocate(8).asReadOnlyBuffer().putInt(0, i);
        } catch (RuntimeException e) {
            System.out.println(trace(e));
        }
    }
}
