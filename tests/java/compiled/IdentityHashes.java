// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:CompileThreshold=20
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Identity hash codes stay what they are: asked in any way, for the first time or again, with the monitor taken, waited for, after collections. */
public class IdentityHashes {
    static class Own {
        int n;
        @Override public int hashCode() { return super.hashCode(); }
    }
    static class Other extends Own {
        @Override public int hashCode() { return n == 3 ? 3 : super.hashCode(); }
    }
    static class Alone {
        @Override public int hashCode() { return super.hashCode(); }
    }
    static int hash(Object o) { return o.hashCode(); }
    static int identity(Object o) { return System.identityHashCode(o); }
    static boolean fresh() {
        Object o = new Object();
        return o.hashCode() == System.identityHashCode(o) && o.hashCode() >= 0;
    }
    static boolean locked(Object o) {
        int before = o.hashCode();
        synchronized (o) {
            if (before != System.identityHashCode(o)) return false;
        }
        return before == o.hashCode();
    }
    static boolean lockedFirst(Object o) {
        int h;
        synchronized (o) { h = o.hashCode(); }
        return h == System.identityHashCode(o);
    }
    static int counted(Map<TimeUnit, Integer> m, TimeUnit[] all, int i) { return m.merge(all[i % all.length], 1, Integer::sum); }

    static int hashedAndAsked(Alone o, int n) { /* both can be asked before the loop */
        int s = 0;
        for (int i = 0; i < n; i++) {
            s += o.hashCode() ^ i;
            if ((Class<?>) o.getClass() == Other.class) s++;
        }
        return s;
    }
    static String hashedAndAsked(Alone o) {
        Alone own = new Alone();
        int h = own.hashCode(), other = 0;
        for (int i = 0; i < 30000; i++)
            if (hashedAndAsked(own, 40) == hashedAndAsked(own, 39) + (h ^ 39)) other++;
        try {
            return other + " " + hashedAndAsked(o, 40);
        } catch (NullPointerException e) {
            return other + " " + e.getStackTrace()[0].getMethodName() + " " + hashedAndAsked(o, 0);
        }
    }

    public static void main(String[] args) throws Exception {
        int wrong = 0;
        Object[] all = {new Object(), new Own(), "text", IdentityHashes.class, TimeUnit.DAYS, new int[2], Thread.currentThread(), null};
        int[] was = new int[all.length];
        for (int i = 0; i < all.length; i++) was[i] = System.identityHashCode(all[i]);
        for (int k = 0; k < 3000; k++) {
            if (!fresh() || !locked(new Object()) || !lockedFirst(new Object()) || !locked(all[k % 7])) wrong++;
            for (int i = 0; i < all.length; i++)
                if (identity(all[i]) != was[i] || (all[i] != null && !(all[i] instanceof String) && hash(all[i]) != was[i])) wrong++;
            if (k % 1000 == 999) System.gc();
        }
        System.out.println("wrong " + wrong + " " + identity(null) + " " + "text".hashCode());
        Other o = new Other();
        int h = hash(o);
        o.n = 3;
        System.out.println(hash(o) + " " + (h == identity(o)));
        try {
            System.out.println(hash(null));
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        Map<TimeUnit, Integer> m = new HashMap<>();
        Map<Object, Integer> byIdentity = new IdentityHashMap<>();
        int sum = 0;
        for (int i = 0; i < 3000; i++) {
            sum += counted(m, TimeUnit.values(), i);
            sum += byIdentity.merge(i % 2 == 0 ? all[i % 7] : Integer.valueOf(i % 100), 1, Integer::sum);
        }
        System.out.println(sum + " " + m.get(TimeUnit.HOURS) + " " + byIdentity.size());
        Object inflated = new Object();
        int before = inflated.hashCode();
        Thread[] t = new Thread[3];
        int[] n = {0};
        for (int i = 0; i < t.length; i++) {
            (t[i] = new Thread(() -> {
                for (int k = 0; k < 3000; k++)
                    synchronized (inflated) { n[0] += hash(inflated) == before ? 1 : 1000000; }
            })).start();
        }
        for (Thread x : t) x.join();
        System.out.println(n[0] + " " + (identity(inflated) == before));
        System.out.println(hashedAndAsked(null));
    }
}
