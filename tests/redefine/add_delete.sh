#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# -XX:+AllowRedefinitionToAddDeleteMethods, as on the reference: private methods that are static or final come and go, others do not;
# without the option none does.
set -u
jdk=$1 tested=$2 scratch=$3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$scratch" && cd "$scratch" || exit 1
version() { # folder, body of the class
    mkdir -p "$1"
    echo "public class T { final int n; T(int n) { this.n = n; } $2 }" >"$1/T.java"
    "$jdk/bin/javac" -d "$1" "$1/T.java" || exit 1
}
version v1 'String answer() { return "one " + n; } private static int helper() { return 1; }'
version v2 'String answer() { return "two " + helper() + extra() + own(); } private static int helper() { return 1; }
    private static String extra() { return " extra "; } private final int own() { return n + 1; }'
version v3 'String answer() { return "three " + own(); } private final int own() { return n + 2; }'
version v4 'String answer() { return "four"; } private final int own() { return n; } private int plain() { return 1; }'
version v5 'String answer() { return "five"; } private final int own() { return n; } static int open() { return 1; }'
version v6 'private final int own() { return n; }'
version v7 'String answer() { return "seven"; } private final int own() { return n; } private static int g; private static int more() { return g; }'
version v8 'public String answer() { return "eight"; } private static int more() { return 1; }'
version v9 'String answer() { Runnable r = () -> { }; return "nine " + (r != null); }'
"$jdk/bin/javac" -cp v1 -d classes "$here/methods/AddDelete.java" || exit 1
cp v1/T.class classes
printf 'Premain-Class: AddDelete\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n' >manifest
"$jdk/bin/jar" cfm agent.jar manifest -C classes . || exit 1
. "$here/../answers.sh"
for option in -XX:+AllowRedefinitionToAddDeleteMethods -XX:-AllowRedefinitionToAddDeleteMethods; do
    versions="v2 v3 v4 v5 v6 v7 v8 v9 v1 v2" # without it, of several differences the reference names any
    [ $option = -XX:+AllowRedefinitionToAddDeleteMethods ] || versions=v2
    for home in "$jdk" "$tested"; do
        out=got
        [ "$home" != "$jdk" ] || { out=expected; ! settled expected$option || continue; }
        timeout 180 "$home/bin/java" -Xshare:off $option -javaagent:agent.jar -cp classes AddDelete $versions >$out$option 2>&1
        echo "exit $?" >>$out$option
        [ "$home" != "$jdk" ] || settle
    done
    diff expected$option got$option || { echo "^ $option: < reference, > here"; failed=1; }
done
grep -q '^v2: done' expected-XX:+* && ! grep -q '^v2: done' expected-XX:-* || { echo "the option does nothing on the reference"; exit 1; }
exit ${failed-0}
