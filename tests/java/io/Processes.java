// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;

/** ProcessBuilder and ProcessHandle; also a child JVM of the same home, and its exit code and output. */
public class Processes {
    static String read(InputStream in) throws IOException { return new String(in.readAllBytes()).trim(); }

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            System.out.println("child " + System.getProperty("prop") + " " + args[0] + " " + new BufferedReader(new InputStreamReader(System.in)).readLine());
            System.exit(33);
        }
        Process p = new ProcessBuilder("sh", "-c", "echo out; echo err >&2; read x; echo got $x; exit 3").start();
        p.getOutputStream().write("input\n".getBytes());
        p.getOutputStream().close();
        System.out.println(read(p.getInputStream()) + "|" + read(p.getErrorStream()) + "|" + p.waitFor() + p.exitValue() + p.isAlive());
        ProcessBuilder pb = new ProcessBuilder("sh", "-c", "pwd; echo $GRAFT_VAR; echo e >&2").directory(new File("/")).redirectErrorStream(true);
        pb.environment().put("GRAFT_VAR", "value é");
        System.out.println(read(pb.start().getInputStream()));
        try { new ProcessBuilder("/no/such/program").start(); } catch (IOException e) { System.out.println(e.getMessage()); }
        Process sl = new ProcessBuilder("sleep", "100").start();
        System.out.println(sl.waitFor(20, TimeUnit.MILLISECONDS) + " " + sl.isAlive() + sl.toHandle().info().command().isPresent());
        CompletableFuture<Process> ex = sl.onExit();
        sl.destroy();
        System.out.println(ex.get(10, TimeUnit.SECONDS).exitValue());
        Process s9 = new ProcessBuilder("sleep", "100").start();
        s9.destroyForcibly();
        System.out.println(s9.waitFor());
        Path f = Files.createTempFile("proc", "");
        System.out.println(new ProcessBuilder("sh", "-c", "cat; echo tail").redirectInput(new File("/dev/null")).redirectOutput(f.toFile()).start().waitFor() + Files.readString(f));
        Files.delete(f);
        List<Process> pipe = ProcessBuilder.startPipeline(List.of(new ProcessBuilder("echo", "c\na\nb"), new ProcessBuilder("sort")));
        System.out.println(read(pipe.get(1).getInputStream()).replace("\n", ","));
        System.out.println(ProcessHandle.current().isAlive() + " " + (ProcessHandle.current().pid() > 0) + ProcessHandle.of(ProcessHandle.current().pid()).isPresent());
        Process j = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp", System.getProperty("java.class.path"), "-Dprop=with space", "Processes", "arg").start();
        j.getOutputStream().write("to child\n".getBytes());
        j.getOutputStream().close();
        System.out.println(read(j.getInputStream()) + " " + read(j.getErrorStream()) + j.waitFor());
        System.out.println(read(Runtime.getRuntime().exec("echo via exec").getInputStream()) + (Runtime.getRuntime().availableProcessors() > 0));
    }
}
