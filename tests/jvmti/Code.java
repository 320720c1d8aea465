// SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.function.BooleanSupplier;

/** Runs methods until the agent has heard of their code: a loop, one of a class that is unloaded then. */
public class Code {
    static native boolean loaded(String method);
    static native boolean generated(String method);
    static native boolean unloaded(String method);
    static native boolean hasBody();
    static native void generate();
    static native void refused();

    static volatile int sink;

    static int hotLoop(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += i % 7 == 0 ? Math.abs(sum - i) : i;
        return sum;
    }

    static int part(int a, int b) { return a * 31 ^ b; }

    static int hotParts(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum = part(sum, i) + part(i, n);
        return sum;
    }

    public static class Dropped {
        public static int hotCalls(int n) {
            return n < 2 ? n : hotCalls(n - 1) + hotCalls(n - 2);
        }
    }

    static boolean until(BooleanSupplier done, Runnable work) throws Exception {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!done.getAsBoolean()) {
            if (System.nanoTime() > end) return false;
            work.run();
        }
        return true;
    }

    static void runDropped() throws Exception {
        URL[] here = {Code.class.getProtectionDomain().getCodeSource().getLocation()};
        URLClassLoader loader = new URLClassLoader(here, null);
        Method m = loader.loadClass("Code$Dropped").getMethod("hotCalls", int.class);
        System.out.println("code of a class: " + until(() -> loaded("hotCalls"), () -> {
            try {
                sink += (int) m.invoke(null, 15);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }));
        loader.close();
    }

    public static void main(String[] args) throws Exception {
        System.out.println("code: " + until(() -> loaded("hotLoop"), () -> sink += hotLoop(1000)));
        System.out.println("with a body: " + until(() -> hasBody(), () -> sink += hotParts(1000)));
        System.out.println("generated: " + generated("hotLoop"));
        System.out.println("generated: " + until(() -> generated("hotLoop"), () -> { /* code may have been thrown away meanwhile */
            generate();
            sink += hotLoop(1000);
        }));
        refused();
        runDropped();
        System.out.println("unloaded: " + until(() -> unloaded("hotCalls"), () -> {
            System.gc();
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }));
    }
}
