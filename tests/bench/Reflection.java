// SPDX-License-Identifier: Apache-2.0
import java.lang.invoke.*;
import java.lang.reflect.*;

/** Calls and field accesses through reflection, method handles, var handles and a proxy. */
public class Reflection {
    public int n;
    public static int twice(int i) { return 2 * i; }
    public int add(Integer k, String s) { return n += k + s.length(); }
    interface Adder { int add(int a, int b); }

    public static void main(String[] x) throws Throwable {
        long t = System.nanoTime();
        Reflection o = new Reflection();
        Method twice = Reflection.class.getMethod("twice", int.class), add = Reflection.class.getMethod("add", Integer.class, String.class);
        Field f = Reflection.class.getField("n");
        Constructor<Reflection> c = Reflection.class.getConstructor();
        MethodHandle mt = MethodHandles.lookup().unreflect(twice), ma = MethodHandles.lookup().unreflect(add).bindTo(o);
        MethodHandle both = MethodHandles.filterReturnValue(mt, mt);
        VarHandle v = MethodHandles.lookup().findVarHandle(Reflection.class, "n", int.class);
        Adder p = (Adder) Proxy.newProxyInstance(Reflection.class.getClassLoader(), new Class<?>[] {Adder.class},
            (self, m, args) -> (Integer) args[0] + (Integer) args[1]);
        int s = 0;
        for (int i = 0; i < 120000; i++) {
            s += (Integer) twice.invoke(null, i) + (Integer) add.invoke(o, i & 7, "abc");
            f.setInt(o, f.getInt(o) ^ i);
            s ^= c.newInstance().n;
            s += (int) mt.invokeExact(i) + (int) ma.invoke((Integer) 3, "x") + (int) both.invokeExact(i);
            v.setVolatile(o, (int) v.getAcquire(o) + 1);
            s += p.add(s, i);
        }
        System.out.println(s + " " + o.n);
        Bench.done(t);
    }
}
