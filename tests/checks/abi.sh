#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The binary interface of libbci.so is the recorded one (abi.txt): exported functions with their types, sizes and offsets of the public structs, values
# of constants. Nothing recorded may change or go while the soname stays; what is new is recorded by `tests/checks/abi.sh --write`, which
# records a change only if the soname is another one. Programs that were built before must run with the library of today.
set -u
cd "$(dirname "$0")/../.."
record=$PWD/tests/checks/abi.txt write=
if [ "${1-}" = --write ]; then write=1 jdk=${JDK:-/usr/lib/jvm/java-17-openjdk-amd64} scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
else jdk=$1 scratch=$3; fi
[ "$(uname -m)" = x86_64 ] || { echo "the record is that of x86_64"; exit 0; }
headers=$(make -s print-PUBLIC_HEADERS | tr ' ' '\n' | grep '\.h$')
soname=$(make -s print-LIB_SONAME)

{
    for h in $headers; do echo "#include \"$h\""; done
    echo 'const void *const all_exports[] = {'
    sed -n 's/^EXPORT(\(.*\))$/    (const void *)\&\1,/p' bci-lib/bci_exports.def
    echo '};'
} >"$scratch/abi.c"
gcc -std=gnu11 -g -fno-eliminate-unused-debug-types -I. -Ibci-lib -Iclassfile -Iclassfile/base -I"$jdk/include" -I"$jdk/include/linux" \
    -c "$scratch/abi.c" -o "$scratch/abi.o" || exit 1
readelf --debug-dump=info "$scratch/abi.o" 2>/dev/null | python3 tests/checks/abi.py "$soname" >"$scratch/abi.txt" || exit 1
exports=$(grep -c ^EXPORT bci-lib/bci_exports.def) seen=$(grep -cE '^(function|data) ' "$scratch/abi.txt")
[ "$exports" = "$seen" ] || { echo "$exports exports, but $seen of them seen in the headers"; exit 1; }

LC_ALL=C sort "$record" >"$scratch/before" 2>/dev/null; LC_ALL=C sort "$scratch/abi.txt" >"$scratch/now"
if grep -qxF "soname $soname" "$scratch/before"; then
    gone=$(LC_ALL=C comm -23 "$scratch/before" "$scratch/now")
    # A new field makes a struct larger, or lies in what was padding: whoever was built before leaves rubbish there, or nothing.
    grown=$(LC_ALL=C comm -13 "$scratch/before" "$scratch/now" | sed -nE 's/^((struct|union) [A-Za-z0-9_]+) at .*/\1:/p' | sort -u | grep -Ff - "$scratch/before" | grep -E ' bytes$')
else
    gone= grown=
    echo "soname $soname is new"
fi
if [ -n "$gone$grown" ]; then
    printf '%s\n' "$gone" "$grown" | sort -u | grep . | head -20
    echo "these were in $soname and are no more, or not as they were: what uses them breaks. Add to the end (functions, constants; a"
    echo "struct cannot grow, make another one), or bump the version: a new MINOR in the Makefile (MAJOR, from 1.0.0 on)."
    exit 1
fi
cmp -s "$record" "$scratch/abi.txt" && exit 0
[ -z "$write" ] || { cp "$scratch/abi.txt" "$record"; echo "recorded"; exit 0; }
diff "$record" "$scratch/abi.txt" | head -20
echo "this is new and not recorded yet: tests/checks/abi.sh --write, and a line in docs/CHANGELOG.md"
exit 1
