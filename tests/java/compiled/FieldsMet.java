// SPDX-License-Identifier: Apache-2.0
// options: -XX:+IgnoreUnrecognizedVMOptions -XX:CompileThreshold=20

/** Fields that are stored on some of several ways and loaded where these meet: all types, nested ways, other objects, calls, volatile fields, exceptions. */
public class FieldsMet {
    int i, j;
    long l;
    float f;
    double d;
    Object r;
    FieldsMet next;
    byte b;
    char c;
    boolean z;
    volatile int v;
    static int s;
    static Object t;

    int clamp(int x) {
        i += x;
        if (i > 500) { i = 500; j = -Math.abs(j); }
        if (i < 0) { i = 0; j = Math.abs(j); }
        return i * 7 + j;
    }

    long types(int k) {
        if ((k & 1) == 0) { l = k; f = k; d = k; r = "even"; b = (byte) k; c = (char) k; z = true; }
        else { l = -k; f = -k; d = k * 0.5; r = null; b = (byte) (k >> 3); c = (char) -k; z = false; }
        long sum = l + (long) f + (long) d + (r == null ? 1 : r.hashCode()) + b + c + (z ? 5 : 0);
        if ((k & 2) == 0) { l++; r = this; b++; }
        return sum * 31 + l + (r == this ? 3 : r == null ? 2 : 1) + b;
    }

    /** One way stores nothing. */
    int half(int k) {
        int before = i;
        if (k % 3 == 0) i = k;
        int a = i;
        if (k % 5 == 0) {
            if (k % 2 == 0) i = a + 1;
            else j = a;
        } else if (k % 7 == 0) i -= 2;
        return before + a * 3 + i * 5 + j;
    }

    /** The other object may be this one. */
    int alias(FieldsMet o, int k) {
        i = k;
        if ((k & 1) == 0) o.i = -k;
        int a = i;
        if ((k & 2) == 0) o.i++;
        else i += 10;
        return a * 3 + i + o.i;
    }

    int called(int k) {
        i = k;
        if ((k & 3) == 0) other();
        int a = i;
        if ((k & 4) == 0) { i = 1; other(); }
        else i = 2;
        return a * 5 + i;
    }
    void other() { i += 100; if (next != null) next.i++; }

    int ordered(int k) {
        i = k;
        if ((k & 1) == 0) { i = v; v = k; }
        return i + v;
    }

    int caught(int[] a, int k) {
        i = 0;
        try {
            i = 1;
            if (k % 4 == 0) i = a[k % 8];
            else i = 3;
        } catch (ArrayIndexOutOfBoundsException e) {
            j++;
        }
        return i * 10 + (j & 7);
    }

    int ways(int k) {
        switch (k & 7) {
            case 0: i = 1; break;
            case 1: i = 2; j = 4; break;
            case 2: j = 5; break;
            case 3: return i;
            default: i = j; break;
        }
        return i * 100 + j;
    }

    static int statics(int k) {
        if ((k & 1) == 0) s += k;
        else { s = k; t = k < 100 ? null : "x"; }
        return s + (t == null ? 1 : 2);
    }

    /** An object of which nobody else knows. */
    static int local(int k) {
        FieldsMet o = new FieldsMet();
        if ((k & 1) == 0) o.i = k;
        if ((k & 2) == 0) { o.j = o.i + 1; o.r = o; }
        return o.i * 3 + o.j + (o.r == o ? 7 : 0);
    }

    static int list(FieldsMet head, int k) {
        int sum = 0;
        for (FieldsMet o = head; o != null; o = o.next) {
            if (o.i > k) o.i -= k;
            else o.i++;
            sum += o.i;
            if (o.i == 3 && o.next != null && k == 11) o.next = o.next.next;
        }
        return sum;
    }

    public static void main(String[] args) {
        FieldsMet a = new FieldsMet(), b = new FieldsMet();
        a.next = b;
        b.next = new FieldsMet();
        b.next.next = new FieldsMet();
        a.j = 3;
        int[] four = {4, 3, 2, 1};
        long sum = 0;
        for (int round = 0; round < 5; round++) {
            for (int k = 0; k < 3000; k++) {
                sum = sum * 31 + a.clamp(k % 90 - 30) + a.types(k) + a.half(k) + a.alias((k & 8) == 0 ? a : b, k) + a.called(k) + b.ordered(k);
                sum = sum * 31 + b.caught(four, k) + b.ways(k) + statics(k) + local(k) + list(a, k % 12);
            }
            System.out.println(sum + " " + a.i + " " + a.j + " " + a.l + " " + b.i + " " + b.j + " " + b.v + " " + s);
        }
        try {
            a.alias(null, 2);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage() + " " + a.i);
        }
        try {
            a.next = null;
            list(a, 1);
            a.alias(null, 5);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage() + " " + a.i);
        }
    }
}
