// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * SIGTERM, SIGINT and SIGHUP end a child JVM through its shutdown hooks with 128 + number; SIGKILL without; SIGPIPE does nothing.
 * Which signals a program may handle, also when the VM is to leave them alone.
 */
public class Signals {
    /** Without those that a VM has handlers of its own for, which differ. */
    static void names() {
        for (String n : "HUP INT QUIT ILL BUS FPE KILL USR1 SEGV PIPE ALRM TERM STKFLT CHLD CONT STOP URG WINCH PWR SYS RTMIN RTMAX-1 32 NONE".split(" ")) {
            try {
                Signal s = new Signal(n);
                SignalHandler mine = x -> { }, was = Signal.handle(s, mine);
                System.out.println(s + " " + s.getNumber() + ", was " + (was == SignalHandler.SIG_DFL ? "default" : was == SignalHandler.SIG_IGN ? "ignored" : "the VM's")
                    + ", then " + (Signal.handle(s, SignalHandler.SIG_DFL) == mine ? "mine" : "another"));
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    static Process child(String... args) throws IOException {
        List<String> all = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-cp", System.getProperty("java.class.path")));
        all.addAll(List.of(args));
        return new ProcessBuilder(all).redirectErrorStream(true).start();
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("names")) {
            names();
            return;
        }
        if (args.length > 0) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
            System.out.println("ready");
            Thread.sleep(60000);
            return;
        }
        for (String sig : new String[] {"TERM", "INT", "HUP", "KILL"}) {
            Process p = child("Signals", "child");
            BufferedReader r = new BufferedReader(new InputStreamReader(p.getInputStream()));
            System.out.println(sig + " " + r.readLine());
            new ProcessBuilder("kill", "-PIPE", "" + p.pid()).start().waitFor();
            new ProcessBuilder("kill", "-" + sig, "" + p.pid()).start().waitFor();
            System.out.println(r.readLine() + " " + p.waitFor(20, TimeUnit.SECONDS) + " " + p.exitValue());
        }
        for (String option : new String[] {"-Xmx64m", "-Xrs", "-XX:+ReduceSignalUsage"}) {
            Process p = child(option, "Signals", "names");
            System.out.print(option + "\n" + new String(p.getInputStream().readAllBytes()));
        }
    }
}
