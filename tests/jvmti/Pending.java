// SPDX-License-Identifier: Apache-2.0
import java.util.function.Supplier;

/** Exceptions pending around functions and callbacks: agent_pending.c. */
public class Pending {
    static native void functions(Thread t, Module m, Module other, Class<?> service, Class<?> impl, String jar);
    static native void runAgentThread(Thread t);
    static native void leaveIn(String what);
    static native int seven();
    static native void stop(Throwable t, Module m, Class<?> service);

    static class Prepared { static { System.out.println("Prepared is initialised"); } static int x = 1; }
    static class Named { int x = 2; }
    static class ByReflection { public void m() {} }
    static class AtLoad { static int x = 3; }
    static class Hooked { static int x = 4; }
    interface Any { }
    static class AnyImpl implements Any, Supplier<String> { public String get() { return "any"; } }

    static volatile String interrupted = "not interrupted";

    interface Attempt { Object run() throws Throwable; }
    static void attempt(String what, Attempt a) {
        String s;
        try { s = "" + a.run(); } catch (Throwable t) { s = t.toString() + (t.getCause() == null ? "" : " of " + t.getCause()); }
        System.out.println(what + ": " + s);
    }

    public static void main(String[] args) throws Throwable {
        Module own = Pending.class.getModule(), base = Object.class.getModule();
        if (args[0].equals("stop")) {
            attempt("StopThread", () -> { stop(new ArithmeticException("stopped"), own, Runnable.class); return "goes on"; });
            return;
        }
        Thread t = new Thread(() -> { try { Thread.sleep(20000);  } catch (InterruptedException e) { interrupted = "interrupted"; } });
        t.start();
        while (t.getState() != Thread.State.TIMED_WAITING) Thread.sleep(1);
        functions(t, java.sql.Driver.class.getModule(), own, Any.class, AnyImpl.class, args[0]);
        t.join();
        System.out.println(interrupted);
        System.out.println(java.sql.Driver.class.getModule().canRead(own));

        leaveIn("Prepared");
        for (int i = 0; i < 2; i++) attempt("ClassPrepare", () -> Prepared.x);
        leaveIn("Named");
        for (int i = 0; i < 2; i++) attempt("ClassPrepare by forName", () -> Class.forName("Pending$Named"));
        leaveIn("ByReflection");
        for (int i = 0; i < 2; i++) attempt("ClassPrepare by reflection", () -> ByReflection.class.getDeclaredMethods().length);
        leaveIn("AtLoad");
        for (int i = 0; i < 2; i++) attempt("ClassLoad", () -> AtLoad.x);
        leaveIn("hook Pending$Hooked");
        for (int i = 0; i < 2; i++) attempt("ClassFileLoadHook", () -> Hooked.x);
        leaveIn("hook java/sql/SQLWarning");
        for (int i = 0; i < 2; i++) attempt("ClassFileLoadHook of a named module", () -> Class.forName("java.sql.SQLWarning"));
        leaveIn("native");
        for (int i = 0; i < 2; i++) attempt("NativeMethodBind", () -> seven());
        leaveIn("resource");
        for (int i = 0; i < 2; i++) attempt("ResourceExhausted", () -> new long[Integer.MAX_VALUE]);
        leaveIn(null);

        Thread agent = new Thread("agent");
        agent.setUncaughtExceptionHandler((who, e) -> System.out.println(who.getName() + " died of " + e));
        runAgentThread(agent);
        agent.join();
        agent = new Thread("unhandled");
        runAgentThread(agent);
        agent.join();
        System.out.println("end");
    }
}
