#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# jps, jcmd, jinfo and jmap of the reference JDK against the tested VM, and -XX options around them.
set -u
ref=$1 tested=$2 dir=$3
. "$(dirname "$0")/common.sh"

has() { # text to find, then the command
    local want=$1 out; shift
    out=$("$@" 2>&1)
    grep -qE -- "$want" <<<"$out" || fail "$*: no '$want' in: $out"
}
jcmd() { "$ref/bin/jcmd" $pid "$@"; }
start_target "$tested" -Xmx64m -Dmy.key=value
has "^$pid Target .*-Xmx64m" "$ref/bin/jps" -lv
has "^$pid Target$" "$ref/bin/jcmd" -l
jcmd help -all >"$dir/help"
for c in Thread.print VM.flags GC.heap_dump GC.run JVMTI.agent_load VM.classloader_stats; do
    grep -qx "$c" "$dir/help" || fail "no help of $c"
done
has 'JDK 17' jcmd VM.version
has '^[0-9.]+ s$' jcmd VM.uptime
has '-XX:MaxHeapSize=67108864' jcmd VM.flags
has 'jvm_args: .*-Xmx64m -Dmy.key=value' jcmd VM.command_line
has 'my.key=value' jcmd VM.system_properties
has 'used [0-9]+K' jcmd GC.heap_info
has 'Command executed successfully' jcmd GC.run
has 'AppClassLoader' jcmd VM.classloader_stats
has '"parker" #' jcmd Thread.print -l
has 'java.lang.String \(java.base@17' jcmd GC.class_histogram
has 'Unknown diagnostic command' jcmd No.such
has "Unknown argument '-x'" jcmd Thread.print -x
has 'mandatory' jcmd GC.heap_dump
has 'my.key=value' "$ref/bin/jinfo" -sysprops $pid
has '-XX:MaxHeapSize=67108864' "$ref/bin/jinfo" -flag MaxHeapSize $pid
"$ref/bin/jinfo" -flag +HeapDumpOnOutOfMemoryError $pid
has '-XX:\+HeapDumpOnOutOfMemoryError' "$ref/bin/jinfo" -flag HeapDumpOnOutOfMemoryError $pid
has "flag 'MaxHeapSize' cannot be changed" "$ref/bin/jinfo" -flag MaxHeapSize=3 $pid
has 'Exception: MinHeapFreeRatio error: must have value in range \[0...100\]' "$ref/bin/jinfo" -flag MinHeapFreeRatio=300 $pid
has 'Total ' "$ref/bin/jmap" -histo:live $pid
has 'not loaded' jcmd JVMTI.agent_load /no/such/library.so
has '^Heap:' jcmd VM.info
has 'Event: [0-9.]+ Loading class java/' jcmd VM.events
has 'Event: [0-9.]+ Pause Full \(.*\) [0-9]+K->[0-9]+K$' jcmd VM.events log=gc max=1
has '"load" : Classes loaded' jcmd VM.events log=nope
has 'END\.' jcmd VM.info
has 'libjvm\.so' jcmd VM.dynlibs
has 'Total Usage - [0-9]+ loaders, [0-9]+ classes' jcmd VM.metaspace
has 'Number of entries  ' jcmd VM.symboltable
has "System Dictionary for 'app' class loader" jcmd VM.systemdictionary
has '^16: java.lang.String$' jcmd VM.stringtable -verbose
has 'not enabled' jcmd VM.native_memory
end_target

