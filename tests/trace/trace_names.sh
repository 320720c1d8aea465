#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Methods named with their parameters, among those of one name; probes that name nothing; the time of calls that run when the program
# ends by System.exit, on both VMs.
. "$(dirname "$0")/common.sh"
compile "$here/../trace/TracedNames.java"
mkdir named # a name that no compiler of Java gives
LC_ALL=C sed 's/quoted/quo"ed/g' classes/TracedNames.class >named/TracedNames.class
cp classes/TracedNames\$*.class named
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    home=$jdk; [ $side = graft ] && home=$tested
    java() { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -cp classes "$@"; }
    calls() { sed -nE 's/^ +([0-9]+) +[0-9]+ +[0-9.]+ +[0-9.]+  (.*)$/\1 \2/p' "$1" | LC_ALL=C sort; }
    java "-agentpath:$trace=include=TracedNames.of(int):TracedNames.of(java.lang.Object\, int[]),file=table" TracedNames
    check "include" <(printf '%s\n' '1 TracedNames.of(java.lang.Object, int[])' '3 TracedNames.of(int)') <(calls table)
    java "-agentpath:$trace=include=TracedNames.of,exclude=*.of(long):*String),file=table" TracedNames
    check "exclude" <(printf '%s\n' '1 TracedNames.of(java.lang.Object, int[])' '3 TracedNames.of(int)') <(calls table)
    java "-agentpath:$trace=probe=TracedNames.of(java.lang.String) when return > 1; TracedNames.of(java.lang.Object\, int[]) capture arg1; Traced.nothing,argsfile=lines,file=table" TracedNames
    check "probes" <(printf '%s\n' 'TracedNames.of("bc") -> 2' 'TracedNames.of arg1=int[2]{1, 2}') <(sed -E 's/  \[.*//' lines)
    check "calls of probes" <(printf '%s\n' '1 TracedNames.of(java.lang.Object, int[])' '2 TracedNames.of(java.lang.String)') <(calls table)
    check "named nothing" <(echo 1) <(grep -c '^    0 written  no method of this name was loaded$' table)
    java "-agentpath:$trace=args=TracedNames.real,include=TracedNames.real,argsfile=lines,file=table" TracedNames
    check "numbers as in Java" <(printf 'TracedNames.real(%s) -> void\n' '3.0, 0.1' '100000.0, 1.0E20' '0.30000000000000004, 1234567.0' 'NaN, -Infinity' '-1.0E300, -0.0') \
        <(sed -E 's/  \[.*//' lines)
    for arg in "0 == 'x'" "1 == 'x'"; do
        java "-agentpath:$trace=probe=TracedNames.letter when arg$arg,file=table" TracedNames 2>found
        grep -q "column 30: a char is compared by its number: 'x' is 120" found || fail "a char compared with a string: $(cat found)"
    done
    java "-agentpath:$trace=probe=TracedNames.letter when arg0 == 120 and arg1 == 121,argsfile=lines,file=table" TracedNames
    check "a char and its number" <(echo "TracedNames.letter('x', 'y') -> void") <(sed -E 's/  \[.*//' lines)
    # the bridge is no call of its own; what is captured last has no blank behind its name; "-" is standard output
    java "-agentpath:$trace=probe=TracedNames\$Letters.next capture this.n limit 9/s,argsfile=-,file=table,collapsed=-,weight=calls" TracedNames >found
    check "a bridge" <(printf '%s\n' '2 TracedNames$Letters.next()') <(calls table)
    check "captures" <(printf 'TracedNames$Letters.next this.n=%s\n' 1 2; echo 'TracedNames$Letters.next() 2') <(sed -E 's/  \[.*//' found)
    [ ! -e - ] || fail "a file -"
    java -cp named "-agentpath:$trace=include=TracedNames.quo*,file=table,format=csv" TracedNames
    check "a quote in a name" <(echo '"TracedNames.quo""ed()",1,0') <(grep TracedNames table | cut -d, -f1-3)
    java "-agentpath:$trace=include=TracedNames,file=table,tree=tree" TracedNames
    check "exit code" <(echo 3) <(echo $?)
    for method in 'leave()' 'main(java.lang.String[])'; do
        awk -v m="TracedNames.$method" '$5 == m && $1 == 1 && $3 >= 60 {ok = 1} END {exit !ok}' table || fail "the time of $method: $(grep -F "$method" table)"
    done
    [ $side = graft ] || settle
done
echo "$compared comparisons"
exit $failed
