// SPDX-License-Identifier: Apache-2.0
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.matcher.ElementMatchers;

/** Byte Buddy attaches to its own process and weaves advice into a loaded class. */
public class Buddy {
    @Advice.OnMethodExit static void exit(@Advice.Argument(0) int n, @Advice.Return(readOnly = false) int r) { r += 100 + n; }
    public static void main(String[] a) {
        System.out.println("redefines " + ByteBuddyAgent.install().isRedefineClassesSupported());
        new ByteBuddy().redefine(Target.class).visit(Advice.to(Buddy.class).on(ElementMatchers.named("twice"))).make()
            .load(Target.class.getClassLoader(), ClassReloadingStrategy.fromInstalledAgent());
    }
}
