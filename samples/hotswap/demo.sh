#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# demo.sh JAVA_HOME AGENT FOLDER [JAVAC]: the README's steps by themselves, in a new folder. SHOW=1: tells what it does, and how
# long it takes from the compiler's last byte to the new page.
set -u
home=$(realpath "$1") agent=$(realpath "$2") out=$3 javac=${4:-javac}
here=$(cd "$(dirname "$0")" && pwd)
show() { [ -z "${SHOW-}" ] || echo "$@"; }
ms() { echo $(($(date +%s%N) / 1000000)); }
mkdir -p "$out/classes" && cp "$here"/Hot*.java "$out" && cd "$out" || exit 1
"$javac" -d classes HotShop.java HotPage.java || exit 1
: >server.out
: >agent.log
"$home/bin/java" "-agentpath:$agent=hook=HotShop.swapped" -cp classes HotShop 0 >server.out 2>agent.log &
server=$!
trap 'kill $server; wait $server 2>/dev/null' EXIT
until_there() { # pattern file
    for i in $(seq 3000); do grep -q "$1" "$2" && return; sleep 0.01; done
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
show "--- the server runs; two requests:"
page
page
show "--- HotPage.java is edited and compiled; the next request:"
sed -i 's/Welcome, visitor/Nice to see you, number/' HotPage.java
"$javac" -cp classes -d classes HotPage.java
compiled=$(ms)
until_there 'new code: HotPage' server.out
page
show "--- $(($(ms) - compiled)) ms after the compiler had ended; then a field is added to HotPage.java:"
sed -i 's|^}|    static int added;\n}|' HotPage.java
"$javac" -cp classes -d classes HotPage.java
until_there 'field added' agent.log
page
show "--- what the agent said:"
grep -v -e 'watching' -e 'this VM takes' agent.log
