#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 1800
#
# Every class of the JDK image and of some jars changed by plans (rt_plans.c). Results for the JDK are verified by
# our verifier; those for the jars, which are of all versions, by that and by the reference VM with -Xverify:all.
# corpus.sh does it for the whole corpus.
#     rt_plans.sh JDK TESTED SCRATCH [PLAN...]
set -u
jdk=$1 scratch=$(realpath -m "$3"); shift 3
plans=${*:-finally calls-frames objects passed ${FULL:+passed-frames entry exits finally-frames latency places places-frames edges edges-frames objects-frames}}
. "$(dirname "$0")/common.sh"
rt_deps
rt_frames
jars=()
for j in groovy clojure eclipse-jdt-core; do [ ! -e /usr/share/java/$j.jar ] || jars+=(/usr/share/java/$j.jar); done
failed=0
for plan in $plans; do
    "$scratch/rt_frames" -v -m "plan-$plan" "$jdk/lib/modules" || failed=1
    [ ${#jars[@]} -gt 0 ] || continue
    "$scratch/rt_frames" -v -m "plan-$plan" -c .jar: -o "$scratch/out" "$jdk/lib/modules" "${jars[@]}" || failed=1
    rt_link LinkEach -cp "$deps" "$scratch"/out/jars/* || failed=1
    rm -rf "$scratch/out"
done
exit $failed
