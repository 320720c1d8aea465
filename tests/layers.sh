#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# layers.sh: the layer law. Prints each violation; exit 1 if there is any.
#   - A file includes only headers of its own folder or of a lower rank; folders of one rank do not
#     include each other, and headers never form a cycle.
#   - One relief: folders of the storey "runtime" call each other by nature (resolving calls Java,
#     calling Java resolves). Their headers keep the strict order; their .c files may include any
#     header of the storey.
#   - A function declared in a header is defined in the same folder, or its room of the library if the header is one of
#     bci-lib's public ones. Headers named *_upcall.h say what the storey above has to define.
#   - Frames have one owner: only vm/frame, the tiers, and who pushes frames of natives see the layout of Frame
#     (by any chain of includes) or touch Thread.frame; everybody else goes through frame/frame_view.h.
#   - Nothing of the VM is seen outside it; the VM uses classfile but never bci-lib or jvmti;
#     agents and samples see public headers only (classfile.h, cf_types.h, bci*.h, classfile/base).
#   - Folders form no cycle by their headers. Against the order run only includes of .c files inside the storey; --picture
#     shows every one of them, docs/architecture.md holds what it shows, tests/checks/layers.sh compares the two.
#
# layers.sh --picture prints the folders by rank and the arrows against the order; --write puts that into docs/architecture.md.
set -u
cd "$(dirname "$0")/.."
page=docs/architecture.md
case ${1:-} in
--picture) picture=1 ;;
--write)
    "$0" --picture | awk -v page=$page '
        { text = text $0 "\n" }
        END {
            while ((getline line < page) > 0) {
                if (line == "<!-- layers: end -->") inside = 0
                if (!inside) print line
                if (line == "<!-- layers: begin -->") { printf "```\n%s```\n", text; inside = 1 }
            }
        }' >$page.new && mv $page.new $page
    exit ;;
*) picture=0 ;;
esac

# folder | rank | storey or - | what lives there
ranks='
classfile/base|0|-|errors, arena, bounds-checked bytes, tables: no Java in it
classfile|1|-|class files: reader, checks, writer, verifier, data flow, text
classfile/tool|2|-|graft-class
bci-lib|2|-|the public headers of the rewriting library
bci-lib/base|3|-|a class under edit and views of it
bci-lib/edit|4|-|instruction lists, builder, layout, debug tables, frame tables
bci-lib/flow|5|-|flow graph, frames, types, uses
bci-lib/weave|6|-|insertion at entry, exit and edges; wrapped natives; shifted locals
bci-lib/outline|7|-|probes moved out of bodies that are too large
bci-lib/copy|7|-|copied and renamed members
bci-lib/write|8|-|edited class to bytes
bci-lib/plan|9|-|rules over many classes
bci-lib/agent|10|-|what a JVM TI agent needs around it
vm/cpu|1|-|what the VM has to know of the processor
vm/core|2|-|words everybody needs: types, the VM record, options, locks, hooks, event logs
vm/log|3|-|-Xlog
vm/jit/asm|3|-|assemblers of x86-64 and AArch64, nothing else
vm/os|4|-|Linux: memory, time, signals, symbols, crash reports
vm/object|5|-|shapes: Object, Class, ClassVersion, Method, Field, Symbol
vm/thread|6|-|threads, states, safepoints, monitors, park
vm/heap|7|-|allocation, the collector, references, handles
vm/lang|8|runtime|Java objects that C touches: strings, fields of core classes
vm/frame|9|runtime|frames: layout, views, roots, traces, text
vm/exec|10|runtime|calls from C, exceptions, events of threads, orders
vm/load|11|runtime|loaders, dictionaries, modules, definition, unloading
vm/shape|12|runtime|layout of fields, vtables and itables, mirrors
vm/link|13|runtime|verification, preparation, resolution, access, initialisation
vm/invoke|14|runtime|method handles, member names, reflective calls
vm/redefine|15|runtime|redefinition: compare, install, versions; with changed shape: migrate, undo
vm/quick|16|runtime|quickened code: its making, patches in it, methods without frames
vm/interp|17|runtime|the interpreter: the loop, slow paths, unwinding
vm/jit|18|runtime|compiled code
vm/jit/opt|19|runtime|the optimising compiler
vm/native|18|runtime|binding and calling of native methods
vm/native/intrinsic|19|runtime|C in place of Java bodies and of natives of java.base
vm/native/jni|19|runtime|the JNI table and its checks
vm/options|20|-|the command line
vm/jvm|20|-|JVM_*: what the libraries of the JDK import
vm/serve|21|-|attach, jcmd, management, perf data, dumps, AsyncGetCallTrace
vm/start|22|-|the composition root: start, shutdown, invocation interface
jvmti|22|-|JVM TI by chapter of its specification
agents|23|-|the shipped agents, on public headers only
samples|23|-|agents and tools to copy from
agents/command|24|-|the command graft, on the options that agents show
tests|25|-|tests
'

