#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
#
# 10,000 mutated class files defined and linked by both VMs: no crash, and the same error in 99 of 100 cases.
#     vm_mutants.sh JDK TESTED SCRATCH [SEED [COUNT]]
set -u
jdk=$1 tested=$2 scratch=$(realpath -m "$3") seed=${4:-1} count=${5:-10000${FULL:+0}}
here=$(cd "$(dirname "$0")" && pwd) top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$scratch"
"${CC:-gcc}" -std=gnu11 -O2 ${SANITIZE-} -Wno-unused-parameter -I"$top/classfile" -I"$top/classfile/base" -I"$top/tests/roundtrip" \
    "$here/mutants.c" "$top/tests/roundtrip/corpus.c" "$top/tests/roundtrip/world.c" "$BUILD/libclassfile.a" -lzip \
    -o "$scratch/mutants" || exit 1
"$jdk/bin/javac" -d "$scratch" "$here/JudgeMutants.java" "$here/VmMutants.java" || exit 1
. "$here/../answers.sh"
answer_inputs=$scratch/mutants.bin
tried=0 failed=0
for name in commons-lang3 hsqldb; do
    jar=/usr/share/java/$name.jar
    [ -e "$jar" ] || continue
    tried=$((tried + 1))
    "$scratch/mutants" "$seed" $((count / 2)) "$scratch/mutants.bin" "$jar" "$jdk/lib/modules" || exit 1
    reference() { "$jdk/bin/java" -XX:TieredStopAtLevel=1 -cp "$scratch" VmMutants "$scratch/mutants.bin" "$jar" >"$scratch/$name.ref"; }
    kept "judged $name" "$scratch/$name.ref" -- reference || { echo "$name: the reference ends with $?"; failed=1; }
    "$tested/bin/java" -cp "$scratch" VmMutants "$scratch/mutants.bin" "$jar" >"$scratch/$name.out" 2>"$scratch/$name.err" ||
        { echo "$name: exit code $?"; tail -5 "$scratch/$name.err"; failed=1; }
    # the reference's log writes warnings between the answers
    paste -d '\n' <(grep -a '^[0-9]' "$scratch/$name.ref") <(grep -a '^[0-9]' "$scratch/$name.out") | awk -v n="$name" '
        function kind(s) { sub(/^[0-9]+ /, "", s); sub(/:.*/, "", s); return s }
        NR % 2 { ref = $0; next }
        { all++; if (ref == $0) same++; else if (kind(ref) == kind($0)) text++;
          else { kinds++; if (kinds <= 20) print "  HotSpot: " ref "\n  Graft:   " $0 } }
        END { printf "%s: %d mutants, %d with the same answer, %d with another message, %d with another error\n",
                     n, all, same, text, kinds; exit kinds * 100 > all || all == 0 }' || failed=1
done
[ $tried -gt 0 ] || { echo "neither commons-lang3 nor hsqldb in /usr/share/java"; exit 77; }
exit $failed
