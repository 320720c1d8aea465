// SPDX-License-Identifier: Apache-2.0
import jakarta.servlet.http.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** Tomcat serves pages: prints its port and ends when standard input does. */
public class TomcatPages {
    public static void main(String[] a) throws Exception {
        java.util.logging.LogManager.getLogManager().reset();
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Path.of("base").toAbsolutePath().toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("maxKeepAliveRequests", "-1");
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "page", new HttpServlet() {
            protected void doGet(HttpServletRequest q, HttpServletResponse r) throws IOException {
                byte[] page = Page.render(q.getParameterMap()).getBytes(StandardCharsets.UTF_8);
                r.setContentType("text/html;charset=utf-8");
                r.setContentLength(page.length);
                r.getOutputStream().write(page);
            }
        });
        context.addServletMappingDecoded("/page", "page");
        tomcat.start();
        System.out.println(tomcat.getConnector().getLocalPort());
        System.in.read();
        tomcat.stop();
        tomcat.destroy();
    }
}
