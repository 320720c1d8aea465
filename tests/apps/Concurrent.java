// SPDX-License-Identifier: Apache-2.0
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

/** Executors, completable futures and parallel streams together; prints only what does not depend on timing. */
public class Concurrent {
    public static void main(String[] args) throws Exception {
        ExecutorService ex = Executors.newFixedThreadPool(6);
        ConcurrentHashMap<Integer, LongAdder> map = new ConcurrentHashMap<>();
        List<Future<Long>> fs = new ArrayList<>();
        for (int t = 0; t < 12; t++) {
            int me = t;
            fs.add(ex.submit(() -> { long s = 0; for (int i = 0; i < 500; i++) { map.computeIfAbsent(i % 17, k -> new LongAdder()).add(me); s += i; } return s; }));
        }
        long sum = 0;
        for (Future<Long> f : fs) sum += f.get();
        System.out.println(sum + " " + map.values().stream().mapToLong(LongAdder::sum).sum());
        CompletableFuture<Integer> cf = CompletableFuture.completedFuture(0);
        for (int i = 0; i < 40; i++) { int k = i; cf = i % 2 == 0 ? cf.thenApplyAsync(x -> x + k, ex) : cf.thenCombineAsync(CompletableFuture.supplyAsync(() -> k), Integer::sum); }
        System.out.println(cf.get());
        List<CompletableFuture<Integer>> l = IntStream.range(0, 60).mapToObj(i -> CompletableFuture.supplyAsync(() -> { if (i % 13 == 12) throw new IllegalStateException("" + i); return i; }).exceptionally(e -> -1)).collect(Collectors.toList());
        System.out.println(CompletableFuture.allOf(l.toArray(new CompletableFuture[0])).thenApply(v -> l.stream().mapToInt(CompletableFuture::join).sum()).get());
        System.out.println((Object) IntStream.range(0, 30000).parallel().filter(x -> x % 3 == 0).mapToObj(Integer::toString).collect(Collectors.groupingByConcurrent(String::length, ConcurrentSkipListMap::new, Collectors.counting())));
        System.out.println(Arrays.stream(new Random(4).ints(20000, 0, 1000).toArray()).parallel().boxed().sorted(Comparator.reverseOrder()).limit(5).collect(Collectors.toList()));
        CyclicBarrier bar = new CyclicBarrier(4);
        AtomicInteger rounds = new AtomicInteger();
        List<Callable<Void>> party = new ArrayList<>();
        for (int i = 0; i < 4; i++) party.add(() -> { for (int k = 0; k < 20; k++) { bar.await(); rounds.incrementAndGet(); } return null; });
        for (Future<Void> f : ex.invokeAll(party)) f.get();
        System.out.println(rounds);
        ScheduledExecutorService se = Executors.newSingleThreadScheduledExecutor();
        System.out.println(se.schedule(() -> "later", 2, TimeUnit.MILLISECONDS).get());
        se.shutdown();
        ex.shutdown();
        System.out.println(ex.awaitTermination(20, TimeUnit.SECONDS));
    }
}
