#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
#
# The program ends while sources are compiled, in its VM or by a javac beside it: nothing is left in the folder for temporary files, no compiler runs on.
. "$(dirname "$0")/common.sh"
export TMPDIR=$scratch/tmp
rm -rf "$TMPDIR" slow; mkdir -p "$TMPDIR" slow/META-INF/services
# A compiler that takes long once it has written something: a processor of annotations, and a script.
cat >Slow.java <<'J'
import java.util.*;
import javax.annotation.processing.*;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;
@SupportedAnnotationTypes("*")
public class Slow extends AbstractProcessor {
    public SourceVersion getSupportedSourceVersion() { return SourceVersion.latest(); }
    public boolean process(Set<? extends TypeElement> types, RoundEnvironment round) {
        try {
            for (int i = 0; i < 1000; i++) {
                try (var out = processingEnv.getFiler().createClassFile("a.b.C" + i).openOutputStream()) { out.write(1); }
                if (i == 3) java.nio.file.Files.createFile(java.nio.file.Path.of(System.getProperty("begun")));
                Thread.sleep(i < 10 ? 0 : 50);
            }
        } catch (Exception e) { throw new RuntimeException(e); }
        return false;
    }
}
J
"$jdk/bin/javac" -proc:none -d slow Slow.java || exit 1
cat >slow/javac <<'J'
#!/bin/sh
dir=$(sed -n '2s/"//gp' "${1#@}")
mkdir -p "$dir/a/b"; echo x >"$dir/a/b/C.class"; echo $$ >"$dir/../../pid"; : >"$dir/../../begun"
exec sleep 150
J
chmod +x slow/javac
java() { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -Dbegun="$scratch/begun" -cp "$dir" "$@"; }
# What has ended and waits for its parent does not.
runs() { [ -e pid ] && grep -q '^State:[[:space:]]*[^ZX]' "/proc/$(cat pid)/status" 2>/dev/null; }
until_begun() { for i in $(seq 900); do [ -e begun ] && return; sleep 0.1; done; fail "the compiler did not begin"; }
nothing_left() { # how
    local left i
    for i in 1 2 3 4 5 6 7 8 9 10; do left=$(ls -A "$TMPDIR"); [ -z "$left" ] && break; sleep 0.1; done
    [ -z "$left" ] || fail "$1: left behind: $left"
    rm -rf "$TMPDIR"/*
    compared=$((compared + 1))
}
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    for how in "compiler=-processorpath $scratch/slow -processor Slow" "javac=$scratch/slow/javac"; do
        for end in end signal; do
            rm -f begun pid
            base $side
            server "structural=off,sources=$src,wait=20,$how"
            ask 'greet a' 'Hello a 1. 1'
            greeter Hi
            until_begun
            if [ $end = end ]; then
                stop
            else
                kill -TERM "$pid"
                exec 6>&-; eval "exec ${SERVER[1]}>&-"
                wait "$SERVER_PID"
                exec 5<&-
            fi
            nothing_left "${how%% *} $end"
            for _ in $(seq 100); do runs || break; sleep 0.1; done # it was told to end
            ! runs || { fail "$how $end: the compiler runs on"; kill "$(cat pid)"; }
        done
    done
    [ $side = graft ] || settle
done
finish
