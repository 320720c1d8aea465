#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# layers.sh: the layer law. A file includes only headers of its own folder or of a lower rank;
# folders of one rank do not include each other. Prints each violation; exit 1 if there is any.
set -u
cd "$(dirname "$0")/.."

# folder rank, and the include folders its files are compiled with (as in the Makefile)
ranks='
classfile/base 0
classfile 1
bci-lib 2
vm/core 2
vm/os 3
vm/object 4
vm/thread 5
vm/heap 6
vm/lang 7
vm/exec 8
vm/load 9
vm/link 10
vm/interp 11
vm/jit 12
vm/native 12
vm/jvm 13
vm/start 14
jvmti 14
agents 15
samples 15
tests 16
'

find classfile bci-lib vm jvmti agents samples tests \( -name '*.[ch]' -o -name '*.def' \) 2>/dev/null |
    sort | awk -v ranks="$ranks" '
function folder(path,   p) {         # longest listed folder that holds path
    p = path
    while (sub(/\/[^\/]*$/, "", p)) if (p in rank) return p
    return ""
}
function resolve(from, name,   d, i) {  # include name -> path in the tree, or ""
    d = from; sub(/[^\/]*$/, "", d)
    if ((d name) in have) return d name
    for (i = 1; i <= ndirs; i++) if ((dirs[i] "/" name) in have) return dirs[i] "/" name
    return ""
}
BEGIN {
    n = split(ranks, w, /[ \n]+/)
    for (i = 2; i + 1 <= n; i += 2) rank[w[i]] = w[i + 1]
    ndirs = split("vm classfile/base classfile bci-lib jvmti agents tests/unit .", dirs, " ")
}
{ files[++nfiles] = $0; have[$0] = 1 }
END {
    for (f = 1; f <= nfiles; f++) {
        from = files[f]; a = folder(from); line = 0
        if (a == "") { print from ": folder has no rank in tests/layers.sh"; bad = 1; continue }
        while ((getline text < from) > 0) {
            line++
            if (text !~ /^[ \t]*#[ \t]*include[ \t]*"/) continue
            name = text; sub(/^[^"]*"/, "", name); sub(/".*/, "", name)
            to = resolve(from, name)
            if (to == "") continue      # a system or generated header; the compiler judges it
            b = folder(to)
            edge[from, ++out[from]] = to
            if (a == b) continue
            if (rank[b] + 0 >= rank[a] + 0) {
                printf "%s:%d: %s (rank %d) includes %s (rank %d)\n", from, line, a, rank[a], to, rank[b]
                bad = 1
            }
            if (a ~ /^(agents|samples|bci-lib|classfile)$/ && to ~ /^(vm|jvmti)\//) {
                printf "%s:%d: nothing of the VM is seen outside it, not %s\n", from, line, to
                bad = 1
            }
        }
        close(from)
    }
    for (f = 1; f <= nfiles; f++) visit(files[f])
    exit bad
}
function visit(file,   i, to) {       # depth first; a grey file met again closes a cycle
    if (state[file] == 2) return
    state[file] = 1
    for (i = 1; i <= out[file]; i++) {
        to = edge[file, i]
        if (state[to] == 1) { print "include cycle: " file " <-> " to; bad = 1 }
        else if (!(to in state)) visit(to)
    }
    state[file] = 2
}'
