// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.net.*;
import java.nio.file.*;

/** Answers one line on standard output for each line on standard input; keeps a count and a Greeter. */
public class SwapServer {
    public static void flush(String[] classes) {
        java.util.Arrays.sort(classes);
        System.err.println("HOOK " + String.join(" ", classes));
    }
    public static void fails(String[] classes) { throw new IllegalStateException("as asked"); }

    /** What text() of the class says, or throws. */
    static String late(String name) throws Exception {
        try {
            return Class.forName(name).getMethod("text").invoke(null).toString();
        } catch (java.lang.reflect.InvocationTargetException e) {
            e.printStackTrace();
            return e.getCause().toString();
        }
    }

    public static void main(String[] args) throws Exception {
        Greeter greeter = new Greeter();
        URL[] here = {Paths.get(args[0]).toUri().toURL()};
        Class<?> other = new URLClassLoader(here, null).loadClass("Greeter");
        Object otherGreeter = other.getDeclaredConstructor().newInstance();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        int count = 0;
        System.out.println("ready " + new File("/proc/self").getCanonicalFile().getName());
        for (String line; (line = in.readLine()) != null;) {
            String[] w = line.split(" ");
            String answer = w[0].equals("other") ? (String) other.getMethod("greet", String.class).invoke(otherGreeter, w[1])
                : w[0].equals("late") ? late(w[1]) : greeter.greet(w[1]) + Tail.text();
            System.out.println(answer + " " + ++count);
        }
    }
}
