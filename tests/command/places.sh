#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# Where reports and data go wrong: full disks, places that cannot be written, links of other users, an agent that is loaded twice, data without
# a class. A clear message and an exit code that tells; what was there stays. (Full disks under coverage and trace, and what the VM
# writes: exhaust/disk. Damaged data: coverage/corrupt, heap/difference.)
. "$(dirname "$0")/common.sh"
"$jdk/bin/javac" -d classes -cp "$here/../heap" "$here"/../heap/{HeapPage,HeapLeak}.java || exit 1
java=$jdk/bin/java tool=$(realpath "$BUILD/bin/graft-coverage")
agent() { realpath "$BUILD/agents/libgraft-$1.so"; }

# No place: the program runs to its end, and what is missing is told by the exit code.
check "heap, no folder" 1 "/no/h.html: No such file" -- "$graft" heap -o /no/h.txt --html=/no/h.html --save=/no/h.heap --flame=/no/f.html -- "$java" -cp classes Target
for file in h.txt h.heap f.html; do has "heap, no folder: $file" "^\[heap\] /no/$file: No such file" out; done
has "... and the program ran" 'hello 1$' out
check "natives, no folder" 1 "cannot write /no/n.txt: No such file.*; the table goes to standard error" -- "$graft" natives -o /no/n.txt -- "$java" -cp classes Target
check "coverage, no folder" 1 "/no/c.dat: cannot make the data file: No such file" -- "$graft" coverage -o /no/c.dat -- "$java" -cp classes Target
check "coverage, a folder" 1 "classes: cannot make the data file: Is a directory" -- "$graft" coverage -o classes -- "$java" -cp classes Target
check "coverage, reports" 1 '^graft: not all reports could be made$' -- "$graft" coverage --include=Target --lcov=/no/l --html=/proc/none/html -- "$java" -cp classes Target
has "... which" 'LCOV report /no/l: No such file' out
has "... and the data are there" 'coverage.dat: 1 classes' out
check "the exit code of the program comes first" 5 'not all reports' -- "$graft" coverage --include=Target --lcov=/no/l -- "$java" -cp classes Target code 5

# /dev/full takes no byte.
check "heap, full" 1 'the report in /dev/full is not complete' -- "$graft" heap -o /dev/full --html=/dev/full -- "$java" -cp classes Target
has "heap page, full" '^\[heap\] /dev/full: No space left' out
check "natives, full" 1 'cannot write /dev/full: No space left' -- "$graft" natives -o /dev/full --registered -- "$java" -cp classes Target
check "reports, full" 1 'XML report /dev/full: No space left' -- "$graft" report coverage.dat --no-summary --xml=/dev/full
"$graft" heap --quiet --save=%n.heap -o h.txt -- "$java" -cp classes HeapPage h.txt more >log 2>&1
check "comparison, full" 1 '/dev/full: No space left' -- "$graft" heapdiff --html=/dev/full 1.heap 2.heap
check "comparison, full output" 1 'No space left|cannot be written' -- sh -c '"$0" heapdiff 1.heap 2.heap >/dev/full' "$graft"

# Nothing covered: that is told, and reaches no threshold.
check "nothing covered" 0 'no class that was asked for ran in a JVM with the agent' -- "$graft" coverage -o none.dat --include=Nothing -- "$java" -cp classes Target
check "no class, threshold" 3 'no class is in the data: nothing reaches a threshold' -- "$tool" report --no-summary --fail-under=line=1 none.dat
check "no class, no threshold" 0 '' -- "$tool" report --no-summary none.dat

# Loaded twice (JAVA_TOOL_OPTIONS and the command line): the first counts.
for name in coverage heap natives; do
    check "$name twice" 0 "^\[$name\] this agent is loaded twice: the second options do not count" -- \
        "$java" "-agentpath:$(agent $name)=file=first.$name" "-agentpath:$(agent $name)=file=second.$name" -cp classes Target
    [ -s first.$name ] && [ ! -e second.$name ] && good || bad "$name twice: which file is there"
done
has "... and all of it" '^  classes +[1-9]' <("$tool" info first.coverage)

# An agent of another version, or none at all, beside the command.
mkdir -p mixed/bin mixed/agents; cp "$graft" mixed/bin/
cp "$BUILD/libbci.so" mixed/agents/libgraft-heap.so; echo junk >mixed/agents/libgraft-natives.so
check "no agent" 125 'libgraft-heap.so: not an agent of this version: it shows no options' -- mixed/bin/graft heap -- "$java" -cp classes Target
check "no library" 125 'libgraft-natives.so: not an agent of this version: .*too short' -- mixed/bin/graft natives -- "$java" -cp classes Target
check "doctor" 1 '^problem +agent +/.*libgraft-heap.so: not of this version' -- mixed/bin/graft doctor
cp coverage.dat newer.dat; printf '\143' | dd of=newer.dat bs=1 seek=8 conv=notrunc 2>dd
check "data of another version" 1 'newer.dat: format version 99, this program reads 2 and 3' -- "$graft" report newer.dat

# Links: those of others lead nowhere.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    mkdir -p open && chmod 777 open && echo mine >victim
    for f in c.dat h.txt h.html n.txt l.info; do setpriv --reuid=65534 --regid=65534 --clear-groups ln -s "$scratch/victim" open/$f; done
    check "a link of another user, coverage" 1 'open/c.dat: cannot make the data file: Too many levels' -- "$graft" coverage -o open/c.dat -- "$java" -cp classes Target
    check "... heap" 1 'open/h.txt: Too many levels' -- "$graft" heap -o open/h.txt --html=open/h.html -- "$java" -cp classes Target
    has "... its page" 'open/h.html: Too many levels' out
    check "... natives" 1 'cannot write .*open/n.txt: Too many levels' -- "$graft" natives -o open/n.txt -- "$java" -cp classes Target
    check "... a report" 1 'LCOV report open/l.info: Too many levels' -- "$graft" report coverage.dat --no-summary --lcov=open/l.info
    is "... what they lead to" "$(cat victim)" mine
    ln -s "$scratch/ours" open/ours.info
    check "our own link" 0 '' -- "$graft" report coverage.dat --no-summary --lcov=open/ours.info
    has "... leads on" '^SF:' ours
fi

# A disk that is full in the midst of it: what was there before is whole.
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
    cat >full.sh <<'S'
mount -t tmpfs -o size=64k tmpfs disk && head -c 60k /dev/zero >disk/fill
"$1" heap -o disk/h.txt --html=disk/h.html -- "$2" -cp classes HeapPage disk/none; echo "heap $?"
"$1" report merge --out=disk/m.dat coverage.dat coverage.dat; echo "merge $?"
"$1" report coverage.dat --no-summary --html=disk/html; echo "html $?"
ls disk; rm -rf disk/h* disk/m*
"$1" coverage --include=Target -o disk/c.dat -- "$2" -cp classes Target; echo "coverage $?"
S
    mkdir -p disk; unshare -m sh full.sh "$graft" "$java" >full 2>&1
    for line in 'disk/h.html: No space left' '^heap 1' 'disk/m.dat.*No space left' '^merge 1' 'HTML report disk/html: No space left' '^html 1' '^\[coverage\] no coverage in this run' '^coverage 0'; do
        has "full disk" "$line" full
    done
    grep -q '^m.dat' full && bad "a half of merged data is left" full || good
fi
finish
