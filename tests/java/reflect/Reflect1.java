// SPDX-License-Identifier: Apache-2.0
// javac: -parameters
import java.lang.annotation.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.stream.*;

/** Reflection: members, modifiers, generics, annotations of every kind, parameters, proxies, accessors before and after inflation. */
public class Reflect1 {
    enum Level { LOW, HIGH }
    @Retention(RetentionPolicy.RUNTIME) @Target({ElementType.TYPE, ElementType.METHOD, ElementType.FIELD, ElementType.PARAMETER, ElementType.CONSTRUCTOR}) @Inherited
    @interface Info { String value() default "dflt"; int[] nums() default {1, 2}; Level level() default Level.LOW; Class<?> type() default Object.class; Tag[] tags() default {}; double d() default 1.5; char c() default 'x'; long l() default 1L << 40; byte b() default -1; boolean z() default true; float f() default .5f; short s() default 7; }
    @Retention(RetentionPolicy.RUNTIME) @Repeatable(Tags.class) @interface Tag { String value(); }
    @Retention(RetentionPolicy.RUNTIME) @interface Tags { Tag[] value(); }
    @Retention(RetentionPolicy.RUNTIME) @Target(ElementType.TYPE_USE) @interface Use { int value() default 0; }
    @Retention(RetentionPolicy.CLASS) @interface Invisible {}

    @Info(value = "class", nums = {}, level = Level.HIGH, type = int[].class, tags = {@Tag("a"), @Tag("b")})
    public static abstract class Base<T extends Number & Comparable<T>, U> implements Comparable<Base<?, ? super U>> {
        protected T val; public static final long CONST = 5L; private transient volatile int tv; public U[] arr; Map<String, List<? extends T>> map;
        protected Base(@Info("param") T val, final int n) throws java.io.IOException, IllegalStateException { this.val = val; }
        @Deprecated public <X extends Exception> List<X> gen(X x, T[] t, Map<? super U, int[]>... more) throws X { return null; }
        public abstract void abs();
        private static synchronized strictfp String priv(String s, int... n) { return s + n.length; }
        native void nat();
        public int compareTo(Base<?, ? super U> o) { return 0; }
    }

    @Tag("one") @Tag("two") @Invisible
    public static class Derived extends Base<Integer, String> {
        public int count; private String hidden = "hid"; static int st = 3; final String fin = "final-const"; @Use(3) List<@Use(4) String> annotated;
        public Derived() throws java.io.IOException { super(1, 2); }
        public Derived(String s) throws java.io.IOException { this(); hidden = s; }
        public void abs() { count++; }
        public int add(int a, long b, double c) { return (int) (a + b + c); }
        public static String stat(Object o, byte b) { return o + ":" + b; }
        void thrower() { throw new IllegalStateException("from target"); }
        public Derived self() { return this; }
    }

    interface Act { Object run() throws Throwable; }
    static void show(String w, Act a) { try { System.out.println(w + ": " + a.run()); } catch (Throwable t) { System.out.println(w + " threw " + t.getClass().getName() + ": " + String.valueOf(t.getMessage()).replaceAll("@[0-9a-f]{5,}", "@H") + (t.getCause() == null ? "" : " cause " + t.getCause())); } }

    static <T> String sorted(T[] a) { return Arrays.stream(a).map(String::valueOf).sorted().collect(Collectors.joining("\n  ", "\n  ", "")); }

    /** The order of members in an annotation's text follows the VM's order of methods, which nobody promises. */
    static String sorted(String s) {
        String[] parts = s.split("[(,)\\[\\]] ?");
        Arrays.sort(parts);
        return Arrays.toString(parts);
    }

