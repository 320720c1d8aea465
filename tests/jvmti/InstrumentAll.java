// SPDX-License-Identifier: Apache-2.0
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.MessageDigest;
import java.text.MessageFormat;
import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.regex.*;
import java.util.stream.*;

/** Goes through many corners of java.base; its output depends on nothing outside. */
public class InstrumentAll {
    enum Colour { RED, GREEN, BLUE }

    record Point(int x, int y) { }

    static int depth(int n) {
        try {
            return depth(n + 1);
        } catch (StackOverflowError e) {
            return n > 100 ? 1 : 0;
        }
    }

    static String attempt(Callable<?> c) {
        try {
            return String.valueOf(c.call());
        } catch (Throwable t) {
            return t.getClass().getName() + ": " + t.getMessage();
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(attempt(() -> Integer.parseInt("x7")));
        System.out.println(attempt(() -> List.of(1, 2, 3).get(5)));
        System.out.println(attempt(() -> Class.forName("no.such.Thing")));
        System.out.println(attempt(() -> new Point(3, 4)));
        System.out.println(attempt(() -> ((Object) "s").getClass().cast(7)));
        System.out.println(IntStream.rangeClosed(1, 200).boxed().parallel()
            .map(BigInteger::valueOf).reduce(BigInteger.ONE, BigInteger::multiply).bitLength());
        Map<String, Integer> words = new TreeMap<>();
        Matcher m = Pattern.compile("(\\w+?)(s|ing)?\\b").matcher("loading links and linking loads runs running run");
        while (m.find())
            words.merge(m.group(1), 1, Integer::sum);
        System.out.println(words);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Future<Long>> sums = new ArrayList<>();
        for (int k = 0; k < 8; k++) {
            long from = k * 1000L;
            sums.add(pool.submit(() -> LongStream.range(from, from + 1000).filter(v -> v % 7 == 3).sum()));
        }
        long total = 0;
        for (Future<Long> f : sums)
            total += f.get();
        pool.shutdown();
        System.out.println(total + " " + pool.awaitTermination(10, TimeUnit.SECONDS));
        System.out.println(CompletableFuture.supplyAsync(() -> 6).thenCombine(
            CompletableFuture.supplyAsync(() -> 7), (a, b) -> a * b).get());
        for (Colour c : Colour.values())
            System.out.print(switch (c) { case RED -> "r"; case GREEN -> "g"; default -> c.name(); });
        System.out.println();
        System.out.println(String.format("%08.3f|%-6s|%x|%,d", Math.PI, "ab", 48879, 1234567));
        System.out.println(MessageFormat.format("{0} of {1}", 3, "five"));
        System.out.println(LocalDate.of(2024, 2, 28).plusDays(2) + " " + Duration.ofSeconds(3725));
        byte[] digest = MessageDigest.getInstance("SHA-256").digest("graft".getBytes(StandardCharsets.UTF_8));
        System.out.println(new BigInteger(1, digest).toString(16));
        Path p = Files.createTempFile("instrument", ".txt");
        Files.write(p, List.of("a", "\u00e4", "\u4e2d"), StandardCharsets.UTF_8);
        System.out.println(Files.readAllLines(p).stream().map(String::length).collect(Collectors.toList()));
        Files.delete(p);
        System.out.println(depth(0) >= 0);
        Object lock = new Object();
        Thread t = new Thread(() -> {
            synchronized (lock) {
                lock.notifyAll();
            }
        });
        synchronized (lock) {
            t.start();
            lock.wait(10_000);
        }
        t.join();
        StackTraceElement[] trace = attempt0();
        System.out.println(trace[0].getMethodName() + ":" + (trace[0].getLineNumber() > 0) + " " + trace[1].getMethodName());
    }

    static StackTraceElement[] attempt0() {
        return new Throwable().getStackTrace();
    }
}
