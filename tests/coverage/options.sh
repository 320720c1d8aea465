#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Options of the agent: help, clear refusal of wrong ones (the VM does not start), filters, second VM on one file.
set -eu
jdk=$1 tested=$2 out=$3
agent=$BUILD/agents/libgraft-coverage.so tool=$BUILD/bin/graft-coverage
fail() { echo "$*"; exit 1; }
mkdir -p "$out/src/a/b"
printf 'package a.b; public class In { public static void main(String[] x) throws Exception { new Out(); Thread.sleep(x.length > 0 ? 3000 : 0); } }' > "$out/src/a/b/In.java"
printf 'package a.b; class Out { int v = 3; }' > "$out/src/a/b/Out.java"
# a loader that delegates java.* only, and the same class twice
printf 'import java.net.*; public class Iso { public static void main(String[] x) throws Exception { for (int i = 0; i < 2; i++) new URLClassLoader(new URL[] {new java.io.File(x[0]).toURI().toURL()}, null).loadClass("a.b.In").getMethod("main", String[].class).invoke(null, (Object) new String[0]); } }' > "$out/src/Iso.java"
# a loader that names no class
printf 'import java.nio.file.*; public class Bare extends ClassLoader { public static void main(String[] x) throws Exception { byte[] b = Files.readAllBytes(Path.of(x[0])); System.out.println(new Bare().defineClass(null, b, 0, b.length, Bare.class.getProtectionDomain()).getMethod("twice", int.class).invoke(null, 21)); } }' > "$out/src/Bare.java"
printf 'package a.b; public class Plug { public static int twice(int n) { return n * 2; } }' > "$out/src/Plug.java"
"$jdk/bin/javac" -d "$out" "$out"/src/a/b/*.java "$out/src/Iso.java" "$out/src/Bare.java"
"$jdk/bin/javac" -d "$out/plug" "$out/src/Plug.java"
. "tests/answers.sh"
answer_agents=1
for home in "$jdk" "$tested"; do
    [ "$home" != "$jdk" ] || ! settled || continue
    java="$home/bin/java"
    "$java" "-agentpath:$agent=help" | grep -q 'cobertura=FILE' || fail "help"
    for bad in bogus=1 html jdk=maybe file=/no/such/dir/x prune=often prune=1x prune= prune=-1 stop dump; do
        "$java" "-agentpath:$agent=$bad" -cp "$out" a.b.In > "$out/o" 2>&1 && fail "$bad accepted"
        grep -q '^\[coverage\] ' "$out/o" || { cat "$out/o"; fail "$bad: no message"; }
    done
    "$java" "-agentpath:$agent=file=$out/f,exclude=a.*.Ou?,quiet" -cp "$out" a.b.In
    [ "$("$tool" dump "$out/f" | cut -d' ' -f1)" = a/b/In ] || fail "exclude"
    "$java" "-agentpath:$agent=file=$out/f,include=*.Out:x.*,quiet" -cp "$out" a.b.In
    [ "$("$tool" dump "$out/f" | cut -d' ' -f1)" = a/b/Out ] || fail "include"
    "$java" "-agentpath:$agent=file=$out/f,include=*.Ou?,quiet,include=*.In" -cp "$out" a.b.In
    [ "$("$tool" dump "$out/f" | cut -d' ' -f1 | sort | tr '\n' ' ')" = "a/b/In a/b/Out " ] || fail "a list in pieces"
    "$java" "-agentpath:$agent=file=$out/f,excludeloaders=*AppClassLoader,quiet" -cp "$out" a.b.In
    [ -z "$("$tool" dump "$out/f")" ] || fail "excludeloaders"
    "$java" "-agentpath:$agent=file=$out/g.dat,quiet" -cp "$out" a.b.In wait &
    sleep 1.5
    "$java" "-agentpath:$agent=file=$out/g.dat" -cp "$out" a.b.In 2>&1 | grep -q 'in use by another VM' || fail "two VMs on one file"
    wait
    "$java" "-agentpath:$agent=file=$out/f,quiet,exclude=Iso" -cp "$out" Iso "$out/"
    [ "$("$tool" dump "$out/f" | cut -d' ' -f1,3 | tr '\n' ' ')" = "a/b/In java.net.URLClassLoader a/b/Out java.net.URLClassLoader " ] || fail "isolated loader"
    "$java" "-agentpath:$agent=file=$out/f,quiet,exclude=Bare" -cp "$out" Bare "$out/plug/a/b/Plug.class"
    [ "$("$tool" dump "$out/f" | cut -d' ' -f1,3)" = "a/b/Plug Bare" ] || fail "a class without a name"
    "$java" "-agentpath:$BUILD/agents/libgraft-trace.so=file=$out/t,include=a.b.Plug" -cp "$out" Bare "$out/plug/a/b/Plug.class"
    grep -q ' 1 .* a.b.Plug.twice(int)$' "$out/t" || fail "trace of a class without a name"
    # pruning goes on by itself where nothing is compiled; elsewhere, if asked for, after a while
    for case in verbose verbose,-Xint verbose,prune=off verbose,prune=off,-Xint verbose,counts verbose,counts,-Xint verbose,epoch=a verbose,epoch=a,-Xint verbose,tests verbose,prune=on; do
        int=; [[ $case = *,-Xint ]] && int=-Xint
        "$java" $int "-agentpath:$agent=file=$out/f,${case%,-Xint}" -cp "$out" a.b.In 2> "$out/o"
        pays=no; [ -z "$int" ] || pays=soon
        case $case in *off* | *counts* | *epoch* | *tests*) pays=no ;; *=on) pays=later ;; esac
        found=no
        ! grep -q 'taken out every 1000 ms' "$out/o" || found=soon
        ! grep -q 'taken out after 4000 ms of processor time' "$out/o" || found=later
        [ $found = $pays ] || fail "$java $case: pruning $found, not $pays"
    done
    "$java" "-agentpath:$agent=file=$out/f,summary" -cp "$out" a.b.In 2>&1 | grep -q 'total: 2 classes' || fail "summary"
    [ "$home" != "$jdk" ] || settle
done
