#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# modes: !gcstress
# timeout: 300
# packages: libasm-java libh2-java librhino-java
#
# A database and a JavaScript engine run while their classes are edited at random (edits/EditStorm.java); at full length:
# tests/stress/soak edits. EDITS_SECONDS and EDITS_SEED make it another or a longer one, EDITS_KEEP names a folder for the class files of
# an edit that was refused and should not have been.
set -u
jdk=$1 tested=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"; mkdir -p "$work"
cp=$work
for jar in h2 js asm asm-tree asm-commons; do
    [ -e /usr/share/java/$jar.jar ] || { echo "no $jar.jar; packages: libasm-java libh2-java librhino-java"; exit 77; }
    cp+=:/usr/share/java/$jar.jar
done
"$jdk/bin/javac" -nowarn -Xlint:none -proc:none -cp "$cp" -d "$work" "$here"/edits/*.java 2>"$work/javac" || { cat "$work/javac"; exit 1; }
. "$here/../answers.sh"
results() { "$jdk/bin/java" -cp "$cp" EditStorm results >"$work/want"; }
kept results "$work/want" -- results || exit 1
printf 'edits right\nflat\nunloaded\n' >>"$work/want"
seed=${EDITS_SEED-1} heap=256m # threads make every run different anyway
# shellcheck disable=SC2086
"$tested/bin/java" -Xms$heap -Xmx$heap -XX:+EnhancedRedefinition ${MODE_OPTIONS-} ${EDITS_KEEP+-Dedits.keep=$EDITS_KEEP} \
    -agentpath:"$BUILD/tests/native/libagent_edits.so" -cp "$cp" EditStorm storm "${EDITS_SECONDS-12}" "$seed" v </dev/null >"$work/out" 2>"$work/err"
code=$?
[ $code = 0 ] && cmp -s "$work/want" "$work/out" && { tail -3 "$work/err"; exit 0; }
echo "exit code $code, seed $seed"
diff "$work/want" "$work/out"
grep -A15 -e WRONG -e '^#' "$work/err" | head -60
tail -60 "$work/err" | cut -c1-500
exit 1
