#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# extent: suite
#
# HotswapAgent, unmodified (HOTSWAP_AGENT_JAR=FILE: core with its proxy plugin, built): a class changes twice on disk while it runs.  As the
# reference both changes are refused with the same log; with -XX:+EnhancedRedefinition both are taken and the state is kept.  See README.md.
set -u
jdk=$1 tested=$2 scratch=$3
jar=${HOTSWAP_AGENT_JAR:-}
[ -f "$jar" ] || { echo "HOTSWAP_AGENT_JAR names no file"; exit 77; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$scratch" && cd "$scratch" || exit 1
version() { mkdir -p $1; echo "public class Thing { $2 }" >$1/Thing.java; "$jdk/bin/javac" -d $1 $1/Thing.java || exit 1; }
version v1 'String say() { return "one " + ++n; } int n;'
version v2 'String say() { java.util.function.Supplier<String> s = () -> "two"; return s.get() + (n > 0); } int n;'
version v3 'static int added = 7; enum E { X } int n;
    String say() { return "three " + added + E.X + new Object() { public String toString() { return "anon"; } } + (n > 0); }'
"$jdk/bin/javac" -cp v1 -d base "$here/Live.java" || exit 1
await() { local i; for ((i = 0; i < $3; i++)); do grep -q "$1" "$2" && return; sleep 0.2; done; }
run() { # name home word...
    local name=$1 home=$2 pid; shift 2
    rm -rf cp.$name && cp -r base cp.$name && cp v1/*.class cp.$name && printf 'autoHotswap=true\n' >cp.$name/hotswap-agent.properties
    "$home/bin/java" "$@" --add-opens=java.base/java.lang=ALL-UNNAMED -javaagent:"$jar" -cp cp.$name Live 60 >$name.out 2>&1 & pid=$!
    await '^one' $name.out 300; sleep 2
    cp v2/*.class cp.$name; await '^two\|Unable to redefine' $name.out 100; sleep 3
    cp v3/*.class cp.$name
    wait $pid; echo "exit $?" >>$name.out
    sed -E 's/[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]+/T/; s/"Thread-[0-9]+"/"Thread"/; s/@[0-9a-f]{4,}/@/g' $name.out >$name.text
}
run reference "$jdk" -Xshare:off
run plain "$tested"
run unlimited "$tested" -XX:+EnhancedRedefinition
diff <(sort reference.text) <(sort plain.text) || { echo "^ without the option: < reference, > here"; failed=1; }
printf '%s\n' 'one' 'twotrue' 'three 7Xanontrue' 'seen 3' 'exit 0' | diff - <(grep -E '^(one|two|three|seen|exit)' unlimited.text | sed 's/^one .*/one/') ||
    { echo "^ with it: < expected, > here"; failed=1; }
exit ${failed-0}