find classfile bci-lib vm jvmti agents samples tests \( -name '*.[ch]' -o -name '*.def' \) 2>/dev/null |
    sort | awk -v ranks="$ranks" -v picture=$picture '
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
function code(text,   i) {           # without comments; `comment`: inside one
    if (comment) {
        if (!(i = index(text, "*/"))) return ""
        text = substr(text, i + 2); comment = 0
    }
    while (i = index(text, "/*")) {
        if (!match(substr(text, i + 2), /\*\//)) { comment = 1; return substr(text, 1, i - 1) }
        text = substr(text, 1, i - 1) " " substr(text, i + RSTART + 3)
    }
    return text
}
function function_at(file, text) {   # declarations in headers, definitions in sources; both start a line
    if (text ~ /^[A-Za-z_]/ && text !~ /^(static|typedef|struct [A-Za-z_0-9]+ \{|enum|union|extern|_Static_assert)/ &&
        match(text, /[A-Za-z_0-9]+\(/)) name = substr(text, RSTART, RLENGTH - 1)
    if (name == "" || name == "__attribute__") return
    if (text ~ /\{/) { if (file ~ /\.c$/) defined[name] = file; name = "" }
    else if (text ~ /;[ \t]*$/) { if (file ~ /\.h$/) declared[file, name] = 1; name = "" }
}
function check_definitions(   i, part, header, name, a, b) {
    for (i in declared) {
        split(i, part, SUBSEP); header = part[1]; name = part[2]
        a = folder(header)
        if (!(name in defined) || a == (b = folder(defined[name]))) continue
        if (header ~ /_upcall\.h$/ || header ~ /^bci-lib\/[a-z_]+\.h$/ && b ~ /^bci-lib/ || a == "tests") continue
        printf "%s: %s is defined in %s\n", header, name, defined[name]
        bad = 1
    }
}
function owns_frames(path) { return path ~ /^vm\/(frame|quick|interp|jit)\/|^vm\/exec\/call\.c$|^vm\/native\/ffi_call\.c$|^tests\/unit\/(test_frame|test_opt|opt)_/ }
function reaches(file, target,   i) {   # by includes, headers on the way
    if (file == target) return 1
    if ((file, target) in met) return met[file, target]
    met[file, target] = 0
    for (i = 1; i <= out[file]; i++) if (reaches(edge[file, i], target)) return met[file, target] = 1
    return 0
}
BEGIN {
    n = split(ranks, rows, "\n")
    for (i = 1; i <= n; i++) if (split(rows[i], w, "|")) {
        order[++nfolders] = w[1]; rank[w[1]] = w[2]; storey[w[1]] = w[3] == "-" ? "" : w[3]; what[w[1]] = w[4]
    }
    # where the compiler looks, as in the Makefile
    ndirs = split("vm classfile/base classfile bci-lib jvmti agents tests/unit .", dirs, " ")
}
{ files[++nfiles] = $0; have[$0] = 1 }
END {
    for (f = 1; f <= nfiles; f++) {
        from = files[f]; a = folder(from); line = comment = 0; name = ""
        if (a == "") { print from ": folder has no rank in tests/layers.sh"; bad = 1; continue }
        while ((getline text < from) > 0) {
            line++
            function_at(from, code(text))
            if (!owns_frames(from) && from ~ /^(vm|jvmti)\// && text ~ /->frame([^A-Za-z0-9_]|$)/) {
                printf "%s:%d: Thread.frame belongs to vm/frame: view_youngest\n", from, line
                bad = 1
            }
            if (from ~ /^vm\/(exec|native)\// && owns_frames(from) && text ~ /(^|[^A-Za-z0-9_])(f|nf|frame|caller)->(frame\.)?(prev|method|pc|position|locals|flags|advance|sp|qcells|sync_object|locks)([^A-Za-z0-9_]|$)/) {
                printf "%s:%d: words of a frame belong to vm/frame\n", from, line
                bad = 1
            }
            if (text !~ /^[ \t]*#[ \t]*include[ \t]*"/) continue
            header = text; sub(/^[^"]*"/, "", header); sub(/".*/, "", header)
            to = resolve(from, header)
            if (to == "") continue      # a system or generated header; the compiler judges it
            b = folder(to)
            edge[from, ++out[from]] = to
            if (a == b) continue
            if (rank[b] + 0 >= rank[a] + 0) against[a, b] = 1
            if (from ~ /\.h$/) down[a, b] = 1
            if (rank[b] + 0 >= rank[a] + 0 && !(from ~ /\.c$/ && storey[a] != "" && storey[a] == storey[b])) {
                printf "%s:%d: %s (rank %d) includes %s (rank %d)\n", from, line, a, rank[a], to, rank[b]
                bad = 1
            }
            if (a ~ /^(agents|samples|bci-lib.*|classfile.*)$/ && to ~ /^(vm|jvmti)\//) {
                printf "%s:%d: nothing of the VM is seen outside it, not %s\n", from, line, to
                bad = 1
            }
            if (a ~ /^(vm\/|jvmti$)/ && b ~ /^bci-lib/) {
                printf "%s:%d: bci-lib is for agents, not for the VM\n", from, line
                bad = 1
            }
            if (a ~ /^(agents|samples)$/ && to !~ /^(classfile\/classfile\.h|classfile\/cf_types\.h|classfile\/opcodes\.def|bci-lib\/bci(_plan|_agent)?\.h|classfile\/base\/.*)$/) {
                printf "%s:%d: %s is not a public header\n", from, line, to
                bad = 1
            }
        }
        close(from)
    }
    for (f = 1; f <= nfiles; f++)
        if (!owns_frames(files[f]) && reaches(files[f], "vm/frame/frame.h")) {
            print files[f] ": sees the layout of frames (frame/frame.h); frame/frame_view.h is for everybody"
            bad = 1
        }
    if (!("vm/frame/frame.h" in have)) { print "no vm/frame/frame.h"; bad = 1 }
    for (f = 1; f <= nfiles; f++) visit(files[f])
    for (f = 1; f <= nfolders; f++) visit_folder(order[f])
    check_definitions()
    if (picture) print_picture()
    exit bad
}
function print_picture(   i, j, a, b, arrows) {
    for (i = 1; i <= nfiles; i++) lives[folder(files[i])] = 1
    printf "%4s  %-20s %-92s %s\n", "rank", "folder", "what lives there", "against the order (.c files)"
    for (i = 1; i <= nfolders; i++) {
        if (!((a = order[i]) in lives)) continue
        arrows = ""
        for (j = 1; j <= nfolders; j++) {
            b = order[j]
            if ((a, b) in against) arrows = arrows (arrows == "" ? "" : ", ") substr(b, 4)
        }
        line = sprintf("%3d%s  %-20s %-92s %s", rank[a], storey[a] == "" ? " " : "*", a, what[a], arrows == "" ? "" : "-> " arrows)
        sub(/ +$/, "", line)
        print line
    }
    print "\n* runtime, the storey whose folders call each other"
}
function visit_folder(a,   j, b) {
    colour[a] = 1
    for (j = 1; j <= nfolders; j++) {
        b = order[j]
        if (!((a, b) in down)) continue
        if (colour[b] == 1) { print "cycle of folders by their headers: " a " <-> " b; bad = 1 }
        else if (!(b in colour)) visit_folder(b)
    }
    colour[a] = 2
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
