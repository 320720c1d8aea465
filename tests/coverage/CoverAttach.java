// SPDX-License-Identifier: Apache-2.0
import com.sun.tools.attach.VirtualMachine;
import java.io.*;

/** Runs CoverWait and does what its arguments say: +OPTIONS loads the agent, other words go to the program; =TEXT waits until
 * the file of the environment's ERR has a new line with TEXT. */
public class CoverAttach {
    static long waited;
    static long countLines(String text) throws IOException {
        try (java.util.stream.Stream<String> lines = java.nio.file.Files.lines(java.nio.file.Paths.get(System.getenv("ERR")))) {
            return lines.filter(l -> l.contains(text)).count();
        }
    }
    public static void main(String[] a) throws Exception {
        Process p = new ProcessBuilder(a[0], "-cp", a[1], "CoverWait").redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader in = new BufferedReader(new InputStreamReader(p.getInputStream()));
        PrintWriter out = new PrintWriter(p.getOutputStream(), true);
        VirtualMachine vm = VirtualMachine.attach(in.readLine());
        for (int i = 3; i < a.length; i++) {
            if (a[i].startsWith("+")) {
                try {
                    vm.loadAgentPath(a[2], a[i].substring(1));
                } catch (Exception e) {
                    if (!"0".equals(e.getMessage())) // success as JDK 8 tells it, which later clients do not know
                        System.out.println("refused");
                }
            } else if (a[i].startsWith("=")) {
                long seen = 0;
                for (int k = 0; seen <= waited && k < 6000; k++, Thread.sleep(10))
                    seen = countLines(a[i].substring(1));
                System.out.println(seen > waited ? "seen" : "not seen");
                waited = seen;
            } else {
                out.println(a[i]);
                System.out.println(in.readLine());
            }
        }
        vm.detach();
        out.close();
        System.out.println("exit " + p.waitFor());
    }
}
