#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 400
# packages: libtomcat10-java libeclipse-jdt-core-java
# extent: suite
#
# Tomcat 10, embedded: servlets, filters and JSP pages (compiled while running) under load.
. "$(dirname "$0")/common.sh"
jars tomcat10-{catalina,coyote,util,util-scan,juli,api,servlet-api,jsp-api,el-api,jasper,jasper-el,annotations-api,jni,jaspic-api} eclipse-jdt-core
cp+=$(ls $share/equinox-*.jar $share/org.eclipse.*.jar 2>/dev/null | tr '\n' ':')
mkdir -p "$work/app"
cat >"$work/app/a.jsp" <<'JSP'
<%@ page contentType="text/plain;charset=UTF-8" import="java.util.*" %><%! int n; synchronized int next() { return ++n; } %>
<% List<String> l = List.of("x", "y"); for (String s : l) { %>item <%= s %> ${1 + 2 * 3} ${empty param.q ? 'none' : param.q}
<% } %><%= next() > 0 %>
JSP
echo '<% Object o = null; %><%= o.toString() %>' >"$work/app/npe.jsp"
echo '<% int x = "no"; %>' >"$work/app/broken.jsp"
echo 'static text' >"$work/app/file.txt"
driver TomcatLoad <<'JAVA'
import jakarta.servlet.*;
import jakarta.servlet.http.*;
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import org.apache.catalina.*;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.*;

public class TomcatLoad {
    public static void main(String[] a) throws Exception {
        java.util.logging.LogManager.getLogManager().reset();
        Tomcat t = new Tomcat();
        t.setBaseDir(Path.of("base").toAbsolutePath().toString());
        t.setPort(0);
        t.getConnector();
        Context c = t.addContext("", a[0]);
        Tomcat.addServlet(c, "echo", new HttpServlet() {
            protected void service(HttpServletRequest q, HttpServletResponse r) throws IOException {
                byte[] b = q.getInputStream().readAllBytes();
                r.getWriter().print(q.getMethod() + " " + q.getServletPath() + " " + b.length + " " + Arrays.hashCode(b) + " " + q.getAttribute("filtered"));
            }
        });
        c.addServletMappingDecoded("/echo", "echo");
        Tomcat.addServlet(c, "default", "org.apache.catalina.servlets.DefaultServlet");
        c.addServletMappingDecoded("/", "default");
        Wrapper jsp = Tomcat.addServlet(c, "jsp", "org.apache.jasper.servlet.JspServlet");
        jsp.addInitParameter("fork", "false");
        jsp.addInitParameter("compilerSourceVM", "17");
        jsp.addInitParameter("compilerTargetVM", "17");
        c.addServletMappingDecoded("*.jsp", "jsp");
        c.addServletContainerInitializer(new org.apache.jasper.servlet.JasperInitializer(), null);
        FilterDef f = new FilterDef();
        f.setFilterName("f");
        f.setFilter((q, r, chain) -> { q.setAttribute("filtered", "yes"); chain.doFilter(q, r); });
        c.addFilterDef(f);
        FilterMap m = new FilterMap();
        m.setFilterName("f");
        m.addURLPattern("/*");
        c.addFilterMap(m);
        t.start();
        int port = t.getConnector().getLocalPort();
        String base = "http://localhost:" + port;
        HttpClient h = HttpClient.newHttpClient();
        for (String p : new String[] {"/echo", "/file.txt", "/a.jsp", "/a.jsp?q=v", "/npe.jsp", "/broken.jsp", "/nothing"}) {
            HttpResponse<String> r = h.send(HttpRequest.newBuilder(URI.create(base + p)).build(), HttpResponse.BodyHandlers.ofString());
            String body = r.body().replaceAll("<[^>]*>", " ").replaceAll("\\s+", " ");
            System.out.println(r.statusCode() + " " + body.substring(0, Math.min(400, body.length())));
        }
        AtomicInteger ok = new AtomicInteger();
        AtomicLong bytes = new AtomicLong();
        ExecutorService pool = Executors.newFixedThreadPool(12);
        for (int k = 0; k < 12; k++) {
            int id = k;
            pool.submit(() -> {
                for (int i = 0; i < 60; i++) {
                    try {
                        HttpURLConnection u = (HttpURLConnection) new URL(base + (i % 2 == 0 ? "/a.jsp?q=" + i : "/echo")).openConnection();
                        if (i % 2 == 1) { u.setDoOutput(true); u.getOutputStream().write(new byte[i * 997]); }
                        bytes.addAndGet(u.getInputStream().readAllBytes().length);
                        if (u.getResponseCode() == 200) ok.incrementAndGet();
                    } catch (IOException e) { e.printStackTrace(); }
                }
            });
        }
        pool.shutdown();
        System.out.println(pool.awaitTermination(200, TimeUnit.SECONDS) + " " + ok + " " + bytes);
        t.stop();
        t.destroy();
        System.out.println(t.getServer().getState());
        System.exit(0);
    }
}
JAVA
run() { mkdir base; vm "$1" TomcatLoad "$work/app"; local c=$?; find base -name '*.java' -o -name '*.class' | sort; rm -rf base; return $c; }
compare run
