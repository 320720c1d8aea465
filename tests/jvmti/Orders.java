// SPDX-License-Identifier: Apache-2.0
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Which hook sees which bytes: four environments of all kinds, made, given capabilities and enabled in all orders; see agent_orders.c. */
public class Orders {
    static native void make(String kinds, String adding, String enabling);
    static native String retransform(int env, Class<?> c);
    static native String redefine(Class<?> c, byte[] file);
    static native void silence(int env);
    static native void dispose(int env);

    static void say(String s) { System.out.println(s); System.out.flush(); }

    static final class Once extends ClassLoader {
        Class<?> define(byte[] b) { return defineClass("Ordered", b, 0, b.length); }
    }
    static String text(Class<?> c) throws Exception {
        var m = c.getDeclaredMethod("text");
        m.setAccessible(true);
        return (String) m.invoke(null);
    }

    static void one(byte[] file, String kinds, String adding, String enabling, int step) throws Exception {
        make(kinds, adding, enabling);
        say(kinds + " added " + adding + " enabled " + enabling);
        Class<?> c = new Once().define(file);
        say(" loaded " + text(c));
        for (int i = 0; i < 4; i++)
            if (i == step % 4 || kinds.charAt(i) != 'n') say(" " + (char) ('A' + i) + " retransforms: " + retransform(i, c) + " " + text(c));
        switch (step / 4 % 3) {
        case 0: silence(step % 4); break;
        case 1: dispose(step % 4); break;
        default: break;
        }
        for (int i = 0; i < 4; i++)
            if ((step / 4 % 3 != 1 || i != step % 4) && "rbl".indexOf(kinds.charAt(i)) >= 0) {
                say(" once more: " + retransform(i, c) + " " + text(c));
                break;
            }
        say(" redefined: " + redefine(c, file) + " " + text(c));
        for (int i = 0; i < 4; i++) dispose(i);
    }

    static void permute(String done, String left, List<String> out) {
        if (left.isEmpty()) out.add(done);
        for (int i = 0; i < left.length(); i++) permute(done + left.charAt(i), left.substring(0, i) + left.substring(i + 1), out);
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 0) return; // early
        byte[] file;
        try (InputStream in = Orders.class.getResourceAsStream("/Ordered.class")) { file = in.readAllBytes(); }
        List<String> orders = new ArrayList<>();
        permute("", "ABCD", orders);
        String letters = args[0];
        int n = letters.length(), step = 0;
        for (int k = 0; k < n * n * n * n; k++) {
            String kinds = "" + letters.charAt(k % n) + letters.charAt(k / n % n) + letters.charAt(k / n / n % n) + letters.charAt(k / n / n / n);
            if (args.length > 1)
                for (String o : orders) one(file, kinds, o, orders.get((step * 7 + 5) % 24), step++);
            else one(file, kinds, orders.get(k % 24), orders.get((k * 5 + 3) % 24), step++);
        }
    }
}

class Ordered {
    static String text() { return new StringBuilder("chain:000000").toString(); }
}
