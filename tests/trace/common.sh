# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the scripts here, in place of jvmti/common.sh, which it reads.
#
#   trace                      the agent
#   fail WORD...               tells what is wrong on the side at hand
#   check WHAT EXPECTED FOUND  two files are equal
#   newer_jdks N               the homes of JDKs of version N or later on this machine, with a java that runs
. "$(dirname "${BASH_SOURCE[0]}")/../jvmti/common.sh"
trace=$(realpath "$BUILD/agents/libgraft-trace.so")
fail() { echo "$side: $*"; failed=1; }
check() {
    diff "$2" "$3" >diff || { echo "$side: $1:"; head -20 diff; failed=1; }
    compared=$((compared + 1))
}
newer_jdks() {
    local home version
    for home in /usr/lib/jvm/*/; do
        home=${home%/}
        [ ! -L "$home" ] && [ -f "$home/release" ] && [ -x "$home/bin/java" ] || continue
        version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")
        [ "${version:-0}" -ge "$1" ] && "$home/bin/java" -version >/dev/null 2>&1 && echo "$home"
    done
}
