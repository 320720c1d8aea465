// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import javax.servlet.http.*;
import org.eclipse.jetty.server.*;
import org.eclipse.jetty.servlet.*;

/** Jetty serves pages: prints its port and ends when standard input does. */
public class JettyPages {
    public static class Pages extends HttpServlet {
        protected void doGet(HttpServletRequest q, HttpServletResponse r) throws IOException {
            byte[] page = Page.render(q.getParameterMap()).getBytes(StandardCharsets.UTF_8);
            r.setContentType("text/html;charset=utf-8");
            r.setContentLength(page.length);
            r.getOutputStream().write(page);
        }
    }

    public static void main(String[] a) throws Exception {
        Server server = new Server(new InetSocketAddress("localhost", 0));
        ServletContextHandler handler = new ServletContextHandler();
        handler.addServlet(Pages.class, "/page");
        server.setHandler(handler);
        server.start();
        System.out.println(((ServerConnector) server.getConnectors()[0]).getLocalPort());
        System.in.read();
        server.stop();
    }
}
