// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import com.sun.tools.attach.VirtualMachine;
/**
 * Runs TraceWait, and between its rounds loads the agent: start, dump, stop, start, stop.
 * Arguments: java, classes, agent, prefix of the reports.
 */
public class TraceAttach {
    public static void main(String[] a) throws Exception {
        Process p = new ProcessBuilder(a[0], "-cp", a[1], "TraceWait").redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader in = new BufferedReader(new InputStreamReader(p.getInputStream()));
        VirtualMachine vm = VirtualMachine.attach(in.readLine());
        Runnable round = () -> {
            try {
                p.getOutputStream().write('x');
                p.getOutputStream().flush();
                System.out.println(in.readLine());
            } catch (IOException e) { throw new UncheckedIOException(e); }
        };
        String form = "include=TraceWait,format=csv,sort=name,file=" + a[3];
        round.run();
        vm.loadAgentPath(a[2], form + "1.csv");
        round.run();
        round.run();
        vm.loadAgentPath(a[2], "dump");
        System.out.println("dumped " + new File(a[3] + "1.csv").delete());
        round.run();
        vm.loadAgentPath(a[2], "stop");                 // three rounds
        round.run();
        vm.loadAgentPath(a[2], form + "2.csv");
        round.run();
        vm.loadAgentPath(a[2], "stop");                 // one round
        round.run();
        vm.detach();
        p.getOutputStream().close();
        System.out.println("exit " + p.waitFor());
    }
}
