// SPDX-License-Identifier: Apache-2.0
/** See Redefinition. */
public class Template implements Runnable {
    int n;
    String s = "mark0";
    public void run() { for (int i = 0; i < 10; i++) n += a(i) + b(i) + c(i) + d(i) + e(i) + (int) (f(i) + g(i)) + h("x" + i).length(); }
    int a(int x) { return x + 1; }
    int b(int x) { return "mark0".length() + x; }
    int c(int x) { int r = 0; for (int i = 0; i < x; i++) r += i ^ x; return r; }
    int d(int x) { try { return x / (x & 1); } catch (ArithmeticException e) { return -1; } }
    int e(int x) { switch (x) { case 1: return 4; case 2: return 9; case 7: return 3; default: return x; } }
    long f(long x) { return x * 31 + n; }
    double g(double x) { return Math.sqrt(x) + n; }
    String h(String x) { return s + x; }
    static int i(int x) { return x; }
    static int j(int x) { return i(x) + 1; }
    static int k(int x) { return j(x) + i(x); }
    Object l() { return new Object(); }
    int[] m(int x) { int[] r = new int[x]; for (int i = 0; i < x; i++) r[i] = i; return r; }
    boolean o(Object x) { return x instanceof Template && ((Template) x).n == n; }
    synchronized int p() { return n++; }
    int q() { synchronized (this) { return n--; } }
    StringBuilder r(StringBuilder b) { return b.append(n).append(s).append("mark0"); }
    int t(String x) { return x == null ? 0 : x.isEmpty() ? 1 : x.charAt(0); }
    char[] u() { return s.toCharArray(); }
}
