#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# All questions about classes, methods and fields: the dump must be the same for classes of the
# application and for some of java.base.
. "$(dirname "$0")/common.sh"
compile "$here/Classes.java"
boot=java.lang.Object,java.lang.Integer,java.util.HashMap,java.util.AbstractList,java.lang.Comparable,java.util.BitSet
boot=$boot,java.lang.Enum,java.lang.Runnable,java.lang.Math,java.io.File,java.lang.StringBuilder,[I,[[Ljava.lang.String
same application "$(agent agent_classes)" Classes
same boot -Xshare:off "$(agent "agent_classes=$boot")" Classes
"$jdk/bin/javac" -nowarn -g:none -d classes "$here/Classes.java"
same no_debug "$(agent agent_classes)" Classes
echo "$compared comparisons"
exit $failed
