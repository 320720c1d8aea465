#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Rules about the text of the tree: SPDX line first, file names unique among C sources, file and
# function length, no tabs or trailing blanks.
set -u
bad=0
say() { echo "$*"; bad=1; }
max_file=1200 max_function=120 max_header=280
# May be longer, and why (pattern of paths):
#   vm/interp/interp.c   the interpreter is one loop: opcodes share registers and dispatch
long='^vm/interp/interp\.c$'
# Headers are cut by subject, so that a source file includes what it uses; the two public manuals are whole.
manuals='^(classfile/classfile|bci-lib/bci)\.h$'
sources=$(git ls-files -co --exclude-standard '*.c' '*.h' '*.def' '*.sh' '*.java' Makefile tests/run)
c_sources=$(grep -E '\.[ch]$' <<<"$sources")

awk '
    FNR == 1 { report(); name = FILENAME; spdx = 0 }
    FNR <= 2 && /SPDX-License-Identifier: Apache-2\.0/ { spdx = 1 }
    function report() { if (name && !spdx) { print name ": no SPDX line first"; bad = 1 } }
    END { report(); exit bad }' $sources || bad=1
awk -v max=$max_file -v long="${long//\\/\\\\}" '
    FNR == max + 1 && FILENAME !~ long { print FILENAME ": more than " max " lines"; bad = 1 }
    END { exit bad }' $c_sources || bad=1
for header in $(grep '\.h$' <<<"$c_sources" | grep -E '^(classfile|bci-lib|vm|jvmti|agents)/' | grep -vE "$manuals"); do
    [ "$(wc -l <"$header")" -le $max_header ] || say "$header: more than $max_header lines"
done
dup=$(grep -E '^(classfile|bci-lib|vm|jvmti|agents)/' <<<"$c_sources" | sed 's|.*/||' | sort | uniq -d)
[ -z "$dup" ] || say "file names used twice:" $dup
grep -nP '[ \t]+$|\t' $c_sources /dev/null | head -5 | sed 's/$/   (tab or trailing blank)/' | grep . && bad=1

# Mutexes have ranks (vm/core/lock.h); raw monitors are locks of their users.
grep -lE 'pthread_mutex_(t\b|(un)?lock\()' $(grep -E '^(vm|jvmti)/' <<<"$c_sources") | grep -vE '^vm/(core/lock\.h|thread/(raw_monitor|thread)\.c|jvm/jvm_object\.c)$' |
    sed 's/$/: a mutex without a rank (vm\/core\/lock.h)/' | grep . && bad=1

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
