// SPDX-License-Identifier: Apache-2.0
import com.sun.tools.attach.VirtualMachine;

/**
 * Calls natives of its own (Counted's) and of the JDK, a known number of times a round; between the rounds it loads the agent into itself. Arguments:
 * the agent, then "." for a round and anything else for options.
 */
public class TracedNatives {
    static int round() throws Exception {
        int sum = 0;
        for (int i = 0; i < 10; i++) sum += Counted.add(i, 1);
        for (int i = 0; i < 3; i++) try { Counted.fail(i); } catch (java.io.IOException e) { sum++; }
        java.util.zip.Deflater d = new java.util.zip.Deflater();
        d.setInput(new byte[100]);
        d.finish();
        sum += d.deflate(new byte[200]) > 0 ? 1 : 0;
        d.end();
        return sum;
    }
    public static void main(String[] args) throws Exception {
        Counted.add(0, 0); // is loaded before the agent comes, if it comes late
        VirtualMachine self = args.length > 1 ? VirtualMachine.attach(ProcessHandle.current().pid() + "") : null;
        for (int i = 1; i < args.length; i++)
            if (args[i].equals(".")) System.out.println("round " + round());
            else self.loadAgentPath(args[0], args[i]);
        if (self != null) self.detach();
    }
}
