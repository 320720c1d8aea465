#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# packages: libcapstone4
# What is told about compiled code: CompileCommand, PrintCompilation, jcmd Compiler.*, jstat, CompilationMXBean, the map for perf.
set -u
ref=$1 tested=$2 dir=$3
fail() { echo "$*"; exit 1; }
cd "$dir" || exit 1
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS
trap 'kill -9 ${pid:-none} 2>/dev/null' EXIT
[ "$(uname -m)" = x86_64 ] || exit 0
cat >Hot.java <<'J'
import java.lang.management.*;
public class Hot {
    static int loop(int n, long[] map) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += i % 7;
        return sum + map.length;
    }
    static int none = 3;
    interface Shape { int area(int k); }
    static class Square implements Shape { int side = 3; public int area(int k) { return side * side + k; } }
    static int through(Shape s, int k) { return s.area(k) + 1; }
    static synchronized int other(int n) { return n + 1; }
    /** The end has a branch with an operand below it, which is not reached while the method is hot. */
    static int unfinished(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += i;
        if (n > 1_000_000) System.out.println(sum != 0 ? "a" : "b");
        return sum;
    }
    public static void main(String[] a) throws Exception {
        int sum = through(new Square(), 1);
        Shape s = new Square();
        for (int i = 0; i < 30000; i++) sum += through(s, i) + loop(100, new long[1]) + other(i) + unfinished(50) + Backward.f(i);
        CompilationMXBean c = ManagementFactory.getCompilationMXBean();
        System.out.println(sum + " " + (c == null ? "none" : c.getName() + " " + (c.getTotalCompilationTime() >= 0)));
        for (MemoryPoolMXBean p : ManagementFactory.getMemoryPoolMXBeans())
            if (p.getName().equals("CodeCache")) System.out.println("pool " + (p.getUsage().getUsed() > 0) + " " + (p.getUsage().getMax() >> 20));
        System.out.println("ready");
        if (a.length > 0) System.in.read();
    }
}
J
# Code that only jumps from behind lead to, with an operand on the stack, in a method with code that never runs.
cat >Write.java <<'J'
import jdk.internal.org.objectweb.asm.*;
import static jdk.internal.org.objectweb.asm.Opcodes.*;
public class Write {
    public static void main(String[] a) throws Exception {
        ClassWriter w = new ClassWriter(0);
        w.visit(V1_5, ACC_PUBLIC, "Backward", null, "java/lang/Object", null);
        MethodVisitor m = w.visitMethod(ACC_STATIC | ACC_PUBLIC, "f", "(I)I", null, null);
        Label add = new Label(), other = new Label(), start = new Label(), rare = new Label();
        m.visitJumpInsn(GOTO, start);
        m.visitLabel(add);
        m.visitInsn(ICONST_1);
        m.visitInsn(IADD);
        m.visitInsn(IRETURN);
        m.visitLabel(other);
        m.visitInsn(POP);
        m.visitFieldInsn(GETSTATIC, "Hot", "none", "I");
        m.visitJumpInsn(GOTO, add);
        m.visitLabel(start);
        m.visitVarInsn(ILOAD, 0);
        m.visitInsn(DUP);
        m.visitLdcInsn(1000000);
        m.visitJumpInsn(IF_ICMPGT, rare);
        m.visitJumpInsn(GOTO, add);
        m.visitLabel(rare);
        m.visitFieldInsn(GETSTATIC, "Hot", "none", "I");
        m.visitInsn(IADD);
        m.visitJumpInsn(GOTO, other);
        m.visitMaxs(3, 1);
        m.visitEnd();
        w.visitEnd();
        java.nio.file.Files.write(java.nio.file.Path.of("Backward.class"), w.toByteArray());
    }
}
J
asm=(--add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED)
"$ref/bin/javac" "${asm[@]}" Write.java 2>/dev/null && "$ref/bin/java" "${asm[@]}" Write && "$ref/bin/javac" -cp . Hot.java || exit 1
base=(-XX:ReservedCodeCacheSize=32m -XX:-SegmentedCodeCache)

# --- commands: accepted and refused as by the reference
same() {
    "$ref/bin/java" "$@" -version 2>/dev/null >ref.out
    "$tested/bin/java" "$@" -version 2>/dev/null >tested.out
    diff ref.out tested.out || fail "different answers to $*"
}
same -XX:CompileCommand=exclude,Hot.loop
same -XX:CompileCommand=exclude,Hot::loop '-XX:CompileCommand=compileonly,java/lang/*.hash*'
same '-XX:CompileCommand=exclude,Hot,loop' -XX:CompileCommand=print,java.lang.String::hashCode '-XX:CompileCommand=exclude Hot loop'
same '-XX:CompileCommand=exclude,Hot.loop(I[J)I' '-XX:CompileCommand=dontinline,*.loop'
same -XX:CompileCommand=quiet -XX:CompileCommand=exclude,Hot.loop
same -XX:CompileCommand=nosuch,Hot.loop
same -XX:CompileCommand=exclude
same -XX:CompileOnly=Hot.loop

