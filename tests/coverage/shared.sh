#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 240
# append=on: many VMs write one data file, at the same time and one after the other; killed ones lose nothing, idle ones leave
# nothing, class files are stored once; files that cannot be appended to are left alone; classes of tests; from=.
set -eu
jdk=$1 tested=$2 out=$3
agent=$BUILD/agents/libgraft-coverage.so tool=$BUILD/bin/graft-coverage
fail() { echo "$*"; exit 1; }
rm -rf "$out"/{src,app}; mkdir -p "$out/src" "$out/app/target/classes" "$out/app/target/test-classes"
cat > "$out/src/Work.java" <<'J'
public class Work {
    public static void main(String[] a) throws Exception {
        String marker = "onceInAFile";
        switch (a[0]) {
            case "0": System.out.println(Zero.f()); break;
            case "1": System.out.println(One.f()); break;
            case "2": System.out.println(Two.f()); break;
            case "wait":
                System.out.println(Two.f());
                Thread.sleep(100000);
                break;
        }
    }
}
class Zero { static int f() { return 0; } }
class One { static int f() { return 1; } }
class Two { static int f() { return 2; } }
J
echo 'public class WorkTest { public static void main(String[] a) throws Exception { Work.main(a); } }' > "$out/src/WorkTest.java"
"$jdk/bin/javac" -g -d "$out/app/target/classes" "$out/src/Work.java"
"$jdk/bin/javac" -g -cp "$out/app/target/classes" -d "$out/app/target/test-classes" "$out/src/WorkTest.java"
run() { # OPTIONS MAIN WORD...
    "$home/bin/java" "-agentpath:$agent=quiet,$1" -cp "$out/app/target/classes:$out/app/target/test-classes" "${@:2}" > "$out/stdout.$BASHPID" 2> "$out/stderr.$BASHPID" ||
        { cat "$out/stderr.$BASHPID"; fail "$home: $*"; }
}
dump() { "$tool" dump "$@" | cut -d' ' -f1,2,4,5; }
wait_for() { for _ in $(seq 1200); do grep -q "$1" "$2" 2>/dev/null && return; sleep 0.1; done; fail "$home: no $1 in $2"; }
# an exclusive writer, or a VM to be killed, in the background: sets pid
start() { rm -f "$out/waiting"; "$home/bin/java" "-agentpath:$agent=quiet,$1" -cp "$out/app/target/classes" Work wait > "$out/waiting" & pid=$!; wait_for 2 "$out/waiting"; }
stop() { kill -9 $pid; wait $pid 2> /dev/null || true; }
for home in "$jdk" "$tested"; do
    rm -f "$out"/*.dat
    pids=
    for i in 0 1 2 0 1 2; do run "append,file=$out/all.dat" Work $i & pids="$pids $!"; done
    for p in $pids; do wait $p; done
    for i in 0 1 2; do run "file=$out/$i.dat" Work $i; done
    [ "$(dump "$out/all.dat")" = "$(dump "$out"/[012].dat)" ] || { dump "$out/all.dat"; fail "$home: six at a time"; }
    [ "$("$tool" info "$out/all.dat" | grep -c 'end *normal')" = 6 ] || { "$tool" info "$out/all.dat"; fail "$home: six runs"; }
    # one that is killed; what comes after it; what it shares is there
    start "append,file=$out/all.dat"; stop
    run "append,file=$out/all.dat" Work 0
    [ "$("$tool" info "$out/all.dat" | grep 'end ' | cut -c3-17 | tr '\n' ' ')" = "$(printf 'end       normal%.0s ' 1 2 3 4 5 6 | sed 's/normal/norma/g')end       none: end       norma " ] ||
        { "$tool" info "$out/all.dat"; fail "$home: a killed run among others"; }
    [ "$(dump "$out/all.dat" | cut -d' ' -f1 | tr '\n' ' ')" = "One Two Work Zero " ] || fail "$home: classes"
    # nothing to tell: no file
    run "append,file=$out/none.dat,include=no.such.*" Work 0
    [ ! -e "$out/none.dat" ] || fail "$home: an empty file"
    # behind a file of one run; the class file is stored once
    rm -f "$out/seq.dat"
    run "file=$out/seq.dat" Work 0
    for i in 1 2 0; do run "append,file=$out/seq.dat" Work $i; done
    [ "$(dump "$out/seq.dat")" = "$(dump "$out"/[012].dat)" ] || fail "$home: appended to a file of one run"
    [ "$("$tool" info "$out/seq.dat" | grep -c 'end *normal')" = 4 ] || fail "$home: four runs"
    [ "$(grep -ao onceInAFile "$out/seq.dat" | wc -l)" = 1 ] || fail "$home: the class file is stored $(grep -ao onceInAFile "$out/seq.dat" | wc -l) times"
    "$tool" merge --out="$out/merged.dat" "$out/seq.dat" > "$out/o"
    [ "$(dump "$out/merged.dat")" = "$(dump "$out/seq.dat")" ] || fail "$home: merged"
    # a process died while it made room
    run "append,file=$out/hole.dat" Work 0
    truncate -s +12288 "$out/hole.dat"
    run "append,file=$out/hole.dat" Work 1
    [ "$(dump "$out/hole.dat" | cut -d' ' -f1 | tr '\n' ' ')" = "One Work Zero " ] || fail "$home: behind a hole"
    # not ours, damaged, wanted alone: left alone, data beside it, said so
    for kind in garbage damaged alone; do
        rm -f "$out"/x*.dat
        case $kind in
            garbage) echo text > "$out/x.dat"; cp "$out/x.dat" "$out/x.copy" ;;
            damaged) { head -c 8192 "$out/0.dat"; printf '%4096s' x; } > "$out/x.dat"; cp "$out/x.dat" "$out/x.copy" ;;
            alone) start "file=$out/x.dat" ;;
        esac
        "$home/bin/java" "-agentpath:$agent=append,file=$out/x.dat" -cp "$out/app/target/classes" Work 0 > "$out/o" 2> "$out/e" || fail "$home: $kind"
        if [ $kind = alone ]; then stop; else cmp "$out/x.dat" "$out/x.copy" || fail "$home: $kind was changed"; fi
        [ "$(dump "$out"/x-*.dat | cut -d' ' -f1 | tr '\n' ' ')" = "Work Zero " ] || fail "$home: $kind: no data"
        grep -q "x.dat: .*, data is in .*/x-[0-9]*.dat" "$out/e" || { cat "$out/e"; fail "$home: $kind: not told"; }
    done
    # one that wants a file alone that others share takes another name
    rm -f "$out"/y*.dat
    start "append,file=$out/y.dat"
    run "file=$out/y.dat" Work 0
    stop
    [ "$(dump "$out/y.dat" | cut -d' ' -f1 | tr '\n' ' ')" = "Two Work " ] && [ -e "$out"/y-*.dat ] || fail "$home: a shared file was taken"
    "$home/bin/java" "-agentpath:$agent=append,file=/no/such/dir/x" -version > "$out/o" 2>&1 && fail "$home: a folder that is not there"
    grep -q 'cannot make the data file' "$out/o" || fail "$home: no message"
    # classes of tests are in the data, in reports if asked for
    run "file=$out/t.dat" WorkTest 0
    [ "$(dump "$out/t.dat" | cut -d' ' -f1 | tr '\n' ' ')" = "Work WorkTest Zero " ] || fail "$home: classes of tests"
    [ "$("$tool" report "$out/t.dat" --csv=- --no-summary | cut -d, -f3 | tr '\n' ' ')" = "CLASS Work Zero " ] || fail "$home: a report with tests"
    "$tool" merge --out="$out/merged.dat" "$out/t.dat" > "$out/o"
    [ "$("$tool" report "$out/merged.dat" --csv=- --no-summary | cut -d, -f3 | tr '\n' ' ')" = "CLASS Work Zero " ] || fail "$home: merged, a report with tests"
    "$tool" report "$out/t.dat" --csv=- --no-summary --test-classes | grep -q WorkTest || fail "$home: --test-classes"
    run "file=$out/t.dat,from=*/test-*:/x/*" WorkTest 0
    [ "$(dump "$out/t.dat" | cut -d' ' -f1 | tr '\n' ' ')" = "WorkTest " ] || fail "$home: from"
done
# versions: a file of the future
{ printf 'GRAFTCOV\4\0\0\0'; head -c 8180 /dev/zero; } > "$out/v4.dat"
"$tool" info "$out/v4.dat" 2> "$out/e" && fail "version 4 was read"
grep -q 'format version 4' "$out/e" || fail "nothing about the version"
