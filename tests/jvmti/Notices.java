// SPDX-License-Identifier: Apache-2.0
import java.lang.management.ManagementFactory;
import java.util.*;
import java.util.stream.*;

/** What a collection tells agents, and when: agent_notices.c. */
public class Notices {
    static native void tag(Object o);
    static native int freed();
    static native boolean gone();
    static native int turnOff();
    static native void slowly();
    static native int walk();
    static native Class<?>[] classes(ClassLoader l);

    static final int N = 3000;
    static class Gone { Runnable r = () -> {}; }
    static class Own extends ClassLoader {
        Own() { super(null); }
        @Override protected Class<?> findClass(String n) throws ClassNotFoundException {
            try (var in = Notices.class.getResourceAsStream(n.replace('.', '/') + ".class")) {
                byte[] b = in.readAllBytes();
                return defineClass(n, b, 0, b.length);
            } catch (java.io.IOException | NullPointerException e) { throw new ClassNotFoundException(n); }
        }
    }
    static void litter() {
        for (int i = 0; i < N; i++) tag(new Object());
    }
    static void use() {
        byte[] b = new byte[20_000];
        for (int i = 0; i < b.length; i++) b[i] = (byte) i;
    }
    static String most(int n) { return n > N * 9 / 10 && n <= N + 50 ? "all" : "" + n; }
    static void load() throws Exception { 
        var c = new Own().loadClass("Notices$Gone").getDeclaredConstructor();
        c.setAccessible(true);
        c.newInstance();
    }
    static String names(ClassLoader l, String pattern) {
        return Arrays.stream(classes(l)).map(Class::getTypeName).filter(n -> n.matches(pattern)).sorted().collect(Collectors.joining(" "));
    }

    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 5; i++) {
            litter(); use(); System.gc();
            System.out.println("before it is off: " + most(turnOff()));
            freed();
            slowly();
            litter(); use(); System.gc();
            int n = walk(); // those that were told before it, and the rest comes
            for (int k = 0; k < 1000 && n < N * 9 / 10; k++) { Thread.sleep(10); n += freed(); }
            System.out.println("with the walk: " + most(n));
        }
        Object[][][] kept = {new Notices[1][2], new Own[3][]};
        int[][][] deep = new int[1][1][1];
        System.out.println(names(Notices.class.getClassLoader(), "Notices.*|.*Own.*"));
        System.out.println(names(Notices.class.getClassLoader(), "(int|byte|boolean)(\\[\\]){1}|java.lang.Object(\\[\\])*").isEmpty());
        System.out.println(names(null, "java.lang.Object(\\[\\]){0,3}|boolean\\[\\]|int\\[\\]\\[\\]\\[\\]|java.lang.String(\\[\\])?|int"));
        System.out.println(names(Notices.class.getClassLoader(), "int\\[\\]\\[\\]\\[\\]|char\\[\\]"));
        Thread loads = new Thread(() -> { try { load(); } catch (Exception e) { System.out.println(e); } });
        loads.start();
        loads.join();
        for (int i = 0; i < 40 && !gone(); i++) { use(); System.gc(); Thread.sleep(50); }
        for (Object[] arg : new Object[][] {{AGENT}, {AGENT, ""}, {AGENT, "text"}, {"\"" + AGENT + "=x\""}}) {
            String s = (String) ManagementFactory.getPlatformMBeanServer().invoke(new javax.management.ObjectName("com.sun.management:type=DiagnosticCommand"),
                "jvmtiAgentLoad", new Object[] {Arrays.copyOf(arg, arg.length, String[].class)}, new String[] {"[Ljava.lang.String;"});
            System.out.println(s.replace(AGENT, "AGENT").trim());
        }
        System.out.println(kept.length + deep.length);
    }
    static final String AGENT = System.getProperty("java.library.path") + "/libagent_notices.so";
}
