#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# graft-class on classes that javac makes: verify, stats, dump as JSON, and a diff that ignores what has no meaning.
#     graft_class.sh JDK TESTED SCRATCH
set -u
jdk=$1 scratch=$(realpath -m "$3") tool=$BUILD/bin/graft-class failed=0
mkdir -p "$scratch/a" "$scratch/b" "$scratch/c"
say() { echo "$*"; failed=1; }
text='class Shape { int n; int area(int k) { for (int i = 0; i < k; i++) n += i; return n; } String s() { return "x" + n; } }'
echo "$text" >"$scratch/Shape.java"
"$jdk/bin/javac" -g -d "$scratch/a" "$scratch/Shape.java" && "$jdk/bin/javac" -g:none -d "$scratch/b" "$scratch/Shape.java" || exit 1
echo "${text/n += i/n -= i}" >"$scratch/Shape.java"
"$jdk/bin/javac" -d "$scratch/c" "$scratch/Shape.java" || exit 1

out=$("$tool" verify "$scratch/a/Shape.class") || say "verify: $out"
[[ $out == *": verified" ]] || say "verify: $out"
out=$("$tool" diff "$scratch/a/Shape.class" "$scratch/b/Shape.class") || say "debug information counts: $out"
out=$("$tool" diff "$scratch/a/Shape.class" "$scratch/c/Shape.class")
[ $? = 1 ] || say "diff finds nothing"
[ "$out" = $' method area (I)I access 0x0000 \n-    iadd\n+    isub' ] || say "diff: $out"
out=$("$tool" stats "$scratch/a/Shape.class")
[[ $out == *"methods                3"* ]] || say "stats: $out"
"$tool" dump "$scratch/a/Shape.class" | grep -q 'area' || say "dump"
for command in dump verify stats; do
    "$tool" $command -j "$scratch"/?/Shape.class >"$scratch/json" || say "$command -j"
    python3 -m json.tool "$scratch/json" >/dev/null || say "$command -j is no JSON"
done
printf 'junk' >"$scratch/bad.class"
"$tool" verify "$scratch/bad.class" >/dev/null && say "junk passes"
"$tool" frob >/dev/null 2>&1; [ $? = 2 ] || say "usage"
head -c 300 "$scratch/a/Shape.class" >"$scratch/bad.class"
out=$("$tool" dump "$scratch/bad.class") && say "a cut class passes"
[[ $out == *ClassFormatError* ]] || say "cut class: $out"
exit $failed
