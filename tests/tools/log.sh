#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# -Xlog: forms of lines, selections, outputs, decorators, refused options.
set -u
ref=$1 tested=$2 dir=$3
cat >"$dir/Churn.java" <<'J'
public class Churn {
    static Object keep;
    public static void main(String[] a) {
        for (int i = 0; i < 200; i++) keep = new byte[1 << 20];
        System.gc();
        System.out.println("end");
    }
}
J
"$ref/bin/javac" -d "$dir" "$dir/Churn.java" || exit 1
fail() { echo "$*"; exit 1; }
run() { "$tested/bin/java" -Xmx64m "$@" -cp "$dir" Churn 2>"$dir/err"; }
up='^\[[0-9]+\.[0-9]{3}s\]'
want() { grep -qE -- "$1" <<<"$out" || fail "no '$1' in: $(head -5 <<<"$out")"; }
want_not() { ! grep -qE -- "$1" <<<"$out" || fail "'$1' in: $(grep -E -- "$1" <<<"$out" | head -3)"; }

out=$(run -Xlog:gc)
want "$up\[info\]\[gc\] GC\([0-9]+\) Pause Young \(Allocation Failure\) [0-9]+M->[0-9]+M\([0-9]+M\) [0-9.]+ms\$"
want "$up\[info\]\[gc\] GC\([0-9]+\) Pause Full \(System.gc\(\)\) [0-9]+M->[0-9]+M\([0-9]+M\) [0-9.]+ms\$"
want_not 'gc,start'
out=$(run -verbose:gc); want "$up\[info\]\[gc\] GC\(0\) Pause"
out=$(run '-Xlog:gc*'); want "$up\[info\]\[gc,start\] GC\(0\) Pause"; want "\[gc,init\] Heap Max Capacity: 64M"
out=$(run -Xlog:class+load); want "$up\[info\]\[class,load\] java.lang.Object source: jrt:/java.base\$"; want_not '\[gc'
out=$(run -Xlog:gc,class+load=off -Xlog:disable); [ "$out" = end ] || fail "disable: $out"
out=$(run -Xlog:class+load:stderr:none); [ "$out" = end ] || fail "stderr: $out"
grep -q '^java.lang.Object source: ' "$dir/err" || fail "decorators none"
out=$(run -Xlog:all=warning); [ "$out" = end ] || fail "warning: $out"
out=$(run "-Xlog:gc:file=$dir/gc.log:time,tags:filecount=2"); [ "$out" = end ] || fail "file: $out"
grep -qE '^\[20..-..-..T..:..:..\....[-+]....\]\[gc\] GC\(0\)' "$dir/gc.log" || fail "file: $(head -2 "$dir/gc.log")"
for wrong in gc=foo gc:bla=x gc::nodeco; do
    for vm in ref tested; do
        "${!vm}/bin/java" -Xlog:$wrong -version >"$dir/$vm.out" 2>"$dir/$vm.err"
        echo $? >>"$dir/$vm.err"
    done
    diff "$dir/ref.err" "$dir/tested.err" || fail "$wrong"
done
"$tested/bin/java" -Xlog:help | grep -q class,load
