// SPDX-License-Identifier: Apache-2.0
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;

/** Native method prefixes: every sequence of up to four, under environments with the four prefixes in every order; see agent_orders.c. */
public class Layers {
    static native int register(Class<?> c, String name);
    static native void set(String letters, boolean one);
    static native void drop();

    static final class Once extends ClassLoader {
        Class<?> define(byte[] b) { return defineClass("Layered", b, 0, b.length); }
    }

    static void sequences(String done, String left, int length, List<String> out) {
        if (done.length() == length) out.add(done);
        else
            for (int i = 0; i < left.length(); i++)
                sequences(done + left.charAt(i), left.substring(0, i) + left.substring(i + 1), length, out);
    }
    /** f10 has no prefix, f11 to f14 one of p, q, r, s, f15 and on two, ...: the one nearest to the name first. */
    static List<String> all() {
        List<String> all = new ArrayList<>();
        for (int n = 0; n <= 4; n++) sequences("", "pqrs", n, all);
        return all;
    }
    static String name(String sequence, int number) {
        String s = "f" + number;
        for (char c : sequence.toCharArray()) s = c + "_" + s;
        return s;
    }

    /** The class an agent would have made: each layer a wrapper of the next, the outermost name native. GAPS: without the inner wrappers. */
    static String source(boolean gaps) {
        StringBuilder b = new StringBuilder("class Layered {\n");
        List<String> all = all();
        for (int i = 0; i < all.size(); i++) {
            String s = all.get(i);
            for (int n = 0; n < s.length(); n++)
                if (n == 0 || !gaps) b.append("  static int " + name(s.substring(0, n), 10 + i) + "() { return " + name(gaps ? s : s.substring(0, n + 1), 10 + i) + "(); }\n");
            b.append("  static native int " + name(s, 10 + i) + "();\n");
        }
        return b.append("}\n").toString();
    }

    static String call(Class<?> c, String name) throws Exception {
        try {
            var m = c.getDeclaredMethod(name);
            m.setAccessible(true);
            return "" + m.invoke(null);
        } catch (InvocationTargetException e) {
            return e.getCause() instanceof UnsatisfiedLinkError ? "unlinked" : e.getCause().toString();
        }
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("source")) {
            System.out.print(source(args[1].equals("gaps")));
            return;
        }
        byte[] file;
        try (InputStream in = Layers.class.getResourceAsStream("/Layered.class")) { file = in.readAllBytes(); }
        List<String> orders = new ArrayList<>(), all = all();
        sequences("", "pqrs", 4, orders);
        orders.addAll(List.of("", "p", "q", "pq", "qp", "sr", "rqp"));
        for (String order : orders)
            for (int one = 0; one < (order.isEmpty() ? 1 : 2); one++) {
                if (!order.isEmpty()) set(order, one == 1);
                StringBuilder found = new StringBuilder(), bound = new StringBuilder();
                Class<?> a = new Once().define(file), b = new Once().define(file);
                for (int i = 0; i < all.size(); i++) found.append(' ').append(call(a, "f" + (10 + i)));
                for (int i = 0; i < all.size(); i++) {
                    bound.append(' ').append(register(b, "f" + (10 + i)));
                    bound.append(call(b, "f" + (10 + i)));
                }
                System.out.println("order " + order + (one == 1 ? " of one" : "") + " found" + found);
                System.out.println("order " + order + (one == 1 ? " of one" : "") + " registered" + bound);
                drop();
            }
    }
}
