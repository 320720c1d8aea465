#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# com.sun.net.httpserver in one process, java.net.http in another; then each side against HotSpot.
. "$(dirname "$0")/common.sh"
prepare "$here/HttpApp.java"
pair() { # server home, client home
    rm -f port
    "$1/bin/java" $O -cp "$work/classes" HttpApp serve port >server.out 2>&1 &
    local server=$! i
    for i in $(seq 1200); do [ -e port ] && break; sleep 0.1; done
    [ -e port ] || { kill $server; echo "server did not start"; return 1; }
    "$2/bin/java" $3 -cp "$work/classes" HttpApp client "$(cat port)"
    local code=$?
    [ $code = 0 ] || kill $server
    wait $server || code=1
    cat server.out; rm -f port server.out
    return $code
}
both() { pair "$1" "$1" "$O"; }
server_only() { pair "$1" "$ref" ""; }
client_only() { local o=$O; O=; pair "$ref" "$1" "$o"; }
compare both
compare server_only
compare client_only
