#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Classes, fields and threads with names beyond U+FFFF and with characters of markup and control: report, page, saved snapshot and flame graph show
# them and are UTF-8.
set -u
jdk=$1 tested=$2 out=$3
agent=$(realpath "$BUILD/agents/libgraft-heap.so") failed=0
fail() { echo "$side: $*"; failed=1; }
tests/tool/odd_names "$jdk" "$out" || exit 1
. "$(dirname "$0")/../answers.sh"
answer_agents=1
cd "$out" || exit 1
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    home=$jdk; [ $side = graft ] && home=$tested
    rm -f report page saved flame stacks
    "$home/bin/java" "-agentpath:$agent=file=report,html=page,save=saved,flame=flame,collapsed=stacks,threads,sample=0,top=200000,quiet" \
        -cp . OddNames >o 2>&1 || fail "exit code: $(head -3 o)"
    grep -q ' 100 .* Odd<&>$' report || fail "a class in the report"
    grep -qF 'OddNames$Deseret𐐀' report || fail "a class beyond U+FFFF in the report"
    grep -qF 'Odd&lt;&amp;&gt;' page && grep -qF 'OddNames$Deseret𐐀' page || fail "classes on the page"
    grep -qF 'OddNames$Deseret𐐀' saved || fail "a class in the saved snapshot"
    grep -q '^worker 😀 \\u001b\[31m\\u000a\\ud800\\u0085;.*;OddNames$Deseret𐐀\[\] \[new\] ' stacks || fail "the stack of a thread"
    grep -qF '"worker 😀 \\u001b[31m' flame || fail "a thread of the flame graph"
    python3 - report page saved flame stacks <<'P' || fail "what is written"
import sys, unicodedata
for f in sys.argv[1:]:
    text = open(f, encoding='utf-8', newline='').read()
    wrong = [c for c in text if unicodedata.category(c) == 'Cc' and c not in '\t\n']
    assert not wrong, (f, wrong[:5])
P
    [ $side = graft ] || settle
done
exit $failed
