// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.List;

/** Exceptions that a method throws and catches itself, also through bodies of others: which handler, with what locals, with what trace. */
public class Throwing {
    static final int TURNS = 30000;
    static long sum;

    static class First extends RuntimeException { First(String m) { super(m); } }
    static class Second extends First { Second(String m) { super(m); } }
    static class Plain extends Exception { final int n; Plain(int n) { super(null, null, false, false); this.n = n; } }
    static final Plain ONCE = new Plain(-3);

    static void note(long n) { sum = sum * 31 + n; }

    /* In the method itself. */
    static int here(int n) {
        int a = n, b = 1;
        try {
            a += 5;
            if (n % 3 == 0) throw new Second("three");
            b = 7;
            if (n % 5 == 0) throw new First("five");
            b = 9;
        } catch (Second e) {
            return a * 3 + b + e.getMessage().length();
        } catch (First e) {
            b += e.getMessage().length();
        } finally {
            note(a);
        }
        return a + b;
    }

    /* Out of bodies. */
    static int check(int n, int limit) {
        if (n > limit) throw new IllegalArgumentException("above");
        return n;
    }
    static int deeper(int n, int limit) { return check(n, limit) + check(n + 1, limit); }
    static int through(int n) {
        long wide = n * 3L;
        double d = n;
        try {
            wide += deeper(n & 15, 9);
            d *= 2;
        } catch (IllegalArgumentException e) {
            return (int) (wide - d);
        }
        return (int) (wide + d);
    }

    /* The class is not known: rows are asked. */
    static Exception made(int n) {
        switch (n % 5) {
        case 0: return new First("f");
        case 1: return new Second("s");
        case 2: return new Plain(n);
        case 3: return null;
        default: return new java.io.IOException("io");
        }
    }
    static int asked(int n) throws Exception {
        int k = 0;
        try {
            try {
                k = 1;
                throw made(n);
            } catch (Second e) {
                k = 20;
            } catch (Plain e) {
                k = 30 + (e.n & 7);
            } finally {
                k += 100;
            }
        } catch (NullPointerException e) {
            k += 1000;
        } catch (First | java.io.IOException e) {
            k += 2000 + e.getMessage().length();
        }
        return k;
    }

    /* Loops: on by the handler alone, out of it, and around. */
    static int loops(int n) {
        int i = 0, caught = 0;
        for (;;) {
            try {
                while (true) {
                    i++;
                    if (i % 4 == 0) throw ONCE;
                    if (i > n) throw new First("end");
                }
            } catch (Plain e) {
                caught += e.n;
            } catch (First e) {
                break;
            }
        }
        return caught * 7 + i;
    }
    static int retried(int n) {
        int tries = 0;
        while (true) {
            try {
                return check(n - tries, 3) + tries;
            } catch (IllegalArgumentException e) {
                tries++;
                continue;
            }
        }
    }

    /* Monitors on the way. */
    static synchronized int locked(int n) { return check(n, 4); }
    static synchronized int own(int n) {
        try {
            return check(n, 2);
        } catch (IllegalArgumentException e) {
            return -n;
        }
    }
    static final Object LOCK = new Object();
    static int region(int n) {
        try {
            synchronized (LOCK) {
                if (n > 3) throw ONCE;
                return n;
            }
        } catch (Plain e) {
            return e.n + (Thread.holdsLock(LOCK) ? 100 : 0);
        }
    }
    static int lockedOutside(int n) {
        try {
            return locked(n);
        } catch (IllegalArgumentException e) {
            return Thread.holdsLock(Throwing.class) ? 1 : 2;
        }
    }

    /* The handler's own exceptions, and none that fits. */
    static int again(int n) {
        try {
            try {
                if ((n & 1) == 0) throw new First("a");
            } catch (First e) {
                throw new IllegalStateException("b", e);
            }
        } catch (IllegalStateException e) {
            return e.getCause().getMessage().length() + e.getMessage().length();
        }
        return 0;
    }
    static int passes(int n) {
        try {
            if ((n & 3) == 1) throw new IllegalStateException("passes");
        } catch (First e) {
            return 1;
        }
        return 0;
    }

    /* Objects that are not made but for the handler. */
    record Pair(int a, Object b) {}
    static int objects(int n) {
        Pair p = new Pair(n, "x");
        int[] few = {n, 2, 3};
        try {
            few[1] = check(n & 7, 3);
            p = new Pair(few[1], null);
        } catch (IllegalArgumentException e) {
            return p.a() + few[0] + few[1] + (p.b() == null ? 50 : 0);
        }
        return p.a() + few[1];
    }

    static Throwable kept(int n) {
        try {
            deeper(n, 0);
        } catch (IllegalArgumentException e) {
            return e;
        }
        return null;
    }
    static void show(Throwable t) {
        System.out.println(t);
        for (StackTraceElement e : t.getStackTrace()) System.out.println("  " + e);
    }

    static Throwable from(int n) {
        try {
            passes(n);
            return null;
        } catch (IllegalStateException e) {
            return e;
        }
    }

    public static void main(String[] args) throws Exception {
        List<Throwable> some = new ArrayList<>();
        for (int i = 1; i <= TURNS; i++) {
            note(here(i));
            note(through(i));
            note(asked(i));
            note(loops(i & 15));
            note(retried(i & 7));
            note(own(i & 3));
            note(region(i & 7));
            note(lockedOutside(i & 7));
            note(again(i));
            note(objects(i));
            Throwable t = from(i), k = kept(i);
            note(t == null ? 1 : t.getStackTrace().length);
            if (i == 5 || i == TURNS / 2 || i == TURNS - 3) {
                some.add(t);
                some.add(k);
            }
        }
        System.out.println(sum);
        for (Throwable t : some)
            if (t != null) show(t);
    }
}
