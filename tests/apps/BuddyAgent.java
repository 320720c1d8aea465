// SPDX-License-Identifier: Apache-2.0
import java.lang.instrument.Instrumentation;
import java.util.concurrent.Callable;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.ResettableClassFileTransformer;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.MethodDelegation;
import net.bytebuddy.implementation.bind.annotation.*;
import static net.bytebuddy.matcher.ElementMatchers.*;

public class BuddyAgent {
    public static class Rebased {
        @RuntimeType
        public static Object around(@SuperCall Callable<?> real, @AllArguments Object[] args) throws Exception {
            System.out.println("rebased: before " + java.util.Arrays.toString(args));
            return real.call();
        }
    }
    public static class Advised {
        @Advice.OnMethodEnter static long enter(@Advice.Origin String m) { System.out.println("advice: enter " + m); return 7; }
        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(@Advice.Enter long x, @Advice.Thrown Throwable t) { System.out.println("advice: exit " + x + " " + t); }
    }
    public static class Upper {
        @Advice.OnMethodExit static void exit(@Advice.Return(readOnly = false) boolean b) { b = !b; }
    }
    static Instrumentation inst;
    public static void premain(String how, Instrumentation i) { install(how, inst = i); }
    public static void agentmain(String how, Instrumentation i) { premain(how, i); }
    static ResettableClassFileTransformer install(String how, Instrumentation i) {
        AgentBuilder b = new AgentBuilder.Default();
        if (how.equals("rebase"))
            return b.type(named("AgentsApp$Savings")).transform((x, t, l, m, d) ->
                x.method(named("deposit").or(named("currency"))).intercept(MethodDelegation.to(Rebased.class))).installOn(i);
        return b.disableClassFormatChanges().with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
            .ignore(none()).type(named("AgentsApp$Savings").or(named("java.util.BitSet"))).transform((x, t, l, m, d) ->
                t.getName().startsWith("java.") ? x.visit(Advice.to(Upper.class).on(named("isEmpty")))
                                                : x.visit(Advice.to(Advised.class).on(named("deposit").or(named("fee"))))).installOn(i);
    }
    public static void main(String[] args) throws Exception {
        System.out.println("BitSet " + new java.util.BitSet().isEmpty());
        AgentsApp.main(args); /* loaded before the agent comes */
        Instrumentation i = inst != null ? inst : ByteBuddyAgent.install();
        ResettableClassFileTransformer t = install("advice", i);
        System.out.println("BitSet " + new java.util.BitSet().isEmpty());
        AgentsApp.main(args);
        System.out.println("reset " + t.reset(i, AgentBuilder.RedefinitionStrategy.RETRANSFORMATION));
        System.out.println("BitSet " + new java.util.BitSet().isEmpty());
        AgentsApp.main(args);
    }
}
