// SPDX-License-Identifier: Apache-2.0
import com.sun.tools.attach.VirtualMachine;

/** Loads the agent of its first argument into itself, with each further argument as options, between calls that count. */
public class Attached {
    static class Early {
        static int twice(int n) { return 2 * n; }
        static void fail() { throw new IllegalStateException(); }
    }
    static class Late {
        static int twice(int n) { return 2 * n; }
    }
    static class Newer extends ClassLoader {
        void load(String name) throws Exception {
            byte[] b = Attached.class.getResourceAsStream("Attached$Late.class").readAllBytes();
            b[7] = 99;
            try {
                defineClass(name, b, 0, b.length);
            } catch (UnsupportedClassVersionError e) {
                System.out.println("version refused");
            }
        }
    }
    static void work() throws Exception {
        for (int i = 0; i < 3; i++) {
            Early.twice(i);
            Integer.toOctalString(i);
        }
        try {
            Early.fail();
        } catch (IllegalStateException e) {
            System.out.println("failed");
        }
    }
    public static void main(String[] a) throws Exception {
        work();
        for (int i = 1; i < a.length; i++) {
            VirtualMachine vm = VirtualMachine.attach("" + ProcessHandle.current().pid());
            try {
                vm.loadAgentPath(a[0], a[i]);
                System.out.println("attached");
            } catch (Exception e) {
                System.out.println(e.getClass());
            }
            vm.detach();
            work();
        }
        Late.twice(1);
        new Newer().load("Attached$Late");
        new Newer().load("Attached$Late");
    }
}
