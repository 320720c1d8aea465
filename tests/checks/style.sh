#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Rules about the text of the tree: SPDX line first, file names unique among C sources, file and
# function length, no tabs or trailing blanks.
set -u
bad=0
say() { echo "$*"; bad=1; }
max_file=1200 max_function=120
# May be longer, and why (pattern of paths):
#   vm/interp/interp.c   the interpreter is one loop: opcodes share registers and dispatch
long='^vm/interp/interp\.c$'
sources=$(git ls-files -co --exclude-standard '*.c' '*.h' '*.def' '*.sh' '*.java' Makefile tests/run)
c_sources=$(grep -E '\.[ch]$' <<<"$sources")

for f in $sources; do
    [ -s "$f" ] || continue
    head -2 "$f" | grep -q 'SPDX-License-Identifier: Apache-2.0' || say "$f: no SPDX line first"
done
for f in $c_sources; do
    [[ $f =~ $long ]] && continue
    n=$(wc -l <"$f")
    [ "$n" -le $max_file ] || say "$f: $n lines (limit $max_file)"
done
dup=$(grep -E '^(classfile|bci-lib|vm|jvmti|agents)/' <<<"$c_sources" | sed 's|.*/||' | sort | uniq -d)
[ -z "$dup" ] || say "file names used twice:" $dup
grep -nP '[ \t]+$|\t' $c_sources /dev/null | head -5 | sed 's/$/   (tab or trailing blank)/' | grep . && bad=1

# A function is what stands between a line "{" (or ending in ") {") at column 0 and "}" there.
awk -v max=$max_function -v long="${long//\\/\\\\}" '
    FNR == 1 { start = 0 }
    /^\{/ || /^[A-Za-z_].*\)[ ]*\{$/ { start = FNR; name = /^\{/ ? last : $0 }
    /^}/ && start {
        if (FNR - start - 1 > max && FILENAME !~ long)
            { printf "%s:%d: function of %d lines (limit %d): %s\n", FILENAME, start, FNR - start - 1, max, name; bad = 1 }
        start = 0
    }
    /^[A-Za-z_]/ { last = $0 }
    END { exit bad }' $c_sources || bad=1
exit $bad
