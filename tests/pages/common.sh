# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the scripts here, NAME.sh REFERENCE_JDK TESTED_JDK SCRATCH_FOLDER: does what docs/tasks/NAME.md, or $text, tells a reader, word by word,
# with the commands of the build in front of PATH as after an installation (page.py). `JAVA` of the reader is the reference.
set -u
page=$(basename "$0" .sh) here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
for p in ${needs-}; do [ -e "$p" ] || { echo "no $p"; exit 77; }; done
mkdir -p "$3/home" && scratch=$(cd "$3" && pwd) || exit 1
export JAVA_HOME=$1 GRAFT_IMAGE=$2 HOME=$scratch/home XDG_CACHE_HOME=$scratch/home/cache NO_COLOR=1 PAGER=cat LC_ALL=C.UTF-8
export GIT_AUTHOR_NAME=Reader GIT_AUTHOR_EMAIL=reader@example.org GIT_COMMITTER_NAME=Reader GIT_COMMITTER_EMAIL=reader@example.org
PATH=$(realpath "$BUILD/bin"):$JAVA_HOME/bin:$PATH
unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS
# What a page compiles against is installed as a user would have it.
installed() {
    (cd "$top" && make -s install-lib BUILD="${BUILD#"$PWD"/}" JDK="$JAVA_HOME" PREFIX="$scratch/given") >log 2>&1 || { tail log; return 1; }
    export PKG_CONFIG_PATH=$PWD/lib/pkgconfig LD_LIBRARY_PATH=$PWD/lib
}
[ -z "${before-}" ] || { mkdir -p "$scratch/given" && cd "$scratch/given" && eval "$before"; } || exit 1
cd "$scratch" && exec python3 "$here/page.py" "$here/../../${text:-docs/tasks/$page.md}" "$scratch"
