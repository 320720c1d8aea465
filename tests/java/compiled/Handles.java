// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:+UseBaseCompiler -XX:CompileThreshold=2 -XX:-OmitStackTraceInFastThrow
/*
 * Handles that are constants: compilers call their targets directly. VarHandles of all kinds in all modes of access, with wrong types, nulls and
 * indices; combinators; targets of call sites that change while code runs; subclasses that come later.
 */
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.lang.invoke.VarHandle;
import java.lang.invoke.WrongMethodTypeException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;

public class Handles {
    int i = 1;
    long j = 2;
    volatile String s = "a";
    final int fixed = 77;
    boolean z;
    byte b;
    char c = 'c';
    short h;
    float f = 1.5f;
    double d = 2.5;
    static int count;
    static String text = "t";
    static final VarHandle I, J, S, FIXED, Z, B, C, H, F, D, COUNT, TEXT, INTS, LONGS, STRINGS, BYTES, VIEW, BIG, BUFFER, EXACT;
    static VarHandle notFinal;
    static final MethodHandle ADD, VIRTUAL, SPECIAL, NEW, INTERFACE, GUARD, CATCH, FILTER, BOUND, COLLECT, SPREAD, GETTER, SETTER, LOOP, FAIL, DROP;
    static final MutableCallSite SITE = new MutableCallSite(MethodType.methodType(int.class, int.class));
    static final MethodHandle DYNAMIC = SITE.dynamicInvoker();
    static final CallSite FIRM = new ConstantCallSite(MethodHandles.constant(int.class, 42));

    static int add(int a, int b) { return a + b; }
    static int sub(int a, int b) { return a - b; }
    static int twice(int a) { return 2 * a; }
    static int thrice(int a) { return 3 * a; }
    static boolean isSmall(int a) { return a < 100; }
    static int fail(int a) { if (a % 3 == 0) throw new IllegalStateException("fail " + a); return a; }
    static int caught(IllegalStateException e, int a) { return -a; }
    static String all(Object... x) { return Arrays.toString(x); }
    int own(int a) { return a + i; }

