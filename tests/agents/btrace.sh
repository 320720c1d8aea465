#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# extent: suite
#
# BTrace, unmodified (BTRACE_LIBS=FOLDER with btrace-agent.jar, btrace-boot.jar, btrace-client.jar, built): its compiler makes the same class on
# both VMs, and its agent prints the same lines (their order is that of a printing thread).  See README.md.
set -u
jdk=$1 tested=$2 scratch=$3
libs=${BTRACE_LIBS:-}
[ -f "$libs/btrace-agent.jar" ] || { echo "BTRACE_LIBS names no folder with btrace-agent.jar"; exit 77; }
mkdir -p "$scratch" && cd "$scratch" || exit 1
cat >Script.java <<'J'
import org.openjdk.btrace.core.annotations.*;
import static org.openjdk.btrace.core.BTraceUtils.*;
@BTrace public class Script {
    @OnMethod(clazz = "Traced", method = "twice") public static void entry(int x) { println("entry " + str(x)); }
    @OnMethod(clazz = "Traced", method = "twice", location = @Location(Kind.RETURN))
    public static void exit(@Return int r, @Duration long d) { println("return " + str(r) + (d > 0 ? " timed" : " zero")); }
    @OnMethod(clazz = "Traced", method = "main", location = @Location(value = Kind.CALL, clazz = "/.*/", method = "twice"))
    public static void call(int x) { println("call " + str(x)); }
    @OnMethod(clazz = "java.lang.Thread", method = "start")
    public static void starts(@Self Thread t) { if (compare(Threads.name(t), "worker")) println("starts " + Threads.name(t)); }
}
J
cat >Traced.java <<'J'
public class Traced {
    static int twice(int n) { return 2 * n; }
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 3; i++) System.out.println("twice " + twice(i));
        Thread t = new Thread(() -> twice(21), "worker");
        t.start();
        t.join();
        Thread.sleep(2000); // the lines are printed by a thread of their own
    }
}
J
opens=
for p in jdk.internal.perf jdk.internal.reflect sun.security.action; do opens+=" --add-exports java.base/$p=ALL-UNNAMED"; done
"$jdk/bin/javac" -d . Traced.java || exit 1
for side in hotspot graft; do
    home=$jdk; [ $side = hotspot ] || home=$tested
    timeout 120 "$home/bin/java" --add-exports jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED $opens -cp "$libs/btrace-client.jar" \
        org.openjdk.btrace.compiler.Compiler -d $side Script.java >$side.compile 2>&1 || { echo "the compiler fails on $side:"; head -5 $side.compile; exit 1; }
    timeout 120 "$home/bin/java" -Xshare:off $opens -javaagent:"$libs/btrace-agent.jar=script=$side/Script.class,stdout=true,noServer=true" -cp . Traced >$side.out 2>&1
    echo "exit $?" >>$side.out
    grep -v '^### BTrace Log\|^$' $side.out | sort >$side.lines
done
cmp hotspot/Script.class graft/Script.class || failed=1
grep -q '^return .* timed' hotspot.lines || { echo "BTrace does not run on the reference:"; head hotspot.out; exit 1; }
diff hotspot.lines graft.lines || { echo "^ < reference, > here"; failed=1; }
exit ${failed-0}
