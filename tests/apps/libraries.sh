#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: libguava-java libcommons-math3-java libcommons-compress-java libcommons-text-java libcommons-csv-java libcommons-codec-java libcommons-io-java libjoda-time-java libfastutil-java libxz-java libicu4j-java libjts-java libkryo-java libprotobuf-java libdisruptor-java
# extent: suite
#
# Guava, commons-*, Joda-Time, ICU4J, fastutil, JTS, Kryo, Disruptor: one driver.
. "$(dirname "$0")/common.sh"
jars guava commons-{math3,compress,text,lang3,csv,codec,io} joda-time icu4j fastutil xz kryo disruptor jts-core reflectasm minlog objenesis
driver LibApp <<'JAVA'
import com.google.common.cache.*;
import com.google.common.collect.*;
import com.google.common.eventbus.*;
import com.google.common.hash.*;
import com.google.common.math.*;
import com.google.common.primitives.*;
import com.google.common.reflect.*;
import com.google.common.util.concurrent.*;
import java.io.*;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import org.apache.commons.compress.archivers.tar.*;
import org.apache.commons.compress.archivers.zip.*;
import org.apache.commons.compress.compressors.*;

public class LibApp {
    static class Sub { @Subscribe public void got(String s) { System.out.println("event " + s); } @Subscribe public void num(Integer i) { throw new IllegalStateException(); } }
    public static class Data { int a = 5; String s = "text"; List<Object> l = new ArrayList<>(List.of(1, "two", 3.0)); Data next; int[] ints = {1, 2, 3}; }
    public static void main(String[] x) throws Exception {
        java.util.logging.LogManager.getLogManager().reset();
        Multimap<Integer, String> byLen = Multimaps.index(List.of("a", "bb", "cc", "ddd"), String::length);
        System.out.println(byLen + " " + ImmutableSortedMap.of("b", 1, "a", 2) + " " + Sets.powerSet(ImmutableSet.of(1, 2, 3)).size() + " " + Lists.partition(List.of(1, 2, 3, 4, 5), 2) + " " + HashBiMap.create(Map.of(1, "x")).inverse());
        RangeSet<Integer> rs = TreeRangeSet.create(); rs.add(Range.closed(1, 10)); rs.remove(Range.open(3, 5)); System.out.println(rs);
        System.out.println(Hashing.murmur3_128().hashString("abc", StandardCharsets.UTF_8) + " " + Hashing.sipHash24().hashInt(5) + " " + Hashing.crc32c().hashLong(7) + " " + Hashing.farmHashFingerprint64().hashBytes(new byte[100]));
        LoadingCache<Integer, String> c = CacheBuilder.newBuilder().maximumSize(2).concurrencyLevel(1).recordStats().removalListener(n -> System.out.println("removed " + n.getKey())).build(CacheLoader.from(k -> "v" + k));
        for (int i : new int[] {1, 2, 1, 3}) System.out.print(c.get(i) + " "); System.out.println(c.stats().hitCount() + " " + c.size());
        EventBus bus = new EventBus((e, ctx) -> System.out.println("handler " + e)); bus.register(new Sub()); bus.post("hello"); bus.post(3);
        System.out.println(BigIntegerMath.factorial(30) + " " + LongMath.isPrime(1_000_000_007L) + " " + IntMath.binomial(20, 10) + " " + UnsignedLongs.toString(-1) + " " + Ints.asList(3, 1).contains(1) + " " + DoubleMath.mean(1, 2, 4));
        System.out.println(new TypeToken<Map<String, List<Integer>>>() { }.getRawType() + " " + new TypeToken<ArrayList<String>>() { }.getSupertype(Collection.class));
        Runnable proxy = Reflection.newProxy(Runnable.class, (p, m, a) -> { System.out.println("proxied " + m.getName()); return null; }); proxy.run();
        ListeningExecutorService ex = MoreExecutors.listeningDecorator(Executors.newFixedThreadPool(4));
        List<ListenableFuture<Integer>> fs = new ArrayList<>(); for (int i = 0; i < 50; i++) { int k = i; fs.add(ex.submit(() -> k * k)); }
        System.out.println(Futures.allAsList(fs).get().stream().mapToInt(i -> i).sum()); ex.shutdown();
        for (String f : new String[] {"gz", "bzip2", "xz", "lzma", "deflate", "snappy-framed", "lz4-block", "lz4-framed"}) {
            ByteArrayOutputStream o = new ByteArrayOutputStream(); byte[] in = new byte[6000]; new Random(1).nextBytes(in); for (int i = 0; i < in.length; i++) in[i] &= 7;
            try (OutputStream z = new CompressorStreamFactory().createCompressorOutputStream(f, o)) { z.write(in); }
            byte[] back = new CompressorStreamFactory().createCompressorInputStream(f, new ByteArrayInputStream(o.toByteArray())).readAllBytes();
            System.out.println(f + " " + o.size() + " " + Arrays.equals(in, back));
        }
        ByteArrayOutputStream o = new ByteArrayOutputStream();
        try (TarArchiveOutputStream t = new TarArchiveOutputStream(o)) { TarArchiveEntry e = new TarArchiveEntry("dir/file"); e.setSize(3); t.putArchiveEntry(e); t.write("abc".getBytes()); t.closeArchiveEntry(); }
        System.out.println(new TarArchiveInputStream(new ByteArrayInputStream(o.toByteArray())).getNextTarEntry().getName() + " " + o.size());
        System.out.println(org.apache.commons.lang3.StringUtils.getLevenshteinDistance("kitten", "sitting") + " " + org.apache.commons.text.WordUtils.capitalizeFully("hello wORLD") + " " + new org.apache.commons.text.similarity.JaroWinklerSimilarity().apply("abc", "abd") + " " + org.apache.commons.text.StringEscapeUtils.escapeHtml4("<\u00e9>") + " " + org.apache.commons.codec.language.Soundex.US_ENGLISH.encode("Robert"));
        System.out.println(new org.apache.commons.lang3.builder.ReflectionToStringBuilder(new Data() { }, org.apache.commons.lang3.builder.ToStringStyle.SHORT_PREFIX_STYLE) + " " + org.apache.commons.lang3.builder.EqualsBuilder.reflectionEquals(new Data(), new Data()));
        System.out.println(org.apache.commons.csv.CSVFormat.DEFAULT.parse(new StringReader("a,\"b,c\"\n1,\"x\"\"y\"")).getRecords());
        System.out.println(new org.apache.commons.math3.analysis.solvers.BrentSolver().solve(100, Math::cos, 0, 3) + " " + new org.apache.commons.math3.transform.FastFourierTransformer(org.apache.commons.math3.transform.DftNormalization.STANDARD).transform(new double[] {1, 2, 3, 4}, org.apache.commons.math3.transform.TransformType.FORWARD)[1] + " " + new org.apache.commons.math3.random.MersenneTwister(5).nextGaussian());
        System.out.println(new org.joda.time.DateTime(2024, 2, 29, 1, 30, org.joda.time.DateTimeZone.forID("Europe/Berlin")).plusYears(1).plusHours(24 * 40) + " " + new org.joda.time.Period(100000000L) + " " + org.joda.time.format.DateTimeFormat.forPattern("EEEE d MMMM yyyy").withLocale(Locale.FRANCE).print(0L));
        System.out.println(new com.ibm.icu.text.RuleBasedNumberFormat(Locale.ENGLISH, com.ibm.icu.text.RuleBasedNumberFormat.SPELLOUT).format(12345) + " " + com.ibm.icu.text.Transliterator.getInstance("Cyrillic-Latin").transliterate("\u041c\u043e\u0441\u043a\u0432\u0430") + " " + com.ibm.icu.text.Collator.getInstance(new Locale("sv")).compare("z", "\u00f6") + " " + com.ibm.icu.text.MessageFormat.format("{0,plural,one{# file}other{# files}}", 3) + " " + com.ibm.icu.text.Normalizer.normalize("e\u0301", com.ibm.icu.text.Normalizer.NFC).length());
        it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap<String> m = new it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap<>(); for (int i = 0; i < 10000; i++) m.put(i * 7919, "v" + i); System.out.println(m.size() + " " + m.get(7919 * 77) + " " + m.int2ObjectEntrySet().stream().mapToInt(e -> e.getIntKey()).sum());
        org.locationtech.jts.geom.Geometry g = new org.locationtech.jts.io.WKTReader().read("POLYGON((0 0, 10 0, 10 10, 0 10, 0 0))"); System.out.println(g.intersection(g.buffer(1).getEnvelope()).getArea() + " " + g.difference(new org.locationtech.jts.io.WKTReader().read("POLYGON((5 5, 15 5, 15 15, 5 15, 5 5))")));
        com.lmax.disruptor.dsl.Disruptor<long[]> d = new com.lmax.disruptor.dsl.Disruptor<>(() -> new long[1], 256, r -> { Thread t = new Thread(r); t.setDaemon(true); return t; });
        long[] sum = new long[1]; CountDownLatch done = new CountDownLatch(1); d.handleEventsWith((e, seq, end) -> { sum[0] += e[0]; if (seq == 9999) done.countDown(); }); d.start();
        for (int i = 0; i < 10000; i++) { int k = i; d.publishEvent((e, s) -> e[0] = k); } System.out.println(done.await(60, TimeUnit.SECONDS) + " " + sum[0]); d.shutdown();
        com.esotericsoftware.kryo.Kryo k = new com.esotericsoftware.kryo.Kryo(); k.setRegistrationRequired(false); Data data = new Data(); data.next = new Data(); com.esotericsoftware.kryo.io.Output ko = new com.esotericsoftware.kryo.io.Output(4096); k.writeObject(ko, data);
        System.out.println(ko.toBytes().length + " " + k.readObject(new com.esotericsoftware.kryo.io.Input(ko.toBytes()), Data.class).next.l);
    }
}
JAVA
run() { vm "$1" --add-opens java.base/java.util=ALL-UNNAMED --add-opens java.base/sun.nio.ch=ALL-UNNAMED --add-opens java.base/java.nio=ALL-UNNAMED LibApp; }
compare run
