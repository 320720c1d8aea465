// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import com.sun.tools.attach.VirtualMachine;

/** Runs TraceSteps and does what the arguments say, one after the other: "." a round, anything else: the agent is loaded with it. Arguments: java, classes, agent, these. */
public class TraceDrive {
    public static void main(String[] a) throws Exception {
        Process p = new ProcessBuilder(a[0], "-cp", a[1], "TraceSteps").redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader in = new BufferedReader(new InputStreamReader(p.getInputStream()));
        VirtualMachine vm = VirtualMachine.attach(in.readLine());
        for (int i = 3; i < a.length; i++) {
            if (!a[i].equals(".")) {
                try { vm.loadAgentPath(a[2], a[i]); } catch (Exception e) { System.out.println("refused"); }
                continue;
            }
            p.getOutputStream().write('x');
            p.getOutputStream().flush();
            System.out.println(in.readLine());
        }
        vm.detach();
        p.getOutputStream().close();
        System.out.println("exit " + p.waitFor());
    }
}
