// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:-OmitStackTraceInFastThrow
/*
 * Exceptions that come out of calls, and of instructions, into handlers of hot code: what locals have there, which row of the table fits, what goes
 * on to the caller, through bodies, monitors and loops; whoever looks at the exception finds its class, text and trace.
 */
public class HandlersOfCalls {
    static final class Own extends RuntimeException {
        final int n;
        Own(int n) { super("own " + n, null, false, false); this.n = n; }
    }
    static final RuntimeException KEPT = new IllegalStateException("kept");
    static int field, ends;
    static Object[] things = {null, "text", 7, new int[3], new StringBuilder("b")};
    static int[] cells = {3, 1, 4, 1, 5};

    /* --- what throws; too large or too deep for a body, or not --- */
    static int thrower(int n) {
        if (n % 3 == 0) throw new Own(n);
        if (n % 7 == 0) throw KEPT;
        return n * 2;
    }
    static int deep(int n, int at) {
        if (n == 0) return thrower(at);
        try { return deep(n - 1, at) + 1; } finally { ends++; }
    }
    static int rows(int n) {
        int before = n * 3, after = -1;
        try {
            before++;
            after = deep(n % 5, n);
            before += 10;
        } catch (Own e) {
            return before * 1000 + e.n;
        } catch (IllegalStateException e) {
            return before * 1000 - (e == KEPT ? 1 : 2);
        }
        return before + after;
    }
    static int otherRow(int n) {
        try { return deep(n % 3, n); } catch (IllegalArgumentException e) { return -1; } catch (IllegalStateException e) { return -2; }
    }
    static int outer(int n) { try { return otherRow(n); } catch (Own e) { return e.n ^ 0x5555; } }
    static int nested(int n) {
        int s = 0;
        try {
            s += 1;
            try { s += deep(n & 3, n); } finally { s += 100; field = s; }
            s += 1000;
        } catch (RuntimeException e) { s += 10000; }
        return s;
    }
    static int inLoop(int n) {
        int s = 0;
        long wide = 1L << 40;
        double d = 0.5;
        for (int i = 0; i < n; i++) {
            try { s += thrower(i); wide += s; d += 0.25; }
            catch (Own e) { s ^= e.n; wide--; continue; }
            catch (RuntimeException e) { d *= 2; if (i > 60) break; }
            s++;
        }
        return s + (int) (wide >> 3) + (int) d;
    }
    static int again(int n) { /* a handler that covers itself by a loop around it */
        for (int tries = 0; ; tries++) {
            try { return thrower(n + tries) + tries * 100; } catch (Own e) { ends += e.n; }
        }
    }

    /* --- monitors --- */
    static final Object LOCK = new Object();
    static synchronized int locked(int n) { try { return thrower(n); } catch (Own e) { return Thread.holdsLock(HandlersOfCalls.class) ? -n : n; } }
    static synchronized int lockedThrough(int n) { return thrower(n) + 1; }
    static int around(int n) {
        try { return lockedThrough(n); } catch (RuntimeException e) { return Thread.holdsLock(HandlersOfCalls.class) ? 1 << 20 : n; }
    }
    static int block(int n) {
        try { synchronized (LOCK) { return thrower(n); } } catch (RuntimeException e) { return Thread.holdsLock(LOCK) ? 1 << 20 : n + 5; }
    }

    /* --- instructions; handlers that look, and that do not --- */
    static int length(int n) {
        int k = n;
        try { k += ((CharSequence) things[n % 6]).length(); }
        catch (NullPointerException e) { k += 100; }
        catch (ClassCastException e) { k += 200; }
        catch (ArrayIndexOutOfBoundsException e) { k += 300; }
        return k;
    }
    static int told(int n) {
        try { return ((CharSequence) things[n % 6]).length(); }
        catch (ClassCastException | NullPointerException e) { return e.getStackTrace()[0].getLineNumber(); }
        catch (ArrayIndexOutOfBoundsException e) { return e.getMessage().length(); }
    }
    static int divided(int n) {
        int q = 5;
        try { q = 1000 / (n & 3); q += (int) (77L / (n & 4)); } catch (ArithmeticException e) { q = -q; }
        return q;
    }
    static int stored(int n) {
        int s = 0;
        for (int i = 0; i < 8; i++)
            try { cells[i] = n + i; s += cells[i]; } catch (ArrayIndexOutOfBoundsException ignored) { s -= i; }
        return s;
    }
    static int index(int n) { return cells[n]; } /* as a body */
    static int indexed(int n) { try { return index(n % 9 - 2); } catch (RuntimeException e) { return -n; } }
    static int reused(int n) { /* the exception's local is another one's later */
        int s;
        try { s = index(n % 7); } catch (ArrayIndexOutOfBoundsException e) { s = 3; }
        { int x = s * 2; s += x; }
        return s;
    }
    static int kept(int n) {
        RuntimeException last = null;
        try { index(n % 7); } catch (ArrayIndexOutOfBoundsException e) { last = e; }
        return last == null ? 0 : last.getMessage().length();
    }

    interface Work { int at(int n); }
    static void run(String name, Work w) {
        int s = 0;
        for (int round = 0; round < 30; round++)
            for (int n = 0; n < 400; n++) {
                int r;
                try { r = w.at(n); } catch (Own e) { r = e.n + 17; } catch (RuntimeException e) { r = e.getMessage().hashCode(); }
                s = s * 31 + r;
            }
        System.out.println(name + " " + s + " " + field + " " + ends);
    }
    public static void main(String[] args) {
        run("rows", HandlersOfCalls::rows);
        run("otherRow", HandlersOfCalls::otherRow);
        run("outer", HandlersOfCalls::outer);
        run("nested", HandlersOfCalls::nested);
        run("inLoop", n -> inLoop(n % 90));
        run("again", HandlersOfCalls::again);
        run("locked", HandlersOfCalls::locked);
        run("around", HandlersOfCalls::around);
        run("block", HandlersOfCalls::block);
        run("length", HandlersOfCalls::length);
        run("told", HandlersOfCalls::told);
        run("divided", HandlersOfCalls::divided);
        run("stored", HandlersOfCalls::stored);
        run("indexed", HandlersOfCalls::indexed);
        run("reused", HandlersOfCalls::reused);
        run("kept", HandlersOfCalls::kept);
    }
}
