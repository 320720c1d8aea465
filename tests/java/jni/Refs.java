// SPDX-License-Identifier: Apache-2.0
// modes: !checkjni
/** JNI references: local frames, capacity, globals, weak globals, kinds, deletion. */
public class Refs {
    static native void locals(Object arg);
    static native void frames(Object arg);
    static native void globals(Object arg);
    static native void weak();
    static native Object keep(int n);
    static native Object fromFrame();
    static native Object deleted();
    static native void same(Object a, Object b);
    static native void many(int n);
    static native void nested(int depth);
    static native void outer();
    static native void inner(Object o);
    static native Object nullResult();
    static native Object returnsGlobal();
    static native Object returnsWeak();

    /** Called by outer, calls inner with what nothing else refers to. */
    static void between() { inner(make()); }

    static void fromNested(int depth) { if (depth > 0) nested(depth - 1); System.gc(); }

    static Object make() { return new Object() { public String toString() { return "weakly held"; } }; }

    public static void main(String[] args) {
        System.loadLibrary("Refs");
        locals("arg");
        frames("arg");
        globals("arg");
        weak();
        System.out.println(keep(100_000));
        System.out.println(fromFrame());
        System.out.println(deleted());
        String s = new String("x");
        same(s, s);
        same(s, new String("x"));
        same(null, null);
        same(s, null);
        many(300_000);
        nested(30);
        outer();
        System.out.println(nullResult() + " " + returnsGlobal() + " " + returnsWeak());
    }
}
