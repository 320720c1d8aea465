// SPDX-License-Identifier: Apache-2.0
// What Redefine.java redefines. redefine.sh compiles this file a second time with version1 made version2.

interface One { default String one() { return "one of version1"; } }
interface Two { int TWO = 2; static String two() { return "two of version1"; } }
class Base { protected int base; }

class Victim extends Base implements One, Two {
    static final int CONSTANT = 17;
    int a;
    static String b = "b";
    Victim() { a = 3; }
    public void plain() { a++; }
    private void secret() { a--; }
    int use() { plain(); secret(); return a; }
    static native int nothing(int x);
    int choose(int x) {
        Object o = this;
        try {
            if (x > 0) o = b;
            a += x;
        } catch (RuntimeException e) {
            o = e;
        }
        return o.hashCode() + a;
    }
    class Inner { int x() { return a; } }
    class Other { int y() { return a; } }
}
class Sub extends Victim {}
record Rec(int x, String y) {}
sealed interface Shape permits Circle, Square {}
final class Circle implements Shape {}
final class Square implements Shape {}

class Chained {
    static String text() { return "chain:000000000000"; }
}

class Failing {
    static int x = 1 / Integer.parseInt("0");
    static int f() { return x; }
}

class Changing {
    static int calls;
    int seven = 7;
    @Deprecated int same(int x) { return x + seven; }
    String changed() { return "version1 " + seven; }
    static String changedStatic() { return "version1"; }
    int number(int x) {
        String v = "version1";
        return v.equals("version1") ? x + 1 : x + 2;
    }
    final String fin() { return "version1 fin"; }
    private String priv() { return "version1 priv"; }
    String callPriv() { return priv() + " " + fin() + " " + super.hashCode() / Integer.MAX_VALUE; }
    Runnable lambda() { return () -> System.out.println("version1 lambda " + seven); }
    String concat(int i) { return "version1 " + i + " " + seven; }
    /* runs old code while `inside` redefines */
    String active(Runnable inside) {
        String before = "version1 before";
        inside.run();
        String after = "version1 after";
        try {
            if (seven == 7) throw new IllegalStateException("version1 thrown");
        } catch (IllegalStateException e) {
            after += ", caught " + e.getMessage();
        }
        return before + ", " + after + ", now " + changed() + " " + changedStatic();
    }
    int activeSame(Runnable inside) {
        inside.run();
        return seven;
    }
    synchronized String locked(Runnable inside) {
        inside.run();
        return "version1 " + Thread.holdsLock(this);
    }
    static int loop(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += changedStatic().length() + i % 3;
        return sum;
    }
}

class Clinit {
    static String log = "";
    static final String WHEN;
    static { Redefine.during.run(); WHEN = "version1 clinit"; log += after(); }
    static String after() { return "version1 after"; }
}

class Unlinked { static String f() { return "version1"; } }

abstract class Shaped { abstract String area(); String twice() { return area() + area(); } }
class ShapedA extends Shaped { String area() { return "version1 A "; } }
class ShapedB extends Shaped { String area() { return "version1 B "; } public String toString() { return "version1 toString"; } }

@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) @interface Deep { String value() default "deep"; }
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) @interface Mark {
    String name();
    long value() default 1L << 40;
    Class<?>[] kinds() default {};
    Deep deep() default @Deep("d");
    Thread.State state() default Thread.State.NEW;
}
@Mark(name = "class") class Noted {
    String first(int x) { // the other version has another pool
        //only2 if ("a".equals("b" + x)) return Integer.toHexString(Math.max(1234567, x)) + System.getProperty("d") + 123456789012L;
        return "version1";
    }
    @Mark(name = "ctor") Noted() { }
    @Mark(name = "field", value = 77) int field;
    @Mark(name = "method", kinds = {Integer.class, int[].class}, deep = @Deep("own"), state = Thread.State.BLOCKED)
    @Deprecated void marked(@Mark(name = "parameter") int x, @Deep Object y) { }
}
