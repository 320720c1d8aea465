// SPDX-License-Identifier: Apache-2.0
import java.util.*;

/** try-with-resources in all forms: order, null resources, suppressed exceptions, nesting in loops and lambdas, returns through it. */
public class TryResources {
    static final StringBuilder LOG = new StringBuilder();
    static class R implements AutoCloseable {
        final String n; final boolean fail;
        R(String n, boolean failOpen, boolean fail) { this.n = n; this.fail = fail; LOG.append("open ").append(n).append(';'); if (failOpen) throw new IllegalStateException("open " + n); }
        @Override public void close() { LOG.append("close ").append(n).append(';'); if (fail) throw new IllegalArgumentException("close " + n); }
    }

    static String run(int bits) {
        LOG.setLength(0);
        String r;
        try (R a = new R("a", (bits & 1) != 0, (bits & 2) != 0); R none = null; R b = new R("b", (bits & 4) != 0, (bits & 8) != 0)) {
            if ((bits & 16) != 0) throw new RuntimeException("body");
            r = "ok " + a.n + b.n + none;
        } catch (IllegalArgumentException | IllegalStateException e) {
            r = e.getMessage() + Arrays.toString(e.getSuppressed());
        } catch (RuntimeException e) {
            r = "body" + Arrays.toString(e.getSuppressed());
        } finally {
            LOG.append("finally;");
        }
        return r;
    }

    static int returns(R shared) {
        for (int i = 0; ; i++)
            try (shared; R x = new R("x" + i, false, false)) {
                if (i < 2) continue;
                if (i == 3) break;
                if (i > 5) return i;
            } finally {
                LOG.append('f').append(i);
            }
        return -1;
    }

    public static void main(String[] args) {
        for (int bits = 0; bits < 32; bits++)
            System.out.println(bits + " " + run(bits) + " | " + LOG);
        LOG.setLength(0);
        System.out.println(returns(new R("s", false, false)) + " " + LOG);
        try {
            ((Runnable) () -> { try (R q = new R("lambda", false, true)) { throw new Error("in lambda"); } }).run();
        } catch (Error e) {
            System.out.println(e.getMessage() + Arrays.toString(e.getSuppressed()));
        }
    }
}
