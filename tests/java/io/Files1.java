// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.charset.*;
import java.nio.file.*;
import java.nio.file.attribute.*;
import java.util.*;
import java.util.stream.*;
import java.util.zip.*;

/** Files through java.io and java.nio, mapped and direct buffers, locks, zip and jar, watch of errors, console streams. */
public class Files1 {
    interface Act { Object run() throws Throwable; }
    static Path dir;
    static void show(String w, Act a) { try { System.out.println(w + ": " + a.run()); } catch (Throwable t) { System.out.println(w + " threw " + t.getClass().getName() + ": " + String.valueOf(t.getMessage()).replace(dir.toString(), "DIR")); } }

    public static void main(String[] args) throws Throwable {
        dir = Files.createTempDirectory("files1");
        Path a = dir.resolve("a.txt");
        Files.writeString(a, "line one\nzwei äöü\n三\n");
        System.out.println(Files.readAllLines(a) + " " + Files.size(a) + " " + Files.exists(a) + Files.isDirectory(dir) + Files.isReadable(a) + Files.probeContentType(a));
        Files.write(a, List.of("appended"), StandardOpenOption.APPEND);
        try (BufferedReader r = new BufferedReader(new FileReader(a.toFile()))) { System.out.println(r.lines().collect(Collectors.joining("|"))); }
        show("missing", () -> Files.readString(dir.resolve("none")));
        show("missing io", () -> new FileInputStream(dir + "/none"));
        show("dir as file", () -> new FileInputStream(dir.toFile()).read());
        show("exists", () -> Files.createFile(a));
        show("not empty", () -> { Files.delete(dir); return ""; });
        show("bad path", () -> Paths.get("a\0b"));
        try (RandomAccessFile f = new RandomAccessFile(dir.resolve("r").toFile(), "rw")) {
            f.writeInt(0x01020304); f.writeUTF("utf é"); f.writeDouble(2.5); f.seek(1);
            System.out.println(f.readShort() + " " + f.length() + " " + f.getFilePointer());
            f.setLength(100); f.seek(90);
            System.out.println(f.read(new byte[50]) + " " + f.read());
            FileChannel c = f.getChannel();
            MappedByteBuffer m = c.map(FileChannel.MapMode.READ_WRITE, 0, 100);
            m.order(ByteOrder.LITTLE_ENDIAN).putLong(20, -2L).putInt(50, 77);
            m.force();
            f.seek(20);
            System.out.println(f.readLong() + " " + m.isDirect() + m.getInt(0));
            ByteBuffer d = ByteBuffer.allocateDirect(16);
            System.out.println(c.read(d, 18) + " " + d.flip().getShort() + d.getLong());
            try (FileLock l = c.tryLock()) { System.out.println(l.isValid() + " " + l.isShared()); }
        }
        ByteBuffer b = ByteBuffer.allocate(32);
        b.put((byte) 1).putChar('é').putInt(-5).putFloat(1.5f).putDouble(Math.E).putShort((short) 9);
        b.flip();
        System.out.println(b + " " + b.get() + b.getChar() + b.getInt() + b.getFloat() + b.getDouble() + b.remaining() + b.slice() + b.asReadOnlyBuffer().isReadOnly() + b.duplicate().rewind().hashCode());
        show("underflow", () -> b.getLong());
        show("read only", () -> b.asReadOnlyBuffer().put(0, (byte) 1));
        show("views", () -> { IntBuffer ib = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder()).asIntBuffer(); ib.put(new int[] {1, 2, 3, 4}).flip(); return ib.get(2) + " " + ib + Arrays.toString(IntStream.range(0, 4).map(ib::get).toArray()); });
        show("charset", () -> StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap("é中😀")).remaining() + " " + StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(new byte[] {(byte) 0xff})));
        Files.createDirectories(dir.resolve("sub/deep"));
        Files.copy(a, dir.resolve("sub/copy"), StandardCopyOption.REPLACE_EXISTING);
        Files.move(dir.resolve("sub/copy"), dir.resolve("sub/deep/moved"));
        Files.createSymbolicLink(dir.resolve("link"), Path.of("sub"));
        Files.setPosixFilePermissions(a, PosixFilePermissions.fromString("rw-r-----"));
        Files.setLastModifiedTime(a, FileTime.fromMillis(1000000000000L));
        System.out.println(PosixFilePermissions.toString(Files.getPosixFilePermissions(a)) + " " + Files.getLastModifiedTime(a) + " " + a.toFile().lastModified() + Files.isSymbolicLink(dir.resolve("link")) + Files.readSymbolicLink(dir.resolve("link")) + " " + Files.isSameFile(dir.resolve("link"), dir.resolve("sub")) + a.toFile().canExecute());
        try (Stream<Path> w = Files.walk(dir, FileVisitOption.FOLLOW_LINKS)) { System.out.println(w.map(p -> dir.relativize(p).toString()).sorted().toList()); }
        try (DirectoryStream<Path> ds = Files.newDirectoryStream(dir, "*.{txt,zip}")) { for (Path p : ds) System.out.println(p.getFileName()); }
        System.out.println(Arrays.stream(dir.toFile().list()).sorted().toList() + " " + Path.of("/a/./b/../c").normalize() + Path.of("/a/b").relativize(Path.of("/a/c/d")) + " " + Path.of("x/y").getParent() + Path.of("x").startsWith("x") + FileSystems.getDefault().getPathMatcher("glob:**/*.java").matches(Path.of("a/B.java")));
        Path zip = dir.resolve("z.zip");
        byte[] big = new byte[200000];
        new Random(3).nextBytes(big);
        Arrays.fill(big, 1000, 150000, (byte) 'x');
        try (ZipOutputStream z = new ZipOutputStream(Files.newOutputStream(zip))) {
            z.putNextEntry(new ZipEntry("dir/big")); z.write(big); z.closeEntry();
            z.putNextEntry(new ZipEntry("ü.txt")); z.write("unicode name".getBytes()); z.closeEntry();
        }
        try (ZipFile z = new ZipFile(zip.toFile())) { System.out.println(z.size() + " " + Arrays.equals(z.getInputStream(z.getEntry("dir/big")).readAllBytes(), big) + Long.toHexString(z.getEntry("dir/big").getCrc()) + z.getEntry("none") + z.stream().map(ZipEntry::getName).toList()); }
        try (FileSystem fs = FileSystems.newFileSystem(zip)) { System.out.println(Files.readString(fs.getPath("/ü.txt")) + Files.size(fs.getPath("dir/big"))); }
        ByteArrayOutputStream bo = new ByteArrayOutputStream();
        try (GZIPOutputStream g = new GZIPOutputStream(bo)) { g.write(big); }
        System.out.println(Arrays.equals(new GZIPInputStream(new ByteArrayInputStream(bo.toByteArray())).readAllBytes(), big));
        CRC32 crc = new CRC32(); crc.update(big); Adler32 ad = new Adler32(); ad.update(big); CRC32C c3 = new CRC32C(); c3.update(big);
        System.out.println(crc.getValue() + " " + ad.getValue() + " " + c3.getValue());
        show("bad zip", () -> new ZipFile(a.toFile()));
        show("bad gzip", () -> new GZIPInputStream(new ByteArrayInputStream(new byte[20])));
        PipedInputStream pi = new PipedInputStream();
        PipedOutputStream po = new PipedOutputStream(pi);
        new Thread(() -> { try (po) { po.write("piped".getBytes()); } catch (IOException e) { } }).start();
        System.out.println(new String(pi.readAllBytes()));
        StreamTokenizer st = new StreamTokenizer(new StringReader("x = 3.5 + 'str' // c"));
        st.slashSlashComments(true);
        while (st.nextToken() != StreamTokenizer.TT_EOF) System.out.print(st.ttype + " ");
        System.out.println();
        System.out.printf("%s %s%n", System.in.read(), System.console());
        System.err.println("to stderr");
        PrintStream ps = new PrintStream(bo, true, "UTF-16");
        ps.print('é');
        System.out.println(bo.size() > 100 && !ps.checkError());
        File tmp = File.createTempFile("pre", ".suf", dir.toFile());
        tmp.deleteOnExit();
        try (Stream<Path> w = Files.walk(dir)) { w.sorted(Comparator.reverseOrder()).forEach(p -> p.toFile().delete()); }
        System.out.println(Files.exists(dir) + " " + new File("/").getTotalSpace() / Long.MAX_VALUE + new File("x/../y").getCanonicalFile().getName());
    }
}
