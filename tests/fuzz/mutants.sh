#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Mutated class files, thousands (FULL=1: 120,000): the reader and verifier of classfile/ must say what the reference VM says.
#     mutants.sh JDK TESTED SCRATCH [SEED [COUNT]]
set -u
export ASAN_OPTIONS=detect_leaks=0   # the corpus stays until exit; fuzz/classfile looks for leaks
jdk=$1 scratch=$(realpath -m "$3") seed=${4:-1} count=${5-5000}
[ -z "${FULL-}" ] || count=${5-120000}
here=$(cd "$(dirname "$0")" && pwd) top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$scratch"
"${CC:-gcc}" -std=gnu11 -O2 ${SANITIZE-} -Wno-unused-parameter -I"$top/classfile" -I"$top/classfile/base" -I"$top/tests/roundtrip" \
    "$here/mutants.c" "$top/tests/roundtrip/corpus.c" "$top/tests/roundtrip/world.c" "$BUILD/libclassfile.a" -lzip \
    -o "$scratch/mutants" || exit 1
"$jdk/bin/javac" -d "$scratch" "$here/JudgeMutants.java" || exit 1
. "$here/../answers.sh"
answer_inputs=$scratch/mutants.bin     # with what our verifier says
tried=0 failed=0
for jar in commons-lang3 commons-math3 h2 hsqldb; do
    jar=/usr/share/java/$jar.jar
    [ -e "$jar" ] || continue
    tried=$((tried + 1))
    "$scratch/mutants" "$seed" $((count / 2)) "$scratch/mutants.bin" "$jar" "$jdk/lib/modules" &&
        kept judged -- "$jdk/bin/java" -XX:TieredStopAtLevel=1 -cp "$scratch" JudgeMutants "$scratch/mutants.bin" "$jar" || failed=1
    [ $tried -lt 2 ] || break
done
[ $tried -gt 0 ] || { echo "no jar of commons-lang3, commons-math3, h2 or hsqldb in /usr/share/java"; exit 77; }
exit $failed
