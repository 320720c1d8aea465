// SPDX-License-Identifier: Apache-2.0
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;

/** Several threads need a class of a loader that is not parallel capable, and that does not ask whether it has defined it: it is asked once. */
public class ChildFirst {
    static class Own extends ClassLoader {
        int calls;
        Own() { super(ChildFirst.class.getClassLoader()); }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("ChildFirst$Used")) return super.loadClass(name, resolve);
            calls++;
            try (InputStream in = ChildFirst.class.getResourceAsStream(name + ".class")) {
                Thread.sleep(100);
                byte[] b = in.readAllBytes();
                return defineClass(name, b, 0, b.length);
            } catch (Exception e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
    public static class UsedThing {
        static int number() { return 42; }
    }
    public static class UsedFirst implements Runnable {
        public void run() { if (UsedThing.number() != 42) throw new Error(); }
    }
    public static class UsedSecond implements Runnable {
        public void run() { if (UsedThing.number() != 42) throw new Error(); }
    }

    public static void main(String[] args) throws Exception {
        for (int round = 0; round < 3; round++) {
            Own own = new Own();
            Runnable first = (Runnable) own.loadClass("ChildFirst$UsedFirst").getConstructor().newInstance();
            Runnable second = (Runnable) own.loadClass("ChildFirst$UsedSecond").getConstructor().newInstance();
            CountDownLatch begin = new CountDownLatch(1);
            String[] told = new String[4];
            Thread[] threads = new Thread[4];
            for (int i = 0; i < threads.length; i++) {
                int k = i;
                threads[i] = new Thread(() -> {
                    try {
                        begin.await();
                        if (k == 0) first.run();
                        else if (k == 1) second.run();
                        else Class.forName("ChildFirst$UsedThing", true, own);
                        told[k] = "right";
                    } catch (Throwable e) {
                        told[k] = e.toString();
                    }
                });
                threads[i].start();
            }
            begin.countDown();
            for (Thread t : threads) t.join();
            System.out.println(String.join(", ", told) + ", " + own.calls + " calls");
        }
    }
}
