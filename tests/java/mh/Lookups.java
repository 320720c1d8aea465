// SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.*;
import java.lang.invoke.MethodHandles.Lookup;
import static java.lang.invoke.MethodType.methodType;

/** Lookups that mostly fail: findSpecial from every sort of class, members of primitive types and arrays, inherited constructors. */
public class Lookups {
    interface Use { Object of() throws Throwable; }

    interface Top { default String d() { return "Top"; } static String s() { return "s"; } }
    interface Middle extends Top { }
    interface Other extends Top { default String d() { return "Other"; } }
    interface Private { private String p() { return "p"; } default String d() { return "Private"; } static Lookup lookup() { return MethodHandles.lookup(); } }
    static abstract class Abstract { abstract String d(); static String s() { return "s"; } }
    static class Direct implements Middle { Direct() { } Direct(int i) { } public String d() { return "Direct"; } static Lookup lookup() { return MethodHandles.lookup(); } }
    static class Sub extends Direct { public String d() { return "Sub"; } static Lookup lookup() { return MethodHandles.lookup(); } }
    static class Both implements Middle, Other { static Lookup lookup() { return MethodHandles.lookup(); } }
    static class Concrete extends Abstract { String d() { return "Concrete"; } static Lookup lookup() { return MethodHandles.lookup(); } }
    static class User implements Private { }

    static void show(String what, Use u) {
        StringBuilder s = new StringBuilder(what).append(": ");
        try {
            s.append(u.of());
        } catch (Throwable t) {
            for (Throwable x = t; x != null; x = x.getCause()) s.append(x == t ? "" : " <- ").append(x);
        }
        System.out.println(s.toString().replaceAll("@[0-9a-f]+", "@"));
    }

    static void special() {
        Object[][] callers = {{Direct.lookup(), new Direct()}, {Sub.lookup(), new Sub()}, {Both.lookup(), new Both()}, {Concrete.lookup(), new Concrete()}, {Private.lookup(), new User()}};
        Class<?>[] named = {Top.class, Middle.class, Other.class, Private.class, Abstract.class, Direct.class, Sub.class, Both.class, Concrete.class, Object.class, int[].class};
        for (Object[] c : callers) {
            Lookup l = (Lookup) c[0];
            for (Class<?> n : named)
                for (String m : new String[] {"d", "p", "s", "toString"})
                    show(l.lookupClass().getSimpleName() + " -> " + n.getSimpleName() + "." + m,
                         () -> l.findSpecial(n, m, methodType(String.class), l.lookupClass()).invoke(c[1]));
        }
    }

    static void ofType(Lookup l, Class<?> c) {
        MethodType text = methodType(String.class);
        show(c + " virtual", () -> l.findVirtual(c, "toString", text));
        show(c + " clone", () -> l.findVirtual(c, "clone", methodType(Object.class)));
        show(c + " static", () -> l.findStatic(c, "toString", text));
        show(c + " constructor", () -> l.findConstructor(c, methodType(void.class)));
        show(c + " special", () -> l.findSpecial(c, "toString", text, Lookups.class));
        show(c + " getter", () -> l.findGetter(c, "length", int.class));
        show(c + " setter", () -> l.findSetter(c, "length", int.class));
        show(c + " static getter", () -> l.findStaticGetter(c, "x", int.class));
        show(c + " static setter", () -> l.findStaticSetter(c, "x", int.class));
        show(c + " variable", () -> l.findVarHandle(c, "x", int.class));
        show(c + " static variable", () -> l.findStaticVarHandle(c, "x", int.class));
        show(c + " in", () -> l.in(c));
        show(c + " private", () -> MethodHandles.privateLookupIn(c, l));
        show(c + " initialised", () -> l.ensureInitialized(c));
        show(c + " access", () -> l.accessClass(c));
    }

    public static void main(String[] args) {
        special();
        for (Class<?> c : new Class<?>[] {int.class, void.class, boolean.class, int[].class, String[].class}) ofType(MethodHandles.lookup(), c);
        show("inherited constructor", () -> MethodHandles.lookup().findConstructor(Sub.class, methodType(void.class, int.class)));
        show("abstract constructor", () -> MethodHandles.lookup().findConstructor(Abstract.class, methodType(void.class)).invoke());
        show("interface constructor", () -> MethodHandles.lookup().findConstructor(Top.class, methodType(void.class)).invoke());
        show("invokeBasic", () -> MethodHandles.lookup().findVirtual(MethodHandle.class, "invokeBasic", methodType(int.class)));
        show("linkToStatic", () -> MethodHandles.lookup().findStatic(MethodHandle.class, "linkToStatic", methodType(int.class, Object.class)));
        for (String n : new String[] {"<init>", "<clinit>"}) {
            show("virtual " + n, () -> MethodHandles.lookup().findVirtual(Sub.class, n, methodType(void.class)));
            show("static " + n, () -> MethodHandles.lookup().findStatic(Sub.class, n, methodType(void.class)));
        }
    }
}
