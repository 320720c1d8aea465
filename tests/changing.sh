#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# How many files a typical change touches, counted over the code: for each change of docs/changing.md the files that know
# an example which is there already. Prints the table of that page; tests/checks/changing.sh compares the two, and fails
# when a count is above its limit. changing.sh --write puts the table into the page.
set -u
cd "$(dirname "$0")/.."
page=docs/changing.md bad=0

# count CHANGE GOAL LIMIT EXAMPLE COMMAND...: the command prints files. LIMIT: the count may not grow above it.
count() {
    local change=$1 goal=$2 limit=$3 example=$4 files n
    shift 4
    files=$("$@" | sort | paste -sd' ' | sed 's/ /, /g')
    n=$(grep -c . <<<"${files//, /$'\n'}")
    echo "| $change | $goal | $n | $example | ${files:-none} |"
    [ "$n" -le "$limit" ] || { echo "docs/changing.md: $change touches $n files, limit $limit: $files" >&2; bad=1; }
}
names() { grep -rlE --include='*.[ch]' --include='*.def' "$@"; }
agents_option() { names '\bearly\b' agents/natives/nat_agent.c agents/agent.[ch] agents/command; }
processor() { names '__(x86_64|aarch64|i386)__|__builtin_ia32|"(amd64|aarch64|x86_64-linux|.*linux-(amd64|aarch64))' vm classfile bci-lib jvmti agents | grep -vE '^vm/(jit|cpu)/'; }
tier() { names '"jit/|->compiled\b' vm jvmti | grep -vE '^vm/jit/'; }

table() {
    echo "| change | goal | files | example counted | which |"
    echo "|---|---|---|---|---|"
    count "a JVM_ function" 1 1 '`JVM_GetNestHost`' names '\bJVM_GetNestHost\b' vm jvmti
    count "an agent option" 1 1 '`early` of the natives agent' agents_option
    count "a JVM TI event" 2 4 'MonitorWaited' names '\b(MONITOR_WAITED|monitor_waited)\b' vm jvmti
    count "a fast path: superinstruction" 2 2 '`LD_LD_ICMPGE`' names '(\b|op_|Q_)LD_LD_ICMPGE\b' vm
    count "a fast path: quick form" 2 4 '`PUTFIELD_Z`' names '(\b|op_|Q_)PUTFIELD_Z\b' vm
    count "a GC barrier" 2 5 '`barrier_after_store`, the card table' names '\b(barrier_after_store|heap_card_bias)\b' vm jvmti
    count "a class-file attribute" 3 3 'NestMembers' names '\b(CF_ATTR_|ATTRIBUTE\()NEST_MEMBERS\b' classfile bci-lib vm/redefine
    count "a CPU" 0 0 'names of processors outside `vm/cpu` and `vm/jit`' processor
    count "the object header" 4 4 'bits of the lock word' names '\b(LOCK_(INFLATED|HASH_MASK|HASHED|FLAGS_MASK|REC_ONE|OWNER_SHIFT|MONITOR_SHIFT)|hdr\.(klass|lock))\b' vm jvmti
    count "the frame layout" 4 7 'the word `advance`' names '(->|\.|u4 )advance\b' vm jvmti
    count "a compiled tier" 0 18 'what names `vm/jit` outside it' tier
}
case ${1:-} in
--write)
    table | awk -v page=$page '
        { text = text $0 "\n" }
        END {
            while ((getline line < page) > 0) {
                if (line == "<!-- counts: end -->") inside = 0
                if (!inside) print line
                if (line == "<!-- counts: begin -->") { printf "%s", text; inside = 1 }
            }
        }' >$page.new && mv $page.new $page ;;
*) table ;;
esac
exit $bad
