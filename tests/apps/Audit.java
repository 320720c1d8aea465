// SPDX-License-Identifier: Apache-2.0
import org.aspectj.lang.*;
import org.aspectj.lang.annotation.*;

@Aspect
public class Audit {
    @Before("execution(* AgentsApp.Savings.deposit(long)) && args(c)")
    public void before(long c) { System.out.println("aspect: deposit " + c); }
    @Around("execution(long AgentsApp.Savings.fee())")
    public Object fee(ProceedingJoinPoint p) throws Throwable { return (Long) p.proceed() + 10; }
    @AfterThrowing(pointcut = "execution(* AgentsApp.Savings.deposit(long))", throwing = "e")
    public void thrown(JoinPoint p, Throwable e) { System.out.println("aspect: " + p.getSignature().getName() + " threw " + e.getMessage()); }
    @AfterReturning(pointcut = "call(static * AgentsApp.Savings.currency())", returning = "s")
    public void currency(String s) { System.out.println("aspect: " + s); }
}
