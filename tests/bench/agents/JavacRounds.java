// SPDX-License-Identifier: Apache-2.0
import java.nio.file.*;
import java.util.*;
import javax.tools.ToolProvider;

/**
 * JavacRounds FILES OUT ROUNDS [wall]: compiles the sources that FILES names so often in one VM; prints the processor time of the process for each,
 * or the wall time, in microseconds.
 */
public class JavacRounds {
    public static void main(String[] a) throws Exception {
        var clock = (com.sun.management.OperatingSystemMXBean) java.lang.management.ManagementFactory.getOperatingSystemMXBean();
        List<String> args = new ArrayList<>(List.of("-nowarn", "-Xlint:none", "-proc:none", "-encoding", "UTF-8", "-d", a[1]));
        args.addAll(Files.readAllLines(Path.of(a[0])));
        boolean wall = a.length > 3;
        for (int i = 0; i < Integer.parseInt(a[2]); i++) {
            long from = wall ? System.nanoTime() : clock.getProcessCpuTime();
            if (ToolProvider.getSystemJavaCompiler().run(null, null, null, args.toArray(new String[0])) != 0) System.exit(1);
            System.out.println(((wall ? System.nanoTime() : clock.getProcessCpuTime()) - from) / 1000);
        }
    }
}
