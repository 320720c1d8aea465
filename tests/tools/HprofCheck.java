// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.zip.GZIPInputStream;

/**
 * Reads a heap dump, checks its structure and prints "instances bytes class" per class, sorted.
 * Every record must end where its length says; with no second argument, every id that is used must
 * be defined (HotSpot omits some mirrors).
 */
public class HprofCheck {
    static final int[] SIZE = {0, 0, 8, 0, 1, 2, 4, 8, 1, 2, 4, 8};
    record Cls(long superId, int fieldBytes, int instanceSize) {}
    static final Map<Long, String> strings = new HashMap<>();
    static final Map<Long, Long> classNames = new HashMap<>();
    static final Map<Long, Cls> classes = new HashMap<>();
    static final Set<Long> objects = new HashSet<>(), referenced = new HashSet<>(), roots = new HashSet<>();
    static final Map<Long, long[]> counts = new HashMap<>();
    static final Map<Long, Integer> instanceBytes = new HashMap<>();
    static final Set<Integer> serials = new HashSet<>(), traces = new HashSet<>();
    static final Set<Long> frames = new HashSet<>();
    static int frameCount;

    static class Counting extends FilterInputStream {
        long at;
        Counting(InputStream in) { super(in); }
        @Override public int read() throws IOException { int c = super.read(); if (c >= 0) at++; return c; }
        @Override public int read(byte[] b, int o, int n) throws IOException {
            int k = super.read(b, o, n); if (k > 0) at += k; return k; }
        @Override public long skip(long n) throws IOException { long k = super.skip(n); at += k; return k; }
    }
    static Counting count;
    static DataInputStream in;

    static void check(boolean ok, String what) {
        if (!ok) throw new IllegalStateException(what + " at byte " + count.at);
    }
    static void ref(long id) { if (id != 0) referenced.add(id); }
    static void root(int skip) throws IOException {
        long id = in.readLong(); roots.add(id); ref(id); in.skipNBytes(skip);
    }
    static void value(int type) throws IOException {
        check(type == 2 || type >= 4 && type <= 11, "type " + type);
        if (type == 2) ref(in.readLong()); else in.skipNBytes(SIZE[type]);
    }
    static void tally(long cls, long bytes) {
        long[] c = counts.computeIfAbsent(cls, k -> new long[2]); c[0]++; c[1] += bytes;
    }

    static void classDump() throws IOException {
        long id = in.readLong(); in.readInt();
        long sup = in.readLong(); ref(sup);
        for (int i = 0; i < 3; i++) ref(in.readLong());
        in.readLong(); in.readLong();
        int size = in.readInt(), fields = 0;
        for (int n = in.readUnsignedShort(); n > 0; n--) { in.readShort(); value(in.read()); }
        for (int n = in.readUnsignedShort(); n > 0; n--) {
            check(strings.containsKey(in.readLong()), "static without name"); value(in.read()); }
        for (int n = in.readUnsignedShort(); n > 0; n--) {
            check(strings.containsKey(in.readLong()), "field without name"); fields += SIZE[in.read()]; }
        check(classNames.containsKey(id), "class dump without load record");
        check(classes.put(id, new Cls(sup, fields, size)) == null, "class dumped twice");
        objects.add(id);
    }
    static void segment(long end) throws IOException {
        while (count.at < end) {
            int tag = in.read();
            switch (tag) {
                case 0xff, 0x05, 0x07 -> root(0);
                case 0x01 -> root(8);
                case 0x02, 0x03, 0x08 -> root(8);
                case 0x04, 0x06 -> root(4);
                case 0x20 -> classDump();
                case 0x21 -> {
                    check(objects.add(in.readLong()), "object twice"); in.readInt();
                    long c = in.readLong(); int n = in.readInt();
                    Integer before = instanceBytes.put(c, n);
                    check(before == null || before == n, "instances of one class differ in size");
                    in.skipNBytes(n); tally(c, n);
                }
                case 0x22 -> {
                    check(objects.add(in.readLong()), "object twice"); in.readInt();
                    int n = in.readInt(); long c = in.readLong();
                    for (int i = 0; i < n; i++) ref(in.readLong());
                    tally(c, n * 8L);
                }
                case 0x23 -> {
                    check(objects.add(in.readLong()), "object twice"); in.readInt();
                    int n = in.readInt(), t = in.read(); check(t >= 4 && t <= 11, "array type " + t);
                    in.skipNBytes((long) n * SIZE[t]); tally(-t, (long) n * SIZE[t]);
                }
                default -> check(false, "sub-record " + tag);
            }
        }
    }
    static void frame() throws IOException {
        frames.add(in.readLong()); frameCount++;
        check(strings.containsKey(in.readLong()) && strings.containsKey(in.readLong()), "frame names");
        long file = in.readLong(); check(file == 0 || strings.containsKey(file), "frame file");
        check(serials.contains(in.readInt()), "frame class"); in.readInt();
    }
    public static void main(String[] a) throws IOException {
        InputStream raw = Files.newInputStream(Path.of(a[0]));
        if (a[0].endsWith(".gz")) raw = new GZIPInputStream(raw);
        in = new DataInputStream(count = new Counting(new BufferedInputStream(raw, 1 << 16)));
        byte[] head = in.readNBytes(19);
        check(new String(head, 0, 18).equals("JAVA PROFILE 1.0.2") && head[18] == 0, "magic");
        check(in.readInt() == 8, "id size"); in.readLong();
        boolean ended = false;
        for (int tag; (tag = in.read()) >= 0;) {
            check(!ended, "record after the end");
            in.readInt();
            long end = Integer.toUnsignedLong(in.readInt()) + count.at;
            switch (tag) {
                case 0x01 -> { long id = in.readLong(); strings.put(id, new String(in.readNBytes((int) (end - count.at)))); }
                case 0x02 -> { serials.add(in.readInt()); long id = in.readLong(); in.readInt(); long n = in.readLong();
                    check(strings.containsKey(n), "class name"); Long old = classNames.put(id, n); check(old == null || old == n, "two names of a class"); }
                case 0x04 -> frame();
                case 0x05 -> { traces.add(in.readInt()); in.readInt();
                    for (int n = in.readInt(); n > 0; n--) check(frames.contains(in.readLong()), "frame of trace"); }
                case 0x1c -> segment(end);
                case 0x2c -> ended = true;
                default -> in.skipNBytes(end - count.at);
            }
            check(count.at == end, "end of record " + tag);
        }
        check(ended, "no end record");
        for (var e : instanceBytes.entrySet()) {
            int n = 0;
            for (long c = e.getKey(); c != 0; c = classes.get(c).superId) {
                check(classes.containsKey(c), "class of an instance"); n += classes.get(c).fieldBytes; }
            check(n == e.getValue(), "fields of " + strings.get(classNames.get(e.getKey())));
        }
        referenced.removeAll(objects);
        check(referenced.isEmpty() || a.length > 1, referenced.size() + " references to nothing");
        long total = classes.size(), threadRoots = roots.size();
        List<String> lines = new ArrayList<>();
        for (var e : counts.entrySet()) {
            String name = e.getKey() < 0 ? "[" + " ZCFDBSIJ".charAt((int) (-e.getKey() - 3))
                                         : strings.get(classNames.get(e.getKey())).replace('/', '.');
            lines.add(name + " " + e.getValue()[0]);
            total += e.getValue()[0];
        }
        Collections.sort(lines);
        lines.forEach(System.out::println);
        System.out.println("objects " + total);
        System.err.println(classes.size() + " classes, " + roots.size() + " roots, " + frameCount + " frames, "
                           + traces.size() + " traces");
    }
}
