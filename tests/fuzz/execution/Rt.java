// SPDX-License-Identifier: Apache-2.0
/** What generated programs call, and the base of their class Main. Everything they tell goes into one hash; told aloud on wish. */
public abstract class Rt {
    public static int fuel;
    static long hash;
    static boolean aloud;
    private static final boolean whole = Boolean.getBoolean("whole");

    public abstract void run(int round);

    /** With the agent (tests/jvmti/agent_execution.c): the classes of the program, NULL without it; and when to change next. */
    static Class<?>[] classes;
    private static int told;
    static native void change(int number, Class<?>[] classes);
    static native long events();

    static void start() {
        hash = 0;
        told = 0;
        Val.kept = null;
    }

    private static void add(long v) {
        hash = (hash ^ v) * 0x9e3779b97f4a7c15L + (hash >>> 29);
        if (classes != null && ++told % 40 == 0) change(number(told), classes);
    }

    /** Bits of agent_execution.c: which depends on nothing but n. Single steps are dear. */
    static int number(int n) {
        int x = n * 0x9e3779b1;
        x ^= x >>> 15;
        x *= 0x85ebca6b;
        x ^= x >>> 13;
        int bits = x & 0x7fffffff & (x << 7 | 0x3ff);
        if ((n & 7) != 0) bits &= ~16;
        if ((x >>> 20 & 3) != 0) bits &= ~256;
        return bits;
    }
    public static void probe(int at) { hash += at + 1; }
    private static void say(Object o) { if (aloud) System.out.println("  " + o); }

    public static void tell(int v) { add(v); say(v); }
    public static void tell(long v) { add(v); say(v); }
    public static void tell(float v) { add(Float.floatToIntBits(v)); say(v); }
    public static void tell(double v) { add(Double.doubleToLongBits(v)); say(v); }
    public static void raw(float v) { tell(Float.floatToRawIntBits(v)); }
    public static void raw(double v) { tell(Double.doubleToRawLongBits(v)); }
    public static void tell(Object o) {
        String s = Heap.brief(o);
        add(s.hashCode());
        say(s);
    }

    public static Throwable thrown() { return new IllegalStateException("made"); }

    /**
     * Names of loaders have an identity hash in them. What was null is found by a data flow that the reference does not carry through
     * where ways meet that no compiler makes meet; its compiled code leaves out where a class is that it has not resolved.
     */
    static String message(Throwable e) {
        String m = e.getMessage();
        if (m == null) return "null";
        if (!whole && e instanceof NullPointerException && m.indexOf(" because ") > 0) m = m.substring(0, m.indexOf(" because "));
        if (!whole && e instanceof ClassCastException && m.indexOf(" (") > 0) m = m.substring(0, m.indexOf(" ("));
        if (e instanceof LinkageError && m.indexOf('\n') > 0) m = m.substring(0, m.indexOf('\n'));
        int at = m.indexOf('@');
        if (at < 0) return m;
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < m.length(); i++) {
            char c = m.charAt(i);
            b.append(c);
            if (c == '@') while (i + 1 < m.length() && Character.digit(m.charAt(i + 1), 16) >= 0) i++;
        }
        return b.toString();
    }

    /** A later use of a class whose initialiser failed so tells its trace as that of another error. */
    static boolean isOfMemory(Throwable e) {
        return e instanceof OutOfMemoryError || e instanceof ExceptionInInitializerError && String.valueOf(e.getMessage()).startsWith("Exception java.lang.OutOfMemoryError");
    }

    static String text(Throwable e) {
        StringBuilder b = new StringBuilder();
        for (int depth = 0; e != null && depth < 4; depth++, e = e.getCause()) {
            b.append(e.getClass().getName()).append(": ").append(message(e));
            int n = 0;
            if (isOfMemory(e)) return b.toString(); /* the reference has four with a trace, then others */
            for (StackTraceElement f : e.getStackTrace()) {
                if (f.getClassName().equals("Execute") || ++n > 12) break;
                b.append(' ').append(f.getClassName()).append('.').append(f.getMethodName()).append(':').append(f.getLineNumber());
            }
            b.append(" / ");
        }
        return b.toString();
    }

    /** Looking at a trace costs as much as many blocks. */
    public static void caught(Throwable e) {
        fuel -= 15;
        String s = e == null ? "caught null" : e instanceof StackOverflowError ? "StackOverflowError" : text(e);
        add(s.hashCode());
        say(s);
    }

    public static void overflowed(Throwable e) { say("overflow"); add(77); fuel -= 200; }

    public static java.lang.invoke.CallSite site(java.lang.invoke.MethodHandles.Lookup l, String name, java.lang.invoke.MethodType type,
            java.lang.invoke.MethodHandle target) {
        say("site " + name);
        return new java.lang.invoke.ConstantCallSite(target);
    }

    public static Object constant(java.lang.invoke.MethodHandles.Lookup l, String name, Class<?> type, int n) {
        say("constant " + n);
        if (type == int.class) return n;
        if (type == long.class) return n * 1000000007L;
        return n / 7.0;
    }
}