# Answers that must be HotSpot's, and the arguments of every command that we have.
cat >"$dir/Loaders.java" <<'J'
import java.net.*;
public class Loaders {
    static class Fin { protected void finalize() { } }
    static URL[] here() throws Exception { return new URL[] {new java.io.File(System.getProperty("java.class.path")).toURI().toURL()}; }
    public static void main(String[] a) throws Exception {
        Object[] keep = new Object[8];
        for (int i = 0; i < 3; i++) keep[i] = new URLClassLoader(here(), null).loadClass("Target");
        keep[3] = new URLClassLoader("named", here(), ClassLoader.getPlatformClassLoader()).loadClass("Target");
        ClassLoader between = new URLClassLoader(here());
        keep[4] = new URLClassLoader(here(), between) {
            @Override protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
                return n.equals("Target") ? findClass(n) : super.loadClass(n, r); }
        }.loadClass("Target");
        System.out.println("ready");
        while (System.in.read() >= 0) { }
        System.out.println("bye");
    }
}
J
"$ref/bin/javac" -d "$dir" "$dir/Loaders.java" 2>/dev/null || exit 1
arguments() { # of the commands in file $1: name, optional, type, default
    awk -v names="$dir/names" 'BEGIN { while ((getline n < names) > 0) ours[n] = 1 }
        $0 in ours { on = 1; print; next } /^[A-Z][A-Za-z]*\.[a-zA-Z_]*$|^help$/ { on = 0 }
        !on { next } /^Permission|^Syntax/ { print } /^\t/ { opt = $0 ~ / : \[optional\] / ? "optional" : "needed"
            name = $0; sub(/ : .*/, "", name); sub(/.* \(/, "("); print name, opt, $0 }' "$1" |
        grep -vE '^.(by-chunktype|by-spacetype|chunkfreelist|vslist|show-classes|scale) ' # VM.metaspace has less to tell
}
for vm in ref tested; do
    [ $vm = tested ] || ! settled "$dir/ref.answers" || continue
    TARGET=Loaders start_target "${!vm}"
    cat >"$dir/script" <<S
VM.classloaders
VM.classloaders fold=false
VM.classloaders verbose=true
VM.class_hierarchy -i java.util.ArrayList
VM.class_hierarchy java.lang.Integer
VM.class_hierarchy No.such
VM.set_flag MaxHeapSize 3
VM.set_flag HeapDumpPath
VM.set_flag HeapDumpPath /tmp
VM.set_flag HeapDumpOnOutOfMemoryError maybe
VM.set_flag NoSuchFlag 1
VM.log what=gc output=$dir/$vm.log decorators=uptime,pid
VM.log list
VM.log what=foo
VM.log what=gc output=#7
VM.log rotate
VM.log disable
VM.log list
GC.finalizer_info
GC.heap_dump -gz=12 /tmp/never
Compiler.queue
ManagementAgent.status
help No.such
S
    {   jcmd -f "$dir/script" | grep -vE '^Available log|^Described tag|^ logging:|^Messages of|^ [a-z,]+ \([a-z]+\): '
        jcmd VM.classloaders verbose=maybe
        jcmd GC.finalizer_info x
        jcmd GC.class_histogram -parallel=x
    } 2>&1 | sed -E "s/^$pid:/PID:/; s/0x[0-9a-f]+/0x/g; s|$dir/$vm|FILE|g" >"$dir/$vm.answers"
    end_target
    [ $vm = tested ] || settle
done
start_target "$tested"
jcmd help | grep -oE '^[A-Z][A-Za-z]*\.[a-zA-Z_]+$|^help$' >"$dir/names"
# the reference prints the help of JFR.* as prose, not as a table of arguments: tools/jfr asks those
grep -v '^JFR\.' "$dir/names" | sed 's/^/help /' >"$dir/script"
jcmd -f "$dir/script" >"$dir/tested.help"
end_target
start_target "$ref"
jcmd -f "$dir/script" >"$dir/ref.help"
end_target
sed -i '/^C[12] compile queue/,/^$/d; /^C[12] CompilerThread/d' "$dir/ref.answers" "$dir/tested.answers" # other compilers, busy or not
[ "$(wc -l <"$dir/names")" -gt 30 ] || fail "few commands"
for vm in ref tested; do arguments "$dir/$vm.help" | sort >"$dir/$vm.arguments"; done
diff "$dir/ref.answers" "$dir/tested.answers" || fail "answers"
diff "$dir/ref.arguments" "$dir/tested.arguments" || fail "arguments of commands"

start_target "$tested" -XX:-UsePerfData -XX:+DisableAttachMechanism
"$ref/bin/jps" | grep -q "^$pid " && fail "listed by jps with -XX:-UsePerfData"
end_target
has 'HeapDumpPath +=.*\{manageable\} \{default\}' "$tested/bin/java" -XX:+PrintFlagsFinal -version
has '-XX:MaxHeapSize=33554432 ' "$tested/bin/java" -Xmx32m -XX:+PrintCommandLineFlags -version
