// SPDX-License-Identifier: Apache-2.0
import java.nio.file.*;
import jdk.internal.misc.Unsafe;

/** Methods that a VM may run without a frame, called until it does; then somebody wants to see them or changes them. */
public class Leaves {
    static final int SINGLE_STEP = 60, BREAKPOINT = 62, FIELD_ACCESS = 63, METHOD_ENTRY = 65, METHOD_EXIT = 66;
    static native void event(int event, boolean on);
    static native void breakpoint(Class<?> c, String method, int at, boolean on);
    static native void watch(Class<?> c, String field, String desc, boolean on);
    static native void redefine(Class<?> c, byte[] bytes);

    static String use(Leaf l) {
        l.nothing();
        Leaf.mark(3);
        Leaf.count(1000);
        new Leaf();
        return l.truth() + " " + l.tiny() + " " + l.number() + " " + l.large() + " " + l.real() + " " + l.wide() + " " + l.text()
            + " " + Leaf.marks();
    }
    static String often(Leaf l) {
        String s = "";
        for (int i = 0; i < 20; i++) s = use(l);
        return s;
    }
    static void show(String what, Leaf l) {
        System.out.println(what);
        System.out.println(use(l));
    }
    static void events(Leaf l) {
        event(METHOD_ENTRY, true);
        event(METHOD_EXIT, true);
        show("entry and exit", l);
        event(METHOD_ENTRY, false);
        event(METHOD_EXIT, false);
        System.out.println(often(l));
        event(SINGLE_STEP, true);
        show("steps", l);
        event(SINGLE_STEP, false);
        System.out.println(often(l));
    }
    static void breakpoints(Leaf l) {
        event(BREAKPOINT, true);
        for (String m : new String[] {"number", "text", "nothing", "mark", "count"}) {
            breakpoint(Leaf.class, m, 0, true);
            show("breakpoint in " + m, l);
            breakpoint(Leaf.class, m, 0, false);
            System.out.println(often(l));
        }
        breakpoint(Leaf.class, "large", 1, true); // the getfield
        show("breakpoint behind the load", l);
        event(BREAKPOINT, false);
        breakpoint(Leaf.class, "large", 1, false);
        System.out.println(often(l));
    }
    static void watches(Leaf l) {
        event(FIELD_ACCESS, true);
        watch(Leaf.class, "number", "I", true);
        watch(Leaf.class, "text", "Ljava/lang/String;", true);
        show("watched", l);
        watch(Leaf.class, "number", "I", false);
        show("one not any more", l);
        watch(Leaf.class, "text", "Ljava/lang/String;", false);
        System.out.println(often(l));
        event(FIELD_ACCESS, false);
    }
    public static void main(String[] a) throws Exception {
        Leaf l = new Leaf(), sub = new LeafSub();
        System.out.println(often(l) + "\n" + often(sub));
        events(l);
        events(sub);
        breakpoints(l);
        watches(l);
        byte[] first = Leaves.class.getResourceAsStream("Leaf.class").readAllBytes(), second = Files.readAllBytes(Path.of(a[0]));
        redefine(Leaf.class, second);
        show("redefined", l);
        System.out.println(often(l) + "\n" + often(sub));
        events(sub);
        redefine(Leaf.class, first);
        System.out.println("as at first\n" + often(l) + "\n" + often(sub));
        breakpoints(sub);
        watches(l);
    }
}

class Leaf {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long MEMORY = U.allocateMemory(8192);
    static { U.setMemory(MEMORY, 8192, (byte) 0); }

    boolean truth = true; byte tiny = -7; int number = -70000, other = 5; long large = -1L << 40; float real = 1.5f; double wide = -2.25;
    String text = "text";

    void nothing() { }
    boolean truth() { return truth; }
    byte tiny() { return tiny; }
    int number() { return number; }
    long large() { return large; }
    float real() { return real; }
    double wide() { return wide; }
    String text() { return text; }
    static void mark(int i) { U.putByte(null, MEMORY + i, (byte) 9); }
    static void count(int i) { U.getAndAddInt(null, MEMORY + ((long) i << 2), 2); }
    static String marks() {
        String s = U.getInt(MEMORY) + " " + U.getInt(MEMORY + 4000);
        U.putInt(MEMORY, 0);
        U.putInt(MEMORY + 4000, 0);
        return s;
    }
}
class LeafSub extends Leaf {
    int number() { return other; }
    String text() { return super.text(); }
}
