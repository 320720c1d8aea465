#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# make dist: the tarball is unpacked in a folder with a space in its name and runs there, moved as well, with an empty environment; an agent is
# built against it by pkg-config, with the library beside it and inside.
. "$(dirname "$0")/common.sh"
root=$(realpath "$here/../..")
rm -rf "$scratch"/{dist,home,un*,moved}; mkdir -p dist home unpacked\ here
make -s -C "$root" dist BUILD="$BUILD" JDK="$jdk" DIST="$scratch/dist" >log 2>&1 || bad "make dist" log
tarball=$(ls dist/graft-*-linux-*.tar.gz)
is "one file is made" "$(ls dist | wc -l)" 1
tar -xzf "$tarball" -C unpacked\ here || bad "tar"
tree=$(echo "$scratch"/unpacked\ here/*)
is "one folder in it" "$(basename "$tree").tar.gz" "$(basename "$tarball")"
is "nothing of the place where it was built" "$(grep -rlF "$root" "$tree" | sed "s|$tree/||" | tr '\n' ' ')" ""
alone() { env -i HOME="$scratch/home" PATH="$jdk/bin:/usr/bin:/bin" LC_ALL=C.UTF-8 "$@"; }

version=$(sed -n 's/^VERSION := //p' "$root/Makefile")
check "version" 0 "^graft $version$" -- alone "$tree/bin/graft" --version
is "version in its name" "$(basename "$tree" | cut -d- -f2)" "$version"
is "version for pkg-config" "$(PKG_CONFIG_PATH=$tree/lib/pkgconfig pkg-config --modversion bci)" "$version"
is "version of changes" "$(sed -n 's/^## \([^ ]*\).*/\1/p' "$root/docs/CHANGELOG.md" | head -1)" "$version"
check "doctor" 0 '^ok .*version' -- alone "$tree/bin/graft" doctor
check "run" 0 "^Graft VM \(build $version," -- alone "$tree/bin/graft" run -- java -version
has "an image is made at first" '^graft: making an image of .* in .*/home/.cache/graft/' out
check "coverage" 0 'lines [0-9.]+ % of' -- alone "$tree/bin/graft" coverage --output="$scratch/c.dat" -- java -cp classes Target
check "its tool" 0 'total: [1-9]' -- alone "$tree/bin/graft-coverage" report c.dat
for agent in heap hotswap natives trace; do
    check "$agent" 0 'hello 1$' -- alone "$tree/bin/graft" $agent -- java -cp classes Target
done
check "graft-class" 0 'Target' -- alone "$tree/bin/graft-class" dump classes/Target.class
check "manual" 0 'graft coverage' -- man -l "$tree/share/man/man1/graft.1"
check "manual of a tool" 0 '  --html=DIR' -- man -l "$tree/share/man/man1/graft-coverage.1"
for file in LICENSE LICENSE.zlib share/doc/graft/docs/tasks/own-agent.md share/bash-completion/completions/graft share/man/man3/bci.3; do
    [ -s "$tree/$file" ] && good || bad "no $file"
done

mv "$tree" moved && tree=$scratch/moved && ln -sf ../moved/bin/graft home/graft
check "moved, through a link" 0 'Graft' -- alone "$scratch/home/graft" run -- java -version
mkdir -p part/bin part/lib/graft; cp "$tree/bin/graft" part/bin/; echo no library >part/lib/graft/libjvm.so
check "doctor, a VM that does not load" 1 '^problem +vm +libjvm.so: .*/libjvm.so: ' -- alone part/bin/graft doctor

# An agent of one's own.
export PKG_CONFIG_PATH=$tree/lib/pkgconfig
cp "$root"/samples/entries/HelloEntries.java . && "$jdk/bin/javac" -d classes HelloEntries.java || bad "javac"
flags=(-shared -fPIC -I"$jdk/include" -I"$jdk/include/linux")
check "built, beside the library" 0 '' -- sh -c '"$@" $(pkg-config --cflags --libs bci)' . gcc "${flags[@]}" "$root/samples/entries/entries.c" \
    -Wl,-rpath,"$tree/lib" -o libbeside.so
libdir=$(pkg-config --variable=libdir bci)
check "built, with the library inside" 0 '' -- sh -c '"$@" $(pkg-config --cflags bci)' . gcc "${flags[@]}" "$root/samples/entries/entries.c" \
    "$libdir/libbci.a" "$libdir/libclassfile.a" -pthread -o libinside.so
for agent in beside inside; do
    check "$agent" 0 '^[1-9][0-9]* calls in [1-9][0-9]* classes' -- alone java "-agentpath:$scratch/lib$agent.so=Hello*" -cp classes HelloEntries
done
readelf -d libinside.so | grep -q 'NEEDED.*bci' && bad "the library is not inside" || good
finish
