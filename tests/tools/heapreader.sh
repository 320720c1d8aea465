#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# An independent reader (the library of VisualVM) opens our heap dumps: the numbers of instances are
# those of the class histogram, roots know their frames, references lead where they should.
set -u
ref=$1 tested=$2 dir=$3
. "$(dirname "$0")/common.sh"
jar=/usr/share/visualvm/visualvm/modules/org-graalvm-visualvm-lib-jfluid-heap.jar
[ -e $jar ] || { echo "needs the package visualvm"; exit 77; }
"$ref/bin/javac" -cp $jar -d "$dir" "$here/VisualCheck.java" || exit 1
rm -rf "$dir"/*.hprof*
read_dump() { # with a copy of its own: the library keeps an index beside the file
    "$ref/bin/java" -Djava.io.tmpdir="$dir" -cp "$jar:$dir" VisualCheck "$1"
}
for vm in ref tested; do
    [ $vm = tested ] || ! settled "$dir"/ref.{facts,read} || continue
    start_target "${!vm}" -Xmx64m
    "$ref/bin/jmap" -dump:live,format=b,file="$dir/$vm.hprof" $pid >/dev/null
    "$ref/bin/jmap" -dump:live,format=b,gz=1,file="$dir/$vm.packed.hprof.gz" $pid >/dev/null
    "$ref/bin/jmap" -histo:live $pid >"$dir/$vm.histo"
    "$ref/bin/jmap" -dump:live,format=b,file="$dir/$vm.again.hprof" $pid >/dev/null
    end_target
    read_dump "$dir/$vm.hprof" >"$dir/$vm.read" 2>"$dir/$vm.read.err" || fail "$vm: $(cat "$dir/$vm.read.err")"
    read_dump "$dir/$vm.again.hprof" >"$dir/$vm.read2" 2>/dev/null || fail "$vm: second dump"
    sed -n '/^total/,$p' "$dir/$vm.read" | sed 's/^total.*/total/; s/, monitor used\|, unknown\|monitor used, //g' >"$dir/$vm.facts"
    gunzip -c "$dir/$vm.packed.hprof.gz" >"$dir/$vm.unpacked.hprof" || fail "$vm: gz=1"
    read_dump "$dir/$vm.unpacked.hprof" >/dev/null || fail "$vm: packed dump"
    [ $vm = tested ] || settle
done
diff "$dir/ref.facts" "$dir/tested.facts" || fail "facts differ"

# Instances by class: what both dumps agree on (nothing made for the tools in between) must be in the histogram.
awk '{ n = $4; d = 0; while (n ~ /^\[/) { n = substr(n, 2); d++ }
       if (d) { if (n ~ /^L/) { n = substr(n, 2); sub(/;$/, "", n) } else {
                split("Z boolean C char F float D double B byte S short I int J long", p, " ")
                for (i = 1; i < 17; i += 2) if (n == p[i]) { n = p[i + 1]; break } } }
       for (; d > 0; d--) n = n "[]"
       if ($1 ~ /^[0-9]+:$/ && n != "java.lang.Class") count[n] += $2 } END { for (n in count) print count[n], n }' "$dir/tested.histo" | sort >"$dir/histo"
grep -E '^[0-9]+ ' "$dir/tested.read" | grep -v ' java.lang.Class$' | sed 's|+0x|/0x|' | sort >"$dir/one"
grep -E '^[0-9]+ ' "$dir/tested.read2" | grep -v ' java.lang.Class$' | sed 's|+0x|/0x|' | sort >"$dir/two"
comm -12 "$dir/one" "$dir/two" >"$dir/stable"
[ "$(wc -l <"$dir/stable")" -gt 150 ] || fail "few classes: $(wc -l <"$dir/stable") of $(wc -l <"$dir/one")"
comm -23 "$dir/stable" "$dir/histo" >"$dir/differ"
[ ! -s "$dir/differ" ] || fail "not the histogram's numbers: $(head -5 "$dir/differ"); $(grep -F "$(head -1 "$dir/differ" | cut -d' ' -f2)" "$dir/histo")"
