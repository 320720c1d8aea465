#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: libjetty9-extra-java libjetty9-java
# extent: suite
#
# Jetty serves servlets under load: sessions, async, errors, big bodies, chunks; HttpURLConnection and java.net.http ask.
. "$(dirname "$0")/common.sh"
jars jetty9-{server,servlet,util,http,io,security,util-ajax} servlet-api jetty9-client slf4j-api slf4j-nop
driver JettyLoad <<'JAVA'
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import javax.servlet.*;
import javax.servlet.http.*;
import org.eclipse.jetty.server.*;
import org.eclipse.jetty.server.handler.*;
import org.eclipse.jetty.servlet.*;

public class JettyLoad {
    public static class Echo extends HttpServlet {
        protected void doGet(HttpServletRequest q, HttpServletResponse r) throws IOException {
            HttpSession s = q.getSession();
            Integer n = (Integer) s.getAttribute("n");
            s.setAttribute("n", n = n == null ? 1 : n + 1);
            r.setContentType("text/plain;charset=utf-8");
            r.getWriter().printf("%s %s visit %d%n", q.getPathInfo(), new TreeMap<>(q.getParameterMap()).keySet(), n);
        }
        protected void doPost(HttpServletRequest q, HttpServletResponse r) throws IOException {
            byte[] b = q.getInputStream().readAllBytes();
            r.setHeader("X-Sum", "" + Arrays.hashCode(b));
            r.getOutputStream().write(b);
        }
    }
    public static class Slow extends HttpServlet {
        protected void doGet(HttpServletRequest q, HttpServletResponse r) {
            AsyncContext c = q.startAsync();
            c.start(() -> {
                try { for (int i = 0; i < 3; i++) { r.getWriter().println("part " + i); r.flushBuffer(); } }
                catch (IOException e) { e.printStackTrace(); }
                c.complete();
            });
        }
    }
    public static class Bad extends HttpServlet {
        protected void doGet(HttpServletRequest q, HttpServletResponse r) throws ServletException { throw new ServletException("no good"); }
    }
    public static void main(String[] a) throws Exception {
        Server server = new Server(new InetSocketAddress("localhost", 0));
        ServletContextHandler h = new ServletContextHandler(ServletContextHandler.SESSIONS);
        h.addServlet(Echo.class, "/echo/*");
        h.addServlet(new ServletHolder(new Slow()), "/slow");
        h.addServlet(Bad.class, "/bad");
        ((ServletHolder) h.getServletHandler().getServlets()[1]).setAsyncSupported(true);
        server.setHandler(h);
        server.start();
        int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
        String base = "http://localhost:" + port;
        HttpClient c = HttpClient.newBuilder().cookieHandler(new CookieManager()).version(HttpClient.Version.HTTP_1_1).build();
        for (String p : new String[] {"/echo/x?b=1&a=2", "/echo/y", "/slow", "/none"}) {
            HttpResponse<String> r = c.send(HttpRequest.newBuilder(URI.create(base + p)).build(), HttpResponse.BodyHandlers.ofString());
            System.out.println(r.statusCode() + " " + r.body().replaceAll("<[^>]*>", " ").replaceAll("\\s+", " ").replaceAll("Servlet-\\p{XDigit}+|" + port, "ID"));
        }
        System.out.println(c.send(HttpRequest.newBuilder(URI.create(base + "/bad")).build(), HttpResponse.BodyHandlers.ofString()).statusCode());
        byte[] big = new byte[3_000_000];
        new Random(5).nextBytes(big);
        HttpResponse<byte[]> r = c.send(HttpRequest.newBuilder(URI.create(base + "/echo/")).POST(HttpRequest.BodyPublishers.ofByteArray(big)).build(), HttpResponse.BodyHandlers.ofByteArray());
        System.out.println(r.statusCode() + " " + Arrays.equals(big, r.body()) + " " + r.headers().firstValue("X-Sum").get());
        AtomicLong bytes = new AtomicLong(), ok = new AtomicLong();
        ExecutorService pool = Executors.newFixedThreadPool(16);
        List<Future<?>> fs = new ArrayList<>();
        for (int t = 0; t < 16; t++) {
            int id = t;
            fs.add(pool.submit(() -> {
                for (int i = 0; i < 50; i++) {
                    HttpURLConnection u = (HttpURLConnection) new URL(base + "/echo/" + id).openConnection();
                    if (i % 3 == 0) {
                        u.setDoOutput(true);
                        u.setChunkedStreamingMode(100);
                        u.getOutputStream().write(new byte[i * 100]);
                    }
                    bytes.addAndGet(u.getInputStream().readAllBytes().length);
                    if (u.getResponseCode() == 200) ok.incrementAndGet();
                }
                return null;
            }));
        }
        for (Future<?> f : fs) f.get();
        pool.shutdown();
        System.out.println(ok + " " + bytes);
        List<CompletableFuture<Integer>> cs = new ArrayList<>();
        for (int i = 0; i < 200; i++)
            cs.add(c.sendAsync(HttpRequest.newBuilder(URI.create(base + "/slow")).build(), HttpResponse.BodyHandlers.ofString()).thenApply(x -> x.body().length()));
        System.out.println(cs.stream().mapToInt(CompletableFuture::join).sum());
        server.stop();
        System.out.println(server.getState());
    }
}
JAVA
run() { vm "$1" JettyLoad; }
compare run
