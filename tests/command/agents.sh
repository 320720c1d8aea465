#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Each agent in front of a command and loaded into a running JVM, on both VMs; many JVMs under one command.
. "$(dirname "$0")/common.sh"
echo 'public class Pair { static class Other { int n = 1; } public static void main(String[] a) { new Other(); } }' >Pair.java
"$jdk/bin/javac" -g -d classes Pair.java || exit 1
pair=1
for side in hotspot graft; do
    home=$jdk; [ $side = graft ] && home=$tested
    java=$home/bin/java
    rm -rf work; mkdir work; cd work; ln -s ../classes classes
    check coverage 5 'coverage.dat: 1 classes, lines [0-9.]+ % of [1-9]' -- "$graft" coverage --include=Target -- "$java" -cp classes Target code 5
    check "coverage, reports" 0 '^(graft: .*|)rep/index.html' -- "$graft" coverage --html=rep --lcov=c.info --source="$here" -- "$java" -cp classes Target
    has "coverage, HTML" Target rep/index.html
    check "coverage, sources in pieces" 0 'index.html' -- "$graft" coverage --html=rep2 --source="$here" --source=/no/such -- "$java" -cp classes Target
    has "... the first one counts, too" '</b> java.io.BufferedReader;' rep2/default/Target.java.html; rm -rf rep2
    check "coverage, CMD ends as if it were not there" 127 '^rep3/index.html' -- "$graft" coverage --html=rep3 -- sh -c '"$0" -cp classes Target; exit 127' "$java"
    check "coverage, reports nowhere" 1 'not all reports could be made' -- "$graft" coverage --html= -- "$java" -cp classes Target; rm -rf rep3
    has "coverage, LCOV" '^DA:[0-9]+,[1-9]' c.info
    is "coverage, its files" "$(ls | tr '\n' ' ')" "c.info classes coverage.dat out rep "
    check "coverage, a threshold" 3 'line coverage is .* below the 100.00 % wanted' -- "$graft" coverage --include=Target --fail-under=line=100 -- "$java" -cp classes Target
    check "... reached" 0 'coverage.dat: 1 classes' -- "$graft" coverage --include=Target --fail-under=line=1 --fail-under=method=1 -- "$java" -cp classes Target
    check "... the second one" 3 'method coverage is' -- "$graft" coverage --include=Target --fail-under=line=1 --fail-under=method=100 -- "$java" -cp classes Target
    check "... CMD's own code first" 5 'below the 100.00 %' -- "$graft" coverage --include=Target --fail-under=line=100 -- "$java" -cp classes Target code 5
    check "... of nothing" 3 'no class' -- "$graft" coverage --include=Nothing --fail-under=line=1 -- "$java" -cp classes Target
    check "... that is none" 1 'want MEASURE=PERCENT' -- "$graft" coverage --include=Target --fail-under=lines -- touch ran
    check "... a revision that is none" 1 'git .* failed' -- "$graft" coverage --include=Target --diff=no-such-revision -- touch ran
    check "... and CMD was not run" 2 'No such file' -- ls ran
    check "... of many JVMs" 3 'below the 100.00 %' -- "$graft" coverage --include=Target --fail-under=line=100 -- sh -c '"$0" -cp classes Target; "$0" -cp classes Target' "$java"
    check "... of several files" 1 'judges them together' -- "$graft" coverage -o 'm%p.dat' --include=Target --fail-under=line=1 -- sh -c '"$0" -cp classes Target; "$0" -cp classes Target' "$java"
    cat >two.sh <<S
