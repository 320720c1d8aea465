// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.CountDownLatch;

/** Uses up what there is: Limits descriptors | attach FILE | threads N. */
public class Limits {
    static class Late {}

    interface Action { Object run() throws Throwable; }
    static void attempt(Action a) {
        try {
            System.out.println(a.run());
        } catch (Throwable e) {
            System.out.println(e);
        }
    }

    static List<InputStream> all() {
        List<InputStream> held = new ArrayList<>();
        try {
            for (;;) held.add(new FileInputStream("/dev/null"));
        } catch (IOException e) {
            System.out.println(e);
        }
        return held;
    }

    static void descriptors() throws Exception {
        List<InputStream> held = all();
        attempt(() -> Class.forName("Limits$Late").getName());
        attempt(() -> Class.forName("java.util.concurrent.ForkJoinTask").getName());
        attempt(() -> { Runtime.getRuntime().exec("true"); return "ran"; });
        attempt(() -> { System.loadLibrary("awt"); return "awt"; });
        attempt(() -> Files.readString(Path.of("/proc/self/comm")).length() > 0);
        attempt(() -> new RandomAccessFile("nothing", "rw"));
        attempt(() -> ((Runnable) () -> System.out.println("lambda")).getClass().isHidden());
        for (InputStream in : held) in.close();
        attempt(() -> Class.forName("Limits$Late").getName());
        attempt(() -> Files.readString(Path.of("/proc/self/comm")).length() > 0);
    }

    static void attach(Path go) throws Exception {
        List<InputStream> held = all();
        System.out.println("full");
        while (!new File(go.toString()).exists()) Thread.sleep(50);
        for (InputStream in : held) in.close();
        Thread.sleep(30_000);
    }

    static void threads(int n) throws Exception {
        List<Thread> running = new ArrayList<>();
        CountDownLatch end = new CountDownLatch(1);
        Thread refused = null;
        try {
            for (int i = 0; i < n; i++) {
                refused = new Thread(() -> {
                    try {
                        end.await();
                    } catch (InterruptedException e) {}
                });
                refused.start();
                running.add(refused);
            }
        } catch (OutOfMemoryError e) {
            System.out.println(e);
        }
        System.out.println(running.size() > 20 ? "many" : "few");
        System.out.println(refused.getState() + " " + refused.isAlive());
        end.countDown();
        for (Thread t : running) t.join();
        System.out.println("joined");
        Thread again = new Thread(() -> System.out.println("again"));
        again.start();
        again.join();
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
        case "descriptors" -> descriptors();
        case "attach" -> attach(Path.of(args[1]));
        case "threads" -> threads(Integer.parseInt(args[1]));
        }
    }
}
