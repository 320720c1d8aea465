#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 240
# Damaged data files, of one run and of several: every command ends with 0 or 1, never by a signal, and a VM that appends to one
# runs on. Which bytes are hit is drawn, always the same.
set -eu
jdk=$1 tested=$2 out=$3
agent=$BUILD/agents/libgraft-coverage.so
mkdir -p "$out/src" "$out/t"
cat > "$out/src/Hit.java" <<'J'
public class Hit {
    static int f(int i) { return i > 3 ? i : -i; }
    public static void main(String[] a) throws Exception {
        Class<?> api = Class.forName("java.lang.GraftCoverage");
        for (String name : new String[] {"p.A.x", "p.A.y|p.B.z", "p.A.*", null}) {
            api.getMethod("epoch", String.class).invoke(null, name);
            f(a.length);
        }
    }
}
J
"$jdk/bin/javac" -g -d "$out/t" "$out/src/Hit.java"
rm -f "$out"/*.dat
for i in 1 2; do
    "$tested/bin/java" "-agentpath:$agent=quiet,file=$out/$i.dat" -cp "$out/t" Hit
    "$tested/bin/java" "-agentpath:$agent=quiet,append,file=$out/all.dat" -cp "$out/t" Hit $i
done
cat > "$out/damage.py" <<'P'
import random, subprocess, sys
out, tool, java, agent = sys.argv[1:]
commands = [['report', '--no-summary', '--xml=/dev/null', '--json=/dev/null'], ['epochs'], ['info'], ['dump'], ['compare'],
            ['report', '--no-summary', '--html=' + out + '/html'], ['merge', '--out=' + out + '/merged.dat']]
random.seed(11)
for i in range(150):
    data = bytearray(open(out + random.choice(['/1.dat', '/all.dat']), 'rb').read())
    for _ in range(random.choice([1, 1, 3, 20])):
        page = random.randrange(len(data) // 4096) * 4096     # heads of segments, and records behind them
        at = page + random.randrange(400) if random.random() < .8 else random.randrange(len(data))
        data[at] = random.choice([0, 1, 255, 127, 128, random.randrange(256)])
    if random.random() < .2:
        del data[random.randrange(len(data)):]
    open(out + '/bad.dat', 'wb').write(data)
    command = commands[i % len(commands)]
    words = [tool] + command + [out + '/bad.dat'] + ([out + '/2.dat'] if command == ['compare'] else [])
    if i % 25 == 24:
        words = [java, '-agentpath:%s=quiet,append,file=%s/bad.dat' % (agent, out), '-cp', out + '/t', 'Hit']
    done = subprocess.run(words, capture_output=True, timeout=100)
    if done.returncode not in (0, 1) or b'Sanitizer' in done.stderr or (words[0] == java and done.returncode):
        print(i, words, done.returncode, done.stderr[-1000:].decode(errors='replace'))
        sys.exit(1)
P
python3 "$out/damage.py" "$out" "$BUILD/bin/graft-coverage" "$tested/bin/java" "$agent"

# Classes and sources from elsewhere: what cannot be read is told, and not taken for less code.
tool=$BUILD/bin/graft-coverage
says() { # CODE TEXT WORD...
    local rc=0; "$tool" report "$out/1.dat" "${@:3}" > "$out/o" 2> "$out/e" || rc=$?
    [ $rc = "$1" ] && { [ -z "$2" ] || grep -q -- "$2" "$out/e"; } || { echo "${*:3}: exit code $rc"; cat "$out/e"; exit 1; }
}
mkdir -p "$out/more"
echo 'class Never { int f() { return 1; } }' > "$out/Never.java"
"$jdk/bin/javac" -g -d "$out/more" "$out/Never.java"
"$jdk/bin/jar" cf0 "$out/more.jar" -C "$out/more" Never.class
says 0 '' --classes="$out/more"
grep -q '^total: 2 classes' "$out/o" || { cat "$out/o"; exit 1; }
says 0 '' --classes="$out/more.jar"
python3 - "$out" <<'P'
import sys
out = sys.argv[1]
data = open(out + '/more.jar', 'rb').read()
open(out + '/hit.jar', 'wb').write(data.replace(b'Never.java', b'Nevex.java'))
open(out + '/cut.jar', 'wb').write(data[:-30])
P
says 1 'classes: .*/hit.jar: 1 class files cannot be read, Never.class for one' --classes="$out/hit.jar"
says 1 'classes: .*/cut.jar is no folder and no archive' --classes="$out/cut.jar"
says 1 'classes: /no/such: No such file' --classes=/no/such
says 0 'source: /no/such: No such file' --source=/no/such
head -c 60 "$out/more/Never.class" > "$out/more/Part.class"
says 1 'classes: .*/more: 1 class files cannot be read, .*/more/Part.class for one' --classes="$out/more"
grep -q '^total: 2 classes' "$out/o" || { cat "$out/o"; exit 1; }
