#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: libfelix-framework-java libspring-context-java libcommons-logging-java libaopalliance-java
# extent: suite
#
# Felix: bundles made on the spot, class spaces apart, services, update and uninstall. Then a Spring context with proxies.
. "$(dirname "$0")/common.sh"
jars org.apache.felix.framework
driver Osgi <<'JAVA'
import java.io.*;
import java.util.*;
import java.util.jar.*;
import org.osgi.framework.*;
import org.osgi.framework.launch.*;
public class Osgi {
    static InputStream bundle(String name, String version, String more, Class<?>... cs) throws Exception {
        Manifest m = new Manifest();
        m.getMainAttributes().putValue("Manifest-Version", "1.0");
        m.getMainAttributes().putValue("Bundle-ManifestVersion", "2");
        m.getMainAttributes().putValue("Bundle-SymbolicName", name);
        m.getMainAttributes().putValue("Bundle-Version", version);
        m.getMainAttributes().putValue("Import-Package", "org.osgi.framework");
        for (String s : more.split(";")) if (!s.isEmpty()) m.getMainAttributes().putValue(s.split("=")[0], s.split("=")[1]);
        ByteArrayOutputStream o = new ByteArrayOutputStream();
        try (JarOutputStream j = new JarOutputStream(o, m)) {
            for (Class<?> c : cs) { String f = c.getName().replace('.', '/') + ".class"; j.putNextEntry(new JarEntry(f)); Osgi.class.getResourceAsStream("/" + f).transferTo(j); }
        }
        return new ByteArrayInputStream(o.toByteArray());
    }
    public static class Act implements BundleActivator {
        static int starts;
        public void start(BundleContext c) { starts++; System.out.println("start " + c.getBundle().getSymbolicName() + " " + c.getBundle().getVersion() + " " + starts); c.registerService(Runnable.class, () -> System.out.println("service of " + c.getBundle().getVersion()), null); }
        public void stop(BundleContext c) { System.out.println("stop " + c.getBundle().getSymbolicName()); }
    }
    public static void main(String[] a) {
        try { body(); System.exit(0); } catch (Throwable t) { t.printStackTrace(); System.exit(1); }
    }
    static void body() throws Exception {
        Framework f = ServiceLoader.load(FrameworkFactory.class).iterator().next().newFramework(Map.of("org.osgi.framework.storage", "cache", "org.osgi.framework.storage.clean", "onFirstInit", "felix.log.level", "1"));
        f.start();
        BundleContext c = f.getBundleContext();
        Bundle x = c.installBundle("mem:x", bundle("x", "1.0", "Bundle-Activator=Osgi$Act", Act.class)), y = c.installBundle("mem:y", bundle("y", "1.0", "Bundle-Activator=Osgi$Act", Act.class));
        x.start(); y.start(); x.stop(); x.start();
        System.out.println(x.loadClass("Osgi$Act") == y.loadClass("Osgi$Act"));
        for (ServiceReference<Runnable> r : new TreeSet<>(c.getServiceReferences(Runnable.class, null))) c.getService(r).run();
        x.update(bundle("x", "2.0", "Bundle-Activator=Osgi$Act", Act.class));
        try { x.loadClass("no.Such"); } catch (ClassNotFoundException e) { System.out.println(e.getMessage()); }
        Bundle bad = c.installBundle("mem:bad", bundle("bad", "1.0", "Require-Bundle=missing"));
        try { bad.start(); } catch (BundleException e) { System.out.println(e.getType()); }
        y.uninstall();
        for (Bundle b : c.getBundles()) System.out.println(b.getSymbolicName() + " " + b.getState());
        f.stop(); System.out.println(f.waitForStop(20000).getType() == FrameworkEvent.STOPPED);
    }
}
JAVA
felix() { vm "$1" --add-opens java.base/java.security=ALL-UNNAMED --add-opens java.base/java.net=ALL-UNNAMED --add-opens java.base/sun.net.www.protocol.jar=ALL-UNNAMED --add-opens java.base/sun.net.www.protocol.file=ALL-UNNAMED Osgi; local c=$?; rm -rf cache; return $c; }
compare felix
cp=; jars spring3-{core,beans,context,aop,expression} commons-logging aopalliance
driver Spring <<'JAVA'
import java.util.*;
import org.springframework.beans.factory.annotation.*;
import org.springframework.context.annotation.*;
import org.springframework.context.support.*;
import org.springframework.beans.factory.support.*;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.expression.spel.standard.SpelExpressionParser;
public class Spring {
    public interface Repo { String find(int n); }
    public static class Svc { private final Repo r; private List<String> names; public Svc(Repo r) { this.r = r; } public void setNames(List<String> n) { names = n; } public String go() { return r.find(names.size()) + names; } public void init() { System.out.println("init"); } public void close() { System.out.println("closed"); } }
    public static void main(String[] a) {
        java.util.logging.LogManager.getLogManager().reset();
        GenericApplicationContext c = new GenericApplicationContext();
        c.registerBeanDefinition("repo", BeanDefinitionBuilder.genericBeanDefinition(RepoImpl.class).addPropertyValue("prefix", "found ").getBeanDefinition());
        c.registerBeanDefinition("svc", BeanDefinitionBuilder.genericBeanDefinition(Svc.class).addConstructorArgReference("repo").addPropertyValue("names", "a,b,c").setInitMethodName("init").setDestroyMethodName("close").getBeanDefinition());
        c.refresh();
        System.out.println(c.getBean(Svc.class).go() + " " + new TreeSet<>(Arrays.asList(c.getBeanDefinitionNames())));
        ProxyFactory pf = new ProxyFactory(c.getBean("repo"));
        pf.addAdvice((org.aopalliance.intercept.MethodInterceptor) i -> "advised " + i.proceed());
        System.out.println(((Repo) pf.getProxy()).find(1));
        ProxyFactory cg = new ProxyFactory(new RepoImpl()); cg.setProxyTargetClass(true);
        try { cg.addAdvice((org.aopalliance.intercept.MethodInterceptor) i -> "cglib " + i.proceed()); System.out.println(((RepoImpl) cg.getProxy()).find(2)); } catch (Throwable t) { System.out.println(t.getClass()); }
        System.out.println(new SpelExpressionParser().parseExpression("{1,2,3}.?[#this > 1].![#this * 10] + 'x'.toUpperCase() + T(Math).max(3, 4)").getValue());
        try { c.getBean("none"); } catch (Exception e) { System.out.println(e.getMessage()); }
        c.close();
    }
    public static class RepoImpl implements Repo { String prefix = ""; public void setPrefix(String p) { prefix = p; } public String find(int n) { return prefix + n; } }
}
JAVA
spring() { vm "$1" --add-opens java.base/java.lang=ALL-UNNAMED Spring; }
compare spring
