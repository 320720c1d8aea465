// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** Methods whose locals are looked at; compiled with and without debug attributes. */
public class Variables {
    int field = 7;

    static int flow(int a, long b, boolean z, Object o, double d) {
        int x;
        if (z)
            x = a + 1;
        else {
            String s = "else" + a;
            x = s.length();
        }
        for (int i = 0; i < 2; i++) {
            float f = i + 0.5f;
            byte by = (byte) (i - 1);
            long l = b << 33;
            x += (int) (f + l) + by;
        }
        {
            char c = 'c';
            short sh = -2;
            x += c + sh;
        }
        try {
            Object[] array = new Object[1];
            array[0] = o;
            if (a > 2)
                throw new IllegalStateException("thrown");
            int y = a;
            x += y;
        } catch (IllegalStateException e) {
            double dd = d * 2;
            x += (int) dd;
        }
        switch (a) {
        case 1: { int k = 1; x += k; break; }
        case 3: { List<String> list = new ArrayList<>(); x += list.size(); break; }
        default: { long k = 5; x += (int) k; }
        }
        return x;
    }
    int instance(String s, long[] v, List<String> list) {
        long sum = 0;
        for (long e : v)
            sum += e;
        Frames.dump(null, 1, 2, true);
        System.out.println("after dump " + s + " " + sum + " " + list);
        return (int) sum;
    }
    static synchronized void assigned(int i, long j, float f, double d, String s, Object o, int[] a, boolean z, byte b, char c,
                                      short h, CharSequence q, Number[] nums) {
        String[] r = new String[40];
        int n = 0;
        Object mine = new StringBuilder("builder");
        r[n++] = Frames.set(null, 1, 0, 'I', 42, null);
        r[n++] = Frames.set(null, 1, 0, 'J', 42, null);
        r[n++] = Frames.set(null, 1, 0, 'L', 42, "wrong");
        r[n++] = Frames.set(null, 1, 1, 'J', 1L << 40, null);
        r[n++] = Frames.set(null, 1, 2, 'I', 5, null);
        r[n++] = Frames.set(null, 1, 3, 'F', 1.5, null);
        r[n++] = Frames.set(null, 1, 4, 'D', 2.25, null);
        r[n++] = Frames.set(null, 1, 6, 'L', 0, "text");
        r[n++] = Frames.set(null, 1, 6, 'L', 0, new Object());
        r[n++] = Frames.set(null, 1, 7, 'L', 0, new int[2][]);
        r[n++] = Frames.set(null, 1, 8, 'L', 0, new int[] {9});
        r[n++] = Frames.set(null, 1, 8, 'L', 0, new long[] {9});
        r[n++] = Frames.set(null, 1, 9, 'I', 1, null);
        r[n++] = Frames.set(null, 1, 10, 'I', -5, null);
        r[n++] = Frames.set(null, 1, 11, 'I', 'q', null);
        r[n++] = Frames.set(null, 1, 12, 'I', -1234, null);
        r[n++] = Frames.set(null, 1, 13, 'L', 0, new StringBuilder("chars"));
        r[n++] = Frames.set(null, 1, 13, 'L', 0, Integer.valueOf(3));
        r[n++] = Frames.set(null, 1, 14, 'L', 0, new Integer[] {4});
        r[n++] = Frames.set(null, 1, 14, 'L', 0, new Object[] {4});
        r[n++] = Frames.set(null, 1, 17, 'L', 0, "mine");
        r[n++] = Frames.set(null, 1, 18, 'I', 0, null);
        r[n++] = Frames.set(null, 1, -1, 'I', 0, null);
        r[n++] = Frames.set(null, 1, 400, 'I', 0, null);
        r[n++] = Frames.set(null, 0, 0, 'I', 0, null);
        r[n++] = Frames.set(null, 400, 0, 'I', 0, null);
        r[n++] = Frames.set(null, -1, 0, 'I', 0, null);
        System.out.println(i + " " + j + " " + f + " " + d + " " + s + " " + (o instanceof int[][]) + " " + a[0] + " " + z + " " + b
            + " " + c + " " + h + " " + q + " " + nums.length + " " + mine);
        System.out.println(Arrays.toString(r));
        Frames.set(null, 1, 6, 'L', 0, null);
        System.out.println(s);
    }
}
