#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Agents, command and tools load on other systems: nothing beside the C library's parts is needed, no names but the agents' own are
# exported, and the newest version of a glibc symbol is that of the table, for all at most 2.28 (agents/old_glibc.h). A row that has become
# better is told as well, so that it stays so.
set -u
case ${MODE:-release} in release | debug) ;; *) echo "sanitizers are linked in: nothing to see"; exit 0 ;; esac
[ "$(uname -m)" = x86_64 ] || { echo "the table is that of x86_64"; exit 0; }
bad=0
say() { echo "$*"; bad=1; }
newest() { objdump -T "$1" | grep -oE 'GLIBC_[0-9]+(\.[0-9]+)+' | sort -Vu | tail -1; }
needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
libraries='^(libc\.so\.6|libm\.so\.6|libpthread\.so\.0|libdl\.so\.2|ld-linux-x86-64\.so\.2)$'

# Other names that are exported would take the place of, or be taken for, those of another library in the process.
exported='^(Agent_On(Load|Attach|Unload)|graft_agent_options|Java_[A-Za-z0-9_]+)$'

# What was in libpthread, libdl and librt alone before 2.34 (2.28 looked at): an agent does not find it there.
moved='^(pthread_(atfork|attr_(get|set)(affinity_np|guardsize|stack|stackaddr|stacksize)|barrier.*|cancel|condattr_.*|create|detach|getaffinity_np|getattr_np|getconcurrency|getcpuclockid|getname_np|getspecific|join|key_.*|kill|mutex_(consistent|trylock|timedlock|getprioceiling|setprioceiling)|mutexattr_.*|once|rwlock.*|set(affinity_np|concurrency|name_np|schedprio|specific)|sig.*|spin.*|testcancel|timedjoin_np|tryjoin_np|yield)|sem_.*|(cnd|mtx|thrd|tss)_.*|call_once|dl(addr|close|error|info|mopen|open|sym|vsym)|(aio|lio|mq|shm|timer)_.*)$'

while read -r glibc file; do
    f=$BUILD/$file
    [ -e "$f" ] || { say "no $f"; continue; }
    got=$(newest "$f") others=$(needed "$f" | grep -vE "$libraries" | tr '\n' ' ')
    names=$(nm -D --defined-only "$f" | awk '{print $3}' | grep -vE "$exported" | tr '\n' ' ')
    if [ "$got" != "$glibc" ]; then
        say "$file: $got, not $glibc: what is newest in it:"
        objdump -T "$f" | grep -oE 'GLIBC_[0-9.]+\)? +[A-Za-z_0-9]+' | tr -d ')' | sort -V | tail -4 | sed 's/^/    /'
    fi
    case $file in agents/*)
        lost=$(objdump -T "$f" | awk '/\*UND\*/ {print $NF}' | grep -E "$moved" | tr '\n' ' ')
        [ -z "$lost" ] || say "$file: not in the libc of 2.28: $lost" ;;
    esac
    [ -z "$others" ] || say "$file needs $others"
    [ -z "$names" ] || say "$file exports $names"
done <<'TABLE'
GLIBC_2.27 agents/libgraft-coverage.so
GLIBC_2.17 agents/libgraft-heap.so
GLIBC_2.17 agents/libgraft-hotswap.so
GLIBC_2.17 agents/libgraft-natives.so
GLIBC_2.17 agents/libgraft-trace.so
GLIBC_2.27 bin/graft
GLIBC_2.14 bin/graft-class
GLIBC_2.27 bin/graft-coverage
GLIBC_2.14 bin/graft-heap
TABLE
exit $bad
