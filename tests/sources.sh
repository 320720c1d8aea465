#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# sources.sh: real Java source trees for tests, from Debian, into build/sources:
#   jdk/MODULE/...      the JDK's own sources (package openjdk-17-source)
#   lang3/  math3/      main sources of commons-lang3 and commons-math3
# Fetched with a private apt state, so neither root nor a deb-src line is needed, and nothing on
# the system changes (installing openjdk-17-source could upgrade the JDK under test).
set -eu
cd "$(dirname "$0")/.."
out=$PWD/build/sources
[ -e "$out/done" ] && exit 0
rm -rf "$out"
mkdir -p "$out/tmp/state/lists/partial" "$out/tmp/cache/archives/partial"
cd "$out/tmp"

keys=/usr/share/keyrings/debian-archive-keyring.gpg
release=$(. /etc/os-release; echo "${VERSION_CODENAME:-bookworm}")
for kind in deb deb-src; do
    echo "$kind [signed-by=$keys] http://deb.debian.org/debian $release main"
    echo "$kind [signed-by=$keys] http://deb.debian.org/debian-security $release-security main"
done > sources.list
apt() {
    apt-get -qq -o Dir::State="$PWD/state" -o Dir::State::status=/var/lib/dpkg/status \
        -o Dir::Cache="$PWD/cache" -o Dir::Etc::sourcelist="$PWD/sources.list" \
        -o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User=root \
        -o Acquire::Languages=none "$@"
}
echo "fetching Java source trees into build/sources"
apt update
apt download openjdk-17-source
apt source --download-only --tar-only libcommons-lang3-java libcommons-math3-java

dpkg-deb -x openjdk-17-source_*.deb deb
mkdir "$out/jdk"
(cd "$out/jdk" && "${JDK:-/usr/lib/jvm/java-17-openjdk-amd64}/bin/jar" xf "$(find ../tmp/deb -name src.zip -type f)" \
    java.base java.compiler jdk.compiler java.xml java.sql java.logging)
for name in lang3 math3; do
    mkdir "$name"
    tar xf ./*commons-"$name"*.orig.tar.* -C "$name" --strip-components=1
    mkdir "$out/$name"
    cp -r "$name/src/main/java/org" "$out/$name/"
done
cd "$out"
rm -rf tmp
touch done