(cd / && "$java" -cp "$scratch/classes" Target)
"$java" -cp classes Target code 3
exit 9
S
    check "coverage of two JVMs" 9 'coverage.dat: 1 classes' -- "$graft" coverage --include=Target --json=two.json --sarif=two.sarif -- sh two.sh
    is "... one report of each form" "$(echo two*.*)" 'two.json two.sarif two.sh'
    check "... united" 0 '^  classes   1$' -- "$graft" report info coverage.dat
    is "... no pieces are left" "$(echo coverage.dat.p*)" 'coverage.dat.p*'
    "$graft" coverage -o 'a b,c.dat' --include=Target -- sh two.sh >o 2>&1; is "blanks and commas" $? 9
    check "blanks and commas" 0 '^Target ' -- "$graft" report dump 'a b,c.dat'
    # all members of Pair stand in one line
    check "a report in no folder" 1 'no JVM has left a report' -- "$graft" trace -o /no/such/x --include=Target -- "$java" -cp classes Target
    check "... and the command's own code" 5 'no JVM has left a report' -- "$graft" trace -o /no/such/x --include=Target -- "$java" -cp classes Target code 5
    check "coverage, lines of several classes" 0 "coverage.dat: 2 classes, lines 100.0 % of $pair," -- "$graft" coverage --include='Pair*' -- "$java" -cp classes Pair
    check "... as in the table" 0 "total: 2 classes, $pair lines" -- "$graft" report coverage.dat
    check "a source launched" 0 'coverage.dat: 2 classes' -- "$graft" coverage -- "$java" "$scratch/Pair.java"
    check "the compiler, if it is asked for" 0 'coverage.dat: [1-9]' -- "$graft" coverage --include='com.sun.tools.javac.main.JavaCompiler' -- "$java" "$scratch/Pair.java"
    check "data without a class" 0 'none.dat: no class that was asked for ran' -- "$graft" coverage -o none.dat --include=Nothing -- "$java" -cp classes Target
    check trace 0 ' 1 +0 .*Target.greet\(\)' -- "$graft" trace --format=text --include='Target.*' -- "$java" -cp classes Target
    has "trace, its table" 'Target.greet' trace.txt
    check "trace of two JVMs" 9 'trace-[0-9]+.txt:' -- "$graft" trace --include='Target.*' -- sh two.sh
    check "... and a page each" 9 "/calls-[0-9]+.html" -- "$graft" trace --html=calls.html --include='Target.*' -- sh two.sh
    is "... two of them" "$(ls calls-*.html | wc -l)" 2
    mkdir '[a]*'; cd '[a]*'; ln -s ../classes classes
    check "a folder of strange name" 5 'trace.txt:' -- "$graft" trace --include=Target -- "$java" -cp classes Target code 5
    check "... coverage" 9 'coverage.dat: 1 classes' -- "$graft" coverage --include=Target -- sh ../two.sh
    cd ..; rm -rf '[a]*'
    rm trace-*; "$graft" trace --include='Target.*' -- sh two.sh >o 2>&1
    is "trace, a file each" "$(grep -l 'Target.greet' trace-*.txt | wc -l)" 2
    check heap 0 'Heap snapshot 1, at exit' -- "$graft" heap -- "$java" -cp classes Target
    check "allocations alone" 0 '^graft: .*/made.txt$' -- "$graft" heap --no-exit --sample=1000 --collapsed=made.txt -- "$java" -cp classes Target
    grep -q 'has left a report' out && bad "allocations alone: a report is missed" out || good
    check "heap, off" 0 'no JVM has left a report' -- "$graft" heap --no-exit -o none.txt -- "$java" -cp classes Target
    check natives 0 'native method' -- "$graft" natives -- "$java" -cp classes Target zone
    has "natives, its table" ' [1-9][0-9]* +[0-9]+ java\.' natives.txt
    is "natives, the program's output" "$("$graft" natives -- "$java" -cp classes Target 2>/dev/null)" "$("$java" -cp classes Target)"
    check hotswap 0 '^\[hotswap\] watching' -- "$graft" hotswap --watch=classes -- "$java" -cp classes Target
    cd ..

    start "$home"
    check "nothing to stop" 125 "process $pid .*has no coverage agent: there is nothing to stop" -- "$graft" coverage --attach $pid --stop
    check "nothing to report" 125 "process $pid .*has no trace agent" -- "$graft" trace --attach $pid --dump
    check "coverage into it" 0 "data goes to .*/c.dat" -- "$graft" coverage --attach $pid --include=Target -o c.dat
    check "coverage twice" 125 'the coverage agent refuses' -- "$graft" coverage --attach $pid
    check "trace into it, by name" 0 "trace-$pid.txt" -- "$graft" trace --attach $main --include=Target
    tell greet 'hello 1'; tell greet 'hello 2'
    check "reports asked for later" 0 'done$' -- "$graft" coverage --attach $pid --dump --lcov=later.info
    has "... of coverage" '^DA:[0-9]+,[1-9]' later.info
    check "reports asked for later" 0 'done$' -- "$graft" trace --attach $pid --dump --tree=later.tree
    has "... of trace" ' 2 +0 .*Target.greet\(\)' later.tree
    check "trace out of it" 0 ' 2 +0 .*Target.greet\(\)' -- "$graft" trace --attach $pid --stop
    check "coverage out of it" 0 'c.dat: 1 classes, lines [1-9]' -- "$graft" coverage --attach $pid --stop -o c.dat
    check "heap into it" 0 'Heap snapshot 1, requested' -- "$graft" heap --attach $pid --top=3
    check "hotswap with a wrong project" 125 'the hotswap agent refuses' -- "$graft" hotswap --attach $pid --project=no-such-project
    check "... and a port that is none" 125 'the hotswap agent refuses' -- "$graft" hotswap --attach $pid --watch=classes --port=70000
    check "hotswap into it" 0 'done$' -- "$graft" hotswap --attach $pid --watch=classes --wait=50
    check "hotswap twice" 125 "process $pid .*has a hotswap agent, whose options are those of its start" -- "$graft" hotswap --attach $pid --watch=new
    sed 's/hello/swapped/' "$here/Target.java" >Target.java
    "$jdk/bin/javac" -g -d new Target.java && cp new/Target.class classes/
    for i in $(seq 900); do grep -q 'swapped 1 class' target.err && break; sleep 0.1; done
    tell greet 'swapped 3'
    check "natives into it" 125 'natives cannot be attached without --jni or --refs' -- "$graft" natives --attach $pid
    check "its look at JNI into it" 0 'References made by JNI and not deleted: 0 global' -- "$graft" natives --attach $pid --refs --jni -o jni.txt
    tell greet 'swapped 4'
    check "once more" 0 'JNI functions by the native' -- "$graft" natives --attach $pid --refs --jni -o jni.txt
    has "functions of JNI" ' [1-9][0-9]*     [A-Z][A-Za-z]+' jni.txt
    check "a bad option" 125 "bad value 'x' of option '--top'" -- "$graft" heap --attach $pid --top=x
    check "which agents" 0 "^ *$pid .*hotswap.* $main serve" -- "$graft" ps
    stop
    build
done
finish
