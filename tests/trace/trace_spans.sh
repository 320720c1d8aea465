#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# What probes keep of slow calls, as attributes of their spans and arguments of the timeline, on both VMs: of the right call (recursion, threads, fast calls
# between), with types; nothing left over from an earlier start.
. "$(dirname "$0")/common.sh"
compile "$here/../trace/TracedSpans.java"
cat >expected <<'END'
handle who=stringValue:u"1 n=intValue:1 part=doubleValue:2.0 good=boolValue:False c=intValue:99 total=intValue:1099511627776 r=doubleValue:2.0
handle who=stringValue:u"2 n=intValue:2 part=doubleValue:2.0 good=boolValue:False c=intValue:99 total=intValue:1099511627776 r=doubleValue:4.0
handle who=stringValue:u"3 n=intValue:3 part=doubleValue:2.0 good=boolValue:True c=intValue:99 total=intValue:1099511627776 r=doubleValue:6.0
handle who=stringValue:inner n=intValue:1 part=doubleValue:0.5 good=boolValue:False c=intValue:34 total=intValue:1099511627776 r=doubleValue:0.5
handle who=stringValue:u"4 n=intValue:4 part=doubleValue:2.0 good=boolValue:True c=intValue:99 total=intValue:1099511627776
handle who=stringValue:other n=intValue:1 part=stringValue:Infinity good=boolValue:True c=intValue:99 total=intValue:1099511627776 r=stringValue:Infinity
plain
END
cat >attributes.py <<'END'
import json, sys
standard = {"code.namespace", "code.function", "graft.method", "thread.id", "thread.name"}
spans = json.load(open(sys.argv[1]))["resourceSpans"][0]["scopeSpans"][0]["spans"]
for s in sorted(spans, key=lambda s: int(s["startTimeUnixNano"])):
    kept = [f'{a["key"]}={t}:{v}' for a in s["attributes"] if a["key"] not in standard for t, v in a["value"].items()]
    print(*[s["name"].split(".")[-1]] + kept)
END
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    home=$jdk; [ $side = graft ] && home=$tested
    java() { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -cp classes "$@"; }
    java "-agentpath:$trace=include=TracedSpans.plain,threshold=5ms,otlp=spans,chrome=chrome,argsfile=lines,file=table,probe=TracedSpans.handle capture who=arg0\\, n=arg1\\, part=arg2\\, good=arg3\\, c=arg4\\, total=this.total\\, r=return" \
        TracedSpans >out 2>&1
    check 'captures' expected <(python3 attributes.py spans | grep -v who=stringValue:fast)
    python3 "$here/../trace/otlp_check.py" spans >/dev/null || fail "the spans are not as they should be"
    [ "$(wc -l <lines)" = 7 ] || fail "lines"
    check timeline <(echo '{"who": "inner", "n": "1", "part": "0.5", "good": false, "c": "34", "total": "1099511627776", "r": "0.5"}') \
        <(python3 -c 'import json
for e in json.load(open("chrome"))["traceEvents"]:
    if e.get("args", {}).get("who") == "inner": print(json.dumps(e["args"]))')
    java "-agentpath:$trace=include=TracedSpans,threshold=5ms,otlp=spans,argsfile=lines,file=table,args=TracedSpans.plain:TracedSpans.handle" TracedSpans >out 2>&1
    check arguments <(echo "handle graft.arguments=stringValue:\"u\\\"4\", 4, 2.0, true, 'c' graft.exception=stringValue:java.lang.IllegalStateException: four"
                      echo 'plain graft.arguments=stringValue:int[2]{1, 2}, null') <(python3 attributes.py spans | grep -e four -e plain)
    [ $side = graft ] || settle
done
echo "$compared comparisons"
exit $failed
