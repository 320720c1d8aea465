#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# libjvm.so exports exactly what the reference's does, but for the tables that its serviceability agent reads and what
# libnuma calls; all under the version node the JDK asks for, and everything the JDK's libraries import from it is there.
set -u
jvm=$2/lib/server/libjvm.so bad=0
[ -e "$jvm" ] || { echo "no $jvm"; exit 1; }
exports() { nm -D --defined-only "$1" | awk '$2 != "A" {sub(/@.*/, "", $3); print $3}' | sort; }
exported=$(exports "$jvm")
reference=$(exports "$1/lib/server/libjvm.so" | grep -vE '^(gHotSpot|numa_(error|warn)$)')
[ "$exported" = "$reference" ] || { diff <(echo "$reference") <(echo "$exported"); bad=1; }
unversioned=$(nm -D --defined-only "$jvm" | awk '$2 != "A" {print $3}' | grep -v '@@SUNWprivate_1.1$')
[ -z "$unversioned" ] || { echo "without the version node:" $unversioned; bad=1; }
imported=$(for lib in "$1"/lib/*.so; do nm -D --undefined-only "$lib"; done | awk '{print $2}' |
    grep SUNWprivate_1.1 | sed 's/@.*//' | grep -E '^(JVM_|JNI_|jio_)' | sort -u)
absent=$(comm -23 <(echo "$imported") <(echo "$exported"))
[ -z "$absent" ] || { echo "imported by the JDK's libraries but not defined:" $absent; bad=1; }
exit $bad
