#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# Files of Flight Recorder are read as on the reference; recording is refused with one clear line.
set -u
ref=$1 tested=$2 dir=$3
. "$(dirname "$0")/common.sh"
cat >"$dir/Reader.java" <<'J'
import java.nio.file.Path;
import jdk.jfr.*;
import jdk.jfr.consumer.RecordingFile;
public class Reader {
    public static void main(String[] a) throws Exception {
        System.out.println("available " + FlightRecorder.isAvailable());
        long n = 0, sum = 0;
        try (var f = new RecordingFile(Path.of(a[0]))) {
            for (; f.hasMoreEvents(); n++) sum = sum * 31 + f.readEvent().toString().hashCode();
        }
        System.out.println(n + " events, " + sum);
        try { new Recording().start(); System.out.println("records"); }
        catch (IllegalStateException e) { System.out.println("refused"); }
    }
}
J
"$ref/bin/javac" -d "$dir" "$dir/Reader.java" || exit 1
"$ref/bin/java" -XX:StartFlightRecording=filename="$dir/x.jfr" -version >/dev/null 2>&1
[ -s "$dir/x.jfr" ] || exit 77
for c in summary metadata print "print --json" "print --xml"; do
    "$ref/bin/jfr" $c "$dir/x.jfr" >"$dir/ref.txt" 2>&1
    "$tested/bin/jfr" $c "$dir/x.jfr" >"$dir/tested.txt" 2>&1 || fail "jfr $c: $(head -3 "$dir/tested.txt")"
    cmp -s "$dir/ref.txt" "$dir/tested.txt" || fail "jfr $c differs: $(diff "$dir/ref.txt" "$dir/tested.txt" | head -5)"
done
"$ref/bin/java" -cp "$dir" Reader "$dir/x.jfr" >"$dir/ref.txt" 2>&1
"$tested/bin/java" -cp "$dir" Reader "$dir/x.jfr" >"$dir/tested.txt" 2>&1 || fail "Reader: $(head -5 "$dir/tested.txt")"
[ "$(sed -n 2p "$dir/ref.txt")" = "$(sed -n 2p "$dir/tested.txt")" ] || fail "RecordingFile: $(cat "$dir/tested.txt")"
grep -qx "available false" "$dir/tested.txt" && grep -qx refused "$dir/tested.txt" || fail "not refused: $(cat "$dir/tested.txt")"
for o in -XX:StartFlightRecording -XX:StartFlightRecording=filename=x.jfr; do
    "$tested/bin/java" $o -version >"$dir/out.txt" 2>&1 && fail "$o is accepted"
    [ "$(grep -c "Flight Recorder is not supported" "$dir/out.txt")" = 1 ] || fail "$o: $(cat "$dir/out.txt")"
done
# jcmd: every command is known, takes the usual options, and says the same
start_target "$tested"
for c in JFR.check "JFR.check verbose=true" "JFR.configure stackdepth=64" "JFR.dump name=1 filename=$dir/y.jfr" JFR.start \
    "JFR.start name=a settings=profile duration=10s filename=$dir/y.jfr" "JFR.stop name=a"; do
    "$ref/bin/jcmd" $pid $c >"$dir/answer" 2>&1
    [ "$(sed 1d "$dir/answer")" = "Flight Recorder is not supported on this VM." ] || fail "$c: $(cat "$dir/answer")"
done
[ ! -e "$dir/y.jfr" ] || fail "a file was made"
# other commands for what this VM does not have: known on both, one line here
for c in Compiler.directives_print Compiler.directives_clear Compiler.directives_remove Compiler.CodeHeap_Analytics Compiler.perfmap \
    "VM.cds static_dump" VM.print_touched_methods; do
    "$ref/bin/jcmd" $pid $c >"$dir/answer" 2>&1
    [ "$(wc -l <"$dir/answer")" = 2 ] && ! grep -q "Unknown diagnostic" "$dir/answer" || fail "$c: $(cat "$dir/answer")"
done
"$ref/bin/jcmd" $pid System.trim_native_heap | grep -qE '^Trim native heap: RSS\+Swap: [0-9]+K->[0-9]+K \([-+][0-9]+[BKM]\)$' || fail "trim"
end_target
exit 0
