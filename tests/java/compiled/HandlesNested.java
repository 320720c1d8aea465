// SPDX-License-Identifier: Apache-2.0
// options: -XX:CompileThreshold=20 -Xbatch
/*
 * Handles made of handles: guards in guards (equals of records are such), ten deep, the same few forms on each level; handles that are exchanged
 * while code has them; what is counted on the way is nobody's business.
 */
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

public class HandlesNested {
    record Empty() {}
    record Point(int x, int y) {}
    record Mixed(byte b, char c, short s, int i, long j, float f, double d, boolean z, String text, Object o) {}
    record Pair<A, B>(A first, B second) {}

    static boolean isBelow(int limit, int x) { return x < limit; }
    static int add(int n, int x) { return x + n; }
    static int fail(int x) { throw new IllegalArgumentException("no case for " + x); }
    static int caught(IllegalArgumentException e, int x) { return -x; }
    static final MethodHandle CHAIN, SAFE, SITE;
    static final MutableCallSite PLACE = new MutableCallSite(MethodType.methodType(int.class, int.class));
    static {
        try {
            MethodHandles.Lookup l = MethodHandles.lookup();
            MethodHandle below = l.findStatic(HandlesNested.class, "isBelow", MethodType.methodType(boolean.class, int.class, int.class));
            MethodHandle add = l.findStatic(HandlesNested.class, "add", MethodType.methodType(int.class, int.class, int.class));
            MethodHandle chain = l.findStatic(HandlesNested.class, "fail", MethodType.methodType(int.class, int.class));
            for (int i = 10; i > 0; i--)
                chain = MethodHandles.guardWithTest(MethodHandles.insertArguments(below, 0, i * 10), MethodHandles.insertArguments(add, 0, i * 1000), chain);
            CHAIN = chain;
            SAFE = MethodHandles.catchException(chain, IllegalArgumentException.class,
                                                l.findStatic(HandlesNested.class, "caught", MethodType.methodType(int.class, IllegalArgumentException.class, int.class)));
            PLACE.setTarget(MethodHandles.insertArguments(add, 0, 1));
            SITE = PLACE.dynamicInvoker();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
    static int chain(int x) {
        try {
            return (int) CHAIN.invokeExact(x);
        } catch (IllegalArgumentException e) {
            return e.getMessage().length();
        } catch (Throwable t) {
            return -1000000;
        }
    }
    static int safe(int x) {
        try {
            return (int) SAFE.invokeExact(x);
        } catch (Throwable t) {
            return -1000000;
        }
    }
    static int site(int x) {
        try {
            return (int) SITE.invokeExact(x);
        } catch (Throwable t) {
            return -1000000;
        }
    }
    static Mixed mixed(int i) {
        return new Mixed((byte) (i & 3), (char) (i & 5), (short) (i & 6), i & 8, i & 16, i & 32, (i & 64) == 0 ? -0.0 : 0.0, (i & 1) == 0, "t" + (i & 2),
                         (i & 4) == 0 ? null : (Object) (i & 4));
    }
    static boolean same(Object a, Object b) { return a.equals(b); }
    static int hash(Object o) { return o.hashCode(); }

    public static void main(String[] args) throws Throwable {
        long sum = 0;
        Map<Object, Integer> seen = new HashMap<>();
        Object[] others = {null, "text", new Empty(), new Point(1, 2), new Pair<>(new Point(1, 2), null)};
        for (int i = 0; i < 30000; i++) {
            if (i == 12000) PLACE.setTarget(MethodHandles.insertArguments(MethodHandles.lookup().findStatic(HandlesNested.class, "add", MethodType.methodType(int.class, int.class, int.class)), 0, 500));
            sum = sum * 31 + chain(i % 120) + safe(i % 110) + site(i);
            Mixed m = mixed(i * 7), n = mixed(i * 7 + (i % 3 == 0 ? 128 : 64));
            if (same(m, n)) sum += 3;
            if (same(m, others[i % others.length])) sum += 5;
            sum = sum * 31 + hash(m);
            Pair<?, ?> p = new Pair<>(new Point(i % 5, i % 7), i % 2 == 0 ? m : new Empty()), q = new Pair<>(new Point(i % 5, i % 7), new Pair<>(null, i % 3));
            if (same(p, q) || same(p, null)) sum += 7;
            seen.merge(new Pair<>(new Point(i % 5, i % 7), i % 11), 1, Integer::sum);
            seen.merge(q, 1, Integer::sum);
        }
        int h = 0;
        for (Map.Entry<Object, Integer> e : seen.entrySet()) h += e.getKey().hashCode() * e.getValue() + Objects.hash(e.getKey().toString());
        System.out.println(sum + " " + seen.size() + " " + h);
    }
}
