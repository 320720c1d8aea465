#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# The natives agent on both VMs: the program behaves as without it, and the table has the exact numbers of calls,
# failures and bytes; options; the forms of the table.
. "$(dirname "$0")/../jvmti/common.sh"
natives=$BUILD/agents/libgraft-natives.so
compile -encoding UTF-8 "$here"/../natives/Counted{,Odd}.java
cat >expected.csv <<'END'
method,calls,failed,bytes
"Counted.$graft(int)",1,0,0
"Counted.$graft(long)",1,0,0
"Counted.add(int, int)",3000,0,0
"Counted.fail(int)",10,3,0
"Counted.mix(byte, long, float, double, char)",1,0,0
"Counted.name(java.lang.String)",1,0,0
"Counted.self()",1,0,0
"Counted.sum(int[], byte[], long[])",1,0,22
END
check() { # what expected found
    diff "$2" "$3" >diff || { echo "$1:"; head -20 diff; failed=1; }
    compared=$((compared + 1))
}
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    home=$jdk; [ $side = graft ] && home=$tested
    java() { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -cp classes -Djava.library.path="$native" "$@"; }
    # the frames of the wrappers have no line and the wrapped natives their new name: not compared
    java Counted 2>&1 | grep -v -e 'Native Method' -e ^WARNING: >plain.$side
    java "-agentpath:$natives=file=$side.csv,format=csv,sort=name,include=Counted.*" Counted 2>&1 |
        grep -v -e 'Native Method' -e '^Counted.fail(' -e ^WARNING: | sed 's/private Counted/&/' >wrapped.$side
    sed 's/native //; s/ native//' plain.$side >plain.expected
    check "$side: output" plain.expected wrapped.$side
    cut -d '"' -f 1,2,3 $side.csv | sed -E 's/^(.*,[0-9]+,[0-9]+),[0-9]+,([0-9]+)$/\1,\2/; s/failed,nanoseconds/failed/' >$side.cut
    check "$side: numbers" expected.csv $side.cut
    awk -F, '/Counted.add/ && $(NF - 1) > 0 {timed = 1} END {exit !timed}' $side.csv || { echo "$side: calls are not timed"; failed=1; }
    java "-agentpath:$natives=exclude=Counted.add:Counted.s*,include=Counted.*,top=1,sort=calls" Counted >out 2>table
    grep -q '^ *[0-9.]* .* 10 * 3 * 0 Counted.fail(int)$' table && ! grep -q -e Counted.add -e Counted.name table ||
        { echo "$side: exclude, top"; cat table; failed=1; }
    java "-agentpath:$natives=format=json,include=Counted.self" Counted 2>&1 >out | grep -v ^WARNING: | tr -d ' \n' |
        grep -q '^\[{"method":"Counted.self()","calls":1,"failed":0,"nanoseconds":[0-9]*,"bytes":0}\]$' ||
        { echo "$side: json"; failed=1; }
    java "-agentpath:$natives=format=json,include=CountedOdd.call𐐀,file=odd.json" CountedOdd >out 2>&1
    check "$side: a name beyond U+FFFF" <(echo '[["CountedOdd.call𐐀()", 1, 1]]') \
        <(python3 -c 'import json; print(json.dumps([[m["method"], m["calls"], m["failed"]] for m in json.load(open("odd.json", encoding="utf-8"))], ensure_ascii=False))' 2>&1)
    java "-agentpath:$natives=format=xml" Counted >out 2>&1 && { echo "$side: format=xml is accepted"; failed=1; }
    grep -q 'bad value .xml. of option .format.' out || { echo "$side: no message for format=xml"; head -3 out; failed=1; }
    java "-agentpath:$natives=bogus=1" Counted >out 2>&1 && { echo "$side: bogus=1 is accepted"; failed=1; }
    grep -q "^\[natives\] unknown option 'bogus'" out || { echo "$side: no message for bogus=1"; head -3 out; failed=1; }
    java "-agentpath:$natives=help" Counted 2>&1 | grep -q 'registered' || { echo "$side: help"; failed=1; }
    [ $side = graft ] || settle
done
# Graft: from the first class of the boot on
"$tested/bin/java" -version 2>&1 | grep -q Graft || { echo "$compared comparisons"; exit $failed; } # jdks/run
"$tested/bin/java" ${MODE_OPTIONS-} -cp classes -Djava.library.path="$native" \
    "-agentpath:$natives=format=csv,file=all.csv,registered" Counted >out 2>&1 || { echo "all: exit code $?"; head -5 out; failed=1; }
check "all: output" plain.expected <(grep -v -e 'Native Method' -e '^Counted.fail(' out)
for method in 'jdk.internal.misc.VM.initialize()' 'java.lang.Object.hashCode()' 'java.io.FileOutputStream.writeBytes(byte[], int, int, boolean)' \
    'java.lang.Thread.start0()' 'java.lang.System.arraycopy(java.lang.Object, int, java.lang.Object, int, int)'; do
    grep -qF "\"$method\"" all.csv || { echo "all: $method was not counted"; failed=1; }
done
echo "$compared comparisons"
exit $failed
