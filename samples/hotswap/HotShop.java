// SPDX-License-Identifier: Apache-2.0
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;

/** A web server with state. Its pages are made by HotPage: edit that while this runs. */
public class HotShop {
    static int visits;

    /** Called by the agent after a swap: the place to empty caches of what the old code made. */
    public static void swapped(String[] classes) {
        System.out.println("new code: " + String.join(", ", classes));
    }

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 0);
        server.createContext("/", request -> {
            byte[] page = HotPage.text(++visits).getBytes();
            request.sendResponseHeaders(200, page.length);
            try (var out = request.getResponseBody()) { out.write(page); }
        });
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }
}
