#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
#
# Probes with conditions, captures and limits on both VMs: what is told and what is not, evaluations that fail, nothing of the program
# run by them (its size, equals and toString throw), methods of java.lang, one method with many probes; texts that are refused, and where.
. "$(dirname "$0")/common.sh"
compile "$here/../trace/TracedProbes.java" "$here/../trace/TracedClasses.java"
cat >refused <<'TEXT'
8|'n' is not known: this, arg0, arg1 ..., return, exception, time, or a literal|X when n > 3
21|a value is missing at the end|X when arg0 == 1 and
15|'toString()' cannot be asked: size(), length(), getMessage(), name(), ordinal(), get() ...|X when arg0 . toString() == 'a'
18|')' is missing here: calls have no arguments|X when arg0.size(3) == 1
20|this is not understood here|X when (arg0 == 1) 5
17|')' is missing here|X when (arg0 ==1
13|equal is written ==|X when arg0 = 1
8|this string does not end|X when 'abc
16|neither a number nor a time (ns, us, ms, s)|X when time > 5min
9|a number from 1 is missing: limit 10/s|X limit 0/s
11|'/s' is missing here: limit 10/s|X limit 10
13|a number is missing: [0]|X when arg0[-1] == 3
15|the name of a class is missing|X when arg0 is 
15|this number is too big|X when arg0 > 99999999999999999999
TEXT
echo "109|nested too deeply|X when $(printf '%101s' '' | tr ' ' '(')1" >>refused
cat >types <<'TEXT'
25|the method is static: there is no this|TracedProbes.often when this != null
25|the method has only 1 argument|TracedProbes.often when arg1 == 1
25|the method has no result|TracedProbes.often when return == 1
30|a number has no size()|TracedProbes.often when arg0.size() > 3
30|a number has no fields|TracedProbes.often when arg0.x == 3
30|a number is compared with a string|TracedProbes.often when arg0 == 'x'
30|a number is compared with null|TracedProbes.often when arg0 != null
25|this is a number, where a condition is wanted|TracedProbes.often when arg0
29|only arrays have [0]|TracedProbes.often when arg0[0] == 3
28|TracedProbes has no field wrong|TracedProbes.own when this.wrong == 3
32|truth values have no order|TracedProbes.numbers when arg4 > true
24|this is a string, where a condition is wanted|TracedProbes.text when arg0 and arg1 == null
29|a string has .length(), not .size()|TracedProbes.text when arg0.size() == 1
29|only numbers have an order|TracedProbes.text when arg0 < 'b'
TEXT
plain() { sed -E 's/  \[[0-9.]+ ms, main\]$//; s/@[0-9a-f]+/@HASH/g' "$1"; }
# Each text of a file of COLUMN|MESSAGE|PROBE has its message, its column, and ^ under that.
messages() { # file
    while IFS='|' read -r column message text; do
        java "-agentpath:$trace=file=table,probe=${text//,/\\,}" TracedProbes >out 2>&1
        grep -qF "column $column: $message" out && [ "$(grep -c '\[trace\]' out)" = 3 ] &&
            grep -q "^\[trace\]    $(printf "%${column}s" '')^\$" out || { fail "$text: not '$column: $message' but"; cat out; }
        compared=$((compared + 1))
    done <"$1"
}
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    home=$jdk; [ $side = graft ] && home=$tested
    java() { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -cp classes "$@"; }
    java "-agentpath:$trace=probes=$here/../trace/probes.txt,argsfile=found,file=table" TracedProbes >out 2>&1
    check output <(echo end) out
    { plain found; sed -n '/^probe /,$p' table; } >told
    check probes "$here/../trace/probes.expected" told
    # only what probes name is traced, but for include; a method of java.lang; many probes of one method
    java "-agentpath:$trace=format=csv,file=table,sort=name,argsfile=found,include=*.deep,probe=java.lang.Integer.valueOf when arg0 == 990;*.often;*.often when arg0 == 7 capture arg0\\, arg0;*.often when arg0 < 0" \
        TracedProbes >out 2>&1
    check 'traced methods' <(printf '%s\n' java.lang.Integer.valueOf TracedProbes.deep TracedProbes.often) <(sed -nE 's/^"([^(]*).*/\1/p' table | LC_ALL=C sort -fu)
    check 'found' <(echo 1000; echo 1) <(grep -c 'often(' found; grep -c 'often arg0=7, arg0=7' found)
    java "-agentpath:$trace=file=table,argsfile=found,probe=java.lang.*.<init> when time < 0;TracedProbes.*" TracedProbes >out 2>&1
    check 'constructors of java.lang' <(echo end) out
    # exact with more classes than are remembered, in threads; on a full stack; with classes that come and go. 12 classes with v, of which 89 of 100 are above 10;
    # a static field is none of the object's
    java "-agentpath:$trace=file=table,argsfile=found,probe=*.look when arg0.v > 10 capture arg0.v;*.endless when arg0.v == 3 and arg1 < 0;*.seen when arg0.v == 7" TracedClasses >out 2>&1
    check 'many classes, output' <(echo end) out
    check 'many classes' <(echo "    42720 written  not evaluated: no such field or size 4000"; echo "    30 written") <(grep -A1 -E '^probe .*(look|seen)' table | grep written)
    messages refused
    messages types
    java "-agentpath:$trace=probes=/none" TracedProbes >out 2>&1 && fail "a file that is not there"
    grep -q '/none: No such file' out || fail "no message for a file that is not there"
    [ $side = graft ] || settle
done
echo "$compared comparisons"
exit $failed
