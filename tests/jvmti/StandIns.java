// SPDX-License-Identifier: Apache-2.0
import java.util.Arrays;

/** Calls methods that machine or C code stands for, often enough to be compiled, then with events wanted in them, then without. */
public class StandIns {
    static native void count(boolean on);
    static native void entries(Thread t, boolean on);
    static native void breakpoint(Class<?> c, String name, String sig, boolean isStatic, boolean on);
    static native void watch(Class<?> c, String name, String sig, boolean on);
    static native void replace();

    static final Object thing = new Object();
    static final int[] from = {1, 2, 3, 4}, to = new int[4];
    static final byte[] bytes = new byte[5];
    static final String text = "some text";

    static int work(int i) {
        int r = Math.max(i, 5) + text.charAt(i & 7) + Integer.bitCount(i);
        System.arraycopy(from, 0, to, 1, 3);
        Arrays.fill(bytes, (byte) i);
        return r + to[2] + bytes[3] + (text.equals("other text") ? 1 : 0) + thing.hashCode() - thing.hashCode();
    }
    static int identity(Object o) { return System.identityHashCode(o); }

    static void run(String what) {
        int sum = 0;
        count(true);
        for (int i = 0; i < 10; i++) sum += work(i);
        count(false);
        System.out.println(what + " " + sum);
    }

    static void atBreakpoint(Class<?> c, String name, String sig, boolean isStatic) {
        breakpoint(c, name, sig, isStatic, true);
        run("breakpoint in " + name);
        breakpoint(c, name, sig, isStatic, false);
        run("without");
    }

    public static void main(String[] args) {
        System.loadLibrary("agent_stand_ins");
        int sum = 0;
        for (int i = 0; i < 40; i++) sum += work(i);
        System.out.println(sum);
        run("nothing");
        atBreakpoint(Math.class, "max", "(II)I", true);
        atBreakpoint(String.class, "charAt", "(I)C", false);
        atBreakpoint(Integer.class, "bitCount", "(I)I", true);
        atBreakpoint(Arrays.class, "fill", "([BB)V", true);
        atBreakpoint(String.class, "equals", "(Ljava/lang/Object;)Z", false);
        watch(String.class, "value", "[B", true);
        run("watched");
        watch(String.class, "value", "[B", false);
        run("not watched");
        entries(Thread.currentThread(), true);
        run("entries");
        entries(Thread.currentThread(), false);
        run("no entries");
        boolean same = true;
        for (int i = 0; i < 20; i++) same &= identity(thing) == identity(thing) && identity(thing) != 42;
        System.out.println("identity " + same);
        replace();
        for (int i = 0; i < 3; i++) System.out.println(identity(thing));
    }
}
