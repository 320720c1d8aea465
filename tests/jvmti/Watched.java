// SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.*;
import java.lang.reflect.Field;
import java.util.*;

/** What agent_watch.c watches: fields of all types, used by all kinds of code, before, during and after. */
public class Watched {
    static native String watch(Class<?> c, String field, String what);
    static native void quiet(boolean on);
    static native void byJni(Object o);

    boolean z; byte b; char c; short h; int i; long j; float f; double d; Object o; volatile int v;
    static boolean sz; static byte sb; static char sc; static short sh; static int si; static long sj; static float sf; static double sd;
    static Object so; static volatile int sv;
    static final String[] NAMES = {"z", "b", "c", "h", "i", "j", "f", "d", "o", "v"};

    static void put(Watched w, int n) {
        w.z = n > 1; w.b = (byte) (n + 200); w.c = (char) (n + 65500); w.h = (short) (n + 40000); w.i = n; w.j = (long) n << 33;
        w.f = n + 0.5f; w.d = n + 0.25; w.o = n > 1 ? w : null; w.v = n;
        sz = n > 1; sb = (byte) (n + 200); sc = (char) (n + 65500); sh = (short) (n + 40000); si = n; sj = (long) n << 33;
        sf = n + 0.5f; sd = n + 0.25; so = n > 1 ? w : null; sv = n;
    }
    static String get(Watched w) {
        double sum = w.b + w.c + w.h + w.i + w.j + w.f + w.d + w.v;
        boolean any = w.z && w.o != null;
        sum += sb + sc + sh + si + sj + sf + sd + sv;
        return sum + " " + (any && sz && so != null);
    }
    int fused() {
        int k = i;
        k += this.i + i;
        i++;
        i += 2;
        return k;
    }
    static class Sub extends Watched {
        int own;
        int twice() { return i + i; }
        Sub() { i = 5; own = 6; }
    }
    interface Constants { Object CONSTANT = new Object(); }
    static class Late { static int count = 3; int x = count; }
    record Pair(int left, String right) { }
    enum Color { RED; int uses; void use() { uses++; } }

    static void all(String what) {
        for (String n : NAMES) {
            System.out.println(n + " " + watch(Watched.class, n, what) + " " + watch(Watched.class, "s" + n, what));
        }
    }
    static void use(String when) throws Exception {
        System.out.println("== " + when);
        Watched w = new Watched();
        put(w, 2);
        System.out.println(get(w));
        System.out.println(w.fused());
        byJni(w);
        System.out.println(get(w));
    }
    static void indirect() throws Exception {
        System.out.println("== reflection, handles");
        Watched w = new Watched();
        Field f = Watched.class.getDeclaredField("i");
        f.setInt(w, 3);
        System.out.println(f.getInt(w) + " " + f.get(w));
        VarHandle vh = MethodHandles.lookup().findVarHandle(Watched.class, "i", int.class);
        vh.set(w, 4);
        System.out.println((int) vh.get(w) + " " + vh.compareAndSet(w, 4, 5));
        MethodHandle mh = MethodHandles.lookup().findGetter(Watched.class, "i", int.class);
        try {
            System.out.println((int) mh.invokeExact(w));
        } catch (Throwable e) {
            System.out.println(e);
        }
    }
    static void others() throws Exception {
        System.out.println("== classes");
        System.out.println(watch(Sub.class, "i", "sa") + watch(Sub.class, "own", "sm"));
        Sub s = new Sub();
        System.out.println(s.twice() + s.own);
        System.out.println(watch(Constants.class, "CONSTANT", "sa") + watch(Constants.class, "CONSTANT", "sm"));
        System.out.println(Constants.CONSTANT != null);
        System.out.println(watch(Late.class, "count", "sa") + watch(Late.class, "count", "sm") + watch(Late.class, "x", "sm"));
        System.out.println(new Late().x + new Late().x);
        System.out.println(watch(Pair.class, "left", "sa") + watch(Pair.class, "left", "sm"));
        Pair p = new Pair(1, "r");
        System.out.println(p.left() + p.hashCode() * 0 + " " + p.equals(new Pair(1, "r")));
        System.out.println(watch(Color.class, "uses", "sa") + watch(Color.class, "uses", "sm"));
        Color.RED.use();
        Runnable r = () -> Color.RED.uses = 4;
        r.run();
        System.out.println(watch(String.class, "hash", "sm"));
        quiet(true);
        for (int k = 0; k < 100; k++)
            ("x" + k).hashCode();
        quiet(false);
        System.out.println(watch(String.class, "hash", "cm"));
    }
    /** The reference reports an access here, to no field; we none. */
    static void thrower() {
        System.out.println("== exceptions");
        Watched w = null;
        quiet(true);
        for (int k = 0; k < 2; k++)
            try {
                w.i = k + get(w).length();
            } catch (NullPointerException e) {
                System.out.println("thrown");
            }
        quiet(false);
    }
    /** Nobody else has the object: a watched field is accessed now and then, others in each turn. */
    static long local(int n) {
        Watched w = new Watched();
        for (int k = 1; k <= n; k++) {
            w.j += k ^ w.h;
            w.h = (short) k;
            if ((k & 0x7fff) == 0) w.i += (int) w.j;
        }
        return w.i + w.j;
    }
    static void locals() {
        System.out.println("== an object nobody else has");
        long before = local(70000);
        for (int k = 0; k < 300; k++) if (local(70000) != before) System.out.println("another result");
        System.out.println(watch(Watched.class, "i", "sa") + watch(Watched.class, "i", "sm"));
        quiet(true);
        for (int k = 0; k < 300; k++) if (local(70000) != before) System.out.println("another result");
        quiet(false);
        System.out.println(local(70000) == before);
        System.out.println(watch(Watched.class, "i", "ca") + watch(Watched.class, "i", "cm"));
    }
    public static void main(String[] args) throws Exception {
        System.loadLibrary("agent_watch");
        quiet(true);
        for (int k = 0; k < 3; k++)
            use("off");
        quiet(false);
        all("ca");
        all("sa");
        all("sa");
        use("access");
        all("sm");
        use("both");
        all("ca");
        use("modification");
        all("sm");
        indirect();
        thrower();
        all("cm");
        all("cm");
        use("off again");
        locals();
        others();
        Thread t = new Thread(() -> {
            Watched w = new Sub();
            for (int k = 0; k < 3; k++)
                w.i += k;
        });
        t.start();
        t.join();
    }
}
