# SPDX-License-Identifier: Apache-2.0
#
# Parts of the round-trip tests, which source this: programs to build, jars to read, classes to link. Wants jdk and scratch.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) top=$(cd "$here/../.." && pwd)
mkdir -p "$scratch"
. "$here/../answers.sh"

# rt_build PROGRAM SOURCE...: into the scratch folder, with both libraries.
rt_build() {
    local out=$1; shift
    (cd "$here" && "${CC:-gcc}" -std=gnu11 -O2 ${SANITIZE-} -Wno-unused-parameter -I"$top/bci-lib" -I"$top/classfile" \
        -I"$top/classfile/base" "$@" world.c corpus.c "$BUILD/libbci.a" "$BUILD/libclassfile.a" -lzip -lz -o "$scratch/$out") || exit 1
}
rt_frames() { rt_build rt_frames rt_frames.c rt_plans.c archive.c; }

# The jars of make check: those of its packages that are here.
rt_jars() { # at most $1
    local j
    jars=()
    for j in commons-lang3 commons-math3 clojure groovy h2 hsqldb guava eclipse-jdt-core; do
        [ ! -e /usr/share/java/$j.jar ] || [ ${#jars[@]} -ge "$1" ] || jars+=(/usr/share/java/$j.jar)
    done
}

# rt_patch DIR: the options that put what DIR has, archives and folders named like modules, in front of those modules.
rt_patch() {
    local m name
    declare -A paths=()
    for m in "$1"/*; do
        name=$(basename "$m" .jar)
        paths[$name]+=${paths[$name]:+:}$m # of one module the folder comes first
    done
    patches=(--add-modules ALL-SYSTEM)
    for m in $(printf '%s\n' "${!paths[@]}" | LC_ALL=C sort); do patches+=(--patch-module "$m=${paths[$m]}"); done
}
# The class all probes of rt_plans.c are in, for the folder DIR/java.base of a patched JDK.
rt_probe() {
    mkdir -p "$1/java.base"
    "$jdk/bin/javac" --patch-module java.base="$here" -d "$1/java.base" "$here/BootProbe.java" >"$scratch/err" 2>&1 ||
        { cat "$scratch/err"; return 1; }
}

# rt_link OPTION... LinkEach ARG...: the reference VM verifies everything it is given; the same bytes once (with -odd, which
# writes a file, always).
rt_link() {
    local answer_inputs= word
    [ -e "$scratch/LinkEach.class" ] || "$jdk/bin/javac" -d "$scratch" "$here/LinkEach.java" || return 1
    [[ " $* " != *" -odd "* ]] || { rt_ask_link "$@"; return; }
    for word in "$@"; do case ${word#*=} in "$scratch"/*) answer_inputs+=" $(tr : ' ' <<<"${word#*=}")" ;; esac; done
    kept link -- rt_ask_link "$@"
}
rt_ask_link() {
    (cd "$scratch" && exec "$jdk/bin/java" -Xverify:all -Xshare:off -XX:TieredStopAtLevel=1 -cp "$scratch" "$@") \
        2>"$scratch/err" || { grep -v -e '^WARNING' -e deprecated "$scratch/err" | head -5; return 1; }
}
# Class path for what jars need: all jars, each once.
rt_deps() { deps=$(realpath /usr/share/java/*.jar | sort -u | tr '\n' ':'); }

# progress TEXT: what is going on, for somebody at a terminal.
progress() { [ -z "${TTY-}" ] || printf '\r\033[K%s' "$*" >/dev/tty 2>/dev/null || :; }
