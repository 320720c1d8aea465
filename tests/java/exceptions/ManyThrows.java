// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** Exceptions as control flow: handler tables, ordering, nested frames, rethrow, multi-catch, through synchronized and natives. */
public class ManyThrows {
    static class A extends Exception {}
    static class B extends A {}
    static class C extends RuntimeException { final int v; C(int v) { super(null, null, false, false); this.v = v; } }

    static int which(int k) {
        try {
            switch (k) {
            case 0: throw new A();
            case 1: throw new B();
            case 2: throw new C(5);
            case 3: return ((int[]) null)[0];
            case 4: return new int[0].clone()[0];
            case 5: return (Integer) (Object) "x";
            case 6: throw new Error();
            case 7: return 1 / (k - 7);
            default: return -1;
            }
        } catch (B e) {
            return 1;
        } catch (A e) {
            return 2;
        } catch (NullPointerException | ArrayIndexOutOfBoundsException e) {
            return 3;
        } catch (C e) {
            return e.v;
        } catch (RuntimeException e) {
            return 6;
        } catch (Throwable t) {
            return 7;
        }
    }

    final Object lock = new Object();

    synchronized int locked(int n) {
        synchronized (lock) {
            if (n == 0)
                throw new C(1);
            return locked(n - 1);
        }
    }

    static int loop(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            try {
                up(i % 20, i);
            } catch (C c) {
                sum += c.v;
            } finally {
                sum = sum * 31 ^ i;
            }
        }
        return sum;
    }

    static void up(int n, int v) {
        if (n == 0)
            throw new C(v);
        try {
            up(n - 1, v);
        } catch (ClassCastException e) {
            throw new AssertionError(e);
        }
    }

    static <T extends Throwable> void sneaky(Throwable t) throws T { throw (T) t; }

    public static void main(String[] args) throws Exception {
        for (int k = 0; k < 9; k++)
            System.out.print(which(k) + " ");
        System.out.println();
        System.out.println(loop(20000));
        ManyThrows m = new ManyThrows();
        for (int i = 0; i < 50; i++)
            try {
                m.locked(i);
            } catch (C c) {
                if (Thread.holdsLock(m) || Thread.holdsLock(m.lock))
                    System.out.println("still locked");
            }
        try { ManyThrows.<RuntimeException>sneaky(new A()); } catch (Exception e) { System.out.println(e.getClass()); }
        try { List.of(1, 2).forEach(x -> { throw new C(x); }); } catch (C c) { System.out.println(c.v); }
        try { Class.forName("ManyThrows$Init"); } catch (ExceptionInInitializerError e) { System.out.println(e.getCause() + " " + e.getMessage()); }
        try { new Init(); } catch (NoClassDefFoundError e) { System.out.println(e.getMessage() + " / " + e.getCause()); }
        try { java.security.AccessController.doPrivileged((java.security.PrivilegedExceptionAction<Object>) () -> { throw new A(); }); }
        catch (java.security.PrivilegedActionException e) { System.out.println(e + " " + e.getException().getClass()); }
    }

    static class Init { static final int X; static { X = new int[0].length; if (X == 0) throw new C(9); } }
}
