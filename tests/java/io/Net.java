// SPDX-License-Identifier: Apache-2.0
import com.sun.net.httpserver.*;
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;

/** Sockets, datagrams, channels with selector, httpserver with HttpURLConnection and HttpClient, URIs; all on the loopback. */
public class Net {
    public static void main(String[] args) throws Exception {
        InetAddress lo = InetAddress.getLoopbackAddress();
        try (ServerSocket ss = new ServerSocket(0, 5, lo)) {
            Thread srv = new Thread(() -> {
                try (Socket s = ss.accept(); BufferedReader r = new BufferedReader(new InputStreamReader(s.getInputStream())); PrintWriter w = new PrintWriter(s.getOutputStream(), true)) {
                    for (String l; (l = r.readLine()) != null; ) w.println("echo " + l.toUpperCase());
                } catch (IOException e) { System.out.println("server " + e); }
            });
            srv.start();
            try (Socket c = new Socket(lo, ss.getLocalPort())) {
                c.setTcpNoDelay(true);
                c.setSoTimeout(20000);
                PrintWriter w = new PrintWriter(c.getOutputStream(), true);
                BufferedReader r = new BufferedReader(new InputStreamReader(c.getInputStream()));
                for (String x : new String[] {"one", "two"}) { w.println(x); System.out.println(r.readLine()); }
                System.out.println(c.isConnected() + " " + c.getInetAddress().isLoopbackAddress() + c.getTcpNoDelay());
            }
            srv.join();
            ss.setSoTimeout(20);
            try { ss.accept(); } catch (SocketTimeoutException e) { System.out.println("timeout " + e.getMessage()); }
        }
        int free;
        try (ServerSocket s = new ServerSocket(0, 1, lo)) { free = s.getLocalPort(); }
        try { new Socket(lo, free); } catch (ConnectException e) { System.out.println(e.getMessage()); }
        try { InetAddress.getByName("no.such.host.invalid"); } catch (UnknownHostException e) { System.out.println("unknown host"); }
        try (DatagramSocket a = new DatagramSocket(0, lo); DatagramSocket b = new DatagramSocket(0, lo)) {
            a.send(new DatagramPacket("dgram".getBytes(), 5, lo, b.getLocalPort()));
            DatagramPacket p = new DatagramPacket(new byte[20], 20);
            b.receive(p);
            System.out.println(new String(p.getData(), 0, p.getLength()) + (p.getPort() == a.getLocalPort()));
        }
        Selector sel = Selector.open();
        ServerSocketChannel ssc = ServerSocketChannel.open().bind(new InetSocketAddress(lo, 0));
        ssc.configureBlocking(false);
        ssc.register(sel, SelectionKey.OP_ACCEPT);
        int port = ((InetSocketAddress) ssc.getLocalAddress()).getPort();
        Thread cli = new Thread(() -> {
            try (SocketChannel c = SocketChannel.open(new InetSocketAddress(lo, port))) {
                c.write(ByteBuffer.wrap("nio-data".getBytes()));
                ByteBuffer b = ByteBuffer.allocate(50);
                while (c.read(b) >= 0 && b.position() < 8) { }
                System.out.println("client got " + new String(b.array(), 0, b.position()));
            } catch (IOException e) { System.out.println(e); }
        });
        cli.start();
        int bytes = 0;
        while (bytes < 8) {
            sel.select(1000);
            for (Iterator<SelectionKey> it = sel.selectedKeys().iterator(); it.hasNext(); ) {
                SelectionKey k = it.next();
                it.remove();
                if (k.isAcceptable()) { SocketChannel c = ssc.accept(); c.configureBlocking(false); c.register(sel, SelectionKey.OP_READ); }
                else if (k.isReadable()) { ByteBuffer b = ByteBuffer.allocateDirect(100); int n = ((SocketChannel) k.channel()).read(b); if (n > 0) { bytes += n; b.flip(); ((SocketChannel) k.channel()).write(b); } }
            }
        }
        cli.join();
        sel.close();
        ssc.close();
        HttpServer hs = HttpServer.create(new InetSocketAddress(lo, 0), 0);
        ExecutorService pool = Executors.newFixedThreadPool(3);
        hs.setExecutor(pool);
        hs.createContext("/hello", e -> { byte[] b = ("hello " + e.getRequestMethod() + " " + e.getRequestURI().getQuery() + " " + new String(e.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8); e.getResponseHeaders().add("X-Graft", "yes"); e.sendResponseHeaders(200, b.length); e.getResponseBody().write(b); e.close(); });
        hs.createContext("/boom", e -> { e.sendResponseHeaders(500, -1); e.close(); });
        hs.start();
        String base = "http://127.0.0.1:" + hs.getAddress().getPort();
        HttpURLConnection u = (HttpURLConnection) new URL(base + "/hello?q=1").openConnection();
        System.out.println(u.getResponseCode() + " " + new String(u.getInputStream().readAllBytes()) + " " + u.getHeaderField("X-Graft"));
        HttpClient hc = HttpClient.newBuilder().executor(pool).version(HttpClient.Version.HTTP_1_1).build();
        HttpResponse<String> r = hc.send(HttpRequest.newBuilder(URI.create(base + "/hello?x=%20y")).POST(HttpRequest.BodyPublishers.ofString("bödy")).build(), HttpResponse.BodyHandlers.ofString());
        System.out.println(r.statusCode() + " " + r.body() + " " + r.headers().firstValue("x-graft").get());
        List<CompletableFuture<String>> fs = new ArrayList<>();
        for (int i = 0; i < 20; i++) fs.add(hc.sendAsync(HttpRequest.newBuilder(URI.create(base + "/hello?n=" + i)).build(), HttpResponse.BodyHandlers.ofString()).thenApply(HttpResponse::body));
        for (CompletableFuture<String> f : fs) System.out.println(f.get());
        System.out.println(hc.send(HttpRequest.newBuilder(URI.create(base + "/boom")).build(), HttpResponse.BodyHandlers.discarding()).statusCode() + " " + hc.send(HttpRequest.newBuilder(URI.create(base + "/none")).build(), HttpResponse.BodyHandlers.ofString()).body());
        hs.stop(0);
        pool.shutdown();
        URI uri = new URI("http://user@host:80/a/b/../c?q=%41#frag");
        System.out.println(uri.normalize() + " " + uri.getPath() + uri.getQuery() + uri.getPort() + uri.resolve("../x") + URLEncoder.encode("a b&é", "UTF-8") + URLDecoder.decode("%C3%A9+", "UTF-8") + InetAddress.getByName("127.1.2.3").isLoopbackAddress() + InetAddress.getByName("::1").getHostAddress() + Collections.list(NetworkInterface.getNetworkInterfaces()).stream().anyMatch(n -> { try { return n.isLoopback(); } catch (SocketException e) { return false; } }));
        try { new URI("http://[bad"); } catch (URISyntaxException e) { System.out.println(e.getMessage()); }
        try { new URL("nope://x"); } catch (MalformedURLException e) { System.out.println(e.getMessage()); }
    }
}
