/* SPDX-License-Identifier: Apache-2.0 */
// Runs much of a library without knowing it: calls constructors and methods of the classes named in a list file
// with simple arguments, in a fixed order, with a fixed seed. Poke LIST [calls per method]
import java.io.*;
import java.lang.reflect.*;
import java.nio.file.*;
import java.util.*;

public class Poke {
    static final Random rnd = new Random(42);
    static final Object[] NUMBERS = {0, 1, -1, 2, 3, 7, 10, 31, 40, -5};
    static final String[] STRINGS = {"", "a", "abc", "Hello World", "1.5", "-12", "true", "2020-01-31", "A,b,c",
        "x=y", "<p>&amp;</p>", "UPPER", "a b  c", "0x1F", "java.lang.String", "\u00e9t\u00e9", null};
    static final String skipClasses = System.getProperty("poke.skip", "-");    // too slow with such arguments
    static long calls, thrown;

    static Object value(Class<?> t, int depth) {
        int n = ((Number) NUMBERS[rnd.nextInt(NUMBERS.length)]).intValue();
        if (t == int.class || t == Integer.class) return n;
        if (t == long.class || t == Long.class) return (long) n;
        if (t == short.class || t == Short.class) return (short) n;
        if (t == byte.class || t == Byte.class) return (byte) n;
        if (t == char.class || t == Character.class) return (char) ('a' + Math.abs(n) % 26);
        if (t == boolean.class || t == Boolean.class) return (n & 1) == 0;
        if (t == double.class || t == Double.class || t == Number.class) return n * 0.75;
        if (t == float.class || t == Float.class) return n * 0.5f;
        if (t == String.class || t == CharSequence.class || t == Comparable.class || t == Object.class)
            return STRINGS[rnd.nextInt(STRINGS.length)];
        if (t == Class.class) return new Class<?>[] {String.class, int.class, List.class, Thread.State.class}[rnd.nextInt(4)];
        if (t == Locale.class) return new Locale[] {Locale.ENGLISH, Locale.FRANCE, Locale.ROOT}[rnd.nextInt(3)];
        if (t == Date.class) return new Date(1600000000000L + n * 86400000L);
        if (t == Calendar.class) { Calendar c = new GregorianCalendar(TimeZone.getTimeZone("GMT")); c.setTimeInMillis(1600000000000L); return c; }
        if (t == TimeZone.class) return TimeZone.getTimeZone("GMT");
        if (t == List.class || t == Collection.class || t == Iterable.class) return new ArrayList<>(Arrays.asList("a", "b", "c"));
        if (t == Map.class) return new HashMap<>(Collections.singletonMap("k", "v"));
        if (t == Iterator.class) return Arrays.asList("x", "y").iterator();
        if (t == Random.class) return new Random(7);
        if (t.isArray()) {
            int len = rnd.nextInt(5);
            Object a = Array.newInstance(t.getComponentType(), len);
            for (int i = 0; i < len; i++) {
                Object v = depth > 3 && !t.getComponentType().isPrimitive() ? null : value(t.getComponentType(), depth + 1);
                if (v != null) Array.set(a, i, v);
            }
            return a;
        }
        if (t.isEnum()) { Object[] c = t.getEnumConstants(); return c.length == 0 ? null : c[rnd.nextInt(c.length)]; }
        if (t.isInterface()) return proxy(t);
        if (t == java.math.BigInteger.class) return java.math.BigInteger.valueOf(n);
        if (t == java.math.BigDecimal.class) return java.math.BigDecimal.valueOf(n, 1);
        if (t.getName().startsWith("java.") && !Appendable.class.isAssignableFrom(t)) return null;
        return depth < 3 && rnd.nextInt(4) != 0 ? make(t, depth + 1) : null;
    }

    static Object proxy(Class<?> t) {
        try {
            return Proxy.newProxyInstance(t.getClassLoader(), new Class<?>[] {t}, (p, m, a) -> {
                if (m.getDeclaringClass() == Object.class)
                    return m.getName().equals("equals") ? (Object) (p == a[0]) : m.getName().equals("hashCode") ? (Object) 1 : "proxy";
                Class<?> r = m.getReturnType();
                return r == void.class ? null : r == double.class ? (a != null && a.length > 0 && a[0] instanceof Double ? (Double) a[0] - 0.5 : 0.5)
                    : r == int.class ? (rnd.nextInt(3) - 1) : r == boolean.class ? false : r == long.class ? 1L : null;
            });
        } catch (Throwable e) {
            return null;
        }
    }

    static Object make(Class<?> t, int depth) {
        if (Modifier.isAbstract(t.getModifiers()) || t.getName().matches(skipClasses)) return null;
        Constructor<?>[] cs = t.getConstructors();
        Arrays.sort(cs, Comparator.comparing(Constructor::toString));
        for (int i = 0; i < cs.length; i++) {
            Constructor<?> c = cs[(i + rnd.nextInt(cs.length)) % cs.length];
            try {
                return c.newInstance(args(c.getParameterTypes(), depth));
            } catch (Throwable e) {
                thrown++;
            }
        }
        return null;
    }

    static Object[] args(Class<?>[] ts, int depth) {
        Object[] a = new Object[ts.length];
        for (int i = 0; i < ts.length; i++) {
            a[i] = value(ts[i], depth);
            if (a[i] != null && !ts[i].isPrimitive() && !ts[i].isInstance(a[i])) a[i] = null;
            if (a[i] == null && ts[i].isPrimitive()) a[i] = value(ts[i], depth);
        }
        return a;
    }

    static boolean skip(String n) {
        return n.matches("wait|notify|notifyAll|sleep|join|await.*|acquire|exit|shutdown|read|main|optimize|solve|integrate|random.*|sample.*|next.*|.*Uninterruptibly|lock.*");
    }

    public static void main(String[] a) throws Exception {
        int rounds = a.length > 1 ? Integer.parseInt(a[1]) : 6;
        PrintStream out = System.out, quiet = new PrintStream(new OutputStream() { public void write(int b) { } public void write(byte[] b, int from, int n) { } });
        System.setOut(quiet);
        System.setErr(quiet);
        Thread.currentThread().setUncaughtExceptionHandler((t, e) -> { });
        for (String line : Files.readAllLines(Paths.get(a[0]))) {
            Class<?> c;
            try {
                c = Class.forName(line);
            } catch (Throwable e) {
                continue;
            }
            if (!Modifier.isPublic(c.getModifiers()) || c.isAnnotation() || line.matches(skipClasses)) continue;
            Method[] ms = c.getMethods();
            Arrays.sort(ms, Comparator.comparing(Method::toString));
            for (int r = 0; r < rounds; r++) {
                Object self = make(c, 0);
                for (Method m : ms) {
                    if (m.getDeclaringClass() == Object.class || skip(m.getName())) continue;
                    boolean st = Modifier.isStatic(m.getModifiers());
                    if (!st && self == null) continue;
                    calls++;
                    try {
                        m.invoke(self, args(m.getParameterTypes(), 0));
                    } catch (Throwable e) {
                        thrown++;
                    }
                }
            }
        }
        out.println("calls " + calls + " thrown " + thrown);
        out.flush();
        Runtime.getRuntime().exit(0);
    }
}
