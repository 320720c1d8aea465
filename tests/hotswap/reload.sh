#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 240
# packages: chromium
# extent: suite
#
# A page in a real browser: it is loaded again after a swap, by itself, and not after a refusal, which it shows; who cancels the event keeps the page.
. "$(dirname "$0")/common.sh"
command -v chromium >/dev/null || { echo "chromium is missing"; exit 77; }
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
page() { # text [members]
    cat >"$src/Page.java" <<J
public class Page {
    ${2-}
    static String html(int visit) { return "<!DOCTYPE html><html lang=en><title>T</title><h1>$1 " + visit + "</h1>"; }
}
J
}
# What the page does is told to the server: it asks for /saw?TEXT.
cat >Site.java <<'J'
import com.sun.net.httpserver.*;
import java.net.InetSocketAddress;

public class Site {
    static int visits;
    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
        String script = "<script src=http://localhost:" + args[0] + "/reload.js></script><script>"
            + "const saw = text => fetch('/saw?' + encodeURIComponent(text)); saw('page ' + document.querySelector('h1').textContent);"
            + "addEventListener('graft-refused', () => setTimeout(() => saw('shown ' + document.querySelector('[role=alert]').textContent), 100));"
            + "addEventListener('graft-swap', e => { if (location.hash === '#keep') { e.preventDefault(); saw('kept ' + e.detail.swapped); } });"
            + "</script></html>";
        server.createContext("/", x -> answer(x, Page.html(++visits) + script));
        server.createContext("/saw", x -> { System.out.println("saw " + x.getRequestURI().getQuery()); answer(x, ""); });
        server.createContext("/favicon.ico", x -> answer(x, ""));
        server.start();
        System.out.println("at " + server.getAddress().getPort());
        while (System.in.read() >= 0) ;
        System.exit(0);
    }
    static void answer(HttpExchange x, String text) throws java.io.IOException {
        byte[] bytes = text.getBytes();
        x.getResponseHeaders().set("Content-Type", "text/html");
        x.sendResponseHeaders(200, bytes.length);
        x.getResponseBody().write(bytes);
        x.close();
    }
}
J
browser() { # URL
    chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update --disable-sync \
        --remote-debugging-port=0 --user-data-dir="$scratch/profile.$((++browsers))" "$1" >browser.log 2>&1 &
    browsing=$!
}
browsers=0
expect() { # line of the server
    local line=
    while read -r -t 60 -u 5 line; do [[ $line == $1 ]] && { compared=$((compared + 1)); return; }; done
    fail "the page did not say '$1'"
}
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    base $side
    page Welcome; build "$src/Page.java" Site.java
    port=$(free_port) log=$scratch/$side.log seen=0
    : >"$log"
    coproc SERVER { java "-agentpath:$agent=structural=off,port=$port" Site $port 2>"$log"; }
    exec 5<&"${SERVER[0]}" 6>&"${SERVER[1]}"
    read -r -t 60 -u 5 word at || fail "no server"
    browser "http://localhost:$at/"
    expect 'saw page Welcome 1'
    page Hello; build "$src/Page.java"
    expect 'saw page Hello 2'
    page Hello 'int more;'; build "$src/Page.java"
    expect 'saw shown Page: field added: int more*'
    page Ciao; build "$src/Page.java"
    expect 'saw page Ciao 3'
    kill $browsing; wait $browsing 2>/dev/null
    browser "http://localhost:$at/#keep"
    expect 'saw page Ciao 4'
    page Salve; build "$src/Page.java"
    expect 'saw kept Page'
    kill $browsing; wait $browsing 2>/dev/null
    stop
    [ $side = graft ] || settle
done
finish
