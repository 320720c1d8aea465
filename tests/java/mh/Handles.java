// SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.*;
import java.util.*;

import static java.lang.invoke.MethodHandles.*;
import static java.lang.invoke.MethodType.*;

/** MethodHandles: lookup of every kind, invokeExact and invoke, adaptation, combinators, collectors, loops, exceptions. */
public class Handles {
    interface Named { String name(); default String dflt() { return "dflt " + name(); } }
    static class Base { protected String who(int i) { return "base" + i; } }
    static class Sub extends Base implements Named {
        int f = 5; static String sf = "static"; final long fin = 9L;
        Sub() {} Sub(String s, int n) { f = n + s.length(); }
        @Override protected String who(int i) { return "sub" + i; }
        public String name() { return "sub"; }
        private static String priv(Object o, long l) { return o + "" + l; }
        static String va(String s, Object... o) { return s + Arrays.toString(o); }
        static int sum(int... a) { return Arrays.stream(a).sum(); }
        MethodHandle superWho() throws Exception { return lookup().findSpecial(Base.class, "who", methodType(String.class, int.class), Sub.class); }
    }
    static int add(int a, int b) { return a + b; }
    static String cat(String a, String b, String c) { return a + b + c; }
    static boolean isLong(String s) { return s.length() > 3; }
    static void fail(String m) throws Exception { throw new Exception(m); }
    static Object thing(byte b, char c, short s, long l, float f, double d, boolean z, Object o) { return b + "," + c + "," + s + "," + l + "," + f + "," + d + "," + z + "," + o; }

    interface Act { Object run() throws Throwable; }

    static void show(String what, Act a) {
        try {
            System.out.println(what + ": " + a.run());
        } catch (Throwable t) {
            System.out.println(what + " threw " + t.getClass().getName() + ": " + String.valueOf(t.getMessage()).replaceAll("@[0-9a-f]+", "@H"));
        }
    }

