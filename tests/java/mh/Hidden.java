// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.lang.invoke.*;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.*;
import java.util.function.*;

/** Hidden classes, Lookup.defineClass, class data, LambdaMetafactory by hand, StringConcatFactory by hand, privateLookupIn, lookup modes. */
public class Hidden {
    private int priv = 41;

    static class Template implements Supplier<String> {
        static int count;
        public String get() { return getClass().getName().replaceAll("/.*", "") + ++count + new Throwable().getStackTrace().length; }
        static Object data(Lookup l) throws Exception { return MethodHandles.classData(l, "_", Object.class); }
        static Lookup lk() { return MethodHandles.lookup(); }
        int peek(Hidden h) { return h.priv + 1; }
    }

    static byte[] bytes(String n) throws IOException { try (InputStream in = Hidden.class.getResourceAsStream(n + ".class")) { return in.readAllBytes(); } }

    interface Act { Object run() throws Throwable; }
    static void show(String w, Act a) { try { print(w + ": " + a.run()); } catch (Throwable t) { print(w + " threw " + t.getClass().getName() + ": " + t.getMessage()); } }
    static void print(String s) { System.out.println(s.replaceAll("0x[0-9a-f]{8,}", "0xADDR").replaceAll("@[0-9a-f]{5,}", "@H")); }

    public static void main(String[] args) throws Throwable {
        Lookup l = MethodHandles.lookup();
        byte[] tb = bytes("Hidden$Template");
        Lookup h1 = l.defineHiddenClass(tb, true), h2 = l.defineHiddenClass(tb, false, Lookup.ClassOption.NESTMATE);
        Class<?> c = h1.lookupClass();
        System.out.println(c.isHidden() + " " + c.getName().matches("Hidden\\$Template/0x[0-9a-f]+") + " " + (c != h2.lookupClass()) + " " + c.getNestHost().getName().startsWith("Hidden") + " " + (h2.lookupClass().getNestHost() == Hidden.class) + " " + c.getCanonicalName() + " " + c.descriptorString().matches("LHidden\\$Template\\.0x[0-9a-f]+;") + " " + c.getPackageName().isEmpty());
        show("member", () -> c.isMemberClass());
        show("simple name", () -> c.getSimpleName());
        System.out.println(((Supplier<?>) c.getDeclaredConstructor().newInstance()).get() + " " + new Template().get());
        show("for name", () -> Class.forName(c.getName()));
        show("nest members of a nestmate", () -> { Class<?>[] m = h2.lookupClass().getNestMembers(); return m[0] + " " + (m.length - Hidden.class.getNestMembers().length) + " " + java.util.Arrays.asList(m).contains(h2.lookupClass()); });
        show("peek as nestmate", () -> { Object o = h2.findConstructor(h2.lookupClass(), MethodType.methodType(void.class)).invoke(); return h2.findVirtual(h2.lookupClass(), "peek", MethodType.methodType(int.class, Hidden.class)).invoke(o, new Hidden()); });
        Lookup h3 = l.defineHiddenClassWithClassData(tb, List.of("data", 5), true);
        show("class data", () -> MethodHandles.classData(h3, "_", List.class) + " " + MethodHandles.classDataAt(h3, "_", Integer.class, 1) + h3.lookupModes());
        show("no class data", () -> MethodHandles.classData(h1, "_", List.class));
        var strong = new java.lang.ref.WeakReference<>(l.defineHiddenClass(tb, true, Lookup.ClassOption.STRONG).lookupClass());
        show("a strong hidden class lives as long as its loader", () -> { System.gc(); return strong.get() != null; });
        show("define twice", () -> l.defineClass(bytes("Hidden$Extra")).getName() + l.defineClass(bytes("Hidden$Extra")));
        show("garbage", () -> l.defineHiddenClass(new byte[] {1, 2, 3}, false));
        show("other package", () -> l.defineClass(strClass()));
        MethodType mt = MethodType.methodType(String.class, int.class, String.class, Object.class);
        CallSite cs = StringConcatFactory.makeConcatWithConstants(l, "x", mt, "<\u0001-\u0002-\u0001:\u0001>", "K");
        show("concat", () -> (String) cs.getTarget().invokeExact(5, "s", (Object) null));
        show("plain concat", () -> StringConcatFactory.makeConcat(l, "x", MethodType.methodType(String.class, long.class, char.class, boolean.class)).getTarget().invoke(1L, 'c', true));
        MethodHandle impl = l.findStatic(Hidden.class, "impl", MethodType.methodType(int.class, String.class, int.class));
        CallSite lam = LambdaMetafactory.metafactory(l, "applyAsInt", MethodType.methodType(ToIntFunction.class, String.class), MethodType.methodType(int.class, Object.class), impl, MethodType.methodType(int.class, Integer.class));
        show("metafactory", () -> ((ToIntFunction<Integer>) lam.getTarget().invokeExact("cap")).applyAsInt(7));
        show("private lookup", () -> { Lookup p = MethodHandles.privateLookupIn(Priv.class, l); return p.findStatic(Priv.class, "secret", MethodType.methodType(String.class)).invoke() + " " + p; });
        show("private lookup java.base", () -> MethodHandles.privateLookupIn(String.class, l));
        show("drop", () -> l.dropLookupMode(Lookup.PRIVATE).findStatic(Priv.class, "secret", MethodType.methodType(String.class)));
        show("in", () -> l.in(String.class) + " " + l.in(String.class).lookupModes() + " " + MethodHandles.publicLookup());
        show("findClass", () -> l.findClass("Hidden$Priv") + " " + l.accessClass(Map.Entry.class) + l.ensureInitialized(Priv.class));
        show("condy helpers", () -> ConstantBootstraps.primitiveClass(l, "I", Class.class) + " " + ConstantBootstraps.enumConstant(l, "SECONDS", java.util.concurrent.TimeUnit.class) + " " + ConstantBootstraps.getStaticFinal(l, "MAX_VALUE", int.class, Integer.class));
    }

    static int impl(String s, int i) { return s.length() * i; }
    static byte[] strClass() throws IOException { return Object.class.getResourceAsStream("/java/lang/Object.class").readAllBytes(); }
    static class Extra {}
    static class Priv { private static String secret() { return "secret"; } static { System.out.println("Priv init"); } }
}
