// SPDX-License-Identifier: Apache-2.0
/** Small objects that mostly live for a short time: what compilers do without, and have to make when code is left, or when somebody else sees them. */
public final class Val {
    public int i;
    public long j;
    public double d;
    public float f;
    public byte b;
    public char c;
    public boolean z;
    public Val next;
    public Object o;
    public static Val kept;

    public Val(int i) { this.i = i; }
    public Val(int i, long j) {
        this.i = i;
        this.j = j;
    }

    public static Val of(int i, long j) {
        Val v = new Val(i, j);
        v.b = (byte) j;
        v.c = (char) i;
        v.z = (i & 1) != 0;
        v.f = j;
        return v;
    }
    public Val add(Val v) {
        Val r = new Val(i + v.i, j ^ v.j);
        r.b = (byte) (b + v.i);
        r.o = v;
        return r;
    }
    public Val with(Val n) {
        next = n;
        return this;
    }
    public Val pair() {
        Val x = new Val(i), y = new Val(i + 1, j);
        x.next = y;
        y.next = x;
        return (i & 1) == 0 ? x : y.next;
    }
    public int sum() { return i + (int) j + b + c + (z ? 1 : 0) + (int) f; }
    public int div(int by) {
        Val t = new Val(i, by), u = new Val(by);
        t.next = this;
        u.next = t;
        return u.next.next.i / by + t.i % (int) u.next.j;
    }
    public Val keep(int n) {
        Val v = new Val(n, i);
        v.next = this;
        if ((n & 3) == 0) kept = v;
        return v;
    }
    public int walk(int n) {
        int s = 0;
        n &= 0x3ff; // lists may be rings, and a mode may be a hundred times as slow as the reference
        for (Val v = this; v != null && n-- > 0; v = v.next) s = s * 31 + v.i;
        return s;
    }
    public static int all(int... v) {
        int s = 0;
        for (int k = 0; k < v.length; k++) s = s * 31 + v[k];
        return s;
    }
    public static int three(int x, int y) { return all(x, y, x ^ y); }
    public static Val fold(int n, Val from) {
        Val a = new Val(n);
        for (int k = 0; k < (n & 15); k++) {
            Val t = new Val(k, a.j + n);
            t.next = a;
            if (k == 11) t.next = from.next;
            a = k % 5 == 3 ? a : a.add(t);
            if (a.i % 7 == 5) kept = t;
        }
        return a;
    }
    public static Val either(int n, Val x) {
        Val a = new Val(n), r = n > 5 ? a : n < -5 ? new Val(1) : x;
        return r == a ? r.with(x) : r;
    }
}