    public static void main(String[] args) throws Throwable {
        Lookup l = lookup();
        Sub sub = new Sub();
        MethodHandle add = l.findStatic(Handles.class, "add", methodType(int.class, int.class, int.class));
        show("exact", () -> (int) add.invokeExact(3, 4));
        show("wrong exact", () -> add.invokeExact(3, 4));
        show("wrong exact 2", () -> (int) add.invokeExact((short) 3, 4));
        show("invoke boxes", () -> add.invoke((Object) 3, (byte) 4));
        show("invoke long", () -> (long) add.invoke('a', (short) 1));
        show("invoke bad", () -> add.invoke("x", 1));
        show("invoke null", () -> (int) add.invoke((Integer) null, 1));
        show("arity", () -> add.invoke(1));
        show("withArguments", () -> add.invokeWithArguments(List.of(8, 9)));
        show("virtual", () -> (String) l.findVirtual(Base.class, "who", methodType(String.class, int.class)).invoke((Base) sub, 1));
        show("special", () -> (String) sub.superWho().invokeExact(sub, 2));
        show("interface", () -> (String) l.findVirtual(Named.class, "dflt", methodType(String.class)).invoke(sub));
        show("ctor", () -> ((Sub) l.findConstructor(Sub.class, methodType(void.class, String.class, int.class)).invokeExact("abc", 4)).f);
        show("private", () -> l.findStatic(Sub.class, "priv", methodType(String.class, Object.class, long.class)).invoke("o", 7));
        show("getter", () -> (int) l.findGetter(Sub.class, "f", int.class).invokeExact(sub));
        show("setter", () -> { l.findSetter(Sub.class, "f", int.class).invokeExact(sub, 77); return sub.f; });
        show("static getter", () -> l.findStaticGetter(Sub.class, "sf", String.class).invoke());
        show("final setter", () -> l.findSetter(Sub.class, "fin", long.class));
        show("no method", () -> l.findStatic(Sub.class, "nope", methodType(void.class)));
        show("static as virtual", () -> l.findVirtual(Handles.class, "add", methodType(int.class, int.class, int.class)));
        show("no access", () -> publicLookup().findStatic(Handles.class, "add", methodType(int.class, int.class, int.class)));
        show("null receiver", () -> l.findVirtual(String.class, "length", methodType(int.class)).invoke((String) null));
        MethodHandle va = l.findStatic(Sub.class, "va", methodType(String.class, String.class, Object[].class));
        show("varargs", () -> va.invoke("v", 1, 'c', 2.0) + " " + va.invoke("n") + " " + va.invoke("a", new Object[] {1}) + va.isVarargsCollector() + va.asFixedArity().invoke("f", new Object[] {2}));
        show("sum", () -> l.findStatic(Sub.class, "sum", methodType(int.class, int[].class)).invoke(1, 2, 3, 4));
        MethodHandle cat = l.findStatic(Handles.class, "cat", methodType(String.class, String.class, String.class, String.class));
        show("bind", () -> cat.bindTo("B").invoke("c", "d") + " " + insertArguments(cat, 1, "I", "J").invoke("x"));
        show("permute", () -> permuteArguments(cat, methodType(String.class, String.class, String.class), 1, 0, 1).invoke("a", "b"));
        show("drop", () -> dropArguments(cat, 1, int.class, long.class).invoke("a", 1, 2L, "b", "c"));
        show("filter", () -> filterArguments(cat, 0, l.findVirtual(String.class, "trim", methodType(String.class)), null, l.findVirtual(String.class, "toUpperCase", methodType(String.class))).invoke("  t ", "-", "up"));
        show("filterReturn", () -> (int) filterReturnValue(cat, l.findVirtual(String.class, "length", methodType(int.class))).invoke("a", "bb", "ccc"));
        show("fold", () -> foldArguments(cat, l.findVirtual(String.class, "concat", methodType(String.class, String.class))).invoke("x", "y"));
        show("spread", () -> cat.asSpreader(Object[].class, 3).invoke(new Object[] {"p", "q", "r"}));
        show("spread wrong", () -> cat.asSpreader(Object[].class, 3).invoke(new Object[] {"p"}));
        show("collect", () -> va.asFixedArity().asCollector(Object[].class, 2).invoke("c", 1, 2));
        show("collectArgs", () -> collectArguments(cat, 1, add.asType(methodType(Object.class, int.class, int.class)).asType(methodType(Object.class, int.class, int.class)).asType(methodType(String.class, int.class, int.class))).invoke("a", 1, 2, "b"));
        MethodHandle test = l.findStatic(Handles.class, "isLong", methodType(boolean.class, String.class));
        MethodHandle up = l.findVirtual(String.class, "toUpperCase", methodType(String.class)), rev = l.findVirtual(String.class, "concat", methodType(String.class, String.class)).bindTo("short:").asType(methodType(String.class, String.class));
        MethodHandle g = guardWithTest(test, up, rev);
        show("guard", () -> g.invoke("longer") + " " + g.invoke("abc"));
        MethodHandle thr = l.findStatic(Handles.class, "fail", methodType(void.class, String.class));
        show("catch", () -> catchException(thr.asType(methodType(Object.class, String.class)), Exception.class, dropArguments(constant(Object.class, "caught"), 0, Exception.class)).invoke("m"));
        show("throws", () -> { thr.invoke("direct"); return null; });
        show("tryFinally", () -> tryFinally(up, l.findStatic(Handles.class, "cleanup", methodType(String.class, Throwable.class, String.class))).invoke("fin"));
        show("throwException", () -> throwException(String.class, IllegalStateException.class).invoke(new IllegalStateException("thrown")));
        show("constant identity zero", () -> constant(int.class, 5).invoke() + " " + identity(String.class).invoke("id") + " " + zero(long.class).invoke() + empty(methodType(double.class, int.class)).invoke(1));
        show("array", () -> { long[] a = {1, 2}; arrayElementSetter(long[].class).invoke(a, 1, 50L); return arrayElementGetter(long[].class).invoke(a, 1) + " " + arrayLength(long[].class).invoke(a) + ((int[]) arrayConstructor(int[].class).invoke(3)).length; });
        show("loop", () -> countedLoop(constant(int.class, 10), constant(int.class, 0), add).invoke());
        show("iterated", () -> iteratedLoop(null, constant(int.class, 0), l.findStatic(Handles.class, "plus", methodType(int.class, int.class, Integer.class, List.class))).invoke(List.of(1, 2, 3)));
        show("tableSwitch", () -> tableSwitch(dropArguments(constant(String.class, "dflt"), 0, int.class), dropArguments(constant(String.class, "zero"), 0, int.class), dropArguments(constant(String.class, "one"), 0, int.class)).invoke(1));
        MethodHandle th = l.findStatic(Handles.class, "thing", methodType(Object.class, byte.class, char.class, short.class, long.class, float.class, double.class, boolean.class, Object.class));
        show("all kinds", () -> th.invoke((byte) 1, 'x', (short) 2, 3L, 4f, 5.0, true, "o") + " " + th.asType(genericMethodType(8)).invoke((byte) 1, 'x', (short) 2, 3L, 4f, 5.0, true, "o") + " " + th.asSpreader(Object[].class, 8).invoke(new Object[] {(byte) 1, 'x', (short) 2, 3L, 4f, 5.0, true, null}));
        show("explicitCast", () -> explicitCastArguments(add, methodType(byte.class, double.class, boolean.class)).invoke(300.7, true));
        show("asType fails", () -> add.asType(methodType(String.class, int.class, int.class)).invoke(1, 2));
        show("invoker", () -> exactInvoker(add.type()).invoke(add, 5, 6) + " " + invoker(genericMethodType(2)).invoke(add, 1, 2) + spreadInvoker(add.type(), 0).invoke(add, new Object[] {7, 8}));
        show("types", () -> methodType(void.class, int[].class, String.class).toMethodDescriptorString() + fromMethodDescriptorString("(J[[Ljava/lang/String;)Z", null) + methodType(int.class).wrap().generic().appendParameterTypes(long.class).unwrap() + add);
        show("reveal", () -> l.revealDirect(add) + " " + l.revealDirect(l.findVirtual(Named.class, "name", methodType(String.class))));
        show("unreflect", () -> l.unreflect(Sub.class.getDeclaredMethod("priv", Object.class, long.class)).invoke("u", 1) + " " + l.unreflectGetter(Sub.class.getDeclaredField("sf")).invoke());
        show("proxy", () -> MethodHandleProxies.asInterfaceInstance(Comparator.class, l.findVirtual(String.class, "compareTo", methodType(int.class, String.class)).asType(methodType(int.class, Object.class, Object.class))).compare("b", "a"));
        MutableCallSite mcs = new MutableCallSite(methodType(String.class, String.class));
        mcs.setTarget(up);
        MethodHandle dyn = mcs.dynamicInvoker();
        String a1 = (String) dyn.invokeExact("hello");
        mcs.setTarget(rev);
        System.out.println(a1 + " " + (String) dyn.invokeExact("x") + " " + new ConstantCallSite(add).dynamicInvoker().invoke(1, 1) + new VolatileCallSite(add).getTarget().invoke(2, 2));
        SwitchPoint sp = new SwitchPoint();
        MethodHandle sw = sp.guardWithTest(up, rev);
        String b1 = (String) sw.invokeExact("on");
        SwitchPoint.invalidateAll(new SwitchPoint[] {sp});
        System.out.println(b1 + " " + (String) sw.invokeExact("off") + sp.hasBeenInvalidated());
        int n = 0;
        for (int i = 0; i < 30000; i++) n = (int) add.invokeExact(n, i);
        for (int i = 0; i < 3000; i++) {
            String arg = i % 2 == 0 ? "longer" : "s";
            n += ((String) g.invokeExact(arg)).length();
        }
        System.out.println(n);
    }

    static String cleanup(Throwable t, String r) { return t + "/" + r; }
    static int plus(int acc, Integer x, List<?> l) { return acc + x * l.size(); }
}
