// SPDX-License-Identifier: Apache-2.0
import com.sun.tools.attach.VirtualMachine;
import java.io.*;

/** Runs CoverWait and does what its arguments say: +OPTIONS loads the agent, other words go to the program; =MS waits. */
public class CoverAttach {
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
                    System.out.println("refused");
                }
            } else if (a[i].startsWith("=")) {
                Thread.sleep(Integer.parseInt(a[i].substring(1)));
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
