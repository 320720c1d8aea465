#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Dumps a class (its parts must be named) and refuses a truncated one with a reason and exit code 1.
set -u
jdk=$1 scratch=$3
cat >"$scratch/Small.java" <<'END'
class Small { static final String TEXT = "needle"; int twice(int x) { return 2 * x; } Runnable r() { return () -> {}; } }
END
"$jdk/bin/javac" -g -d "$scratch" "$scratch/Small.java" || exit 1
"$BUILD/samples/classdump" "$scratch/Small.class" >"$scratch/text" || { cat "$scratch/text"; exit 1; }
for word in Small twice needle imul ireturn invokedynamic LineNumberTable BootstrapMethods; do
    grep -q "$word" "$scratch/text" || { echo "no $word in the dump"; exit 1; }
done
head -c 200 "$scratch/Small.class" >"$scratch/Cut.class"
"$BUILD/samples/classdump" "$scratch/Cut.class" >"$scratch/text"
[ $? = 1 ] && grep -q ClassFormatError "$scratch/text" || { echo "truncated file:"; cat "$scratch/text"; exit 1; }
