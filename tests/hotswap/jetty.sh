#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 240
# packages: libjetty9-java
# extent: suite
#
# A servlet in a Jetty server is edited while it runs: the next request is answered by the new code, the session and the servlet's own fields keep what
# they have; on Graft also with a field and a method more. A change that the VM refuses changes nothing.
. "$(dirname "$0")/common.sh"
jars=${JARS:-/usr/share/java} cp=
for jar in jetty9-{server,servlet,http,io,util,security} servlet-api; do
    [ -e "$jars/$jar.jar" ] || { echo "$jars/$jar.jar is missing; packages: $(sed -n 's/^# packages: //p' "$0")"; exit 77; }
    cp+=:$jars/$jar.jar
done
page() { # text more-members
    cat >"$src/Page.java" <<J
import javax.servlet.http.*;
public class Page extends HttpServlet {
    int requests;
    ${2-}
    protected void doGet(HttpServletRequest q, HttpServletResponse r) throws java.io.IOException {
        HttpSession session = q.getSession();
        Integer visits = (Integer) session.getAttribute("visits");
        session.setAttribute("visits", visits = visits == null ? 1 : visits + 1);
        r.getWriter().print($1 + " " + visits + " " + ++requests);
    }
}
J
}
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    base $side
    java() { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -cp "$dir$cp" "$@"; }
    edit() { page "$@"; "$jdk/bin/javac" -nowarn -g -cp "$dir$cp" -d "$dir" "$src/Page.java" || exit 1; }
    cat >"$src/Site.java" <<'J'
import java.net.*;
import org.eclipse.jetty.server.*;
import org.eclipse.jetty.servlet.*;
public class Site {
    static final Server server = new Server(0);
    static String cookie;
    public static String text() throws Exception {
        if (!server.isStarted()) {
            ServletContextHandler context = new ServletContextHandler(server, "/", ServletContextHandler.SESSIONS);
            context.addServlet(Page.class, "/");
            server.start();
        }
        URLConnection c = URI.create("http://localhost:" + ((ServerConnector) server.getConnectors()[0]).getLocalPort() + "/").toURL().openConnection();
        if (cookie != null) c.setRequestProperty("Cookie", cookie);
        String text = new String(c.getInputStream().readAllBytes());
        if (c.getHeaderField("Set-Cookie") != null) cookie = c.getHeaderField("Set-Cookie").split(";")[0];
        return text;
    }
    public static class Stop {
        public static String text() throws Exception { server.stop(); return "stopped"; }
    }
}
J
    edit '"first"'
    "$jdk/bin/javac" -nowarn -g -cp "$dir$cp" -d "$dir" "$src/Site.java" || exit 1
    server "watch=$dir"
    ask 'late Site' 'first 1 1 1'
    edit '"second"'; await 'swapped 1 class'
    ask 'late Site' 'second 2 2 2'
    edit 'number() + name' 'String name = "x"; int number() { return 3; }'
    if "$home/bin/java" -version 2>&1 | grep -q Graft; then
        await 'swapped 1 class'
        ask 'late Site' '3x 3 3 3'
    else
        await 'refused 1'
        ask 'late Site' 'second 3 3 3'
    fi
    ask 'late Site$Stop' 'stopped 4'
    stop
    [ $side = graft ] || settle
done
finish
