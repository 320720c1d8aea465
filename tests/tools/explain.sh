#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# jcmd Compiler.explain: what became of the code of a method.  The reference has no such command.
set -u
ref=$1 tested=$2 dir=$3 pid=
. "$(dirname "$0")/common.sh"

cat >"$dir/Story.java" <<'J'
public class Story {
    static int add(int a, int b) { return a + b; }
    static int hot(int[] a) { int s = 0; for (int i = 0; i < a.length; i++) s = add(s, a[i]); return s; }
    static int late(int x) { return x < 0 ? String.valueOf(x).length() : x; }
    static int cold(int x) { return x; }
    static synchronized int locked(int x) { return x * 3; }
    static int gone(int[] a) { int n = a.length, s = 0; a = null; for (int i = 0; i < n; i++) s += cold(i) + n; return s; }
    static int tail(int turns) { int s = 1; for (int i = 0; i < turns; i++) s = s * 31 + i; return s + Integer.toString(s).length(); }
    static final java.util.concurrent.locks.ReentrantLock lock = new java.util.concurrent.locks.ReentrantLock();
    static String text;
    static int owned(int x) { lock.lock(); try { text = "x" + x; } finally { lock.unlock(); } return text.length(); }
    interface Shape { int area(int n); }
    static class Square implements Shape { public int area(int n) { return n * n; } }
    static class Line implements Shape { public int area(int n) { return n ^ 3; } }
    static int phases(Shape s) { int x = 0; for (int i = 0; i < 100; i++) x += s.area(i); return x; }
    static int many(int x) { return x; }
    static int many(long x) { return (int) x; }
    public static void main(String[] args) throws Exception {
        int[] a = new int[100];
        int s = cold(1) + gone(a);
        for (int i = 0; i < 20000; i++) s += hot(a) + late(i) + locked(i);
        s += late(-5);
        for (int i = 0; i < 20000; i++) s += owned(i);
        for (int i = 0; i < 20000; i++) s += late(i);
        Shape square = new Square(), line = new Line();
        for (int i = 0; i < 20000; i++) s += phases(square);
        for (int i = 0; i < 20000; i++) s += phases(line);
        for (int i = 0; i < 10 && args[0].endsWith("tail"); i++) s += tail(i < 2 ? 100000000 : 20000000);
        System.err.println(s);
        for (String m : args)
            new ProcessBuilder(System.getProperty("jcmd"), "" + ProcessHandle.current().pid(), "Compiler.explain", m).inheritIO().start().waitFor();
    }
}
J
"$ref/bin/javac" -d "$dir" "$dir/Story.java" || exit 1

# tells METHOD LINE... [-- OPTION...]: the answer has the lines (regular expressions); a line that begins with ! it has not.
tells() {
    local method=$1 line out; shift
    local lines=() options=()
    while [ $# -gt 0 ] && [ "$1" != -- ]; do lines+=("$1"); shift; done
    [ $# -gt 0 ] && shift && options=("$@")
    out=$("$tested/bin/java" -Xbatch "${options[@]}" -Djcmd="$ref/bin/jcmd" -cp "$dir" Story "$method" 2>/dev/null)
    for line in "${lines[@]}"; do
        case $line in
        !*) ! grep -qE -- "${line#!}" <<<"$out" || fail "$method ${options[*]}: has '${line#!}': $out" ;;
        *) grep -qE -- "$line" <<<"$out" || fail "$method ${options[*]}: no '$line' in: $out" ;;
        esac
    done
}
tells Story.hot '^Story\.hot\(\[I\)I \([0-9]+ bytes\)$' '^  compiled$' '^  base code: number [0-9]+, [0-9]+ bytes at 0x' '^ +@ [0-9]+  Story\.add\(II\)I \(4 bytes\)$' \
    '!thrown away' '!optimiser' -- -XX:-UseOptimizingCompiler
tells Story.hot '^  optimiser: '
tells Story::late '^  thrown away: an instruction was met that had never run$' '^  left: an instruction that had never run, at bci [0-9]+$' '^  compiled$'
# what never ran while the first of several long runs was on its way: that the code then knows it is no mistake of the optimiser's
tells Story.tail '^  thrown away: an instruction was met that had never run$' '^  optimiser: done; met .*, mistaken 0 times$' -- -XX:+BackgroundCompilation
tells Story.cold '^  interpreted, heat [0-9]+ of [0-9]+$' '!base code:'
tells Story.many '^Story\.many\(I\)I' '^Story\.many\(J\)I'
tells java/lang/Object.hashCode '^  has no bytecode$'
tells Story.none '^No loaded class has such a method: Story\.none$'
tells none '^CLASS\.METHOD is wanted'
tells Story.hot '^  interpreted for good$' 'refused: excluded by -XX:CompileCommand' '!base code:' -- -XX:CompileCommand=exclude,Story.hot
tells Story.hot '^Nothing is compiled: this VM only interprets\.$' -- -Xint
tells Story.hot '^  optimised code: number' '^  optimiser: ' -- -XX:+OptimizeAll -Xcomp
tells Story.hot '!optimised code' '^  base code: number' -- -XX:+OptimizeAll -Xcomp -XX:TieredStopAtLevel=1
# the length of an array that no frame has any more is not asked for again in a loop that calls
tells Story.gone '^  optimised code: number' '!refused' -- -XX:+OptimizeAll -Xcomp -XX:CompileCommand=dontinline,Story.cold
# the thread that has a lock is known behind what may stop, and no frame needs to have it
tells Story.owned '^Story\.owned' '!refused' -- -XX:+OptimizeAll -Xcomp
# who came first is not forgotten for who comes later, also where the question stands in front of the loop
tells Story.phases '@ [0-9]+  Story\$Square\.area' '@ [0-9]+  Story\$Line\.area' -- -XX:+OptimizeAll -Xcomp
