#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What libjvm.so exports is exactly what exports.def lists, all under the version node the JDK asks for,
# and everything the JDK's libraries import from it is there.
set -u
jvm=$2/lib/server/libjvm.so bad=0
listed=$(sed -n 's/^EXPORT(\(.*\))$/\1/p' vm/jvm/exports.def | sort)
[ -e "$jvm" ] || { echo "no $jvm"; exit 1; }
exported=$(nm -D --defined-only "$jvm" | awk '$2 != "A" {sub(/@.*/, "", $3); print $3}' | sort)
unlisted=$(comm -13 <(echo "$listed") <(echo "$exported"))
[ -z "$unlisted" ] || { echo "exported but not in exports.def:" $unlisted; bad=1; }
undefined=$(comm -23 <(echo "$listed") <(echo "$exported"))
[ -z "$undefined" ] || { echo "in exports.def but not exported:" $undefined; bad=1; }
unversioned=$(nm -D --defined-only "$jvm" | awk '$2 != "A" {print $3}' | grep -v '@@SUNWprivate_1.1$')
[ -z "$unversioned" ] || { echo "without the version node:" $unversioned; bad=1; }
imported=$(for lib in "$1"/lib/*.so; do nm -D --undefined-only "$lib"; done | awk '{print $2}' |
    grep SUNWprivate_1.1 | sed 's/@.*//' | grep -E '^(JVM_|JNI_|jio_)' | sort -u)
absent=$(comm -23 <(echo "$imported") <(echo "$exported"))
[ -z "$absent" ] || { echo "imported by the JDK's libraries but not defined:" $absent; bad=1; }
exit $bad
