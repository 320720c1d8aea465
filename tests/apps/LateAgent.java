// SPDX-License-Identifier: Apache-2.0
import com.sun.tools.attach.VirtualMachine;

/** Loads the agent JAR=OPTIONS into this VM, between two runs of AgentsApp (before the first with "early"). */
public class LateAgent {
    public static void main(String[] a) throws Exception {
        boolean early = a.length > 1;
        if (!early)
            AgentsApp.main(new String[0]);
        int eq = a[0].indexOf('=');
        VirtualMachine vm = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
        vm.loadAgent(eq < 0 ? a[0] : a[0].substring(0, eq), eq < 0 ? null : a[0].substring(eq + 1));
        vm.detach();
        System.out.println("attached");
        AgentsApp.main(new String[0]);
    }
}
