// SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.HashMap;
import java.util.Map;

/** Fields read and written by handles, and by the methods of records, beside plain accesses of the same fields: objects that are kept, or never seen by others. */
public class FieldsByHandle {
    static final class All {
        boolean z;
        byte b;
        char c;
        short s;
        int i;
        long j;
        float f;
        double d;
        Object o;
        String text;
        volatile int turn;
    }

    record Point(int x, int y) {}

    record Mixed(boolean z, byte b, char c, short s, long j, float f, double d, String text, Point at) {}

    private static VarHandle var(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(All.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static MethodHandle handle(String name, Class<?> type, boolean get) {
        try {
            return get ? MethodHandles.lookup().findGetter(All.class, name, type) : MethodHandles.lookup().findSetter(All.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final VarHandle Z = var("z", boolean.class), B = var("b", byte.class), C = var("c", char.class), S = var("s", short.class), I = var("i", int.class),
        J = var("j", long.class), F = var("f", float.class), D = var("d", double.class), O = var("o", Object.class), TEXT = var("text", String.class), TURN = var("turn", int.class);
    private static final MethodHandle GET_I = handle("i", int.class, true), SET_I = handle("i", int.class, false), GET_S = handle("s", short.class, true),
        SET_S = handle("s", short.class, false), GET_O = handle("o", Object.class, true), SET_O = handle("o", Object.class, false), GET_TURN = handle("turn", int.class, true);

    private static All kept;

    private static long numbers(All a, int n) {
        Z.set(a, (n & 1) != 0);
        B.set(a, (byte) (n * 37));
        C.set(a, (char) (n * 7919));
        S.set(a, (short) (n * 7919));
        I.set(a, n);
        J.set(a, (long) n << 33);
        F.set(a, n * 0.5f);
        D.set(a, -0.0 * n);
        long sum = (a.z ? 1 : 2) + a.b * 3L + a.c * 5L + a.s * 7L + a.i * 11L + a.j + Float.floatToRawIntBits(a.f) + Double.doubleToRawLongBits(a.d);
        a.z = !a.z;
        a.b++;
        a.c++;
        a.s++;
        a.i++;
        a.j++;
        a.f++;
        a.d++;
        return sum + ((boolean) Z.get(a) ? 1 : 2) + (byte) B.get(a) * 3L + (char) C.get(a) * 5L + (short) S.get(a) * 7L + (int) I.get(a) * 11L + (long) J.get(a)
            + Float.floatToRawIntBits((float) F.get(a)) + Double.doubleToRawLongBits((double) D.get(a));
    }

    /** Never seen by others, but for one in a thousand. */
    private static long own(int n) {
        All a = new All();
        long sum = numbers(a, n);
        O.set(a, n % 3 == 0 ? null : "x");
        TEXT.set(a, n % 5 == 0 ? null : "text" + (n & 3));
        if (n % 1000 == 999) kept = a;
        return sum + (a.o == null ? 1 : a.o.hashCode()) + (TEXT.get(a) == null ? 1 : ((String) TEXT.get(a)).length()) + (O.get(a) == null ? 7 : 8);
    }

    private static long handles(All a, int n) throws Throwable {
        SET_I.invokeExact(a, n);
        SET_S.invokeExact(a, (short) n);
        SET_O.invokeExact(a, (Object) (n % 4 == 0 ? null : a));
        a.i += 3;
        TURN.setVolatile(a, n);
        return (int) GET_I.invokeExact(a) + (short) GET_S.invokeExact(a) * 3L + ((Object) GET_O.invokeExact(a) == a ? 1 : 0) + (int) GET_TURN.invokeExact(a) + (int) TURN.getAcquire(a);
    }

    /** One field, two names for the object. */
    private static int alias(All a, All other, int n) {
        a.i = n;
        I.set(other, n + 1);
        int first = a.i;
        other.i = n + 2;
        return first * 3 + (int) I.get(a);
    }

    private static String nothing(All a) {
        try {
            return "" + (int) I.get(a);
        } catch (NullPointerException e) {
            return "null";
        }
    }

    private static long records(int n) {
        Mixed m = new Mixed((n & 1) != 0, (byte) n, (char) n, (short) n, n, n % 7 == 0 ? Float.NaN : n, n % 5 == 0 ? -0.0 : 0.0, n % 3 == 0 ? null : "t" + (n & 7), n % 11 == 0 ? null : new Point(n & 3, 1));
        Mixed o = new Mixed((n & 1) != 0, (byte) n, (char) n, (short) n, n, n % 7 == 0 ? Float.NaN : n, n % 10 == 0 ? -0.0 : 0.0, n % 3 == 0 ? null : "t" + (n & 7), n % 11 == 0 ? null : new Point(n & 3, 1));
        return m.hashCode() * 31L + (m.equals(o) ? 1 : 2) + (o.equals(null) ? 4 : 8) + new Point(n, 2).hashCode() + (new Point(n & 1, 2).equals(new Point(1, n & 3)) ? 16 : 32);
    }

    public static void main(String[] args) throws Throwable {
        long sum = 0;
        All a = new All(), b = new All();
        Map<Point, Integer> counts = new HashMap<>();
        for (int round = 0; round < 5; round++) {
            for (int n = 0; n < 12_000; n++) {
                sum = sum * 31 + numbers(a, n) + own(n) + handles(b, n) + alias(a, (n & 3) == 0 ? a : b, n) + records(n);
                if (n % 100 == 0) sum += nothing(n % 300 == 0 ? null : a).length();
                counts.merge(new Point(n % 17, n % 5), 1, Integer::sum);
            }
            System.out.println(sum + " " + numbers(kept, round) + " " + kept.text + " " + kept.o + " " + counts.size() + " " + counts.get(new Point(3, 2)) + " " + new Mixed(true, (byte) 1, 'c', (short) 2, 3, 4, 5, "six", new Point(7, 8)));
        }
    }
}
