# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the scripts here: NAME.sh REFERENCE_JDK TESTED_JDK SCRATCH_FOLDER
# They run programs on the debug build under an interleaving of threads (vm/core/schedule.h).
#
#   compile FILE...             javac into classes/
#   scheduled RULES WORD...     java WORD... on the debug build with GRAFT_SCHEDULE=RULES
set -u
jdk=$1 scratch=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
native=$BUILD/tests/native
[ -x "$DEBUG_IMAGE/bin/java" ] || { echo "no debug build (make MODE=debug image)"; exit 77; }
mkdir -p "$scratch/classes" && cd "$scratch" || exit 1

compile() { "$jdk/bin/javac" -nowarn -g -d classes "$@" || exit 1; }
scheduled() {
    local rules=$1; shift
    GRAFT_SCHEDULE=$rules "$DEBUG_IMAGE/bin/java" -cp classes -Djava.library.path="$native" "$@"
}
