#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: libaspectj-java
# extent: suite
#
# The AspectJ agent weaves classes while they load. (ajc 1.9.5 itself cannot read JDK 17.)
. "$(dirname "$0")/common.sh"
jars aspectjtools aspectjrt aspectjweaver
mkdir -p "$work/src" "$work/plain/META-INF"
cat >"$work/src/Prog.java" <<'JAVA'
public class Prog {
    private int n; int add(int x) { n += x; return n; }
    static String join(String a, String b) { return a + b; }
    public static void main(String[] args) { Prog p = new Prog(); p.add(2); System.out.println(p.add(3) + join("x", "y")); try { Integer.parseInt("z"); } catch (NumberFormatException e) { System.out.println("caught"); } Runnable r = () -> System.out.println("lambda"); r.run(); }
}
JAVA
cat >"$work/src/Watch.java" <<'JAVA'
import org.aspectj.lang.*;
import org.aspectj.lang.annotation.*;
@Aspect public class Watch {
    @Around("execution(* Prog.add(..))") public Object around(ProceedingJoinPoint p) throws Throwable { System.out.println("> " + p.getSignature()); Object r = p.proceed(new Object[] {(Integer) p.getArgs()[0] * 10}); System.out.println("< " + r); return r; }
    @Before("call(* Prog.join(..)) && args(a, ..)") public void before(JoinPoint j, String a) { System.out.println("join " + a + " line " + j.getSourceLocation().getLine()); }
    @AfterReturning(value = "set(int Prog.n) && args(v)") public void set(int v) { System.out.println("set " + v); }
    @Before("handler(NumberFormatException) && args(e)") public void handler(NumberFormatException e) { System.out.println("handler " + e.getMessage()); }
    @Before("staticinitialization(Prog)") public void init() { System.out.println("init"); }
}
JAVA
echo '<aspectj><aspects><aspect name="Watch"/></aspects><weaver options="-warn:none"><include within="Prog"/><include within="Watch"/></weaver></aspectj>' >"$work/plain/META-INF/aop.xml"
"$ref/bin/javac" -g -nowarn -proc:none -cp "$cp" -source 11 -target 11 -d "$work/plain" "$work"/src/*.java 2>/dev/null || exit 1
loadtime() { "$1/bin/java" $O -javaagent:$share/aspectjweaver.jar --add-opens java.base/java.lang=ALL-UNNAMED -cp "$share/aspectjrt.jar:$work/plain" Prog 2>&1; }
compare loadtime