    public static void main(String[] args) throws Throwable {
        for (Class<?> c : new Class<?>[] {Base.class, Derived.class, Info.class, Level.class, Map.Entry.class, int.class, long[][].class, void.class}) {
            System.out.println(c.toGenericString() + " " + Modifier.toString(c.getModifiers()) + " " + c.getGenericSuperclass() + Arrays.toString(c.getGenericInterfaces()) + " " + c.getEnclosingClass() + c.getDeclaringClass() + " " + c.getSimpleName() + " " + c.getTypeName() + " " + c.isPrimitive() + c.isArray() + c.isInterface() + c.isAnnotation() + c.isEnum() + c.isMemberClass() + c.isSynthetic() + " " + c.getPackageName() + (c == void.class ? "" : c.arrayType()));
            System.out.println("fields" + sorted(Arrays.stream(c.getDeclaredFields()).map(Field::toGenericString).toArray()) + "\nmethods" + sorted(Arrays.stream(c.getDeclaredMethods()).map(Method::toGenericString).toArray()) + "\nctors" + sorted(Arrays.stream(c.getDeclaredConstructors()).map(Constructor::toGenericString).toArray()) + "\nclasses" + sorted(c.getDeclaredClasses()));
        }
        System.out.println(sorted(Arrays.stream(Derived.class.getMethods()).map(Method::toString).toArray()) + sorted(Derived.class.getFields()));
        Info i = Derived.class.getAnnotation(Info.class);
        System.out.println(i.value() + i.nums().length + i.level() + i.type() + i.tags()[1].value() + i.d() + i.c() + i.l() + i.b() + i.z() + i.f() + i.s() + i.annotationType() + i.equals(Base.class.getAnnotation(Info.class)) + (i.hashCode() == Base.class.getAnnotation(Info.class).hashCode()));
        System.out.println(Arrays.toString(Derived.class.getAnnotationsByType(Tag.class)) + Derived.class.getDeclaredAnnotations().length + " " + sorted(i.toString()));
        Constructor<?> bc = Base.class.getDeclaredConstructors()[0];
        System.out.println(Arrays.toString(bc.getExceptionTypes()) + Arrays.toString(bc.getParameters()) + sorted(Arrays.deepToString(bc.getParameterAnnotations())) + bc.getParameters()[1].isNamePresent() + Modifier.toString(bc.getParameters()[1].getModifiers()));
        AnnotatedType at = Derived.class.getDeclaredField("annotated").getAnnotatedType();
        System.out.println(at.getAnnotations().length + " " + ((AnnotatedParameterizedType) at).getAnnotatedActualTypeArguments()[0].getAnnotation(Use.class).value());
        Derived d = new Derived();
        Method add = Derived.class.getMethod("add", int.class, long.class, double.class);
        int total = 0;
        for (int k = 0; k < 60; k++) total += (Integer) add.invoke(d, k, (short) 2, 1.9f);
        System.out.println("inflated " + total);
        Method thrower = Derived.class.getDeclaredMethod("thrower");
        for (int k = 0; k < 40; k++)
            try { thrower.invoke(d); } catch (InvocationTargetException e) { if (k % 39 == 0) System.out.println(k + " " + e.getCause() + " " + e.getTargetException().getStackTrace()[0]); }
        show("static", () -> Derived.class.getMethod("stat", Object.class, byte.class).invoke(null, "o", (byte) 4));
        show("varargs", () -> { Method m = Base.class.getDeclaredMethod("priv", String.class, int[].class); m.setAccessible(true); return m.invoke(null, "v", new int[3]) + "" + m.isVarArgs(); });
        show("wrong count", () -> add.invoke(d, 1));
        show("wrong type", () -> add.invoke(d, "1", 2L, 3.0));
        show("narrowing", () -> add.invoke(d, 1L, 2L, 3.0));
        show("null arg", () -> add.invoke(d, null, 2L, 3.0));
        show("null receiver", () -> add.invoke(null, 1, 2L, 3.0));
        show("wrong receiver", () -> add.invoke("x", 1, 2L, 3.0));
        show("abstract call", () -> { Base.class.getMethod("abs").invoke(d); return d.count; });
        show("ctor", () -> Derived.class.getConstructor(String.class).newInstance("new").hidden);
        show("abstract ctor", () -> { bc.setAccessible(true); return bc.newInstance(1, 2); });
        for (int k = 0; k < 20; k++) Derived.class.getConstructor().newInstance();
        Field f = Derived.class.getDeclaredField("hidden");
        show("field", () -> { f.set(d, "set"); return f.get(d); });
        show("field wrong", () -> { f.set(d, 1); return ""; });
        show("static field", () -> { Field s = Derived.class.getDeclaredField("st"); s.setInt(null, 44); s.set(null, (byte) 45); return s.getLong(null) + s.getDouble(null) + Derived.st; });
        show("field narrow", () -> { Derived.class.getDeclaredField("count").setLong(d, 1L); return ""; });
        show("final field", () -> { Field x = Derived.class.getDeclaredField("fin"); x.setAccessible(true); x.set(d, "changed"); return x.get(d) + d.fin; });
        show("static final", () -> { Field x = Base.class.getField("CONST"); x.set(null, 6L); return ""; });
        show("get as wrong", () -> f.getInt(d));
        show("no such method", () -> Derived.class.getMethod("nope", int[].class, String.class));
        show("no such field", () -> Derived.class.getField("hidden"));
        show("private elsewhere", () -> String.class.getDeclaredField("value").get("x"));
        show("setAccessible elsewhere", () -> { String.class.getDeclaredField("value").setAccessible(true); return ""; });
        Object p = Proxy.newProxyInstance(Reflect1.class.getClassLoader(), new Class<?>[] {Runnable.class, Comparable.class}, (px, m, a) -> {
            if (m.getName().equals("run")) throw new java.io.IOException("undeclared");
            if (m.getName().equals("hashCode")) return 5;
            if (m.getName().equals("compareTo")) return a[0] == null ? null : a[0] instanceof String ? "wrong" : 3;
            return m.getName() + (a == null ? 0 : a.length) + m.getDeclaringClass().getSimpleName();
        });
        show("proxy", () -> p.hashCode() + " " + p + " " + ((Comparable) p).compareTo(1) + " " + Proxy.isProxyClass(p.getClass()) + " " + p.getClass().getSimpleName().startsWith("$Proxy") + Modifier.toString(p.getClass().getModifiers()));
        show("proxy cast", () -> ((Comparable) p).compareTo("s"));
        show("proxy null", () -> ((Comparable) p).compareTo(null));
        show("proxy throws", () -> { ((Runnable) p).run(); return ""; });
        Method gen = Arrays.stream(Base.class.getMethods()).filter(m -> m.getName().equals("gen")).findFirst().get();
        System.out.println(Arrays.toString(gen.getGenericParameterTypes()) + gen.getGenericReturnType() + Arrays.toString(gen.getGenericExceptionTypes()) + Arrays.toString(gen.getTypeParameters()[0].getBounds()) + gen.isAnnotationPresent(Deprecated.class) + Arrays.toString(Base.class.getTypeParameters()[0].getBounds()));
        Object local = new Object() { class In {} Object in() { return new In(); } }.in();
        System.out.println(local.getClass().getEnclosingClass() + " " + new Object() {}.getClass().getEnclosingMethod() + " " + local.getClass().getDeclaringClass());
        System.out.println(Class.forName("Reflect1$Derived").desiredAssertionStatus() + " " + Derived.class.asSubclass(Base.class) + Number.class.isAssignableFrom(Integer.class) + Integer.class.isInstance(5) + " " + Derived.class.getNestHost() + Reflect1.class.getNestMembers().length + Derived.class.isNestmateOf(Level.class) + " " + Derived.class.getMethod("self").isBridge() + Arrays.stream(Derived.class.getMethods()).filter(Method::isSynthetic).count());
        show("cast", () -> Integer.class.cast("x"));
        show("enum valueOf", () -> Enum.valueOf(Level.class, "MID"));
        show("default", () -> Info.class.getMethod("nums").getDefaultValue().getClass() + " " + Info.class.getMethod("type").getDefaultValue());
    }
}
