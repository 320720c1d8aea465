#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# The redefinition matrix with -XX:+EnhancedRedefinition: each case tells what is expected (Matrix.java), cases that do
# otherwise are marked <<<. The floor is what the VM does right today: raise it with the VM.
floor=212
option=-XX:+EnhancedRedefinition
"$2/bin/java" $option -version >"$3/version.out" 2>&1 || { echo "this VM has no $option"; exit 77; }
. "$(dirname "$0")/common.sh"
cases
matrix "$tested" "${MODE_OPTIONS-} $option" enhanced $floor cases "$here"/*.cases >graft.out 2>graft.err
code=$?
grep '<<<' graft.out
tail -1 graft.out
[ $code = 0 ] || { tail -30 graft.err; exit 1; }
