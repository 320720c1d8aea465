#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
# modes: default
#
# The JDK's compiler on twenty files while one request fails: class files as without, or an error that names the memory.
. "$(dirname "$0")/common.sh"
mapfile -t files < <(find "$BUILD/../sources/lang3" -name '*.java' -path '*/lang3/*' -size -6k ! -name package-info.java 2>/dev/null | sort)
choose() { # twenty that need no other file of the library
    local f n=0
    for f in "${files[@]}"; do
        [ $n -lt 20 ] || break
        grep -q 'org.apache.commons.lang3\.[a-zA-Z.]*;' <(grep '^import' "$f") && continue
        "$REFERENCE_JDK/bin/javac" -nowarn -d probe "$f" >/dev/null 2>&1 && n=$((n + 1)) && echo "$f"
    done >chosen
}
: "${REFERENCE_JDK:=$jdk}"
. "$here/../answers.sh"
kept chosen chosen -- choose
mapfile -t chosen <chosen
[ ${#chosen[@]} = 20 ] || { echo "only ${#chosen[@]} of 20 source files are there (tests/sources.sh)"; exit 77; }
in_build() {
    local many=800
    [ "$1" != debug ] || many=150 # five times as slow
    runs "javac-$1" "$2" "$(sample 10 $many)" -t classes -s 120 -- -Xshare:off -Xmx200m -cp . --add-modules jdk.compiler \
        -m jdk.compiler/com.sun.tools.javac.Main -nowarn -d classes "${chosen[@]}"
}
each
