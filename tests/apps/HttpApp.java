// SPDX-License-Identifier: Apache-2.0
import com.sun.net.httpserver.*;
import java.net.*;
import java.net.http.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

/** "HttpApp serve PORTFILE": a server until /stop. "HttpApp client PORT": drives it and prints what it got. */
public class HttpApp {
    public static void main(String[] a) throws Exception {
        if (a[0].equals("serve")) serve(a[1]);
        else client("http://127.0.0.1:" + a[1]);
    }

    static void serve(String file) throws Exception {
        HttpServer s = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        s.setExecutor(pool);
        Map<String, String> store = new ConcurrentHashMap<>();
        s.createContext("/kv/", e -> {
            String k = e.getRequestURI().getPath().substring(4);
            byte[] body = e.getRequestBody().readAllBytes();
            String r = switch (e.getRequestMethod()) { case "PUT" -> store.put(k, new String(body)) + ""; case "GET" -> store.get(k); case "DELETE" -> store.remove(k); default -> null; };
            byte[] b = r == null ? new byte[0] : r.getBytes();
            e.getResponseHeaders().set("X-Size", store.size() > 0 ? "some" : "none");
            e.sendResponseHeaders(r == null ? 404 : 200, b.length == 0 ? -1 : b.length);
            if (b.length > 0) e.getResponseBody().write(b);
            e.close();
        });
        s.createContext("/chunked", e -> { e.sendResponseHeaders(200, 0); try (var o = e.getResponseBody()) { for (int i = 0; i < 1000; i++) o.write(("line " + i + "\n").getBytes()); } });
        CountDownLatch stop = new CountDownLatch(1);
        s.createContext("/stop", e -> { e.sendResponseHeaders(204, -1); e.close(); stop.countDown(); });
        s.start();
        java.nio.file.Files.writeString(java.nio.file.Path.of(file + ".tmp"), "" + s.getAddress().getPort());
        java.nio.file.Files.move(java.nio.file.Path.of(file + ".tmp"), java.nio.file.Path.of(file));
        stop.await();
        s.stop(1);
        pool.shutdown();
        System.out.println("served, stored " + new TreeMap<>(store).size());
    }

    static HttpResponse<String> send(HttpClient c, String m, String u, String body) throws Exception {
        return c.send(HttpRequest.newBuilder(URI.create(u)).method(m, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body)).build(), HttpResponse.BodyHandlers.ofString());
    }

    static void client(String base) throws Exception {
        HttpClient c = HttpClient.newHttpClient();
        for (int i = 0; i < 50; i++) send(c, "PUT", base + "/kv/k" + i, "value " + i);
        List<CompletableFuture<String>> fs = IntStream.range(0, 50).mapToObj(i -> c.sendAsync(HttpRequest.newBuilder(URI.create(base + "/kv/k" + i)).build(), HttpResponse.BodyHandlers.ofString()).thenApply(r -> r.statusCode() + r.body())).collect(Collectors.toList());
        for (CompletableFuture<String> f : fs) System.out.println(f.get(20, TimeUnit.SECONDS));
        System.out.println(send(c, "DELETE", base + "/kv/k7", null).body() + " " + send(c, "GET", base + "/kv/k7", null).statusCode() + " " + send(c, "GET", base + "/none", null).statusCode());
        System.out.println(send(c, "GET", base + "/chunked", null).body().lines().count());
        System.out.println(new String(((HttpURLConnection) new URL(base + "/kv/k8").openConnection()).getInputStream().readAllBytes()));
        System.out.println(send(c, "GET", base + "/stop", null).statusCode());
    }
}
