#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a disposed environment had set is gone, what others set stays; a request for a frame that was popped goes with it.  Only here: the reference gives these
# capabilities to one environment at a time and leaves its requests in place.
. "$(dirname "$0")/common.sh"
compile "$here/Dispose.java"
"$tested/bin/java" ${MODE_OPTIONS-} -cp classes -Djava.library.path="$native" "$(agent agent_dispose)" Dispose >graft.out 2>&1
diff - graft.out <<'END' || failed=1
1
== both
request 1: NONE NONE NONE NONE
request 2: NONE NONE NONE NONE
  breakpoint 1
  breakpoint 2
  get 1
  get 2
  set 1 to 2
  set 2 to 2
2
  pop 1
  pop 2
== first goes
request 1: DUPLICATE DUPLICATE DUPLICATE NONE
request 2: DUPLICATE DUPLICATE DUPLICATE NONE
dispose 1: NONE
again: INVALID_ENVIRONMENT
  breakpoint 2
  get 2
  set 2 to 3
3
  pop 2
== second alone
  breakpoint 2
  get 2
  set 2 to 4
4
dispose 2: NONE
again: INVALID_ENVIRONMENT
== none
5
== new one
request 2: NONE NONE NONE NONE
  breakpoint 2
  get 2
  set 2 to 6
6
  pop 2
request 1: NONE NONE NONE NONE
== popped
  breakpoint 2
  popped: NONE
  asked for: NONE
  breakpoint 1
  breakpoint 2
  breakpoint 1
  asked for: NONE
  get 2
  get 1
  set 2 to 7
  set 1 to 7
  pop 1
7
  pop 1
END
echo "$(wc -l <graft.out) lines"
exit $failed
