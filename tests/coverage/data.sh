#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
# The data file: readable after kill -9 and Runtime.halt; the same contents on both VMs; merge unites; every report
# can be written from it.
set -eu
jdk=$1 tested=$2 out=$3
agent=$BUILD/agents/libgraft-coverage.so tool=$BUILD/bin/graft-coverage
fail() { echo "$*"; exit 1; }
cat > "$out/Endless.java" <<'J'
public class Endless {
    static int step(int i) { return i % 3 == 0 ? i : -i; }
    static void never() { System.out.println("never"); }
    public static void main(String[] a) throws Exception {
        int s = 0;
        for (int i = 0; ; i++) {
            s += step(i);
            if (i == 5000) {
                System.out.println("far");
                if (a.length > 0) Runtime.getRuntime().halt(7);
            }
        }
    }
}
J
"$jdk/bin/javac" -g -d "$out" "$out/Endless.java"
"$jdk/bin/javac" --release 16 -g -d "$out" tests/coverage/CoverShapes.java 2> "$out/javac.log"
. "tests/answers.sh"
answer_agents=1
for vm in ref our; do
    [ $vm = our ] || ! settled "$out"/{kill,halt,shapes}.ref{,.dump} || continue
    [ $vm = ref ] && home=$jdk || home=$tested
    rm -f "$out/kill.out"
    "$home/bin/java" "-agentpath:$agent=file=$out/kill.$vm,quiet" -cp "$out" Endless > "$out/kill.out" &
    pid=$!
    for _ in $(seq 1200); do grep -qs far "$out/kill.out" && break; sleep 0.1; done
    kill -9 $pid
    wait $pid 2>/dev/null || true
    "$tool" info "$out/kill.$vm" | grep -q 'killed' || fail "$vm: the killed run is not seen as such"
    "$tool" report "$out/kill.$vm" --csv=- --no-summary | grep -q 'Endless' || fail "$vm: no class after kill -9"
    "$home/bin/java" "-agentpath:$agent=file=$out/halt.$vm,quiet" -cp "$out" Endless halt > "$out/halt.out" && fail "$vm: no halt"
    [ $? -le 7 ] || fail "halt code"
    "$home/bin/java" "-agentpath:$agent=file=$out/shapes.$vm,quiet" -cp "$out" CoverShapes > "$out/shapes.out.$vm"
    for kind in kill halt shapes; do "$tool" dump "$out/$kind.$vm" > "$out/$kind.$vm.dump"; done
    [ $vm = our ] || settle
done
for kind in kill halt shapes; do
    [ -s "$out/$kind.ref.dump" ] || fail "$kind: empty data"
    diff "$out/$kind.ref.dump" "$out/$kind.our.dump" > "$out/diff" || { head -5 "$out/diff"; fail "$kind: data differs between the VMs"; }
done
"$tool" merge --out="$out/all" "$out/kill.ref" "$out/halt.ref" "$out/shapes.ref" | grep -q 'of 3 runs' || fail merge
"$tool" report "$out/all" --html="$out/html" --lcov="$out/l" --xml="$out/x" --cobertura="$out/c" --csv="$out/v" \
    --source=tests/coverage > "$out/report.out"
grep -q 'class=code' "$out/html/default/CoverShapes.java.html" || fail "no coloured source"
[ "$(grep -c end_of_record "$out/l")" = 2 ] || fail "lcov sections"
for f in x c; do grep -q 'CoverShapes' "$out/$f" || fail "$f"; done
head -c 6000 "$out/shapes.ref" > "$out/cut"; "$tool" info "$out/cut" > /dev/null || fail "a cut file must be readable"
echo garbage > "$out/bad"; "$tool" dump "$out/bad" 2> "$out/err" && fail "garbage accepted"
grep -q 'not a coverage data file' "$out/err" || fail "no clear message"
