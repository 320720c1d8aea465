// SPDX-License-Identifier: Apache-2.0
//
// Parts of the class library that lean on natives, threads and other processes; one part per argument.
import java.io.*;
import java.lang.management.*;
import java.math.*;
import java.net.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.file.*;
import java.security.*;
import java.text.*;
import java.time.*;
import java.time.format.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.logging.*;
import java.util.prefs.*;
import java.util.regex.*;
import java.util.stream.*;
import javax.crypto.*;
import javax.crypto.spec.*;
import javax.management.*;
import javax.management.remote.*;
import javax.net.ssl.*;

public class PlatformTour {
    public interface CounterMBean { int getCount(); void setCount(int n); String[] names(); Map<String, Integer> getMap(); }
    public static class Counter extends NotificationBroadcasterSupport implements CounterMBean {
        int n; public int getCount() { return n; } public void setCount(int n) { this.n = n; sendNotification(new Notification("changed", this, n)); } public String[] names() { return new String[] {"a"}; } public Map<String, Integer> getMap() { return Map.of("k", 1); }
    }
    static void jmx() throws Exception {
        MBeanServer s = ManagementFactory.getPlatformMBeanServer();
        ObjectName on = new ObjectName("t:type=Counter");
        s.registerMBean(new Counter(), on);
        JMXConnectorServer cs = JMXConnectorServerFactory.newJMXConnectorServer(new JMXServiceURL("service:jmx:rmi://localhost"), null, s);
        cs.start();
        try (JMXConnector c = JMXConnectorFactory.connect(cs.getAddress())) {
            MBeanServerConnection m = c.getMBeanServerConnection();
            CountDownLatch l = new CountDownLatch(1);
            m.addNotificationListener(on, (n, h) -> { System.out.println("note " + n.getType() + " " + n.getSequenceNumber()); l.countDown(); }, null, null);
            m.setAttribute(on, new Attribute("Count", 7));
            l.await();
            System.out.println(m.getAttribute(on, "Count") + " " + Arrays.toString((String[]) m.invoke(on, "names", null, null)) + " " + m.getAttribute(on, "Map"));
            System.out.println(Arrays.stream(m.getMBeanInfo(on).getAttributes()).map(MBeanAttributeInfo::getName).sorted().toList());
            System.out.println(new TreeSet<>(Arrays.asList(m.getDomains())));
            System.out.println(new TreeSet<>(m.queryNames(new ObjectName("java.lang:*"), null).stream().filter(n -> !n.toString().contains("Garbage") && !n.toString().contains("Compilation") && !n.toString().contains("MemoryPool") && !n.toString().contains("MemoryManager")).toList()));
            try { m.getAttribute(on, "Nope"); } catch (AttributeNotFoundException e) { System.out.println(e.getMessage()); }
            try { m.invoke(new ObjectName("no:type=x"), "f", null, null); } catch (InstanceNotFoundException e) { System.out.println(e.getMessage()); }
            RuntimeMXBean r = ManagementFactory.newPlatformMXBeanProxy(m, "java.lang:type=Runtime", RuntimeMXBean.class);
            System.out.println(r.getSpecVersion() + " " + r.getSystemProperties().containsKey("java.home"));
            ThreadMXBean t = ManagementFactory.newPlatformMXBeanProxy(m, "java.lang:type=Threading", ThreadMXBean.class);
            System.out.println(t.findDeadlockedThreads() + " " + (t.getThreadInfo(Thread.currentThread().getId(), 5).getStackTrace().length > 0));
            System.out.println(ManagementFactory.newPlatformMXBeanProxy(m, "java.util.logging:type=Logging", PlatformLoggingMXBean.class).getLoggerLevel(""));
        }
        cs.stop();
    }
    static void tls() throws Exception {
        String ks = "store.p12";
        Process p = new ProcessBuilder(System.getProperty("java.home") + "/bin/keytool", "-genkeypair", "-keystore", ks, "-storepass", "secret12", "-alias", "k", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "san=dns:localhost").redirectErrorStream(true).start();
        System.out.println(p.waitFor());
        KeyStore k = KeyStore.getInstance(new File(ks), "secret12".toCharArray());
        KeyManagerFactory km = KeyManagerFactory.getInstance("PKIX"); km.init(k, "secret12".toCharArray());
        KeyStore tk = KeyStore.getInstance("PKCS12"); tk.load(null, null); tk.setCertificateEntry("c", k.getCertificate("k"));
        TrustManagerFactory tm = TrustManagerFactory.getInstance("PKIX"); tm.init(tk);
        for (String proto : List.of("TLSv1.2", "TLSv1.3")) {
            SSLContext c = SSLContext.getInstance(proto); c.init(km.getKeyManagers(), tm.getTrustManagers(), null);
            SSLServerSocket ss = (SSLServerSocket) c.getServerSocketFactory().createServerSocket(0);
            Thread t = new Thread(() -> { for (int i = 0; i < 3; i++) try (Socket s = ss.accept()) { s.getInputStream().transferTo(s.getOutputStream()); } catch (IOException e) { System.out.println("server failed"); } });
            t.start();
            for (int i = 0; i < 2; i++) try (SSLSocket s = (SSLSocket) c.getSocketFactory().createSocket("localhost", ss.getLocalPort())) {
                s.setEnabledProtocols(new String[] {proto});
                byte[] b = new byte[200000]; new Random(1).nextBytes(b);
                Thread w = new Thread(() -> { try { s.getOutputStream().write(b); s.shutdownOutput(); } catch (IOException e) { e.printStackTrace(); } }); w.start();
                System.out.println(s.getSession().getProtocol() + " " + s.getSession().getCipherSuite() + " " + Arrays.equals(b, s.getInputStream().readAllBytes())); w.join();
            }
            SSLContext d = SSLContext.getInstance("TLS"); d.init(null, null, null);
            String refused = null;
            try (SSLSocket s = (SSLSocket) d.getSocketFactory().createSocket("localhost", ss.getLocalPort())) { s.startHandshake(); } catch (SSLException e) { refused = e.getMessage(); }
            t.join(); ss.close(); /* the server has said its word */
            System.out.println(refused);
        }
        for (String a : "AES/GCM/NoPadding AES/CBC/PKCS5Padding ChaCha20-Poly1305 DESede/ECB/PKCS5Padding".split(" ")) {
            Cipher c = Cipher.getInstance(a); byte[] key = new byte[a.startsWith("DES") ? 24 : 32]; Arrays.fill(key, (byte) 3);
            SecretKeySpec sk = new SecretKeySpec(key, a.split("/")[0].replace("-Poly1305", ""));
            if (a.contains("GCM")) c.init(1, sk, new GCMParameterSpec(128, new byte[12])); else if (a.contains("CBC")) c.init(1, sk, new IvParameterSpec(new byte[16])); else if (a.startsWith("Cha")) c.init(1, sk, new IvParameterSpec(new byte[12])); else c.init(1, sk);
            System.out.println(a + " " + HexFormat.of().formatHex(c.doFinal("some text of several blocks, long enough".getBytes())));
        }
        for (String a : new TreeSet<>(Security.getAlgorithms("MessageDigest"))) System.out.println(a + " " + HexFormat.of().formatHex(MessageDigest.getInstance(a).digest("abc".repeat(1000).getBytes())));
        System.out.println(HexFormat.of().formatHex(SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512").generateSecret(new PBEKeySpec("p".toCharArray(), new byte[8], 1000, 256)).getEncoded()));
        System.out.println(Arrays.stream(Security.getProviders()).map(Provider::getName).toList());
    }
    static void files() throws Exception {
        Path d = Files.createDirectory(Path.of("watched"));
        try (WatchService w = FileSystems.getDefault().newWatchService()) {
            d.register(w, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);
            Files.writeString(d.resolve("a"), "x");
            WatchKey k = w.take(); k.pollEvents().forEach(e -> System.out.println(e.kind() + " " + e.context())); k.reset();
            Files.delete(d.resolve("a")); k = w.take(); k.pollEvents().forEach(e -> System.out.println(e.kind() + " " + e.context()));
        }
        try (FileSystem z = FileSystems.newFileSystem(Path.of("z.zip"), Map.of("create", "true"))) { Files.writeString(z.getPath("/t.txt"), "in zip\n".repeat(100)); Files.createDirectory(z.getPath("/d")); Files.copy(z.getPath("/t.txt"), z.getPath("/d/u.txt")); }
        try (FileSystem z = FileSystems.newFileSystem(Path.of("z.zip")); Stream<Path> s = Files.walk(z.getPath("/"))) { System.out.println(s.map(Object::toString).sorted().toList() + " " + Files.size(z.getPath("/d/u.txt"))); }
        Files.delete(Path.of("z.zip"));
        try (FileChannel c = FileChannel.open(Path.of("m"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer b = c.map(FileChannel.MapMode.READ_WRITE, 0, 1 << 16); b.putLong(8, 42); b.force(); b.load();
            System.out.println(c.size() + " " + b.order(ByteOrder.LITTLE_ENDIAN).getLong(8) + " " + b.isLoaded());
            try (FileLock l = c.lock()) { System.out.println(l.isValid()); try { c.tryLock(); } catch (OverlappingFileLockException e) { System.out.println(e); } }
        }
        AsynchronousFileChannel ac = AsynchronousFileChannel.open(Path.of("m"), StandardOpenOption.READ); ByteBuffer ab = ByteBuffer.allocateDirect(16); System.out.println(ac.read(ab, 0).get()); ac.close();
        System.out.println(FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base/java/lang/Object.class").toUri() + " " + new TreeSet<>(Files.getPosixFilePermissions(Path.of("m"))));
       
        Pipe p = Pipe.open(); p.sink().write(ByteBuffer.wrap("pipe".getBytes())); ByteBuffer pb = ByteBuffer.allocate(10); System.out.println(p.source().read(pb));
        try (ServerSocketChannel s = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) { s.bind(UnixDomainSocketAddress.of("sock")); SocketChannel c = SocketChannel.open(UnixDomainSocketAddress.of("sock")); SocketChannel q = s.accept(); c.write(ByteBuffer.wrap("u".getBytes())); System.out.println(q.read(ByteBuffer.allocate(5))); }
        DatagramSocket u = new DatagramSocket(0, InetAddress.getLoopbackAddress()); DatagramSocket v = new DatagramSocket(); v.send(new DatagramPacket("dg".getBytes(), 2, InetAddress.getLoopbackAddress(), u.getLocalPort())); DatagramPacket dp = new DatagramPacket(new byte[9], 9); u.receive(dp); System.out.println(dp.getLength());
    }
    static void procs() throws Exception {
        Process p = new ProcessBuilder("sh", "-c", "cat; echo err >&2; exit 3").start();
        try (OutputStream o = p.getOutputStream()) { o.write("to child\n".getBytes()); }
        System.out.print(new String(p.getInputStream().readAllBytes()) + new String(p.getErrorStream().readAllBytes())); System.out.println(p.waitFor());
        List<Process> pl = ProcessBuilder.startPipeline(List.of(new ProcessBuilder("printf", "c\\nb\\na\\n"), new ProcessBuilder("sort"))); System.out.print(new String(pl.get(1).getInputStream().readAllBytes()));
        Process s = new ProcessBuilder("sleep", "100").start(); System.out.println(s.isAlive() + " " + s.toHandle().info().command().get().endsWith("sleep") + " " + ProcessHandle.current().children().anyMatch(h -> h.pid() == s.pid())); s.destroy(); System.out.println(s.onExit().get().exitValue());
        try { new ProcessBuilder("/no/such").start(); } catch (IOException e) { System.out.println(e.getMessage()); }
        ProcessBuilder e = new ProcessBuilder("sh", "-c", "echo $X; pwd | grep -c files").directory(new File(".")); e.environment().put("X", "env"); e.redirectOutput(new File("o")); System.out.println(e.start().waitFor() + " " + Files.readString(Path.of("o")));
    }
    static void text() throws Exception {
        for (Locale l : new Locale[] {Locale.US, Locale.GERMANY, new Locale("hi", "IN"), new Locale("ar", "EG"), Locale.JAPAN, new Locale("tr"), new Locale("sv", "SE")}) {
            System.out.println(l + " " + NumberFormat.getCurrencyInstance(l).format(-1234567.891) + " " + DateFormat.getDateTimeInstance(DateFormat.FULL, DateFormat.LONG, l).format(new Date(1700000000000L)) + " " + NumberFormat.getCompactNumberInstance(l, NumberFormat.Style.LONG).format(123456) + " " + "TITLE\u0130i".toLowerCase(l) + " " + l.getDisplayCountry(l)
                + " " + DateTimeFormatter.ofLocalizedDate(FormatStyle.MEDIUM).withLocale(l).format(LocalDate.of(2024, 2, 29)) + " " + DayOfWeek.MONDAY.getDisplayName(java.time.format.TextStyle.FULL, l) + " " + Collator.getInstance(l).compare("z", "\u00e5") + " " + Calendar.getInstance(l).getFirstDayOfWeek());
        }
        for (String z : new String[] {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca", "Pacific/Apia"}) {
            ZonedDateTime t = ZonedDateTime.of(2024, 3, 31, 2, 30, 0, 0, ZoneId.of(z)); System.out.println(t + " " + t.plusMonths(7).withEarlierOffsetAtOverlap() + " " + TimeZone.getTimeZone(z).getOffset(1700000000000L) + " " + ZoneId.of(z).getRules().nextTransition(Instant.ofEpochSecond(1700000000)) + " " + TimeZone.getTimeZone(z).getDisplayName(true, TimeZone.LONG, Locale.FRENCH));
        }
        System.out.println(ZoneId.getAvailableZoneIds().size() + " " + Locale.getAvailableLocales().length + " " + Currency.getAvailableCurrencies().size() + " " + java.nio.charset.Charset.availableCharsets().keySet().hashCode());
        for (String cs : java.nio.charset.Charset.availableCharsets().keySet()) { java.nio.charset.Charset c = java.nio.charset.Charset.forName(cs); if (c.canEncode()) System.out.print(Arrays.hashCode("h\u00e9llo \u0416 \u4e2d \ud83d\ude00".getBytes(c)) + " "); } System.out.println();
        System.out.println(new MessageFormat("{0,choice,0#none|1#one|1<many {0}} {1,date,yyyy} {2,number,percent}", Locale.US).format(new Object[] {5, new Date(0), .256}) + " " + String.format(Locale.GERMANY, "%,.2f|%-8s|%08x|%tF|%e|%g|%a|%b|%c|%h", 12345.678, "ab", 255, new GregorianCalendar(2024, 0, 2), 1e-10, 0.0001234, 1.0, true, 'x', "hi"));
        System.out.println(new ChoiceFormat("0#a|1#b").format(1) + " " + Normalizer.normalize("\u1e9b\u0323", Normalizer.Form.NFKD).length() + " " + new Bidi("abc \u05d0\u05d1", Bidi.DIRECTION_DEFAULT_LEFT_TO_RIGHT).getRunCount() + " " + new Scanner("1,5 true x").useLocale(Locale.GERMANY).nextDouble());
        BreakIterator bi = BreakIterator.getSentenceInstance(); bi.setText("One. Two? Three!"); int n = 0; while (bi.next() != BreakIterator.DONE) n++; System.out.println(n);
        Pattern p = Pattern.compile("(?<y>\\d{4})-(?<m>\\d\\d)(?=T)|\\p{IsCyrillic}+|(?i)stra\u00dfe|\\b(\\w)(\\w)?\\3?\\b", Pattern.UNICODE_CHARACTER_CLASS | Pattern.CANON_EQ);
        Matcher m = p.matcher("2024-05T a \u041c\u043e\u0441\u043a\u0432\u0430 STRA\u00dfE aba x"); while (m.find()) System.out.print(m.group() + "@" + m.start() + " "); System.out.println();
        System.out.println("aaaaaaaaaaaaaaaaaaaaaaaa".matches("(a+)+b") + " " + "x1y22z".replaceAll("(\\d+)", "<$1>") + " " + Pattern.compile(",").splitAsStream("a,b,,c,,").toList()); try { Pattern.compile("(a[b"); } catch (PatternSyntaxException e) { System.out.println(e.getMessage()); }
        try { Pattern.compile("(x|y)*").matcher("xy".repeat(100000)).matches(); System.out.println("deep ok"); } catch (StackOverflowError e) { System.out.println("SOE"); }
        BigInteger f = BigInteger.ONE; for (int i = 2; i <= 3000; i++) f = f.multiply(BigInteger.valueOf(i)); System.out.println(f.bitLength() + " " + f.toString().hashCode() + " " + f.mod(new BigInteger("1000000007").pow(9)) + " " + BigInteger.TWO.modPow(f, new BigInteger("170141183460469231731687303715884105727")) + " " + f.sqrt().hashCode() + " " + new BigInteger("1000000007").isProbablePrime(50));
        System.out.println(BigDecimal.ONE.divide(new BigDecimal("7"), new MathContext(200)) + " " + new BigDecimal("2").sqrt(MathContext.DECIMAL128) + " " + new BigDecimal("1e400").doubleValue() + " " + new BigDecimal("123.4500").stripTrailingZeros().toEngineeringString());
        System.out.println(IntStream.rangeClosed(1, 200000).parallel().filter(i -> BigInteger.valueOf(i).bitCount() % 3 == 0).mapToLong(i -> i).sum() + " " + Stream.of("b", "a", "c").parallel().sorted().collect(Collectors.joining()) + " " + IntStream.range(0, 1000).boxed().parallel().collect(Collectors.groupingByConcurrent(i -> i % 7, ConcurrentSkipListMap::new, Collectors.counting())));
    }
    static void misc() throws Exception {
        Logger.getLogger("java.util.prefs").setLevel(Level.OFF);
        Logger l = Logger.getLogger("a.b"); l.setUseParentHandlers(false); Handler h = new StreamHandler(System.out, new SimpleFormatter() { public String format(LogRecord r) { return r.getLevel() + " " + r.getSourceClassName() + "." + r.getSourceMethodName() + " " + formatMessage(r) + "\n"; } }); l.addHandler(h); l.log(Level.WARNING, "x {0} {1}", new Object[] {1, "y"}); l.entering("A", "b"); h.flush();
        Preferences p = Preferences.userRoot().node("t/x"); p.putInt("k", 5); p.putByteArray("b", new byte[] {1, 2}); p.flush(); ByteArrayOutputStream o = new ByteArrayOutputStream(); p.exportNode(o); System.out.println(o.toString().contains("<entry key=\"k\" value=\"5\"/>") + " " + Arrays.toString(p.keys()) + " " + p.absolutePath()); p.parent().removeNode();
        try { ResourceBundle.getBundle("no.bundle"); } catch (MissingResourceException e) { System.out.println(e.getMessage()); }
        System.out.println(ServiceLoader.load(java.nio.file.spi.FileSystemProvider.class).stream().map(x -> x.type().getName()).sorted().toList());
        System.out.println(ModuleLayer.boot().modules().size() + " " + PlatformTour.class.getModule().isNamed() + " " + Object.class.getModule().getDescriptor().packages().size());
        Timer t = new Timer(true); CountDownLatch c = new CountDownLatch(3); t.schedule(new TimerTask() { public void run() { c.countDown(); } }, 1, 1); c.await(); t.cancel();
        System.out.println(HttpURLConnection.guessContentTypeFromName("a.png") + " " + new URL("http://u:p@h:8/p?q#r").getUserInfo() + " " + URI.create("http://h/a/b/../c").normalize() + " " + URLEncoder.encode("a b&\u00e9", "UTF-8") + " " + InetAddress.getByName("::1") + " " + IDN.toASCII("b\u00fccher.de"));
        ByteArrayOutputStream bo = new ByteArrayOutputStream(); try (ObjectOutputStream oo = new ObjectOutputStream(bo)) { oo.writeObject(new Object[] {new TreeMap<>(Map.of("a", 1)), LocalDate.EPOCH, new int[] {1}, Thread.State.NEW, (Comparator<String> & Serializable) String::compareTo, new IllegalStateException("s", new IOException("c")), URI.create("u:v"), new BitSet(), EnumSet.of(Thread.State.NEW), Collections.unmodifiableList(new LinkedList<>(List.of(1)))}); }
        Object[] back = (Object[]) new ObjectInputStream(new ByteArrayInputStream(bo.toByteArray())).readObject(); System.out.println(bo.size() > 500 ? Arrays.asList(back).subList(0, 2) + " " + back[3] + " " + ((Comparator<String>) back[4]).compare("a", "b") + " " + back[5] + ((Throwable) back[5]).getCause() : "");
        ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bo.toByteArray())); in.setObjectInputFilter(i -> i.serialClass() == TreeMap.class ? ObjectInputFilter.Status.REJECTED : ObjectInputFilter.Status.UNDECIDED); try { in.readObject(); } catch (InvalidClassException e) { System.out.println(e.getMessage()); }
        javax.script.ScriptEngineManager sm = new javax.script.ScriptEngineManager(); System.out.println(sm.getEngineFactories().size());
        CompletableFuture<String> cf = CompletableFuture.supplyAsync(() -> "a").thenCombine(CompletableFuture.supplyAsync(() -> "b"), String::concat).thenApplyAsync(s -> s + s).orTimeout(60, TimeUnit.SECONDS); System.out.println(cf.get());
        SubmissionPublisher<Integer> sp = new SubmissionPublisher<>(); CompletableFuture<Void> done; List<Integer> got = Collections.synchronizedList(new ArrayList<>()); done = sp.consume(got::add); IntStream.range(0, 100).forEach(sp::submit); sp.close(); done.get(); System.out.println(got.size());
        StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).forEach(f -> System.out.println(f.getMethodName() + " " + f.getDeclaringClass().getSimpleName()));
        com.sun.net.httpserver.HttpServer hs = com.sun.net.httpserver.HttpServer.create(new InetSocketAddress("localhost", 0), 0); hs.createContext("/", x -> { x.sendResponseHeaders(200, 2); x.getResponseBody().write("ok".getBytes()); x.close(); }); hs.start(); System.out.println(new String(new URL("http://localhost:" + hs.getAddress().getPort()).openStream().readAllBytes())); hs.stop(0);
    }
    public static void main(String[] a) throws Exception {
        for (String s : a) { System.out.println("== " + s); switch (s) { case "jmx" -> jmx(); case "tls" -> tls(); case "files" -> files(); case "procs" -> procs(); case "text" -> text(); case "misc" -> misc(); } }
    }
}
