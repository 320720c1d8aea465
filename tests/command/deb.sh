#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# packages: dpkg-dev
#
# make deb: which packages there are, what they depend on; their files work where they are unpacked; with --full, lintian finds nothing.
# tests/packages/run installs them in fresh systems.
command -v dpkg-shlibdeps >/dev/null || { echo "no dpkg-dev"; exit 77; }
. "$(dirname "$0")/common.sh"
root=$(realpath "$here/../..")
rm -rf debs unpacked home; mkdir -p debs unpacked home
make -s -C "$root" deb BUILD="$BUILD" JDK="$jdk" DIST="$scratch/debs" >log 2>&1 || bad "make deb" log
version=$(sed -n 's/^VERSION := //p' "$root/Makefile") abi=$(make -s -C "$root" print-LIB_SONAME | sed 's/libbci.so.//')
of() { dpkg-deb -f debs/"$1"_*.deb "$2"; }
is "packages" "$(cd debs && ls | sed "s/_${version}_.*//" | sort | tr '\n' ' ')" "graft graft-agents graft-dbgsym libbci-dev libbci$abi "
is "graft needs" "$(of graft Depends | sed 's/ ([^)]*)//g')" \
    "libc6, libffi8, zlib1g, graft-agents, openjdk-17-jre-headless | java-runtime-headless"
is "agents need" "$(of graft-agents Depends)" "libc6 (>= 2.27)"
is "libbci-dev needs" "$(of libbci-dev Depends)" "libbci$abi (= $version)"
for deb in debs/*.deb; do dpkg-deb -x "$deb" unpacked; done
is "nothing of the place where it was built" "$(grep -rlF "$root" unpacked --exclude-dir=debug | tr '\n' ' ')" ""
is "only these places" "$(cd unpacked && ls -d */* | tr '\n' ' ')" "usr/bin usr/include usr/lib usr/share "
if [ -n "${FULL-}" ] && command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error,warning debs/*.deb >complaints 2>&1 && good || bad "lintian" complaints 40
fi
alone() { env -i HOME="$scratch/home" PATH="$jdk/bin:/usr/bin:/bin" LC_ALL=C.UTF-8 "$@"; }
check "version" 0 "^graft $version$" -- alone unpacked/usr/bin/graft --version
check "run" 0 "^Graft VM \(build $version," -- alone unpacked/usr/bin/graft run -- java -version
check "coverage" 0 'lines [0-9.]+ % of' -- alone unpacked/usr/bin/graft coverage --output="$scratch/c.dat" -- java -cp classes Target
export PKG_CONFIG_PATH=$(dirname "$(find unpacked -name bci.pc)")
check "pkg-config" 0 "^$version$" -- pkg-config --modversion bci
check "its paths" 0 '' -- sh -c '[ -e "$(pkg-config --variable=includedir bci)/bci.h" ] && [ -e "$(pkg-config --variable=libdir bci)/libbci.a" ]'
finish