# --- what they do, and the columns of PrintCompilation
compiled() { "$tested/bin/java" "${base[@]}" -XX:+PrintCompilation "$@" Hot >lines || fail "fails with $*"; }
line='^ *[0-9]+ +[0-9]+ [ %][ s][ !][ b][ n] [1-4]       Hot::loop( @ [0-9]+)? \([0-9]+ bytes\)$'
"$ref/bin/java" -XX:+PrintCompilation Hot | grep -Eq "$line" || fail "the reference has other columns"
compiled -XX:-UseOptimizingCompiler # or what is hot for long enough is made once more
grep -Eq "$line" lines || { grep Hot lines; fail "columns"; }
grep -Eq '^ *[0-9]+ +[0-9]+  s.. ' lines || fail "no mark of a synchronized method"
! grep -E "(Hot|Backward)::.*SKIPPED" lines || fail "refused"
! grep -E '^.{18} 4 .*bytes\)' lines || fail "base code is told as optimised"
compiled -Xcomp -XX:+OptimizeAll
grep -Eq '^ *[0-9]+ +[0-9]+ .{5} 4 .* Hot::' lines || { grep Hot:: lines | head -5; fail "optimised code is not level 4"; }
compiled
grep -Eq '^pool true 32' lines || fail "no pool"
grep -Eq '^[-0-9]+ Graft Base Compiler true' lines || fail "no compiler bean"
compiled -XX:CompileCommand=exclude,Hot::loop
! grep -Eq "$line" lines || fail "excluded and compiled"
grep -q '^### Excluding compile: static Hot::loop' lines || fail "exclusion not said"
grep -q 'Hot::other' lines || fail "another is excluded too"
compiled '-XX:CompileOnly=Hot.o*'
! grep 'java.lang.*bytes)' lines || fail "compileonly lets others pass"
grep -q 'Hot::other' lines || fail "compileonly excludes all"
compiled -XX:CompileCommand=print,Hot.other
grep -Eq '^  \[bci [0-9]+\]$' lines || fail "no bytecode beside the code"
if grep -q 'bytes only' lines; then grep -Eq '^  0x[0-9a-f]+:( [0-9a-f]{2})+$' lines || fail "no code printed"
else grep -Eq '^  0x[0-9a-f]+: (ret|cmpq) ' lines || fail "no instructions printed"; fi
compiled -XX:+UnlockDiagnosticVMOptions -XX:+PrintInlining
grep -Eq '^ {30}@ [0-9]+   [a-zA-Z.$]+::[a-zA-Z<>]+ \([0-9]+ bytes\)   inline$' lines || fail "no body told"
grep -Eq '^ {30,}@ [0-9]+   Hot\$Square::area \([0-9]+ bytes\)   inline$' lines || fail "no body of the class that an interface call has seen"
grep -Eq '^ {30,}@ [0-9]+   java.util.HashMap::putVal \([0-9]+ bytes\)   callee is too large$' lines || fail "no reason told"
compiled -XX:+CITime
grep -Eq '^  Average compilation speed : +[1-9][0-9]* bytes/s$' lines || fail "no times told"
compiled -XX:TieredStopAtLevel=0
! grep 'bytes)' lines || fail "compiled at level 0"
grep -Eq '^[-0-9]+ none' lines || fail "a compiler bean at level 0"
compiled -Xint
! grep 'bytes)' lines || fail "compiled with -Xint"
grep -Eq '^[-0-9]+ none' lines || fail "a compiler bean with -Xint"
mode() { "$1/bin/java" "${@:2}" -XshowSettings:properties -version 2>&1 | sed -nE '/java.vm.info|sun.management.compiler/ { s/, sharing//; s/compiler = .*/compiler/; p }; s/.*VM \(build .*(interpreted|mixed|compiled) mode.*/\1/p'; }
for o in "" -Xmixed -Xint -Xcomp; do
    diff <(mode "$ref" $o) <(mode "$tested" $o) || fail "says of itself otherwise: ${o:-by default}"
done
[ "$(mode "$tested" | wc -l)" = 3 ] || fail "mask keeps too little"

# --- jcmd, jstat, the map
mkfifo in; "$tested/bin/java" "${base[@]}" Hot wait <in >out & pid=$!
exec 9>in
for _ in $(seq 300); do grep -q ready out && break; sleep 0.1; done
"$ref/bin/jcmd" $pid Compiler.codelist >list
"$ref/bin/jcmd" $pid Compiler.codecache >cache
"$ref/bin/jcmd" $pid Compiler.perfmap | grep -q "Command executed successfully" || fail "perfmap"
grep -Eq '^[0-9]+ 1 0 Hot.loop\(I\[J\)I \[0x[0-9a-f]{16}, 0x[0-9a-f]{16} - 0x[0-9a-f]{16}\]$' list || { head -3 list; fail "codelist"; }
grep -Eq '^CodeCache: size=32768Kb used=[1-9][0-9]*Kb max_used=[1-9][0-9]*Kb free=[0-9]+Kb$' cache || { cat cache; fail "codecache"; }
grep -Eq '^0x[0-9a-f]{16} 0x[0-9a-f]{16} int Hot.loop\(int, long\[\]\)$' /tmp/perf-$pid.map || { head -3 /tmp/perf-$pid.map; fail "map"; }
rm -f /tmp/perf-$pid.map
sleep 0.3
"$ref/bin/jstat" -compiler $pid | awk 'NR == 2 { exit !($1 > 10) }' || fail "jstat -compiler"
"$ref/bin/jstat" -printcompilation $pid | awk 'NR == 2 { exit !($1 > 10 && $2 > 0 && $3 == 1 && $4 != "") }' || fail "jstat -printcompilation"
exec 9>&-
wait $pid || fail "ends with $?"
"$tested/bin/java" "${base[@]}" -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit Hot >out & pid=$!
wait $pid
grep -q "int Hot.loop(int, long\[\])" /tmp/perf-$pid.map || fail "no map at exit"
rm -f /tmp/perf-$pid.map
exit 0
