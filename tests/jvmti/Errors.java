// SPDX-License-Identifier: Apache-2.0
public class Errors {
    static native void run(Thread dead, Thread fresh, ThreadGroup group, Module module, Class<?> primitive, Class<?> unprepared);
    static class NotPrepared { int x; void m() { } }

    public static void main(String[] args) throws Exception {
        System.loadLibrary("agent_errors");
        Thread dead = new Thread(() -> { }, "dead");
        dead.start();
        dead.join();
        run(dead, new Thread("fresh"), Thread.currentThread().getThreadGroup(), String.class.getModule(), int.class,
            Class.forName("Errors$NotPrepared", false, Errors.class.getClassLoader()));
    }
}
