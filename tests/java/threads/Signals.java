// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.util.concurrent.*;

/** SIGTERM, SIGINT and SIGHUP end a child JVM through its shutdown hooks with 128 + number; SIGKILL without; SIGPIPE does nothing. */
public class Signals {
    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
            System.out.println("ready");
            Thread.sleep(60000);
            return;
        }
        for (String sig : new String[] {"TERM", "INT", "HUP", "KILL"}) {
            Process p = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp", System.getProperty("java.class.path"), "Signals", "child").redirectErrorStream(true).start();
            BufferedReader r = new BufferedReader(new InputStreamReader(p.getInputStream()));
            System.out.println(sig + " " + r.readLine());
            new ProcessBuilder("kill", "-PIPE", "" + p.pid()).start().waitFor();
            new ProcessBuilder("kill", "-" + sig, "" + p.pid()).start().waitFor();
            System.out.println(r.readLine() + " " + p.waitFor(20, TimeUnit.SECONDS) + " " + p.exitValue());
        }
    }
}
