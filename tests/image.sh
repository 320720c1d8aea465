#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# image.sh JDK IMAGE LIBJVM: make IMAGE a JDK home that runs on LIBJVM.
# Everything is a link to the installed JDK, except:
#   bin/*             real copies: a launcher finds its home through /proc/self/exe, which sees
#                     through links
#   lib/, lib/server/ real folders, so that lib/server/libjvm.so can be ours
set -eu
jdk=$(realpath "$1") image=$2 libjvm=$(realpath "$3")

mkdir -p "$image/bin" "$image/lib/server"
for entry in "$jdk"/*; do
    name=$(basename "$entry")
    case $name in bin | lib) ;; *) ln -sfn "$entry" "$image/$name" ;; esac
done
for entry in "$jdk"/lib/*; do
    name=$(basename "$entry")
    [ "$name" = server ] || ln -sfn "$entry" "$image/lib/$name"
done
ln -sfn "$jdk/lib/server/libjsig.so" "$image/lib/server/libjsig.so"
cp -pu --remove-destination "$jdk"/bin/* "$image/bin/"
# jspawnhelper and the VM are found by path only; a rename keeps running VMs intact. Copies keep their times: by them `graft` sees an old image.
cp -p "$libjvm" "$image/lib/server/libjvm.so.new"
mv -f "$image/lib/server/libjvm.so.new" "$image/lib/server/libjvm.so"
