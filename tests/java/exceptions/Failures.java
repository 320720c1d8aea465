// SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.*;
import java.util.*;

/** Texts of the errors the VM itself throws: casts between loaders and modules, array stores, negative sizes, monitors, clone. */
public class Failures {
    interface Act { Object run() throws Throwable; }

    static void show(Act a) {
        try {
            System.out.println(a.run());
        } catch (Throwable t) {
            System.out.println(t.getClass().getName() + ": " + t.getMessage());
        }
    }

    static class Un { Object c() throws CloneNotSupportedException { return super.clone(); } }
    static abstract class Abs { abstract void m(); }
    static class Throwing { static int x = Integer.parseInt("zz"); static void touch() {} }
    static class Bad2 { static { if (true) throw new Error("in clinit"); } int f; }
    enum Colour { RED }

    public static void main(String[] args) throws Throwable {
        Object s = "str", arr = new int[1], objs = new Object[1], self = new Failures(), boxed = 5;
        show(() -> (Integer) s);
        show(() -> (String[]) objs);
        show(() -> (int[][]) arr);
        show(() -> (Failures) s);
        show(() -> (Runnable) self);
        show(() -> (String) self);
        show(() -> ((Object[]) arr));
        show(() -> (Long) boxed);
        show(() -> { List l = new ArrayList<>(List.of(1)); String x = (String) l.get(0); return x; });
        show(() -> { Object[] a = new Integer[1]; a[0] = "s"; return a; });
        show(() -> { Object[] a = new List[1][1]; a[0] = new Set[1]; return a; });
        show(() -> new int[Integer.parseInt("-5")]);
        show(() -> Array.newInstance(int.class, -2));
        show(() -> Array.newInstance(void.class, 2));
        show(() -> Array.get("no array", 0));
        show(() -> Array.getInt(new String[1], 0));
        show(() -> { Array.setByte(new int[1], 0, (byte) 3); return "widened"; });
        show(() -> { Array.setLong(new int[1], 0, 3); return ""; });
        show(() -> { self.wait(); return ""; });
        show(() -> { self.notify(); return ""; });
        show(() -> { synchronized (self) { self.wait(-1); } return ""; });
        show(() -> new Un().c());
        show(() -> Abs.class.getDeclaredConstructor().newInstance());
        show(() -> { Throwing.touch(); return ""; });
        show(() -> { Throwing.touch(); return ""; });
        show(() -> Throwing.x);
        show(() -> new Bad2());
        show(() -> new Bad2().f);
        show(() -> Class.forName("does.not.Exist"));
        show(() -> Class.forName("[Lnope;"));
        show(() -> Class.forName("int"));
        show(() -> Class.forName("java/lang/String"));
        show(() -> Class.forName("[[I"));
        show(() -> { System.loadLibrary("absent_library"); return ""; });
        show(() -> nat());
        show(() -> Colour.class.getDeclaredConstructor(String.class, int.class).newInstance("X", 1));
        show(() -> "abc".substring(2, 1));
        show(() -> "abc".charAt(5));
        show(() -> new String(new char[2], 1, 5));
        show(() -> 1 / (args.length));
        show(() -> 1L % (long) args.length);
        show(() -> { throw new ThreadDeath(); });
        show(() -> { Iterator<String> i = List.of("a").iterator(); i.next(); return i.next(); });
        show(() -> Optional.empty().get());
        show(() -> Thread.currentThread().getContextClassLoader().loadClass("x.Y"));
        show(() -> { Thread t = new Thread(() -> {}); t.start(); t.start(); return ""; });
        show(() -> { Thread.sleep(-1); return ""; });
        show(() -> new IllegalStateException("wrapped", new Error("inner")).toString() + new Exception(new Error("e")).getMessage());
        show(() -> { assert false : "not enabled"; return "assertions off"; });
    }

    static native Object nat();
}
