// SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.*;
import java.util.*;

/** Access control: nest mates, protected across packages and arrays, private interface methods, virtual dispatch of package-private methods, dispatch sizes. */
public class Nests {
    private static int p = 1;
    static class A { private int x = 2; private int m() { return x + p; } private A() {} private A(int x) { this.x = x; } }
    static class B extends A { int sum() { return ((A) this).x + ((A) this).m() + new A(10).m(); } private int m() { return 1000; } }
    interface I { private int q() { return 7; } static int s(I i) { return i.q(); } }
    class Inner { private class Inner2 { private int deep() { return p++; } } private int z = new Inner2().deep(); }
    static class M0 { String f() { return "0"; } private String g() { return "g0"; } String callG() { return g(); } static String h() { return "h0"; } }
    static class M1 extends M0 { String f() { return "1" + super.f(); } String g() { return "g1"; } static String h() { return "h1"; } }
    static class M2 extends M1 { }
    static class M3 extends M2 { String f() { return "3" + super.f(); } }
    static class Prot implements Cloneable { int v = 3; Prot copy() throws Exception { return (Prot) clone(); } int[] arr() { return new int[] {1}.clone(); } protected void finalize() {} }

    // A hierarchy with many virtual methods, so that vtable indices are large.
    static abstract class Big { int a0() { return 0; } int a1() { return 1; } int a2() { return 2; } int a3() { return 3; } int a4() { return 4; } int a5() { return 5; } int a6() { return 6; } int a7() { return 7; } int a8() { return 8; } int a9() { return 9; } abstract int all(); }
    static class Big2 extends Big { int a3() { return 33; } int a9() { return super.a9() * 11; } final int b0() { return a0() + a9(); } int all() { return a0() + a1() + a2() + a3() + a4() + a5() + a6() + a7() + a8() + a9(); } }

    public static void main(String[] args) throws Exception {
        System.out.println(new B().sum() + " " + I.s(new I() { }) + " " + new Nests().new Inner().z + " " + p);
        M0 m = new M3();
        System.out.println(m.f() + m.callG() + ((M1) m).g() + M2.h() + new Prot().copy().v + new Prot().arr().length + new Big2().all() + new Big2().b0());
        System.out.println(Nests.class.getNestMembers().length + " " + A.class.getNestHost() + " " + A.class.isNestmateOf(I.class) + " " + A.class.isNestmateOf(String.class) + int.class.getNestHost());
        Constructor<A> c = A.class.getDeclaredConstructor(int.class);
        System.out.println(c.newInstance(5).m() + " " + Modifier.toString(c.getModifiers()));
        Object o = new Object();
        for (String n : new String[] {"clone", "finalize"})
            try { Object.class.getDeclaredMethod(n).invoke(o); } catch (IllegalAccessException e) { System.out.println(e.getMessage()); }
        List<String> names = new ArrayList<>();
        for (Method x : M1.class.getDeclaredMethods()) names.add(x.toString());
        Collections.sort(names);
        System.out.println(names);
        int sum = 0;
        Big[] bigs = {new Big2(), new Big() { int all() { return a5(); } }, new Big2() { int a0() { return 100; } }};
        for (int i = 0; i < 3000; i++) sum += bigs[i % 3].all() + bigs[(i + 1) % 3].a9();
        System.out.println(sum);
    }
}
