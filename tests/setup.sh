#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# setup.sh WHAT...: see that what `build`, `check`, `demo`, `bench`, `fuzz`, `deb`, `pictures`, `packages`, `apps` or `corpus` needs is installed
# (`apps`: the packages that the scripts of tests/apps, command, hotswap and pages name, also those which `check` leaves out; `corpus`: the jars of
# tests/roundtrip/corpus.txt).
# As root it installs what is missing; otherwise it prints the one line to run and fails.
# It also fetches the source trees that tests compile (tests/sources.sh), which needs no root.
set -u
cd "$(dirname "$0")/.."

build="gcc make openjdk-17-jdk-headless libffi-dev zlib1g-dev libcmocka-dev"
demo="xz-utils"
bench="xz-utils python3 libzip-dev libasm-java libjacoco-java"
fuzz="clang"
deb="dpkg-dev"
pictures="chromium imagemagick fonts-dejavu-core"
packages="debootstrap lintian"
check="$demo libzip-dev ecj libeclipse-jdt-core-java clang-format-14 git procps python3 g++ pkg-config visualvm libh2-java libhsqldb-java libjacoco-java
    libcommons-lang3-java libcommons-math3-java binutils-aarch64-linux-gnu dpkg-dev"
packages_of() { sed -n 's/^# packages: //p' "$@" | tr '\n' ' '; }
check+=" $(packages_of $(grep -L '^# extent: suite' tests/apps/*.sh tests/stress/*.sh tests/pages/*.sh))"
apps=$(packages_of tests/{apps,command,hotswap,pages}/*.sh)
corpus="$(grep -v '^#' tests/roundtrip/corpus.txt | cut -d' ' -f2 | tr '\n' ' ')"

wanted=
for what in "$@"; do wanted+=" ${!what}"; done
missing=
for package in $(tr ' ' '\n' <<<"$wanted" | sort -u); do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)
    [ "$state" = installed ] || missing+=" $package"
done

if [ -n "$missing" ]; then
    line="apt-get update && apt-get install -y --no-install-recommends$missing"
    if [ "$(id -u)" != 0 ]; then
        echo "Some Debian packages are missing. Please run:"
        echo "  sudo sh -c '$line'"
        exit 1
    fi
    echo "installing:$missing"
    DEBIAN_FRONTEND=noninteractive sh -c "$line" >/tmp/graft-apt.$$ 2>&1 || {
        cat /tmp/graft-apt.$$; echo "apt-get failed; the line was: $line"; exit 1
    }
    rm -f /tmp/graft-apt.$$
fi

case " $* " in *" check "* | *" demo "* | *" bench "*) exec tests/sources.sh ;; esac