    static {
        try {
            MethodHandles.Lookup l = MethodHandles.lookup();
            I = l.findVarHandle(Handles.class, "i", int.class);
            J = l.findVarHandle(Handles.class, "j", long.class);
            S = l.findVarHandle(Handles.class, "s", String.class);
            FIXED = l.findVarHandle(Handles.class, "fixed", int.class);
            Z = l.findVarHandle(Handles.class, "z", boolean.class);
            B = l.findVarHandle(Handles.class, "b", byte.class);
            C = l.findVarHandle(Handles.class, "c", char.class);
            H = l.findVarHandle(Handles.class, "h", short.class);
            F = l.findVarHandle(Handles.class, "f", float.class);
            D = l.findVarHandle(Handles.class, "d", double.class);
            COUNT = l.findStaticVarHandle(Handles.class, "count", int.class);
            TEXT = l.findStaticVarHandle(Handles.class, "text", String.class);
            INTS = MethodHandles.arrayElementVarHandle(int[].class);
            LONGS = MethodHandles.arrayElementVarHandle(long[].class);
            STRINGS = MethodHandles.arrayElementVarHandle(String[].class);
            BYTES = MethodHandles.arrayElementVarHandle(byte[].class);
            VIEW = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
            BIG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
            BUFFER = MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
            EXACT = I.withInvokeExactBehavior();
            notFinal = I;
            MethodType unary = MethodType.methodType(int.class, int.class), binary = MethodType.methodType(int.class, int.class, int.class);
            ADD = l.findStatic(Handles.class, "add", binary);
            VIRTUAL = l.findVirtual(Handles.class, "own", unary);
            SPECIAL = l.findSpecial(Handles.class, "own", unary, Handles.class);
            NEW = l.findConstructor(StringBuilder.class, MethodType.methodType(void.class, String.class));
            INTERFACE = l.findVirtual(Supplier.class, "get", MethodType.methodType(Object.class));
            MethodHandle twice = l.findStatic(Handles.class, "twice", unary), thrice = l.findStatic(Handles.class, "thrice", unary);
            GUARD = MethodHandles.guardWithTest(l.findStatic(Handles.class, "isSmall", MethodType.methodType(boolean.class, int.class)), twice, thrice);
            FAIL = l.findStatic(Handles.class, "fail", unary);
            CATCH = MethodHandles.catchException(FAIL, IllegalStateException.class,
                l.findStatic(Handles.class, "caught", MethodType.methodType(int.class, IllegalStateException.class, int.class)));
            FILTER = MethodHandles.filterReturnValue(MethodHandles.filterArguments(ADD, 1, thrice), twice);
            BOUND = MethodHandles.insertArguments(ADD, 0, 1000);
            COLLECT = l.findStatic(Handles.class, "all", MethodType.methodType(String.class, Object[].class)).asCollector(Object[].class, 3);
            SPREAD = ADD.asSpreader(int[].class, 2);
            GETTER = l.findGetter(Handles.class, "j", long.class);
            SETTER = l.findSetter(Handles.class, "s", String.class);
            LOOP = MethodHandles.countedLoop(MethodHandles.dropArguments(MethodHandles.constant(int.class, 5), 0, int.class),
                MethodHandles.identity(int.class), ADD);
            DROP = MethodHandles.permuteArguments(l.findStatic(Handles.class, "sub", binary), binary, 1, 0);
            SITE.setTarget(twice);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /* --- VarHandles --- */

    static String fields(Handles o, int n) {
        int a = (int) I.get(o);
        I.set(o, a + n);
        int v = (int) I.getVolatile(o) + (int) I.getAcquire(o) + (int) I.getOpaque(o);
        I.setVolatile(o, a + 2 * n);
        I.setRelease(o, (int) I.getAndAdd(o, n) + 1);
        boolean swapped = I.compareAndSet(o, a + 2 * n + 1, 9), not = I.compareAndSet(o, -1, 3);
        int x = (int) I.compareAndExchange(o, 9, n), y = (int) I.getAndSet(o, n + 1), q = (int) I.getAndBitwiseOr(o, 0x100);
        int r = (int) I.getAndBitwiseAnd(o, 0x10f) + (int) I.getAndBitwiseXor(o, 5);
        while (!I.weakCompareAndSetPlain(o, o.i, o.i + 1)) { }
        return a + " " + v + " " + swapped + not + " " + x + " " + y + " " + q + " " + r + " " + o.i + " " + (int) FIXED.get(o);
    }

    static String otherFields(Handles o, int n) {
        J.setOpaque(o, (long) n << 33);
        long a = (long) J.getAndAdd(o, 5L), b = (long) J.getVolatile(o);
        boolean one = J.compareAndSet(o, b, 7L);
        Z.setVolatile(o, (n & 1) != 0);
        B.set(o, (byte) (n * 77));
        H.setRelease(o, (short) (n * 7777));
        F.setVolatile(o, n / 4f);
        D.setOpaque(o, n / 8d);
        byte bb = (byte) B.getAndAdd(o, (byte) 100);
        char cc = (char) C.getAndSet(o, (char) (n + 'a'));
        float ff = (float) F.getAndAdd(o, 1f);
        String s = (String) S.getAndSet(o, "s" + n), t = (String) S.getVolatile(o);
        boolean same = S.compareAndSet(o, t, "x"), differs = S.compareAndSet(o, "other", null);
        return a + " " + b + one + (boolean) Z.getVolatile(o) + bb + (byte) B.get(o) + cc + (char) C.getAcquire(o) + (short) H.get(o) + ff + (float) F.get(o) +
               (double) D.getVolatile(o) + s + t + same + differs + o.s + o.z;
    }

    static String statics(int n) {
        COUNT.setVolatile(n);
        int a = (int) COUNT.getAndAdd(2) + (int) COUNT.getVolatile();
        TEXT.set("n" + n);
        return a + " " + (String) TEXT.getAcquire() + count + TEXT.compareAndSet("never", "x");
    }

    static String arrays(int[] x, long[] y, String[] z, byte[] w, int n) {
        INTS.set(x, n, n * 5);
        LONGS.setVolatile(y, n, (long) INTS.getAndAdd(x, n, 3));
        STRINGS.set(z, n, "e" + n);
        boolean a = STRINGS.compareAndSet(z, n, z[n], "f"), b = INTS.compareAndSet(x, n, 0, 1);
        BYTES.setRelease(w, n, (byte) n);
        VIEW.set(w, n, 0x01020304 * n);
        BIG.set(w, 8, (long) VIEW.get(w, n) << 3);
        return (int) INTS.getVolatile(x, n) + " " + (long) LONGS.getAndSet(y, n, 1L) + (String) STRINGS.getAcquire(z, n) + a + b + Arrays.toString(w) +
               (long) BIG.getVolatile(w, 8);
    }

    static Object access(int kind, Object o, int n) {
        Handles x = (Handles) o;
        switch (kind) {
        case 0: return (int) I.get(x);
        case 1: return (long) I.get(x); /* widened */
        case 2: return (Object) I.get(x);
        case 3: return (String) I.get(x);
        case 4: I.set(x, (short) n); return x.i;
        case 5: I.set(x, (long) n); return x.i;
        case 6: return (int) I.getVolatile(o);
        case 7: return (int) I.get("not one");
        case 8: FIXED.set(x, 3); return 0;
        case 9: return (int) EXACT.get(x);
        case 10: return (int) EXACT.get(o);
        case 11: S.set(x, (Object) "fine"); return x.s;
        case 12: S.set(x, (Object) Integer.valueOf(n)); return x.s;
        case 13: return S.getAndAdd(x, "no");
        case 14: return (boolean) Z.getAndAdd(x, true);
        case 15: return (int) notFinal.getAndAdd(x, n);
        case 16: return (int) INTS.get((int[]) null, n);
        case 17: return (int) INTS.get(new int[n], n);
        case 18: return (int) INTS.getVolatile(new int[n], -1);
        case 19: STRINGS.set(new Object[n + 1], n, "x"); return 1;
        case 20: return (int) VIEW.getVolatile(new byte[16], 1);
        case 21: return (int) VIEW.get(new byte[16], 13);
        case 22: return (short) BUFFER.get(ByteBuffer.allocate(10), n % 12);
        case 23: return (int) COUNT.get(x);
        default: return (int) I.compareAndExchange(x, x.i, (byte) n);
        }
    }

    /* --- method handles --- */

    static Object call(int kind, int n, Handles o) throws Throwable {
        switch (kind) {
        case 0: return (int) ADD.invokeExact(n, 7);
        case 1: return (long) ADD.invoke((short) n, (byte) 7);
        case 2: return (int) VIRTUAL.invokeExact(o, n);
        case 3: return (int) SPECIAL.invokeExact(o, n);
        case 4: return ((StringBuilder) NEW.invokeExact("b" + n)).append('!').toString();
        case 5: return (Object) INTERFACE.invokeExact((Supplier) () -> "supplied " + n);
        case 6: return (int) GUARD.invokeExact(n * 50);
        case 7: return (int) CATCH.invokeExact(n);
        case 8: return (int) FILTER.invokeExact(n, 2);
        case 9: return (int) BOUND.invokeExact(n);
        case 10: return (String) COLLECT.invoke(n, "x", 2.5);
        case 11: return (int) SPREAD.invokeExact(new int[] {n, 3});
        case 12: return (long) GETTER.invokeExact(o);
        case 13: SETTER.invokeExact(o, "set" + n); return o.s;
        case 14: return (int) LOOP.invokeExact(n);
        case 15: return (int) DROP.invokeExact(n, 100);
        case 16: return (int) FIRM.getTarget().invokeExact();
        case 17: return (int) ADD.invokeExact((long) n, 1);
        case 18: return (int) VIRTUAL.invokeExact((Handles) null, n);
        case 19: return (int) FAIL.invokeExact(n);
        case 20: return (int) SPREAD.invokeExact(new int[] {n});
        case 21: return (int) DYNAMIC.invokeExact(n);
        case 22: return (Object) INTERFACE.invokeExact((Supplier) null);
        default: return ADD.type() + " " + ADD.bindTo(null);
        }
    }

    static int dynamic(int n) throws Throwable {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += (int) DYNAMIC.invokeExact(i);
        return sum;
    }

    /* --- lambdas and concatenation, which are linked by invokedynamic --- */

    static int apply(IntBinaryOperator f, int a, int b) { return f.applyAsInt(a, b); }
    static String lambdas(int n) {
        IntBinaryOperator plain = (a, b) -> a * b, bound = (a, b) -> a * b + n, method = Handles::sub;
        Function<Integer, String> boxed = x -> "<" + x + ">";
        Supplier<Handles> made = Handles::new;
        return apply(plain, n, 3) + " " + apply(bound, 2, n) + " " + apply(method, n, 1) + boxed.apply(n) + made.get().i + (plain == plain(0));
    }
    static IntBinaryOperator plain(int n) { return (a, b) -> a + b; }

    static class Later extends Handles {
        int own(int a) { return -a; }
    }

    /* --- threads --- */

    static int total(Handles o, int n) {
        for (int k = 0; k < n; k++) {
            I.getAndAdd(o, 1);
            int now;
            do now = (int) I.getVolatile(o); while (!I.compareAndSet(o, now, now + 1));
        }
        return n;
    }

    /* --- traces --- */

    static String describe(Throwable e) {
        StringBuilder s = new StringBuilder(e.toString().replaceAll("[0-9a-f]{5,}", "N"));
        for (StackTraceElement x : e.getStackTrace())
            if (x.getClassName().startsWith("Handles")) s.append(' ').append(x.getMethodName()).append(':').append(x.getLineNumber());
        return s.toString();
    }

    interface Try { Object get() throws Throwable; }
    static String tried(Try t) {
        try {
            return String.valueOf(t.get());
        } catch (Throwable e) {
            return describe(e);
        }
    }

    public static void main(String[] args) throws Throwable {
        for (int n = 0; n < 8; n++) {
            System.out.println(fields(new Handles(), n));
            System.out.println(otherFields(new Handles(), n));
            System.out.println(statics(n));
            System.out.println(arrays(new int[8], new long[8], new String[8], new byte[16], n));
            System.out.println(lambdas(n));
            for (int k = 0; k < 25; k++) {
                int kind = k, m = n;
                System.out.println(kind + " " + tried(() -> access(kind, m == 5 ? null : m == 6 ? new Later() : new Handles(), m)));
                System.out.println(kind + " " + tried(() -> call(kind, m, m == 6 ? new Later() : new Handles())));
            }
        }
        for (int n = 0; n < 6; n++) {
            if (n == 3) SITE.setTarget(BOUND);
            if (n == 4) SITE.setTarget(CATCH);
            System.out.println(dynamic(1000));
        }
        Handles shared = new Handles();
        Thread[] all = new Thread[4];
        for (int k = 0; k < all.length; k++) (all[k] = new Thread(() -> total(shared, 20000))).start();
        for (Thread t : all) t.join();
        System.out.println(shared.i);
    }
}
