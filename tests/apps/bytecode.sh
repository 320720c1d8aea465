#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: libasm-java libcglib-java libjavassist-java libbyte-buddy-java libmockito-java libhamcrest-java libguice-java libobjenesis-java
# extent: suite
#
# Classes made while running: cglib, Javassist, Byte Buddy, ASM, Objenesis, Mockito, Guice.
. "$(dirname "$0")/common.sh"
jars asm asm-tree asm-commons asm-util asm-analysis javassist byte-buddy mockito-core objenesis hamcrest guice guava atinject-jsr330-api aopalliance
driver GenApp <<'JAVA'
import java.io.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.concurrent.Callable;
import org.mockito.*;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.*;
import static org.mockito.Mockito.*;

public class GenApp {
    public interface Shape { double area(int scale); default String kind() { return "shape " + area(1); } }
    public static class Dog { protected String name = "rex"; public String bark(int n) { return name + "!".repeat(n); } public final int fin() { return 1; } }
    public static class NoDefault { final int x; public NoDefault(int x) { this.x = x; throw new IllegalStateException(); } }
    interface Service { String serve(); }
    static class Real implements Service { @javax.inject.Inject Real(List<String> l) { this.l = l; } final List<String> l; public String serve() { return "real " + l; } }
    static class User { final Service s; @javax.inject.Inject com.google.inject.Provider<Service> p; @javax.inject.Inject User(Service s) { this.s = s; } }
    public static void main(String[] a) throws Exception {
        javassist.ClassPool pool = javassist.ClassPool.getDefault();
        javassist.CtClass c = pool.makeClass("made.Adder");
        c.addInterface(pool.get("java.util.concurrent.Callable"));
        c.addField(javassist.CtField.make("private int n = 5;", c));
        c.addMethod(javassist.CtNewMethod.make("public Object call() { int s = 0; for (int i = 0; i <= n; i++) { s += i; } return Integer.valueOf(s); }", c));
        byte[] bytes = c.toBytecode();
        ClassLoader own = new ClassLoader(GenApp.class.getClassLoader()) { protected Class<?> findClass(String n) { return defineClass(n, bytes, 0, bytes.length); } };
        System.out.println(((Callable<?>) own.loadClass("made.Adder").getConstructor().newInstance()).call());
        javassist.CtClass dog = pool.getAndRename("GenApp$Dog", "GenApp$Dog2");
        dog.getDeclaredMethod("bark").insertBefore("{ System.out.println(\"before \" + $1); $1 = $1 + 1; }");
        dog.getDeclaredMethod("bark").insertAfter("{ System.out.println($_); }");
        dog.instrument(new javassist.expr.ExprEditor() { public void edit(javassist.expr.FieldAccess f) { System.out.println("access " + f.getFieldName()); } });
        Class<?> d2 = dog.toClass(GenApp.class);
        System.out.println(d2.getMethod("bark", int.class).invoke(d2.getDeclaredConstructor().newInstance(), 2));
        javassist.util.proxy.ProxyFactory pf = new javassist.util.proxy.ProxyFactory();
        pf.setSuperclass(Dog.class);
        Dog pd = (Dog) pf.create(new Class[0], new Object[0], (self, m, proceed, args) -> "proxied " + proceed.invoke(self, args));
        System.out.println(pd.bark(1));
        Class<? extends Dog> bb = new net.bytebuddy.ByteBuddy().subclass(Dog.class).name("GenApp$BB").implement(Comparable.class)
            .method(net.bytebuddy.matcher.ElementMatchers.named("bark")).intercept(net.bytebuddy.implementation.MethodDelegation.to(Intercept.class))
            .method(net.bytebuddy.matcher.ElementMatchers.named("compareTo")).intercept(net.bytebuddy.implementation.FixedValue.value(42))
            .defineField("extra", String.class, Modifier.PUBLIC)
            .make().load(GenApp.class.getClassLoader(), net.bytebuddy.dynamic.loading.ClassLoadingStrategy.Default.INJECTION.allowExistingTypes()).getLoaded();
        Dog b = bb.getDeclaredConstructor().newInstance();
        System.out.println(b.bark(3) + " " + ((Comparable) b).compareTo(null) + " " + Arrays.toString(bb.getFields()));
        org.objectweb.asm.ClassReader r = new org.objectweb.asm.ClassReader(GenApp.class.getResourceAsStream("GenApp$Dog.class"));
        StringWriter text = new StringWriter();
        r.accept(new org.objectweb.asm.util.TraceClassVisitor(new PrintWriter(text)), 0);
        System.out.println(text);
        org.objectweb.asm.tree.ClassNode node = new org.objectweb.asm.tree.ClassNode();
        r.accept(node, 0);
        for (org.objectweb.asm.tree.MethodNode m : node.methods)
            System.out.println(m.name + " " + new org.objectweb.asm.tree.analysis.Analyzer<>(new org.objectweb.asm.tree.analysis.BasicVerifier()).analyze(node.name, m).length);
        System.out.println(new org.objenesis.ObjenesisStd().newInstance(NoDefault.class).x);
        Shape s = mock(Shape.class);
        when(s.area(anyInt())).thenReturn(2.0).thenThrow(new IllegalArgumentException("second")).thenAnswer(i -> i.<Integer>getArgument(0) * 1.5);
        when(s.kind()).thenCallRealMethod();
        System.out.println(s.area(1));
        try { s.area(2); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        System.out.println(s.area(10) + " " + s.kind());
        verify(s, atLeast(3)).area(anyInt());
        List<String> spy = spy(new ArrayList<>(List.of("a")));
        doReturn("stub").when(spy).get(0);
        spy.add("b");
        ArgumentCaptor<String> cap = ArgumentCaptor.forClass(String.class);
        verify(spy).add(cap.capture());
        System.out.println(spy.get(0) + spy.get(1) + cap.getValue() + spy.size());
        try { verify(spy, never()).add("b"); } catch (AssertionError e) { System.out.println(e.getMessage().trim().split("\n")[0]); }
        assertThat(Map.of("k", 1), hasEntry("k", 1));
        try { assertThat(List.of(1, 2, 3), contains(1, greaterThan(5), 3)); } catch (AssertionError e) { System.out.println(e.getMessage()); }
        com.google.inject.Injector in = com.google.inject.Guice.createInjector(new com.google.inject.AbstractModule() {
            protected void configure() {
                bind(Service.class).to(Real.class);
                bind(new com.google.inject.TypeLiteral<List<String>>() { }).toInstance(List.of("injected"));
            }
        });
        User u = in.getInstance(User.class);
        System.out.println(u.s.serve() + " " + (u.p.get() == u.s));
        try { in.getInstance(Shape.class); } catch (com.google.inject.ConfigurationException e) { System.out.println(e.getErrorMessages().size()); }
    }
    public static class Intercept { public static String any(@net.bytebuddy.implementation.bind.annotation.SuperCall Callable<String> z, @net.bytebuddy.implementation.bind.annotation.AllArguments Object[] args) throws Exception { return "delegated " + args[0] + " " + z.call(); } }
}
JAVA
run() { vm "$1" --add-opens java.base/java.util=ALL-UNNAMED --add-opens java.base/java.lang=ALL-UNNAMED GenApp; }
compare run
