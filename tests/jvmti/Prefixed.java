// SPDX-License-Identifier: Apache-2.0

/** Natives under prefixed names with their wrappers, as an agent would have made them; driver of agent_prefix.c. */
public class Prefixed {
    static native String register(Class<?> c, String name, String desc);
    static native String prefixes(int which, String... strings);
    static native String dispose(int which);

    static String one() { return p1_one(); }
    static native String p1_one();
    static String two() { return p1_two(); }
    static String p1_two() { return p2_p1_two(); }
    static native String p2_p1_two();
    static String three() { return p4_p3_three(); }
    static native String p4_p3_three();
    static String four() { return p4_p1_four(); }
    static native String p4_p1_four();
    static String wrong() { return p1_p2_wrong(); }
    static native String p1_p2_wrong();
    static native String p1_absent();
    static String skip() { return p3_skip(); }
    static native String p3_skip();
    static native String p1_own();
    static native String nativeWrapper();
    static native String p2_nativeWrapper();
    static String over(int i) { return p2_over(i); }
    static String over(String s) { return p2_over(s); }
    static native String p2_over(int i);
    static native String p2_over(String s);
    String base() { return p1_base(); }
    native String p1_base();
    static String with_under() { return p1_with_under(); }
    static native String p1_with_under();
    static String inherited() { return "java"; }
    static class Sub extends Prefixed {
        static native String p1_inherited();
    }
    static String late() { return p5_late(); }
    static native String p5_late();
    static String gone() { return p1_gone(); }
    static native String p1_gone();
    static String fallen() { return p2_fallen(); }
    static native String p2_fallen();
    static native String redirected();
    static native String p1_redirected(int unused);

    // for RegisterNatives
    static String r1() { return p1_r1(); }
    static native String p1_r1();
    static String r2() { return "java"; }
    static String p1_r2() { return "java"; }
    static native String p2_p1_r2();
    static native String r3();
    static String r4() { return "java"; }
    static native String p4_r4();
    static String r5() { return "java"; }
    static String p1_r5() { return "java"; }
    static String r6() { return "java"; }
    static native String p1_p2_r6();
    static native String r7();
    static native String p1_r7();

    interface Call { String call() throws Throwable; }
    static void show(String what, Call c) {
        try {
            System.out.println(what + " " + c.call());
        } catch (Throwable e) {
            System.out.println(what + " " + e);
        }
    }
    public static void main(String[] args) {
        System.loadLibrary("agent_prefix");
        show("one", () -> one());
        show("two", () -> two());
        show("three", () -> three());
        show("four", () -> four());
        show("wrong", () -> wrong());
        show("absent", () -> p1_absent());
        show("skip", () -> skip());
        show("own", () -> p1_own());
        show("native wrapper", () -> p2_nativeWrapper() + nativeWrapper());
        show("over", () -> over(1) + over("s"));
        show("base", () -> new Prefixed().base());
        show("under", () -> with_under());
        show("inherited", () -> Sub.p1_inherited());
        for (String r : new String[] {"r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "p1_r1"})
            System.out.println("register " + r + " " + register(Prefixed.class, r, "()Ljava/lang/String;"));
        show("r1", () -> p1_r1());
        show("r2", () -> p2_p1_r2());
        show("r3", () -> r3());
        show("r4", () -> p4_r4());
        show("r6", () -> p1_p2_r6());
        show("r7", () -> r7());
        show("p1_r7", () -> p1_r7());
        System.out.println("register one " + register(Prefixed.class, "one", "()Ljava/lang/String;") + " " + one());
        show("late", () -> late());
        System.out.println(prefixes(2, "p5_"));
        show("late", () -> late());
        System.out.println(prefixes(2, "p5_", "", "p6_"));
        show("three", () -> three());
        System.out.println(prefixes(0, (String[]) null));
        show("gone", () -> gone());
        show("one", () -> one());
        System.out.println(dispose(1));
        show("fallen", () -> fallen());
        show("redirected", () -> redirected());
        show("redirected again", () -> redirected());
        System.out.println(prefixes(0, new String[0]) + " " + prefixes(0, "p1_") + " " + prefixes(0, new String[0]));
        show("gone", () -> gone());
    }
}
