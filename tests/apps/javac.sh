#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# javac compiles commons-math3 (over 900 files): class files byte-identical.
. "$(dirname "$0")/common.sh"
need "$src/math3"
find "$src/math3" -name '*.java' | sort >"$work/files"
[ "$(wc -l <"$work/files")" -ge 500 ] || { echo "too few sources"; exit 1; }
run() { "$1/bin/javac" $J -g -Xlint:none -nowarn -encoding UTF-8 -d classes "@$work/files"; }
compare run
