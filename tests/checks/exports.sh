#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What libjvm.so exports is what exports.def lists, and nothing the JDK's libraries import from it
# is absent without exports.def knowing.
set -u
jvm=$2/lib/server/libjvm.so bad=0
listed=$(sed -n 's/^EXPORT(\(.*\))$/\1/p' vm/jvm/exports.def | sort)
exported=$(nm -D --defined-only "$jvm" | awk '$2 != "A" {sub(/@.*/, "", $3); print $3}' | sort)
unlisted=$(comm -13 <(echo "$listed") <(echo "$exported"))
[ -z "$unlisted" ] || { echo "exported but not in exports.def:" $unlisted; bad=1; }
imported=$(for lib in "$1"/lib/*.so; do nm -D --undefined-only "$lib"; done | awk '{print $2}' |
    grep SUNWprivate_1.1 | sed 's/@.*//' | grep -E '^(JVM_|JNI_|jio_)' | sort -u)
absent=$(comm -23 <(echo "$imported") <(echo "$exported"))
[ -z "$absent" ] || { echo "imported by the JDK's libraries but not defined:" $absent; bad=1; }
exit $bad
