#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# demo.sh JAVA_HOME AGENT FOLDER [JAVAC]: the README's steps by themselves, in a new folder.
set -u
home=$1 agent=$(realpath "$2") out=$3 javac=${4:-javac}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out/classes" && cp "$here"/Hot*.java "$out" && cd "$out" || exit 1
"$javac" -d classes HotShop.java HotPage.java || exit 1
: >server.out
: >agent.log
"$home/bin/java" "-agentpath:$agent=hook=HotShop.swapped" -cp classes HotShop 0 >server.out 2>agent.log &
server=$!
trap 'kill $server; wait $server 2>/dev/null' EXIT
until_there() { # pattern file
    for i in $(seq 300); do grep -q "$1" "$2" && return; sleep 0.1; done
    echo "no '$1' in $2"; cat "$2"; exit 1
}
page() {
    exec 3<>"/dev/tcp/127.0.0.1/$port" || exit 1
    printf 'GET / HTTP/1.0\r\n\r\n' >&3
    tr -d '\r' <&3 | sed '1,/^$/d'
    exec 3>&-
}
until_there http server.out
port=$(sed -n 's|.*127.0.0.1:\([0-9]*\)/|\1|p' server.out)
page
page
sed -i 's/Welcome, visitor/Nice to see you, number/' HotPage.java
"$javac" -cp classes -d classes HotPage.java
until_there 'new code: HotPage' server.out
page
sed -i 's|^}|    static int added;\n}|' HotPage.java
"$javac" -cp classes -d classes HotPage.java
until_there 'refused.*changed' agent.log
until_there 'field added' agent.log
page
grep -v 'watching' agent.log
