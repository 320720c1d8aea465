#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Exceptions that are pending when a function is called, or left by a callback or an agent's thread.
. "$(dirname "$0")/common.sh"
compile "$here/Pending.java"
mkdir -p more && echo 'public class More { }' >more/More.java && "$jdk/bin/javac" -d more more/More.java &&
    "$jdk/bin/jar" --create --file more.jar -C more More.class || exit 1
quiet() { grep -v 'Posting Resource Exhausted event'; }
same pending filter=quiet -Xshare:off "$(agent agent_pending)" Pending more.jar
# Thread.stop comes to who is inside of a function: it is thrown behind it, by us; the reference's functions take it for an error of their own.
"$tested/bin/java" ${MODE_OPTIONS-} "$(agent agent_pending)" -cp classes -Djava.library.path="$native" Pending stop >stop.out 2>&1
echo "StopThread: java.lang.ArithmeticException: stopped" | diff stop.out - || failed=1
exit $failed
