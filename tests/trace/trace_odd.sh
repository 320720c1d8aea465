#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Classes, methods, fields and threads whose names lie beyond U+FFFF, hold control characters, unpaired surrogates, U+0000: patterns and
# probes name them, each is told apart, and what is written is UTF-8, JSON and lines of a name each, on both VMs.
. "$(dirname "$0")/common.sh"
"$here/../tool/odd_names" "$jdk" classes || exit 1
clean() { # FILE...: UTF-8 without control characters but ends of lines
    python3 - "$@" <<'P' || fail "what is in $*"
import sys, unicodedata
for f in sys.argv[1:]:
    text = open(f, encoding='utf-8', newline='').read()
    wrong = [c for c in text if unicodedata.category(c) == 'Cc' and c not in '\t\n']
    assert not wrong, (f, wrong[:5])
P
}
cat >events.py <<'P'
import json
events = json.load(open('chrome', encoding='utf-8'))['traceEvents']
print(*sorted({e['name'] for e in events if e['ph'] == 'X'} | {e['args']['name'].split(' #')[0] for e in events if e['ph'] == 'M'}), sep='\n')
P
cat >expected <<'E'
OddNames$Deseret𐐀.call𐐀(int)
OddNames.\u001b]red()
OddNames.\ufffe()
OddNames.half\ud800()
OddNames.no\u0000thing()
OddNames.quo"ed()
OddNames.two\u000alines()
OddNames.works (with brackets)()
worker 😀 \u001b[31m\u000a\ud800\u0085
E
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    home=$jdk; [ $side = graft ] && home=$tested
    java() { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -cp classes "$@"; }
    calls() { sed -nE 's/^ +([0-9]+) +[0-9]+ +[0-9.]+ +[0-9.]+  (.*)$/\1 \2/p' "$1" | LC_ALL=C sort; }
    rm -f chrome otlp html collapsed pprof tree graph table lines
    java "-agentpath:$trace=include=OddNames*,exclude=*.run:*init>:*main:*run\$*,threads=separate,threshold=0,chrome=chrome,otlp=otlp,html=html,collapsed=collapsed,pprof=pprof,tree=tree,graph=graph" OddNames 2>table
    check 'names in JSON' expected <(python3 events.py 2>&1)
    check 'names in the table' <(sed '/^worker/d; s/^/1 /; s/^1 \(.*int)\)/3 \1/' expected | LC_ALL=C sort) <(calls table)
    python3 "$here/../trace/otlp_check.py" otlp >/dev/null 2>&1 || fail "spans"
    grep -q '"code.function","value":{"stringValue":"works (with brackets)"}' otlp || fail "the function of a span"
    grep -q '^worker 😀 \\u001b\[31m\\u000a\\ud800\\u0085 #[0-9]*;' collapsed || fail "the thread of a stack"
    grep -qF '"OddNames$Deseret𐐀.call𐐀(int)"' html || fail "a name on the page"
    gunzip <pprof >profile 2>/dev/null; grep -qaF 'OddNames$Deseret𐐀.call𐐀(int)' profile || fail "a name in the profile"
    clean chrome otlp html collapsed tree graph table
    java "-agentpath:$trace=include=*Deseret𐐀.call𐐀(int):OddNames.works (with brackets):OddNames.half\\ud800,file=table" OddNames
    check include <(printf '%s\n' '1 OddNames.half\ud800()' '1 OddNames.works (with brackets)()' '3 OddNames$Deseret𐐀.call𐐀(int)') <(calls table)
    java "-agentpath:$trace=probe=OddNames\$Deseret𐐀.call𐐀 when this.text𐐀 == '𐐀' and this is OddNames\$Deseret𐐀 capture t=this.text𐐀\\, 𐐀=arg0,argsfile=lines,file=table" OddNames 2>err ||
        fail "a program with probes: $(head -3 err)"
    check probes <(for i in 0 1 2; do echo 'OddNames$Deseret𐐀.call𐐀 t="𐐀", '"𐐀=$i  "'[worker 😀 \u001b[31m\u000a\ud800\u0085]'; done) \
        <(sed -E 's/  \[[0-9.]+ ms, /  [/' lines)
    clean lines
    [ $side = graft ] || settle
done
echo "$compared comparisons"
exit $failed
