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
want "$up\[info\]\[gc\] GC\([0-9]+\) Pause (Young|Full) \(Allocation Failure\) [0-9]+M->[0-9]+M\([0-9]+M\) [0-9.]+ms\$"
want "$up\[info\]\[gc\] GC\([0-9]+\) Pause Full \(System.gc\(\)\) [0-9]+M->[0-9]+M\([0-9]+M\) [0-9.]+ms\$"
want_not 'gc,start'
out=$(run -verbose:gc); want "$up\[info\]\[gc\] GC\(0\) Pause"
out=$(run '-Xlog:gc*'); want "$up\[info\]\[gc,start *\] GC\(0\) Pause"; want "\[gc,init *\] Heap Max Capacity: 64M"
out=$(run -Xlog:class+load); want "$up\[info\]\[class,load\] java.lang.Object source: jrt:/java.base\$"; want_not '\[gc'
out=$(run -Xlog:gc,class+load=off -Xlog:disable); [ "$out" = end ] || fail "disable: $out"
out=$(run -Xlog:class+load:stderr:none); [ "$out" = end ] || fail "stderr: $out"
grep -q '^java.lang.Object source: ' "$dir/err" || fail "decorators none"
out=$(run -Xlog:all=warning); [ "$out" = end ] || fail "warning: $out"
out=$(run "-Xlog:gc:file=$dir/gc.log:time,tags:filecount=2"); [ "$out" = end ] || fail "file: $out"
grep -qE '^\[20..-..-..T..:..:..\....[-+]....\]\[gc\] GC\(0\)' "$dir/gc.log" || fail "file: $(head -2 "$dir/gc.log")"
grep -q filecount "$dir/gc.log" && fail options
mask() { sed -E "s/^\[[0-9.]+s\]//; s|$dir/[a-z]+\.|DIR/|g; s/\. Did you mean any of.*/./"; }
for wrong in gc=foo gc:bla=x gc::nodeco foo gc+heapp safepooint gc+gc a+b+c 'gc*+heap' gc, ,gc disable:x help:x gc=infoo \
    'gc:#9' gc:file=/no/such/dir/x "gc:file=$dir/VM.q::foo=1" "gc:file=$dir/VM.q::filecount=abc" "gc:file=$dir/VM.q::filecount=1001" \
    "gc:file=$dir/VM.q::filesize=x" start logging; do
    for vm in ref tested; do
        "${!vm}/bin/java" "-Xlog:${wrong/VM/$vm}" -version >"$dir/$vm.out" 2>"$dir/$vm.err"
        echo $? >>"$dir/$vm.err"
        sed -i "/^openjdk\|^OpenJDK\|^Graft/d; s|$dir/[a-z]*\.|DIR/|g" "$dir/$vm.err"
        mask <"$dir/$vm.out" >"$dir/$vm.masked"
    done
    [ $wrong = start ] || [ $wrong = logging ] || diff "$dir/ref.err" "$dir/tested.err" || fail "$wrong"
    [ $wrong = logging ] || diff "$dir/ref.masked" "$dir/tested.masked" || fail "$wrong (standard output)"
done
"$tested/bin/java" -Xlog:help | grep -q class,load

# The other tags that mean something here.
cat >"$dir/Ex.java" <<'J'
public class Ex {
    static { System.out.println("init"); }
    static int f(int n) { return 7 / n; }
    public static void main(String[] a) {
        try { f(0); } catch (ArithmeticException e) { }
        System.gc();
    }
}
J
"$ref/bin/javac" -d "$dir" "$dir/Ex.java" || exit 1
addresses() { sed -E 's/0x[0-9a-f]+/0x/g; s/^\[[0-9.]+s\]//; s/ [0-9.]+ secs/ secs/' | grep -E "$1"; }
for vm in ref tested; do
    "${!vm}/bin/java" -Xint -Xshare:off -Xlog:exceptions -cp "$dir" Ex | addresses "Ex'|by zero|\(main\)" | grep -v 'Found matching' >"$dir/$vm.ex"
    "${!vm}/bin/java" -Xint -Xshare:off -Xlog:class+init -cp "$dir" Ex | addresses "'Ex'" | sed 's/ [0-9]* Init/ N Init/' >>"$dir/$vm.ex"
    "${!vm}/bin/java" -Xint -Xshare:off -Xlog:module+load -cp "$dir" Ex | addresses "java.base location" >>"$dir/$vm.ex"
    "${!vm}/bin/java" -Xint -Xshare:off -verbose:jni -cp "$dir" Ex | addresses "java.lang.Runtime.gc" >>"$dir/$vm.ex"
done
[ "$(wc -l <"$dir/ref.ex")" -ge 6 ] || fail "mask keeps too little"
diff "$dir/ref.ex" "$dir/tested.ex" || fail "messages"
out=$("$tested/bin/java" -Xlog:safepoint,startuptime,os+thread -cp "$dir" Ex)
want 'Safepoint "System.gc\(\)", Time since last: [0-9]+ ns, Reaching safepoint: [0-9]+ ns, At safepoint: [0-9]+ ns, Total'
want '\[startuptime *\] Create VM, 0\.'
want '\[os,thread *\] Thread "main" attached \(tid: '

# Rotation: the old file becomes an archive, and so does one that has grown.
rm -f "$dir"/rot.log*
for vm in ref tested; do
    rm -f "$dir"/$vm.rot*
    for i in 1 2; do "${!vm}/bin/java" -Xlog:class+load:"file=$dir/$vm.rot:none:filecount=3,filesize=8k" -cp "$dir" Ex >/dev/null; done
    (cd "$dir" && ls $vm.rot*) | sed "s/$vm//" >"$dir/$vm.names"
    [ "$(wc -c <"$dir/$vm.rot.1")" -lt 10000 ] || fail "$vm: archive is too large"
    echo old >"$dir/$vm.one"
    "${!vm}/bin/java" -Xlog:gc:"file=$dir/$vm.one::filecount=0" -cp "$dir" Ex >/dev/null
    grep -q old "$dir/$vm.one" && fail "$vm: filecount=0"
done
diff "$dir/ref.names" "$dir/tested.names" || fail "names of archives"
