#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# jstat shows values that move and agree with what the program itself sees by its beans.
set -u
ref=$1 tested=$2 dir=$3
. "$(dirname "$0")/common.sh"
cat >"$dir/Mover.java" <<'J'
import java.lang.management.*;
public class Mover {
    static byte[][] keep = new byte[8][];
    static void facts() {
        var c = ManagementFactory.getClassLoadingMXBean();
        long n = 0;
        for (var g : ManagementFactory.getGarbageCollectorMXBeans()) n += g.getCollectionCount();
        System.out.println("facts " + n + " " + c.getTotalLoadedClassCount() + " " + ManagementFactory.getThreadMXBean().getThreadCount());
    }
    public static void main(String[] a) throws Exception {
        facts();
        facts();
        System.out.println("ready");
        System.in.read();
        for (int i = 0; i < 200; i++) keep[i % 8] = new byte[1 << 20];
        System.gc();
        facts();
        System.out.println("moved");
        while (System.in.read() >= 0) { }
        System.out.println("bye");
    }
}
J
"$ref/bin/javac" -d "$dir" "$dir/Mover.java" || exit 1
jstat() { "$ref/bin/jstat" "$@"; }
TARGET=Mover start_target "$tested" -Xmx64m
jstat -gc $pid >"$dir/before"
for o in class compiler gc gccapacity gccause gcmetacapacity gcnew gcnewcapacity gcold gcoldcapacity gcutil printcompilation; do
    jstat -$o $pid >"$dir/$o.txt" 2>&1 || fail "-$o: $(cat "$dir/$o.txt")"
    awk 'NR == 2 { for (i = 1; i <= NF; i++) if ($i !~ /^[0-9.]+$|^-$/) bad = 1 } END { exit bad || NR != 2 }' "$dir/$o.txt" ||
        [[ $o = gccause || $o = printcompilation ]] || fail "-$o: $(cat "$dir/$o.txt")"
done
grep -q 'No GC *No GC' "$dir/gccause.txt" || fail "cause: $(cat "$dir/gccause.txt")"
echo >&9
for _ in $(seq 1200); do grep -q moved "$dir/out" && break; sleep 0.05; done
sleep 0.5
jstat -gc $pid >"$dir/after"
jstat -gccause $pid | grep -q 'System.gc()' || fail "no cause"
jstat -class $pid >"$dir/class.txt"
jstat -snap -J-Djstat.showUnsupported=true $pid >"$dir/snap" || fail "snap"
column() { awk -v c="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at[c] }' "$1"; }
read -r _ collections classes threads < <(tail -2 "$dir/out" | head -1)
n=$(($(column "$dir/after" YGC) + $(column "$dir/after" FGC)))
[ "$n" = "$collections" ] || fail "$n collections, the program says $collections"
[ "$(column "$dir/before" FGC)" = 0 ] && [ "$(column "$dir/after" FGC)" -ge 1 ] || fail "full collections"
[ "$(column "$dir/class.txt" Loaded)" -ge "$classes" ] || fail "classes: $(cat "$dir/class.txt"), the program says $classes"
grep -q "^java.threads.live=$threads$" "$dir/snap" || fail "threads: $(grep threads.live "$dir/snap"), the program says $threads"
awk -v u="$(column "$dir/after" OU)" -v c="$(column "$dir/after" OC)" 'BEGIN { exit !(u > 0 && u <= c) }' || fail "old: $(cat "$dir/after")"
a=$(jstat -snap -J-Djstat.showUnsupported=true $pid | sed -n 's/^sun.os.hrt.ticks=//p')
sleep 0.3
b=$(jstat -snap -J-Djstat.showUnsupported=true $pid | sed -n 's/^sun.os.hrt.ticks=//p')
[ "$b" -gt "$a" ] || fail "ticks do not move"
[ "$(jstat -gcutil $pid 50 3 | wc -l)" = 4 ] || fail "several samples"
end_target
