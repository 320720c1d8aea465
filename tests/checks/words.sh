#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# docs/glossary.md: the words of its last column are in no comment, name or document. Strings are what users of the reference
# expect and do not count; nor do tables of its names.
set -u
not=$(awk -F ' *[|] *' '/^\|/ && $2 != "term" && $2 !~ /^-/ { n = split($4, w, ", "); for (i = 1; i <= n; i++) print w[i] }' docs/glossary.md)
[ "$(wc -l <<<"$not")" -ge 40 ] || { echo "docs/glossary.md: table not read"; exit 1; }
pattern=$(paste -sd'|' <<<"${not// /[ -]}")
git ls-files -co --exclude-standard 'vm/*.[ch]' 'jvmti/*.[ch]' 'classfile/*.[ch]' 'bci-lib/*.[ch]' 'agents/*.[ch]' '*.md' |
    grep -vE '^(docs/glossary\.md|docs/issues/)' | xargs awk -v pattern="$pattern" '
        { line = tolower($0); if (FILENAME ~ /\.[ch]$/) gsub(/"([^"\\]|\\.)*"/, "", line) }
        match(line, "(^|[^a-z_])(" pattern ")s?([^a-z_]|$)") {
            printf "%s:%d: %s (docs/glossary.md)\n", FILENAME, FNR, substr($0, RSTART, RLENGTH); bad = 1
        }
        END { exit bad }'
