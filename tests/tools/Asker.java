// SPDX-License-Identifier: Apache-2.0
import com.sun.tools.attach.*;
import java.io.*;
import java.nio.file.*;
import sun.tools.attach.HotSpotVirtualMachine;

/** Sends the diagnostic commands on standard input, one a line, to a process, as jcmd does; each answer goes to a file FOLDER/N. */
public class Asker {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        int n = 0;
        for (String line; (line = in.readLine()) != null;) {
            String answer;
            HotSpotVirtualMachine vm = (HotSpotVirtualMachine) VirtualMachine.attach(args[0]);
            try (InputStream i = vm.executeJCmd(line.substring(line.indexOf(' ') + 1))) {
                answer = new String(i.readAllBytes());
            } catch (AttachOperationFailedException e) {
                answer = "refused: " + e.getMessage();
            }
            vm.detach();
            Files.writeString(Path.of(args[1], line.substring(0, line.indexOf(' '))), answer);
        }
    }
}
