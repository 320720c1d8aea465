// SPDX-License-Identifier: Apache-2.0
import com.sun.tools.attach.VirtualMachine;
import java.io.ByteArrayInputStream;
import java.lang.instrument.Instrumentation;
import java.util.TreeSet;
import java.util.jar.JarFile;
import org.jacoco.core.data.ExecutionDataReader;

/**
 * JaCoCo started in a process that runs: what it counts in classes loaded after that, read back from it. Its jar has no Agent-Class,
 * so another agent is loaded, which calls its premain.
 */
public class Covered {
    static class Work { // not loaded before the agent
        static int value(int i) {
            switch (i) {
            case 0: return 7;
            case 1: return ((java.util.function.IntSupplier) () -> i + 1).getAsInt();
            case 5: throw new IllegalStateException();
            default: return never(i - 2);
            }
        }
        static int never(int i) { return i != 0 ? 1 : 2; }
    }

    public static void agentmain(String jar, Instrumentation inst) throws Exception {
        JarFile jacoco = new JarFile(jar);
        inst.appendToSystemClassLoaderSearch(jacoco);
        String premain = jacoco.getManifest().getMainAttributes().getValue("Premain-Class");
        Class.forName(premain).getMethod("premain", String.class, Instrumentation.class).invoke(null, "output=none", inst);
    }

    public static void main(String[] a) throws Exception {
        VirtualMachine vm = VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
        vm.loadAgent(a[0], a[1]);
        vm.detach();
        for (int i = 0; i < 3; i++) System.out.println(Work.value(i));
        Object agent = Class.forName("org.jacoco.agent.rt.RT").getMethod("getAgent").invoke(null);
        byte[] data = (byte[]) Class.forName("org.jacoco.agent.rt.IAgent").getMethod("getExecutionData", boolean.class).invoke(agent, false);
        TreeSet<String> lines = new TreeSet<>();
        ExecutionDataReader reader = new ExecutionDataReader(new ByteArrayInputStream(data));
        reader.setSessionInfoVisitor(s -> { });
        reader.setExecutionDataVisitor(d -> {
            StringBuilder s = new StringBuilder(d.getName() + " " + Long.toHexString(d.getId()) + " ");
            for (boolean p : d.getProbes()) s.append(p ? '1' : '0');
            lines.add(s.toString());
        });
        reader.read();
        lines.forEach(System.out::println);
    }
}
