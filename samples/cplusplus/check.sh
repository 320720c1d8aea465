#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# Built as a user would, with the installed library and pkg-config's flags; the class it writes runs on both VMs.
set -u
jdk=$1 tested=$2 scratch=$3 root=$3/root failed=0
here=$(cd "$(dirname "$0")" && pwd)
command -v "${CXX:-g++}" >/dev/null || { echo "no C++ compiler"; exit 77; }
(cd "$here/../.." && make -s install-lib BUILD="${BUILD#"$PWD"/}" JDK="$jdk" PREFIX="$root") >"$scratch/log" 2>&1 || { tail "$scratch/log"; exit 1; }
export PKG_CONFIG_PATH=$root/lib/pkgconfig
flags=$(pkg-config --cflags --libs bci) || exit 1
# shellcheck disable=SC2086
"${CXX:-g++}" -std=c++17 -Wall -Wextra -pedantic -Werror "$here/callers.cpp" $flags -Wl,-rpath,"$root/lib" -o "$scratch/callers" || exit 1
cat >"$scratch/Main.java" <<'J'
class Probe { static int n; static void hit() { n++; } }
class Main {
    static int twice(int k) { return Math.abs(k) + k; }
    public static void main(String[] a) { System.out.println(twice(21) + " " + Probe.n); }
}
J
"$jdk/bin/javac" -d "$scratch" "$scratch/Main.java" || exit 1
got=$("$scratch/callers" "$scratch/Main.class" "$scratch/Main.new")
[[ $got == *"twice -> java/lang/Math.abs(I)I"* ]] || { echo "$got"; failed=1; }
mv "$scratch/Main.new" "$scratch/Main.class"
for java in "$jdk" "$tested"; do
    got=$("$java/bin/java" -Xverify:all -cp "$scratch" Main 2>&1)
    [ "$got" = "42 2" ] || { echo "$java: $got"; failed=1; }
done
exit $failed
