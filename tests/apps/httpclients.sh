#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# packages: libhttpclient-java libokhttp-java libcommons-logging-java libcommons-codec-java kotlin
# extent: suite
#
# Apache HttpClient and OkHttp against the JDK's HTTP server: pools, redirects, gzip, time-outs, interceptors.
. "$(dirname "$0")/common.sh"
jars httpclient httpcore commons-logging commons-codec okhttp okio
cp+=$(ls $share/kotlin-stdlib.jar $share/jsr305.jar 2>/dev/null | tr '\n' ':')
driver Clients <<'JAVA'
import com.sun.net.httpserver.*;
import java.io.*;
import java.net.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.zip.*;
import org.apache.http.client.methods.*;
import org.apache.http.impl.client.*;
import org.apache.http.util.EntityUtils;
public class Clients {
    public static void main(String[] a) throws Exception {
        HttpServer s = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
        s.setExecutor(Executors.newFixedThreadPool(8));
        s.createContext("/echo", x -> { byte[] b = x.getRequestBody().readAllBytes(); x.sendResponseHeaders(200, b.length + 1); x.getResponseBody().write(b); x.getResponseBody().write('!'); x.close(); });
        s.createContext("/move", x -> { x.getResponseHeaders().add("Location", "/zip"); x.sendResponseHeaders(302, -1); x.close(); });
        s.createContext("/zip", x -> { x.getResponseHeaders().add("Content-Encoding", "gzip"); x.sendResponseHeaders(200, 0); try (OutputStream o = new GZIPOutputStream(x.getResponseBody())) { o.write("packed ".repeat(300).getBytes()); } });
        s.createContext("/slow", x -> { try { Thread.sleep(3000); } catch (InterruptedException e) { } x.sendResponseHeaders(204, -1); x.close(); });
        s.start();
        String base = "http://localhost:" + s.getAddress().getPort();
        try (CloseableHttpClient c = HttpClients.custom().setMaxConnPerRoute(4).build()) {
            for (String p : List.of("/move", "/zip", "/none")) try (CloseableHttpResponse r = c.execute(new HttpGet(base + p))) { System.out.println(r.getStatusLine().getStatusCode() + " " + EntityUtils.toString(r.getEntity()).length()); }
            ExecutorService e = Executors.newFixedThreadPool(12);
            AtomicLong sum = new AtomicLong();
            for (int i = 0; i < 300; i++) { int k = i; e.submit(() -> { HttpPost q = new HttpPost(base + "/echo"); q.setEntity(new org.apache.http.entity.StringEntity("b" + k)); sum.addAndGet(c.execute(q, r -> EntityUtils.toString(r.getEntity())).hashCode()); return null; }); }
            e.shutdown();
            System.out.println(e.awaitTermination(100, TimeUnit.SECONDS) + " " + sum);
        }
        okhttp3.OkHttpClient k = new okhttp3.OkHttpClient.Builder().readTimeout(200, TimeUnit.MILLISECONDS).retryOnConnectionFailure(false).addInterceptor(c -> c.proceed(c.request().newBuilder().header("X", "y").build())).build();
        for (String p : List.of("/move", "/echo", "/slow")) try (okhttp3.Response r = k.newCall(new okhttp3.Request.Builder().url(base + p).build()).execute()) { System.out.println(r.code() + " " + r.body().string().length() + " " + r.request().header("X")); } catch (SocketTimeoutException e) { System.out.println("timed out"); }
        CountDownLatch l = new CountDownLatch(50); AtomicInteger ok = new AtomicInteger();
        for (int i = 0; i < 50; i++) k.newBuilder().readTimeout(20, TimeUnit.SECONDS).build().newCall(new okhttp3.Request.Builder().url(base + "/zip").build()).enqueue(new okhttp3.Callback() {
            public void onFailure(okhttp3.Call c, IOException e) { e.printStackTrace(); l.countDown(); }
            public void onResponse(okhttp3.Call c, okhttp3.Response r) throws IOException { if (r.body().string().length() == 2100) ok.incrementAndGet(); l.countDown(); }
        });
        System.out.println(l.await(60, TimeUnit.SECONDS) + " " + ok);
        System.exit(0);
    }
}
JAVA
run() { vm "$1" Clients; }
compare run
