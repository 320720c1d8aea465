// SPDX-License-Identifier: Apache-2.0
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

/** Executors, futures, CompletableFuture, fork/join, parallel streams, timers. */
public class Executors1 {
    static class Fib extends RecursiveTask<Long> {
        final int n;
        Fib(int n) { this.n = n; }
        @Override protected Long compute() {
            if (n < 12) return n < 2 ? (long) n : new Fib(n - 1).compute() + new Fib(n - 2).compute();
            Fib a = new Fib(n - 1);
            a.fork();
            return new Fib(n - 2).compute() + a.join();
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService ex = Executors.newFixedThreadPool(4, r -> { Thread t = new Thread(r); t.setDaemon(true); return t; });
        List<Future<Integer>> fs = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            int k = i;
            fs.add(ex.submit(() -> IntStream.range(0, k).sum()));
        }
        long sum = 0;
        for (Future<Integer> f : fs) sum += f.get();
        System.out.println(sum);
        Future<?> bad = ex.submit(() -> { throw new IllegalStateException("task"); });
        try { bad.get(); } catch (ExecutionException e) { System.out.println(e.getMessage() + " " + e.getCause()); }
        CountDownLatch started = new CountDownLatch(1), ended = new CountDownLatch(1);
        Future<?> slow = ex.submit(() -> { started.countDown(); try { Thread.sleep(100000); } catch (InterruptedException e) { ended.countDown(); } });
        started.await();
        try { slow.get(10, TimeUnit.MILLISECONDS); } catch (TimeoutException e) { System.out.println("timeout"); }
        slow.cancel(true);
        System.out.println("interrupted " + ended.await(10, TimeUnit.SECONDS));
        try { slow.get(); } catch (CancellationException e) { System.out.println(slow.isCancelled() + " " + slow.isDone()); }
        System.out.println(ex.invokeAny(List.of(() -> "any")) + "" + ex.invokeAll(List.of(() -> 1, () -> 2)).stream().map(f -> { try { return f.get(); } catch (Exception e) { return null; } }).toList());
        ex.shutdown();
        System.out.println(ex.awaitTermination(10, TimeUnit.SECONDS) + " " + ex.isTerminated());
        try { ex.submit(() -> {}); } catch (RejectedExecutionException e) { System.out.println("rejected"); }
        CompletableFuture<String> cf = CompletableFuture.supplyAsync(() -> 20).thenApplyAsync(x -> x + 1).thenCombine(CompletableFuture.supplyAsync(() -> 2), (x, y) -> x * y).thenCompose(x -> CompletableFuture.supplyAsync(() -> "v" + x));
        System.out.println(cf.get());
        System.out.println(CompletableFuture.supplyAsync(() -> { if (true) throw new RuntimeException("async"); return 1; }).handle((v, t) -> t + "").join());
        System.out.println(CompletableFuture.supplyAsync(() -> 1 / Integer.parseInt("0")).exceptionally(t -> -1).join());
        try { CompletableFuture.failedFuture(new java.io.IOException("x")).join(); } catch (CompletionException e) { System.out.println(e.getCause()); }
        CompletableFuture<?>[] many = IntStream.range(0, 50).mapToObj(i -> CompletableFuture.supplyAsync(() -> i * i)).toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(many).join();
        System.out.println(Arrays.stream(many).mapToInt(f -> (Integer) f.join()).sum());
        System.out.println(new CompletableFuture<String>().completeOnTimeout("late", 20, TimeUnit.MILLISECONDS).get());
        System.out.println(new ForkJoinPool(3).invoke(new Fib(24)) + " " + ForkJoinPool.commonPool().invoke(new Fib(20)));
        int[] data = new Random(1).ints(200000).toArray();
        System.out.println(Arrays.stream(data).parallel().mapToLong(x -> x).sum() + " " + Arrays.stream(data).parallel().sorted().skip(1000).findFirst().getAsInt() + " "
            + IntStream.range(0, 20000).parallel().boxed().collect(Collectors.groupingByConcurrent(x -> x % 5, Collectors.counting())) + " "
            + Stream.iterate(1, x -> x + 1).limit(1000).parallel().map(x -> x * 2).reduce(0, Integer::sum) + " " + IntStream.range(0, 5000).parallel().filter(x -> x % 1234 == 1233).boxed().collect(Collectors.toList()));
        int[] prefix = IntStream.rangeClosed(1, 1000).toArray();
        Arrays.parallelPrefix(prefix, Integer::sum);
        System.out.println(prefix[999]);
        ScheduledExecutorService se = Executors.newScheduledThreadPool(2);
        CountDownLatch ticks = new CountDownLatch(3);
        ScheduledFuture<?> rep = se.scheduleAtFixedRate(ticks::countDown, 5, 5, TimeUnit.MILLISECONDS);
        System.out.println(se.schedule(() -> "scheduled", 10, TimeUnit.MILLISECONDS).get() + ticks.await(5, TimeUnit.SECONDS));
        rep.cancel(false);
        System.out.println(se.shutdownNow().size() <= 2);
        Timer t = new Timer("timer", true);
        CountDownLatch tt = new CountDownLatch(2);
        t.schedule(new TimerTask() { public void run() { tt.countDown(); } }, 5, 5);
        System.out.println(tt.await(5, TimeUnit.SECONDS));
        t.cancel();
        ThreadPoolExecutor tpe = new ThreadPoolExecutor(1, 2, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), new ThreadPoolExecutor.CallerRunsPolicy());
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 20; i++) tpe.execute(ran::incrementAndGet);
        tpe.shutdown();
        tpe.awaitTermination(5, TimeUnit.SECONDS);
        System.out.println(ran + " " + (tpe.getCompletedTaskCount() <= 20));
        SubmissionPublisher<Integer> pub = new SubmissionPublisher<>();
        AtomicInteger seen = new AtomicInteger();
        CompletableFuture<Void> done = pub.consume(seen::addAndGet);
        for (int i = 0; i < 100; i++) pub.submit(i);
        pub.close();
        done.get();
        System.out.println(seen);
    }
}
