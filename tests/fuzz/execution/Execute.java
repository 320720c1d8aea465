// SPDX-License-Identifier: Apache-2.0
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Runs the programs of a file that exec_gen made, each in a loader of its own, and prints a line for each: number, hash of what it told,
 * what its heap looks like at the end.   Execute FILE ROUNDS FUEL [aloud]
 * With -Dagent=true and the agent of tests/jvmti/agent_execution.c, events change while they run, and what the agent saw is printed too.
 */
public class Execute {
    private static final boolean agent = Boolean.getBoolean("agent");

    static final class Loader extends ClassLoader {
        final Map<String, byte[]> classes = new HashMap<>();
        Loader() { super("fuzz", Execute.class.getClassLoader()); }
        @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] b = classes.get(name);
            if (b == null) throw new ClassNotFoundException(name);
            return defineClass(name, b, 0, b.length);
        }
    }

    /** Those that can be initialised. */
    static Class<?>[] classes(Loader loader) {
        String[] names = {"T", "B", "C", "Main"};
        Class<?>[] all = new Class<?>[names.length];
        int n = 0;
        for (String name : names)
            try {
                all[n] = Class.forName(name, true, loader);
                n++;
            } catch (Throwable e) {
                Rt.caught(e);
            }
        return java.util.Arrays.copyOf(all, n);
    }

    static void run(long number, Loader loader, int rounds, int fuel) throws Exception {
        Rt.start();
        String end;
        try {
            Rt.fuel = fuel;
            if (agent) Rt.classes = classes(loader);
            Rt program = (Rt) Class.forName("Main", true, loader).getDeclaredConstructor(int.class).newInstance(2);
            for (int i = 0; i < rounds; i++) {
                Rt.fuel = fuel;
                if (agent) Rt.change(Rt.number((int) number * 31 + i), Rt.classes);
                if (Rt.aloud) System.out.println(" round " + i);
                try {
                    program.run(4);
                } catch (Throwable e) {
                    Rt.caught(e);
                }
            }
            if (agent) {
                Rt.change(0, Rt.classes);
                Rt.classes = null;
                Rt.tell(Rt.events());
            }
            end = Heap.of(classes(loader));
        } catch (Throwable e) {
            end = Rt.text(e);
        }
        Rt.classes = null;
        System.out.println(number + " " + Long.toHexString(Rt.hash) + " " + end);
    }

    public static void main(String[] a) throws Exception {
        int rounds = Integer.parseInt(a[1]), fuel = Integer.parseInt(a[2]);
        Rt.aloud = a.length > 3;
        if (agent) System.loadLibrary("agent_execution");
        DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(a[0])));
        while (true) {
            Loader loader = new Loader();
            long number;
            try {
                number = in.readLong();
            } catch (EOFException e) {
                break;
            }
            for (int n = in.readUnsignedByte(); n > 0; n--) {
                String name = in.readUTF();
                byte[] b = new byte[in.readInt()];
                in.readFully(b);
                loader.classes.put(name, b);
            }
            run(number, loader, rounds, fuel);
        }
    }
}
