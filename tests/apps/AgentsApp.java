// SPDX-License-Identifier: Apache-2.0
import java.util.*;

public class AgentsApp {
    interface Account { long balance(); }
    static final class Savings implements Account {
        private long cents;
        Savings(long c) { cents = c; }
        public long balance() { return cents; }
        public final void deposit(long c) { if (c < 0) throw new IllegalArgumentException("negative"); cents += c; }
        static String currency() { return "EUR"; }
        private long fee() { return 3; }
        void charge() { cents -= fee(); }
    }
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    public static void main(String[] args) throws Exception {
        Savings s = new Savings(100);
        s.deposit(50);
        s.charge();
        try { s.deposit(-1); } catch (IllegalArgumentException e) { System.out.println("refused: " + e.getMessage()); }
        System.out.println(s.balance() + " " + Savings.currency() + " " + fib(10));
        Map<String, Integer> m = new TreeMap<>();
        for (String w : "a b c a b a".split(" ")) m.merge(w, 1, Integer::sum);
        System.out.println(m);
    }
}
