// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:CompileThreshold=20

/**
 * Synchronized bodies whose monitor optimised code does not take, since nobody else knows the object or code around has it, and that call, allocate,
 * loop, throw and are left in the middle: afterwards no monitor is held, and while they run another thread never gets in.
 */
public class LocksLeft {
    static class Odd extends Exception {
        Odd() {
            super("odd", null, false, false);
        }
    }

    /** Has a loop and recursion, so it is called. */
    static int work(int k) throws Odd {
        int s = 0;
        for (int i = 0; i < (k & 3); i++) s += i * k;
        if (k % 1009 == 1008) throw new Odd();
        return k % 97 == 0 ? s + work(k / 97 + 1) : s;
    }

    static class Local {
        int n;
        int[] kept = new int[1];

        synchronized int add(int k) throws Odd {
            n += k;
            int w = work(k);
            return inner(k) + w;
        }

        int inner(int k) {
            if (n + 1 > kept.length) kept = java.util.Arrays.copyOf(kept, n + 1 + (k & 7));
            for (int i = n; i < kept.length; i++) kept[i] += k;
            return kept[n / 2];
        }

        synchronized int twice(int k) throws Odd {
            return add(k & 15) + again(k & 7);
        }

        synchronized int again(int k) throws Odd {
            n -= k / 2;
            return work(k) + kept.length;
        }
    }

    static Local published;

    static class Late {
        int n;

        /** Known to others in the middle. */
        synchronized int publish(int k) throws Odd {
            n = k;
            if (k % 500 == 7) shared = this;
            return work(k) + n;
        }
    }

    static Late shared;

    static int local(int k) {
        Local a = new Local();
        int s = 0;
        try {
            for (int i = 0; i < 3; i++) s += a.add((k + i) % 2000);
            s += a.twice(k);
        } catch (Odd e) {
            s += 7;
        }
        if (k % 100 == 0) {
            if (Thread.holdsLock(a)) throw new IllegalStateException("still held");
            published = a;
        }
        return s;
    }

    static int late(int k) {
        Late l = new Late();
        try {
            return l.publish(k);
        } catch (Odd e) {
            return Thread.holdsLock(l) ? -1000000 : 3;
        }
    }

    static class Shared {
        int inside, n;

        synchronized int outer(int k) throws Odd {
            inside++;
            int r = inner(k);
            if (inside != 1) throw new IllegalStateException("two inside");
            inside--;
            return r;
        }

        synchronized int inner(int k) {
            try {
                n += work(k % 3000);
                return middle(k);
            } catch (Odd e) {
                return n;
            }
        }

        synchronized int middle(int k) throws Odd {
            n += k & 1;
            if (k % 2048 == 5) rest();
            return work(k & 1023);
        }

        void rest() {
            int was = inside;
            inside = 0;
            try {
                wait(0, 1000);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            inside = was;
        }
    }

    static int[] strings(int k) {
        StringBuffer b = new StringBuffer(4);
        for (int i = 0; i < 12; i++) b.append((char) ('a' + (i + k) % 26)).append(i);
        java.util.Vector<Integer> v = new java.util.Vector<>(2);
        for (int i = 0; i < 6; i++) v.add(i + k);
        int missing = 0;
        try {
            v.get(k % 9);
        } catch (ArrayIndexOutOfBoundsException e) {
            missing = 1;
        }
        return new int[] {b.toString().hashCode(), v.hashCode(), missing};
    }

    static long shared(Shared x, int from, int to) throws Exception {
        long s = 0;
        for (int i = from; i < to; i++) {
            try {
                s += x.outer(i) & 1;
            } catch (Odd e) {
                synchronized (x) {
                    x.inside--;
                }
            }
        }
        return s;
    }

    public static void main(String[] a) throws Exception {
        long s = 0;
        for (int i = 0; i < 12000; i++) s = s * 31 + local(i);
        System.out.println("local " + s);
        Thread other = new Thread(() -> {
            synchronized (published) {
                published.n = 0;
            }
            synchronized (shared) {
                shared.n = 0;
            }
        });
        for (int i = 0; i < 12000; i++) s = s * 31 + late(i);
        System.out.println("late " + s);
        other.start();
        other.join();
        for (int i = 0; i < 4000; i++)
            for (int x : strings(i)) s = s * 31 + x;
        System.out.println("strings " + s);
        Shared x = new Shared();
        Thread[] all = new Thread[3];
        for (int t = 0; t < all.length; t++) {
            all[t] = new Thread(() -> {
                try {
                    shared(x, 0, 8000);
                } catch (Throwable e) {
                    System.out.println(e);
                }
            });
            all[t].start();
        }
        for (Thread t : all) t.join();
        System.out.println("shared " + x.inside + " " + Thread.holdsLock(x));
    }
}
