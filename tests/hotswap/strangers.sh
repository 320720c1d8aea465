#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# The command channel answers the user whose program it is and nobody else, on the port as on the socket.
[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || { echo "becoming another user needs root and setpriv"; exit 77; }
. "$(dirname "$0")/common.sh"
talk='exec 7<>"/dev/tcp/127.0.0.1/$1"; echo status >&7; read -r -t 10 -u 7 line; echo "[$line]"'
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    base $side
    sock=$scratch/$side.sock
    server "port=0,socket=$sock,auto=off"
    await 'commands on 127.0.0.1:[0-9]*$'
    port=$(sed -n 's/.*commands on 127.0.0.1:\([0-9]*\)$/\1/p' "$log")
    own=$(bash -c "$talk" talk "$port")
    stranger=$(setpriv --reuid=65534 --regid=65534 --clear-groups bash -c "$talk" talk "$port" 2>/dev/null)
    case $own in '[{"ok":true,'*) ;; *) fail "no answer to its own user: $own" ;; esac
    [ "$stranger" = '[]' ] || fail "a stranger was answered: $stranger"
    [ "$(stat -c %a "$sock")" = 600 ] || fail "the socket's mode is $(stat -c %a "$sock")"
    exec 7<>"/dev/tcp/127.0.0.1/$port"; echo status >&7; read -r -t 10 -u 7 line
    [ -n "$line" ] || fail "no answer after the stranger"
    exec 7>&-
    stop
    [ $side = graft ] || settle
done
exit $failed
