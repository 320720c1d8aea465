# SPDX-License-Identifier: Apache-2.0
# Parts shared by the tests of tools: start_target HOME [options] runs Target with $pid set and its
# standard input open as fd 9; end_target lets it end and checks that it leaves nothing behind.
here=$(cd "$(dirname "$0")" && pwd)
[ -e "$dir/Target.class" ] || "$ref/bin/javac" -d "$dir" "$here"/Target.java "$here"/HprofCheck.java || exit 1

. "$here/../answers.sh"
fail() { echo "$*"; exit 1; }
start_target() {
    local home=$1; shift
    rm -f "$dir/in"; mkfifo "$dir/in"
    "$home/bin/java" "$@" -cp "$dir" "${TARGET:-Target}" <"$dir/in" >"$dir/out" 2>"$dir/err" &
    pid=$!
    exec 9>"$dir/in"
    for _ in $(seq 1200); do
        grep -q ready "$dir/out" && return
        kill -0 $pid 2>/dev/null || break
        sleep 0.1
    done
    cat "$dir/err"; fail "target does not start"
}
end_target() {
    exec 9>&-
    wait $pid || fail "target ends with $?"
    [ "$(tail -1 "$dir/out")" = bye ] || fail "target does not end normally"
    [ ! -e /tmp/.java_pid$pid ] || fail "attach socket left behind"
    [ ! -e "/tmp/hsperfdata_$(id -un)/$pid" ] || fail "hsperfdata file left behind"
}
trap 'kill -9 $pid 2>/dev/null' EXIT
