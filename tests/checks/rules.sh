#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# docs/jvms-rules.md tells the truth: each function it names is defined in classfile/ and has the message of its row in it.
# The table in classfile/README.md names only functions that there are.
set -u
cd "$(dirname "$0")/../.."
awk -F ' *\\| *' '
FILENAME ~ /\.[ch]$/ {
    if (/^[A-Za-z].*\(/ && !/;[ \t]*(\/\*.*)?$/) {
        f = $0; sub(/\(.*/, "", f); sub(/.*[ *]/, "", f)
        defined[f] = 1
    }
    if (/^}/) f = ""
    if (f) { line = $0; gsub(/\\"/, "\"", line); body[f] = body[f] line "\n" }
    next
}
NF <= 5 || $2 !~ /^4\./ { next }
FILENAME ~ /README/ {
    n = split($4, word, "`")
    for (k = 2; k <= n; k += 2)
        if (word[k] ~ /^[a-z_]+$/ && !(word[k] in defined)) { print "classfile/README.md: no function " word[k]; bad = 1 }
    next
}
{
    rows++
    name = $5; gsub(/`/, "", name)
    if (!(name in defined)) { print "no function " name ": " $3; bad = 1 }
    else if (!index(body[name], $6)) { print name " does not say \"" $6 "\": " $3; bad = 1 }
}
END { if (rows < 50) { print "only " rows " rows"; bad = 1 } exit bad }' \
    classfile/*.[ch] docs/jvms-rules.md classfile/README.md
