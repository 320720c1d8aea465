#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# graft run: the image (named, made, made twice at once, out of date), what CMD sees, exit codes, signals; installed as well.
. "$(dirname "$0")/common.sh"
check "java of PATH" 0 '^Graft VM: hello 1$' -- "$graft" run -- java -cp classes Target
check "java by its path" 0 '^Graft VM: hello 1$' -- "$graft" run -- "$jdk/bin/java" -cp classes Target
check "by a script" 0 '^Graft VM: hello 1$' -- "$graft" run sh -c 'java -cp classes Target'
check "by JAVA_HOME" 0 '^Graft VM: hello 1$' -- "$graft" run -- sh -c '"$JAVA_HOME"/bin/java -cp classes Target'
check "JAVACMD" 0 '^Graft VM: hello 1$' -- env JAVACMD=/bin/false "$graft" run -- sh -c '"$JAVACMD" -cp classes Target'
check "with an agent" 0 '^Graft VM: hello 1$' -- "$graft" hotswap --on-graft --quiet -- java -cp classes Target
check "with an agent, by its path" 0 '^Graft VM: hello 1$' -- "$graft" hotswap --on-graft --quiet -- "$jdk/bin/java" -cp classes Target
check "other programs stay" 0 '^/' -- "$graft" run -- /bin/pwd
check "exit code" 7 '' -- "$graft" run -- java -cp classes Target code 7
check "javac" 0 '^javac 17' -- "$graft" run -- javac -version
printf '#!/bin/sh\necho "$GRADLE_OPTS"\n' >gradle; chmod +x gradle
check "Gradle" 0 "^-Da=b -Dorg.gradle.java.home=$tested$" -- env GRADLE_OPTS=-Da=b "$graft" run -- ./gradle

# Installed; an image is made where there is none, by two at once.
make -s -C "$here/../.." install BUILD="$BUILD" JDK="$jdk" PREFIX="$scratch/root" >log 2>&1 || bad "make install" log
unset GRAFT_IMAGE
installed=$scratch/root/bin/graft
"$installed" run -- java -cp classes Target >first 2>&1 & one=$!
"$installed" run -- java -cp classes Target >second 2>&1; is "first use" $? 0
wait $one; is "first use, at the same time" $? 0
has "made" '^graft: making an image of .* in .*/cache/graft/' first
for f in first second; do has "$f" '^Graft VM: hello 1$' $f; done
is "nothing else is left" "$(ls cache/graft/*/ | wc -l)" 1
check "used again" 0 '^Graft VM: hello 1$' -- "$installed" run -- java -cp classes Target
grep -q making out && bad "made again" out || good
image=$(echo cache/graft/*/*)
truncate -s -1 "$image/lib/server/libjvm.so"
check "an old VM in it" 0 '^graft: making an image' -- "$installed" run -- java -cp classes Target
has "an old VM in it" '^Graft VM: hello 1$' out
touch -d 2001-01-01 "$image/bin/java"
check "made when the JDK was an older one" 0 '^graft: making an image' -- "$installed" run -- java -cp classes Target
check "used again" 0 '^Graft VM: hello 1$' -- "$installed" run -- java -cp classes Target
grep -q making out && bad "made again" out || good
check "a named place" 0 '^graft: making an image .* in /.*/mine$' -- "$installed" run --image=mine --jdk="$jdk" -- java -version
mkdir -p strange/bin && echo mine >strange/bin/java && mkdir bare
check "a folder with other files" 125 'strange is no image, and has other files' -- "$installed" run --image=strange --jdk="$jdk" -- java -version
is "... which stay" "$(find strange -type f | xargs cat)" mine
check "an empty folder" 0 '^graft: making an image .* in /.*/bare$' -- "$installed" run --image=bare --jdk="$jdk" -- java -version
check "agent beside it" 0 'lines [0-9.]+ % of' -- "$installed" coverage --output=i.dat -- "$jdk/bin/java" -cp classes Target
check "manual" 0 'graft coverage' -- man -l "$scratch/root/share/man/man1/graft.1"
check "completion" 0 '^--attach=' -- bash -c '. root/share/bash-completion/completions/graft; PATH=$PWD/root/bin:$PATH
    COMP_WORDS=(graft trace --a); COMP_CWORD=2; _graft 2>/dev/null; printf "%s\n" "${COMPREPLY[@]}"'
check "no place" 125 'there is no place for an image' -- env -u HOME -u XDG_CACHE_HOME "$installed" run -- java -version
check "no JDK 17" 125 '/tmp is no JDK 17' -- "$graft" run --jdk=/tmp -- java -version
check "not writable" 125 'the image could not be made' -- "$installed" run --image=/proc/none --jdk="$jdk" -- java -version

# A signal for graft reaches CMD; what ended CMD is told.
check "killed" 137 '' -- "$graft" trace -o k.txt -- sh -c 'kill -9 $$'
check "ended" 143 '' -- sh -c '"$0" trace -o k.txt -- sleep 1000 & p=$!; while ! pgrep -P $p >/dev/null; do sleep 0.1; done; kill $p; wait $p' "$graft"
finish
