#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 1800
#
# Outlining (BCI_PLAN_OUTLINE, BCI_OUTLINE).
#   1. Programs with methods of nearly 64 KB (array initialisers, switches in loops, loops, try and synchronized statements, a
#      constructor, a class initialiser) get a counter at every block, so that these methods would be too long; the results verify
#      and print the same on the reference VM, with -Xverify:all, and here.
#   2. Every method of the JDK over 200 bytes is outlined: our verifier takes it, and the reference VM made of these classes, and
#      this VM with them, compile the same files as without.
#     outline.sh JDK TESTED SCRATCH
set -u
jdk=$1 tested=$2 scratch=$(realpath -m "$3")
. "$(dirname "$0")/common.sh"
rt_frames
failed=0
fail() { failed=1; echo "FAILED: $*"; }

# ---- long methods ----

mkdir -p "$scratch/src"
awk -v dir="$scratch/src" '
function start(name) { f = dir "/" name ".java"; print "// SPDX-License-Identifier: Apache-2.0\npublic class " name " {" > f }
function end() { print "}" > f; close(f) }
BEGIN {
    start("BigArray")       # one statement of 60 KB, the array on the stack all the time
    print "    static int seed = 3;\n    static final int[] TABLE = {" > f
    for (i = 0; i < 5200; i++) printf "%s%s", i % 7 ? 1000 + i : "seed > " i % 5 " ? " i " : -" i, i % 12 == 11 ? ",\n" : ", " > f
    print "};\n    public static void main(String[] a) { long s = 0; for (int v : TABLE) s = s * 31 + v; System.out.println(TABLE.length + \" \" + s); }" > f
    end()

    start("BigSwitch")      # cases in a loop, one result; some leave the loop or the method
    print "    static long run(int from, int to) {\n        long s = from;\n        for (int i = from; i < to; i++) {\n            switch (i % 2000) {" > f
    for (i = 0; i < 1900; i++) {
        print "            case " i ": s = s * 31 + (s ^ " i * 77 ");" > f
        print i == 1777 ? "                if (s == 5) return -1; break;" : i % 9 == 4 ? "                if ((s & 1) == 0) continue; s++; break;" : "                break;" > f
    }
    print "            default: s += i;\n            }\n        }\n        return s;\n    }" > f
    print "    public static void main(String[] a) { System.out.println(run(0, 10000) + \" \" + run(1500, 2600)); }" > f
    end()

    start("BigLoops")       # loops and conditions, several variables
    print "    int n = 3;\n    double run(long x, double d, String t) {\n        long s = x;\n        StringBuilder b = new StringBuilder(t);" > f
    for (i = 0; i < 900; i++) {
        print "        for (int i = 0; i < n; i++) s += i * " i " ^ (s >>> 3);" > f
        if (i % 5 == 0) print "        if (s % 3 == 0) { d += " i ".5; b.append((char) (65 + (s & 15))); } else if (b.length() > 40) { b.setLength(" i % 30 "); }" > f
    }
    print "        return s + d + b.toString().hashCode();\n    }" > f
    print "    public static void main(String[] a) { System.out.println(new BigLoops().run(17, 2.25, \"begin\")); }" > f
    end()

    start("BigTry")         # handlers and locks
    print "    int count;\n    Object lock = new Object();\n    @Override public String toString() { return \"big\"; }\n    int run(int[] v) {\n        int last = 0;\n        try {" > f
    for (i = 0; i < 620; i++) {
        print "        try { last = v[" i % 11 "] / (" i " % 7 == v[2] ? 0 : " i + 1 "); } catch (ArithmeticException e) { count += " i "; } finally { count++; }" > f
        if (i % 6 == 0) print "        synchronized (lock) { count += super.toString().isEmpty() ? 1 : v[" i % 9 "]; if (count < 0) return -1; }" > f
    }
    print "        last += v[" 11 "];\n        } catch (ArrayIndexOutOfBoundsException e) { count += last; StackTraceElement t = e.getStackTrace()[0];" > f
    print "            System.out.println(e.getMessage() + \" \" + t.getFileName() + \":\" + t.getLineNumber()); }\n        return last;\n    }" > f
    print "    public static void main(String[] a) { BigTry b = new BigTry(); int r = b.run(new int[] {5, 9, 3, 7, 1, 2, 8, 4, 6, 10, 11}); System.out.println(r + \" \" + b.count + \" \" + Thread.holdsLock(b.lock)); }" > f
    end()

    start("BigInit")        # a class initialiser and a constructor, final fields in both
    for (i = 0; i < 700; i++) print "    static final String S" i " = String.valueOf(" i " * (long) System.identityHashCode(null) + " i ");\n    final int f" i ";" > f
    print "    static final java.util.Map<String, Integer> M = new java.util.TreeMap<>();\n    static {" > f
    for (i = 0; i < 1300; i++) print "        if (M.size() > " i % 13 ") M.put(\"k" i % 500 "\", " i ");" (i % 50 ? "" : " else M.put(\"x\", -" i ");") > f
    print "    }\n    BigInit(int n) {" > f
    for (i = 0; i < 700; i++) print "        if (n < " i ") n += M.size(); f" i " = n * " i " + M.getOrDefault(\"k" i % 500 "\", 0);" > f
    print "    }\n    public static void main(String[] a) throws Exception {\n        BigInit b = new BigInit(2); long s = 0;" > f
    print "        for (var f : BigInit.class.getDeclaredFields()) if (f.getType() == int.class) s = s * 31 + f.getInt(b); else if (f.getType() == String.class) s += f.get(null).hashCode();" > f
    print "        System.out.println(M.size() + \" \" + s);\n    }" > f
    end()
}'
mkdir -p "$scratch/big"
"$jdk/bin/javac" -g -d "$scratch/big" "$scratch"/src/*.java || exit 1
"$jdk/bin/jar" --create --file "$scratch/big.jar" -C "$scratch/big" .
names=$(cd "$scratch/big" && ls *.class | sed 's/\.class//')
run() { # JAVA FOLDER OPTION...
    local n
    for n in $names; do "$1" "${@:3}" -cp "$2" $n 2>&1 || echo "$n: exit code $?"; done
}
# The reference's answers go to the file $1
told() { run "$jdk/bin/java" "${@:2}" >"$1"; }
answer_inputs="$scratch/big $scratch/big.jar"
kept expected "$scratch/expected" -- told "$scratch/expected" "$scratch/big"
[ "$(wc -l <"$scratch/expected")" = 6 ] && ! grep -q 'exit code' "$scratch/expected" || { fail programs; cat "$scratch/expected"; }
rt_probe "$scratch/jdk" || fail probe

for how in "plan-blocks 65535" "plan-finally 20000" "plan-blocks 500" "keep 300"; do
    mode=${how% *} limit=${how#* } out=$scratch/out
    rm -rf "$out"; mkdir -p "$out"
    "$scratch/rt_frames" -v -m "$mode" -l "$limit" -c big.jar -o "$out" "$jdk/lib/modules" "$scratch/big.jar" >"$scratch/log" || fail "$how: $(cat "$scratch/log")"
    grep -v -e "^$mode: " -e verified -e outlined -e scratch "$scratch/log" && fail "$how: something was left out"
    n=$(sed -n 's/ methods outlined.*//p' "$scratch/log")
    [ "${n:-0}" -ge 4 ] || fail "$how: $(cat "$scratch/log")"
    options=(-Xverify:all --patch-module java.base="$scratch/jdk/java.base")
    answer_inputs="$out $scratch/jdk"
    kept "$how" "$scratch/told" -- told "$scratch/told" "$out/jars/big.jar" -Xshare:off "${options[@]}"
    diff "$scratch/expected" "$scratch/told" || fail "$how: reference"
    run "$tested/bin/java" "$out/jars/big.jar" "${options[@]}" | diff "$scratch/expected" - || fail "$how: tested"
