#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The image, -XXaltjvm and JDK_ALTERNATE_VM all start Graft, and -version says so.
. "$(dirname "$0")/common.sh"
server=$(realpath "$jvm/lib/server")
bad=0
see() { # what, command...
    local what=$1; shift
    "$@" >"$work/out" 2>&1 || { echo "$what: exit code $?"; head -5 "$work/out"; bad=1; }
    grep -qi graft "$work/out" || { echo "$what does not name Graft:"; head -5 "$work/out"; bad=1; }
}
see image "$jvm/bin/java" -version
see image--version "$jvm/bin/java" --version
see altjvm "$ref/bin/java" -XXaltjvm="$server" -version
see JDK_ALTERNATE_VM env JDK_ALTERNATE_VM="$server" "$ref/bin/java" -version
see vm.name "$jvm/bin/java" -XshowSettings:properties -version
JDK_ALTERNATE_VM=$server "$ref/bin/javac" -version | grep -q '^javac 17' || { echo "javac through JDK_ALTERNATE_VM"; bad=1; }
exit $bad
