#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
#
# What browsers get on the command port: events of swaps, refusals and failed compilations, and the script that listens; pages of other
# machines, names that lead here from elsewhere, and commands inside of requests get nothing.
. "$(dirname "$0")/common.sh"
http() { # request lines as one printf format: prints status line, CORS header and body
    exec 7<>"/dev/tcp/127.0.0.1/$port"
    printf "$1" >&7
    timeout 5 cat <&7 | tr -d '\r' | sed -n '1p; /^Access/p; /^$/,$p'
    exec 7>&-
}
expect() { # what request pattern
    local answer; answer=$(http "$2")
    [[ $answer == $3 ]] || fail "$1: $answer"
    compared=$((compared + 1))
}
event() { # pattern, on descriptor 8
    local line
    while IFS= read -r -t 60 -u 8 line; do
        line=${line%$'\r'}
        if [[ $line == $1 ]]; then compared=$((compared + 1)); return; fi
    done
    fail "no event '$1'"
}
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    base $side
    server "structural=off,sources=$src,reload=*.html:*.css,port=0"
    await 'commands on 127.0.0.1:[0-9]*$'
    port=$(sed -n 's/.*commands on 127.0.0.1:\([0-9]*\)$/\1/p' "$log")
    host="Host: localhost:$port\r\n"
    expect script "GET /reload.js HTTP/1.1\r\n$host\r\n" 'HTTP/1.1 200 OK*new EventSource*location.reload*'
    expect 'a page of this machine' "GET /reload.js HTTP/1.1\r\n${host}Origin: http://shop.localhost:8080\r\n\r\n" \
        $'HTTP/1.1 200 OK\nAccess-Control-Allow-Origin: http://shop.localhost:8080\n*'
    for origin in http://example.com https://localhost.example.com http://127.0.0.1.example.com null http://localhost:80x file://; do
        expect "origin $origin" "GET /events HTTP/1.1\r\n${host}Origin: $origin\r\n\r\n" 'HTTP/1.1 403 *'
    done
    expect 'a foreign name' "GET /events HTTP/1.1\r\nHost: example.com\r\n\r\n" 'HTTP/1.1 403 *'
    expect 'no name' "GET /events HTTP/1.1\r\n\r\n" 'HTTP/1.1 403 *'
    expect 'not found' "GET /etc/passwd HTTP/1.1\r\n$host\r\n" 'HTTP/1.1 404 *'
    expect 'a command in a body' "POST / HTTP/1.1\r\n${host}Origin: http://localhost\r\nContent-Length: 7\r\n\r\nstatus\r\n" 'HTTP/1.1 405 *'
    expect 'a command in a header' "GET /x HTTP/1.1\r\n${host}status\r\n\r\nstatus\n" 'HTTP/1.1 404 *'
    [[ $(http "POST /x HTTP/1.1\r\n${host}\r\nstatus\nstatus\n") != *'"ok"'* ]] || fail "a command after a request was answered"
    [[ $(http '\x16\x03\x01\nstatus\n') != *'"ok"'* ]] || fail "a command inside of another protocol was answered"

    exec 8<>"/dev/tcp/127.0.0.1/$port"
    printf "GET /events HTTP/1.1\r\n${host}Origin: http://localhost\r\n\r\n" >&8
    event 'HTTP/1.1 200 OK'
    event 'Content-Type: text/event-stream*'
    event 'Access-Control-Allow-Origin: http://localhost'
    event 'retry: *'
    greeter Hi
    event 'event: swap'
    event 'data: {"ok":true,"swapped":\["Greeter"\],*'
    greeter Hi '' 'public class Greeter implements Cloneable'
    event 'event: refused'
    event 'data: {"ok":false,"swapped":\[\],"refused":\[{"class":"Greeter","reason":"interface added*'
    greeter Hi 'int x = "";'
    event 'event: failure'
    event 'data: {"text":"*Greeter.java:3: error: incompatible types*'
    # files that pages are made of, but not others
    mkdir -p "$dir/static"; sleep 0.5
    echo x >"$dir/static/other.txt"; echo x >"$dir/static/page.html"
    event 'event: swap'
    event 'data: {"ok":true,"swapped":\[\],*,"files":\["'"$dir"'/static/page.html"\],"unchanged"*'
    printf 'status\n' >&8
    greeter Ho
    event 'event: swap'
    exec 8>&-
    # listeners that go away, or do not read, are dropped; commands are still answered
    for i in 1 2 3; do exec 8<>"/dev/tcp/127.0.0.1/$port"; printf "GET /events HTTP/1.1\r\n${host}\r\n" >&8; exec 8>&-; done
    greeter Hu
    await 'Greeter: changed: greet(String)'
    expect status 'status\n' '{"ok":true,"swaps":*'
    stop
    [ $side = graft ] || settle
done
finish
