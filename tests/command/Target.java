// SPDX-License-Identifier: Apache-2.0
import java.io.BufferedReader;
import java.io.InputStreamReader;

/** Without an argument it ends at once, with "code N" by N, with "serve" it answers lines. */
public class Target {
    static int calls;
    static volatile boolean end;

    static String greet() { return "hello " + ++calls; }
    static int twice(int a) { return 2 * a; }
    static void spin() {
        double x = 0;
        while (!end) for (int i = 0; i < 100000; i++) x += Math.sqrt(i);
    }
    static void beat() { calls++; }
    static void beats() {
        try { while (!end) { beat(); Thread.sleep(5); } } catch (InterruptedException e) { }
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 1 && args[0].equals("zone")) { // a class with natives that is loaded late
            System.out.println(java.util.TimeZone.getDefault() != null);
            return;
        }
        if (args.length == 0 || args[0].equals("code")) {
            System.out.println(System.getProperty("java.vm.name") + ": " + greet());
            System.exit(args.length == 0 ? 0 : Integer.parseInt(args[1]));
        }
        Thread spinner = new Thread(Target::spin, "spinner");
        spinner.setDaemon(true);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        for (String line; (line = in.readLine()) != null;)
            switch (line) {
            case "greet": System.out.println(greet()); break;
            case "twice": System.out.println(twice(21)); break;
            case "spin": spinner.start(); System.out.println("spins"); break;
            case "beat": new Thread(Target::beats, "heart").start(); System.out.println("beats"); break;
            default: System.out.println("what?");
            }
        end = true;
    }
}
