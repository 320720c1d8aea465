// SPDX-License-Identifier: Apache-2.0
public class Hello {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("bye")));
        System.out.println("Hello from " + Thread.currentThread().getName() + " with " + String.join(", ", args));
        if (args.length == 0)
            throw new IllegalArgumentException("no arguments");
    }
}
