// SPDX-License-Identifier: Apache-2.0
import java.lang.StackWalker.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.stream.*;

/** StackWalker: options, frames through lambdas and reflection, getCallerClass, partial walks, limits. */
public class StackWalk {
    static final StackWalker W = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

    static String frames(StackWalker w) {
        return w.walk(s -> s.map(f -> f.getClassName().replaceAll("Lambda.*", "Lambda") + "." + f.getMethodName() + ":" + (f.getClassName().startsWith("StackWalk") ? f.getLineNumber() : 0))
            .collect(Collectors.joining(" ")));
    }

    static class Callee {
        static Class<?> caller() { return W.getCallerClass(); }
        static String viaLambda() { return ((java.util.function.Supplier<String>) () -> frames(StackWalker.getInstance())).get(); }
    }

    public static String reflected() { return frames(StackWalker.getInstance()) + " | " + frames(StackWalker.getInstance(Option.SHOW_REFLECT_FRAMES)).contains("invoke"); }

    static int deep(int n) { return n == 0 ? W.walk(s -> (int) s.count()) : deep(n - 1); }

    public static void main(String[] args) throws Exception {
        System.out.println(frames(StackWalker.getInstance()));
        System.out.println(Callee.caller());
        System.out.println(Callee.viaLambda());
        System.out.println(StackWalk.class.getMethod("reflected").invoke(null));
        System.out.println(deep(500) + " " + deep(3));
        System.out.println((Object) W.walk(s -> s.skip(0).limit(1).findFirst().get().getDeclaringClass()));
        StackFrame f = W.walk(s -> s.findFirst().get());
        System.out.println(f.getMethodName() + " " + f.getDescriptor() + " " + f.getMethodType() + " " + f.getFileName() + " " + f.isNativeMethod() + " " + f.toStackTraceElement());
        try { StackWalker.getInstance().getCallerClass(); } catch (UnsupportedOperationException e) { System.out.println(e.getMessage()); }
        try { W.getCallerClass(); } catch (IllegalCallerException e) { System.out.println(e.getMessage()); }
        Stream<StackFrame>[] leak = new Stream[1];
        W.walk(s -> leak[0] = s);
        try { leak[0].count(); } catch (IllegalStateException e) { System.out.println("closed stream"); }
        Runnable r = () -> W.forEach(x -> System.out.print(x.getMethodName().replaceAll("\\$\\d+$", "") + " "));
        r.run();
        System.out.println();
        List<Integer> l = new ArrayList<>(List.of(2, 1));
        l.sort((a, b) -> { System.out.println(frames(StackWalker.getInstance())); return a - b; });
    }
}
