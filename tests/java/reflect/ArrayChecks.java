// SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.Array;
import java.util.*;

/** java.lang.reflect.Array: what is looked at first when several things are wrong. */
public class ArrayChecks {
    interface A { Object get() throws Throwable; }
    static void show(String what, A a) {
        String r;
        try { Object o = a.get(); r = o == null ? "null" : o.getClass().isArray() ? o.getClass().getName() + Array.getLength(o) : o.getClass().getSimpleName() + " " + o; } catch (Throwable t) { r = t.toString(); }
        System.out.println(what + ": " + r);
    }
    public static void main(String[] args) {
        Object[] targets = {null, "text", new boolean[2], new byte[2], new char[2], new short[2], new int[2], new long[2], new float[2], new double[2], new String[2], new Object[2], new int[2][1], new Integer[2]};
        Object[] values = {null, "s", true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6d, new int[1], new Object()};
        int[] indexes = {-1, 0, 1, 2, Integer.MIN_VALUE, Integer.MAX_VALUE};
        for (Object t : targets) {
            String n = t == null ? "null" : t.getClass().getSimpleName();
            show("length " + n, () -> Array.getLength(t));
            for (int i : indexes) {
                String w = n + "[" + i + "]";
                show("get " + w, () -> Array.get(t, i));
                show("getBoolean " + w, () -> Array.getBoolean(t, i));
                show("getByte " + w, () -> Array.getByte(t, i));
                show("getChar " + w, () -> Array.getChar(t, i));
                show("getShort " + w, () -> Array.getShort(t, i));
                show("getInt " + w, () -> Array.getInt(t, i));
                show("getLong " + w, () -> Array.getLong(t, i));
                show("getFloat " + w, () -> Array.getFloat(t, i));
                show("getDouble " + w, () -> Array.getDouble(t, i));
                for (Object v : values) show("set " + w + " " + (v == null ? "null" : v.getClass().getSimpleName()), () -> { Array.set(t, i, v); return "ok"; });
                show("setBoolean " + w, () -> { Array.setBoolean(t, i, true); return "ok"; });
                show("setByte " + w, () -> { Array.setByte(t, i, (byte) 1); return "ok"; });
                show("setChar " + w, () -> { Array.setChar(t, i, 'c'); return "ok"; });
                show("setShort " + w, () -> { Array.setShort(t, i, (short) 1); return "ok"; });
                show("setInt " + w, () -> { Array.setInt(t, i, 1); return "ok"; });
                show("setLong " + w, () -> { Array.setLong(t, i, 1); return "ok"; });
                show("setFloat " + w, () -> { Array.setFloat(t, i, 1); return "ok"; });
                show("setDouble " + w, () -> { Array.setDouble(t, i, 1); return "ok"; });
            }
        }
        Class<?> deep = int.class;
        for (int i = 0; i < 255; i++) deep = deep.arrayType();
        Class<?> deep254 = deep.getComponentType(), deepest = deep;
        Class<?>[] classes = {null, void.class, int.class, boolean.class, String.class, int[].class, deep254, deepest, Runnable.class};
        for (Class<?> c : classes) {
            String n = c == null ? "null" : c.getName().length() > 50 ? "deep" + c.getName().length() : c.getName();
            for (int i : indexes) if (i < 5) show("new " + n + " " + i, () -> Array.newInstance(c, i));
            int[][] dims = {null, {}, {-1}, {0}, {2}, {2, -1}, {-1, 2}, {0, -1}, {2, 3}, new int[254], new int[255], new int[256], new int[300], {1 << 30, 1 << 30, -1}};
            for (int[] d : dims) show("new " + n + " " + (d == null ? "null" : d.length > 5 ? d.length + " dims" : Arrays.toString(d)), () -> Array.newInstance(c, d));
            int[] long1 = new int[256]; long1[3] = -5;
            show("new " + n + " 256 with negative", () -> Array.newInstance(c, long1));
        }
    }
}
