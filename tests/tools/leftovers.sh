#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 60
# Performance data of processes that are gone is removed at the next start; not what a VM of another container has locked, whose process is not seen here.
set -u
ref=$1 tested=$2 dir=$3
fail() { echo "$*"; exit 1; }
folder=/tmp/hsperfdata_$(id -un)
command -v flock >/dev/null || exit 77
most=$(cat /proc/sys/kernel/pid_max)
dead=$((most + $$)) locked=$((most + most + $$)) # numbers that no process can have
trap 'rm -f "$folder/$dead" "$folder/$locked"' EXIT
for home in "$ref" "$tested"; do
    "$home/bin/java" -version 2>/dev/null || fail "$home does not start"
    [ -d "$folder" ] || fail "$home: no $folder"
    : >"$folder/$dead" && : >"$folder/$locked" || fail "cannot write to $folder"
    (
        flock -n 9 || fail "cannot lock"
        "$home/bin/java" -version 2>/dev/null
        [ ! -e "$folder/$dead" ] || fail "$home: what is left of a dead process stays"
        [ -e "$folder/$locked" ] || fail "$home: removed what another VM has locked"
    ) 9<"$folder/$locked" || exit 1
    "$home/bin/java" -version 2>/dev/null
    [ ! -e "$folder/$locked" ] || fail "$home: what is not locked any more stays"
    cat >"$dir/Locked.java" <<'J'
public class Locked {
    public static void main(String[] a) throws Exception {
        Process p = new ProcessBuilder("flock", "-n", a[0] + "/" + ProcessHandle.current().pid(), "true").start();
        System.out.println(p.waitFor() == 0 ? "not locked" : "locked");
    }
}
J
    "$ref/bin/javac" -d "$dir" "$dir/Locked.java" || fail "javac"
    [ "$("$home/bin/java" -cp "$dir" Locked "$folder")" = locked ] || fail "$home: its own file is not locked"
done
