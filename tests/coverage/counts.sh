#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
# Execution counts are exact (loops, branches, threads) and equal on both VMs; epochs are told apart, by report, by line and
# after merging; together they are the whole run, with and without counts.
set -eu
jdk=$1 tested=$2 out=$3
agent=$BUILD/agents/libgraft-coverage.so tool=$BUILD/bin/graft-coverage
fail() { echo "$*"; exit 1; }
"$jdk/bin/javac" -g -d "$out" tests/coverage/CoverCounts.java
line() { grep -nF "$1" tests/coverage/CoverCounts.java | head -1 | cut -d: -f1; }
lcov() { "$tool" report --no-summary --lcov=- "$@"; }
check() { # FILE TEXT TIMES
    local n; n=$(sed -n "s/^DA:$(line "$2"),//p" "$1")
    [ "$n" = "$3" ] || fail "$vm: $1: '$2' ran $n times, not $3"
}
run() { # OPTIONS WORD...
    "$home/bin/java" "-agentpath:$agent=quiet,$1" -cp "$out" CoverCounts "${@:2}" > "$out/stdout"
    grep -q done "$out/stdout" || fail "$vm: the program failed"
}
. "tests/answers.sh"
answer_agents=1
for vm in ref our; do
    [ $vm = our ] || ! settled "$out/n.ref.dump" || continue
    [ $vm = ref ] && home=$jdk || home=$tested
    run "file=$out/n.$vm,counts"
    lcov "$out/n.$vm" > "$out/lcov.$vm"
    while read -r times text; do check "$out/lcov.$vm" "$text" "$times"; done <<'END'
12 s += once(n);
33 s -= 1;
45 n--;
55 while (n > 0)
3 case 0: return 10
5 default: return 12
1 throw new
1 once(2);
20000 while (Thread.interrupted())
20013 static int once(
0 static void never()
END
    grep -q '^FNDA:10,CoverCounts::work(I)I' "$out/lcov.$vm" || fail "$vm: calls of work"
    grep -q '^FNDA:20000,CoverCounts::spin()V' "$out/lcov.$vm" || fail "$vm: calls of spin"
    "$tool" dump "$out/n.$vm" > "$out/n.$vm.dump"
    for kind in counts=on counts=off; do
        run "file=$out/e.$vm.$kind,$kind" epochs
        [ "$("$tool" epochs "$out/e.$vm.$kind" | sed 's/.* ms  //' | tr '\n' ' ')" = "(none) first second (none) first (none) " ] ||
            fail "$vm: epochs: $("$tool" epochs "$out/e.$vm.$kind")"
        lcov "$out/e.$vm.$kind" --epoch=second > "$out/second"
        lcov "$out/e.$vm.$kind" --epoch=fir* > "$out/first"
        check "$out/first" 's -= 1;' $([ $kind = counts=on ] && echo 33 || echo 1)
        check "$out/second" 's -= 1;' 0
        check "$out/second" 'once(2);' 1
        check "$out/first" 'default: return 12' 1
        "$tool" epochs "$out/e.$vm.$kind" --at="CoverCounts:$(line 'once(2);')" | sed 's/.* ms  //' > "$out/at"
        [ "$(cat "$out/at")" = second ] || fail "$vm: who covers once(2): $(cat "$out/at")"
        "$tool" epochs "$out/e.$vm.$kind" --at=CoverCounts:9999 2>&1 | grep -q '^graft-coverage: nothing that ran reaches CoverCounts:9999$' || fail "$vm: nobody reaches a line"
        ! "$tool" report "$out/e.$vm.$kind" --epoch=none > "$out/none" 2>&1 || fail "$vm: a report of an epoch that is not there"
        grep -q 'no epoch is called none;' "$out/none" || fail "$vm: no words for an epoch that is not there"
        "$tool" merge --out="$out/m" "$out/e.$vm.$kind" "$out/n.$vm" > "$out/merge.out"
        [ "$("$tool" epochs "$out/m" | grep -c ' ms  first')" = 2 ] || fail "$vm: epochs of merged files"
        lcov "$out/m" --epoch=second | diff - "$out/second" || fail "$vm: an epoch of merged files"
    done
    # the parts together are the whole, apart from the calls of the epochs themselves
    lcov "$out/e.$vm.counts=on" > "$out/whole"
    check "$out/whole" 'static int once(' 20013
    check "$out/whole" 'default: return 12' 5
    check "$out/whole" 'while (n > 0)' 55
    mkdir -p "$out/html"; "$tool" report --no-summary --html="$out/html" --source=tests/coverage "$out/n.$vm" > "$out/html.out"
    grep -q '<td class=r[^>]*>20013' "$out/html/default/CoverCounts.java.html" || fail "$vm: no counts in the HTML"
    for bad in counts,prune=100 prune=100,epoch=x prune=-1; do
        "$home/bin/java" "-agentpath:$agent=file=$out/bad,$bad" -cp "$out" CoverCounts > "$out/o" 2>&1 && fail "$bad accepted"
    done
    [ $vm = our ] || settle
done
diff "$out/n.ref.dump" "$out/n.our.dump" || fail "counts differ between the VMs"