done

# ---- the JDK ----

out=$scratch/out
rm -rf "$out" "$scratch/javac"*; mkdir -p "$out" "$scratch"/javac.{plain,reference,tested}
"$scratch/rt_frames" -v -m keep -l 200 -o "$out" "$jdk/lib/modules" >"$scratch/log" || fail "$(cat "$scratch/log")"
n=$(sed -n 's/ methods outlined.*//p' "$scratch/log")
[ "${n:-0}" -ge 10000 ] || fail "only ${n:-0} methods of the JDK are outlined"
rt_patch "$out/jdk"
compile() { # JAVA FOLDER OPTION...
    "$1" "${@:3}" -m jdk.compiler/com.sun.tools.javac.Main -d "$2" "$top"/tests/java/lang/*.java >"$scratch/err" 2>&1 ||
        { fail "$1 does not compile"; grep -v WARNING "$scratch/err" | head -5; return 1; }
}
answer_inputs="$top/tests/java/lang"
kept plain "$scratch/javac.plain" -- compile "$jdk/bin/java" "$scratch/javac.plain"
answer_inputs+=" $out"
kept reference "$scratch/javac.reference" -- compile "$jdk/bin/java" "$scratch/javac.reference" -Xshare:off -Xverify:all "${patches[@]}"
compile "$tested/bin/java" "$scratch/javac.tested" -Xverify:all "${patches[@]}"
for who in reference tested; do
    diff -r "$scratch/javac.plain" "$scratch/javac.$who" || fail "javac on $who"
done
rm -rf "$out"
exit $failed
