#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 200
#
# graft trace --live on both VMs: what is called now, nothing left behind at the end, the agent of somebody else left as it is; probes by their own
# options, changed by attaching again.
. "$(dirname "$0")/common.sh"
for side in hotspot graft; do
    home=$jdk; [ $side = graft ] && home=$tested
    start "$home"
    tell beat beats
    check live 0 '^ +[1-9][0-9.]* +0.0 .* Target.beat\(\)$' -- "$graft" trace --attach $pid --include=Target --live --interval=1 --looks=2 -o live.txt
    is "live: looks" "$(grep -c ' them called in these ' out)" 2
    has "live: the report" ' Target.beat\(\)$' live.txt
    grep -q $'\033' out && bad "control sequences in a file" out || good
    check "looked at once more" 0 '^ +[1-9].* Target.beat' -- "$graft" trace --attach $pid --live --looks=1 --interval=1 -o again.txt
    check "an agent that is there" 0 'data goes to' -- "$graft" trace --attach $pid --include=Target.beat -o other.txt
    check "... is looked at" 0 '^ +[1-9].* Target.beat' -- "$graft" trace --attach $pid --live --looks=1 --interval=1
    check "... and goes on" 0 'data goes to' -- "$graft" trace --attach $pid -o probe.txt \
        --probe="Target.twice when arg0 == 21 and return > 41 capture n=arg0, return" --probe="Target.greet when return == 'hello 1'" --argsfile=lines
    has "... its report" ' Target.beat\(\)$' other.txt
    tell twice 42
    check "interrupted" 0 'all of it is in' -- timeout --preserve-status --foreground -s INT 3 "$graft" trace --attach $pid --include=Target --live --interval=60 -o live2.txt
    has "a probe" '^Target.twice n=21, return=42 ' lines
    has "its report" '^    1 written' probe.txt
    check "no looks" 125 'looks=0: must be at least 1' -- "$graft" trace --attach $pid --live --looks=0
    check "stopped" 0 '' -- "$graft" trace --attach $pid --stop
    is "nothing is left" "$(ls -d /tmp/graft-live-* 2>/dev/null | wc -l)" 0
    stop
done
side=
check "live without a process" 125 'it needs --attach' -- "$graft" trace --live -- true
check "live of another agent" 125 "unknown option '--live'" -- "$graft" natives --live --attach 1
has help '^  --max-overhead=PERCENT' <("$graft" help trace)
is words "$("$graft" help --words trace | grep -cxE -e '--(probe|probes|budget|max-overhead|tree|levels|otlp|interval|rows|looks)=|--live')" 11
finish
