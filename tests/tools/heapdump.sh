#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# Heap dumps by jmap, jcmd and OutOfMemoryError: structure checked by HprofCheck (which is first
# tried on a dump of HotSpot), numbers of instances compared with the class histogram.
set -u
ref=$1 tested=$2 dir=$3
. "$(dirname "$0")/common.sh"
read_dump() { "$ref/bin/java" -cp "$dir" HprofCheck "$@"; }
rm -f "$dir"/*.hprof*

start_target "$ref"
"$ref/bin/jmap" -dump:live,format=b,file="$dir/ref.hprof" $pid >/dev/null
read_dump "$dir/ref.hprof" lenient >/dev/null || fail "the reader does not understand HotSpot's dump"
end_target

start_target "$tested"
"$ref/bin/jmap" -dump:live,format=b,file="$dir/live.hprof" $pid
"$ref/bin/jmap" -histo:live $pid >"$dir/histo"
"$ref/bin/jcmd" $pid GC.heap_dump -all "$dir/all.hprof"
"$ref/bin/jcmd" $pid GC.heap_dump -gz=1 "$dir/packed.hprof.gz"
"$ref/bin/jmap" -dump:format=b,file="$dir/live.hprof" $pid | grep -q 'File exists' || fail "overwrites a file"
end_target
for f in live.hprof all.hprof packed.hprof.gz; do read_dump "$dir/$f" >"$dir/$f.txt" || fail "$f"; done
# Classes of the program and of no thread that works for us between the two commands.
for c in Target 'Target$$Lambda.*' java.lang.Module java.util.concurrent.locks.ReentrantLock '[Ljava.lang.Thread;'; do
    pattern=$(sed 's/[[$]/\\&/g' <<<"$c")
    a=$(awk -v p="^$pattern\$" '$4 ~ p { n += $2 } END { print n + 0 }' "$dir/histo")
    b=$(awk -v p="^$pattern\$" '$1 ~ p { n += $2 } END { print n + 0 }' "$dir/live.hprof.txt")
    [ "$a" = "$b" ] || fail "$c: $a in the histogram, $b in the dump"
done

cat >"$dir/Full.java" <<'J'
import java.lang.management.*;
public class Full {
    public static void main(String[] a) throws Exception {
        if (a.length > 0) {
            var bean = ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class);
            bean.dumpHeap(a[0], true);
            try { bean.dumpHeap(a[0], true); } catch (java.io.IOException e) { System.out.println(e.getMessage()); }
            System.out.println(bean.getVMOption("HeapDumpOnOutOfMemoryError"));
            for (String s : new String[] {"UseCompressedOops", "ObjectAlignmentInBytes"})
                System.out.println(bean.getVMOption(s).getValue());
            try { bean.getVMOption("NoSuch"); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
            try { bean.setVMOption("ObjectAlignmentInBytes", "16"); } catch (IllegalArgumentException e) { System.out.println("fixed"); }
            bean.setVMOption("HeapDumpOnOutOfMemoryError", "true");
            System.out.println(bean.getVMOption("HeapDumpOnOutOfMemoryError").getValue());
            System.out.println(ManagementFactory.getPlatformMBeanServer().invoke(
                new javax.management.ObjectName("com.sun.management:type=DiagnosticCommand"), "help",
                new Object[] {new String[] {"GC.run"}}, new String[] {String[].class.getName()}));
            return;
        }
        var list = new java.util.ArrayList<byte[]>();
        try { for (;;) list.add(new byte[1 << 20]); }
        catch (OutOfMemoryError e) { list = null; System.out.println("caught"); }
    }
}
J
"$ref/bin/javac" -d "$dir" "$dir/Full.java" || exit 1
"$tested/bin/java" -Xmx32m -XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath="$dir/oom.hprof" \
    -XX:OnOutOfMemoryError="echo saw %p" -cp "$dir" Full >"$dir/oom.out" 2>&1 || fail "Full fails"
grep -q '^saw [0-9]' "$dir/oom.out" && grep -q '^caught' "$dir/oom.out" || { cat "$dir/oom.out"; fail "OutOfMemoryError"; }
read_dump "$dir/oom.hprof" >"$dir/oom.txt" || fail "oom.hprof"
for vm in ref tested; do
    "${!vm}/bin/java" -cp "$dir" Full "$dir/$vm.bean.hprof" >"$dir/$vm.bean" 2>&1
    read_dump "$dir/$vm.bean.hprof" lenient >/dev/null || fail "$vm: dumpHeap"
done
diff "$dir/ref.bean" "$dir/tested.bean"
