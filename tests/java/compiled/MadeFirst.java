// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:CompileThreshold=20 -XX:-OmitStackTraceInFastThrow
import java.util.function.Supplier;

/** What is made under a monitor when it is asked for first: seldom, for each object anew, by several threads at once, with a maker that fails. */
public class MadeFirst {
    static volatile MadeFirst only;
    static int made;
    final Supplier<Object> maker;
    volatile Object value;
    Object plain;
    boolean ready;
    int n;

    MadeFirst(Supplier<Object> maker) { this.maker = maker; }

    static MadeFirst only() {
        if (only == null)
            synchronized (MadeFirst.class) {
                if (only == null) {
                    made++;
                    only = new MadeFirst(() -> "only");
                }
            }
        return only;
    }
    Object value() {
        Object v = value;
        if (v != null) return v;
        synchronized (this) {
            if (value == null) {
                n++;
                value = maker.get();
            }
            return value;
        }
    }
    Object plain() {
        if (!ready)
            synchronized (this) {
                if (!ready) {
                    plain = maker.get();
                    n += 10;
                    ready = true;
                }
            }
        return plain;
    }
    synchronized Object both() {
        if (value == null)
            synchronized (maker) { value = maker.get() + "!"; }
        return value;
    }
    /** The monitor of what is null; and one that is given back by leaving. */
    static Object of(MadeFirst m, int k) {
        for (int i = 0; i < k; i++)
            if (m.value() == null) return i;
        return m.plain();
    }
    /** No first time: each turn enters. */
    int counted(Object o) {
        if (o == null)
            synchronized (this) { return n++; }
        return n;
    }

    static String alone() {
        StringBuilder s = new StringBuilder();
        long h = 0;
        for (int i = 0; i < 4000; i++) {
            MadeFirst m = only();
            h = h * 31 + m.value().hashCode() + m.n;
            if (i % 500 == 499) only = null;
        }
        s.append(h).append(' ').append(made).append('\n');
        MadeFirst kept = new MadeFirst(() -> 7);
        for (int i = 0; i < 3000; i++) {
            int k = i;
            MadeFirst m = i > 1500 && i % 3 == 0 ? new MadeFirst(() -> k % 30 == 0 ? null : k) : kept;
            h = h * 31 + String.valueOf(of(m, i % 4)).hashCode() + m.n + m.counted(i < 2000 ? "" : null);
            h = h * 31 + (i % 7 == 0 ? new MadeFirst(() -> k) : kept).both().hashCode();
            if (Thread.holdsLock(m) || Thread.holdsLock(m.maker)) s.append("held in ").append(i);
        }
        s.append(h).append('\n');
        return s.toString();
    }
    static String failing() {
        StringBuilder s = new StringBuilder();
        MadeFirst good = new MadeFirst(() -> "good");
        for (int i = 0; i < 1000; i++) {
            int k = i;
            MadeFirst m = i % 50 == 49 ? new MadeFirst(() -> { throw new IllegalStateException("fails " + k); }) : i % 70 == 69 ? null : good;
            try {
                Object o = i % 2 == 0 ? m.value() : m.plain();
                if (i % 100 == 0) s.append(o);
            } catch (RuntimeException e) {
                StackTraceElement[] at = e.getStackTrace();
                s.append(e.getClass().getSimpleName()).append(at[Math.max(0, at.length - 3)].getLineNumber()).append(at[at.length - 2].getMethodName());
            }
            if (m != null && Thread.holdsLock(m)) s.append("held in ").append(i);
        }
        return s.toString();
    }
    static String together() throws Exception {
        int[] wrong = {0};
        for (int round = 0; round < 300; round++) {
            MadeFirst m = new MadeFirst(Object::new);
            Object[] got = new Object[4];
            Thread[] all = new Thread[4];
            for (int t = 0; t < 4; t++) {
                int me = t;
                (all[t] = new Thread(() -> {
                    Object last = null;
                    for (int i = 0; i < 50; i++) last = m.value();
                    got[me] = last;
                })).start();
            }
            for (Thread t : all) t.join();
            for (Object o : got)
                if (o == null || o != got[0]) wrong[0]++;
            if (m.n != 1) wrong[0]++;
        }
        return "wrong " + wrong[0];
    }

    public static void main(String[] args) throws Exception {
        System.out.print(alone());
        System.out.println(failing());
        System.out.println(together());
    }
}
