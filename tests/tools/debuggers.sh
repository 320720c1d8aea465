#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
# modes: !xint
# packages: gdb
# Compiled code as tools for native code see it: -XX:+DumpJitCode (perf), -XX:+DescribeJitCode (gdb).
set -u
tested=$2
mkdir -p "$3" && cd "$3" || exit 1
fail() { echo "$*"; exit 1; }
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS
[ "$(uname -m)" = x86_64 ] || { echo "no compiled code on this CPU"; exit 77; }
cat >Work.java <<'J'
public class Work {
    static int[] cells = new int[1000];
    static int part(int a, int b) { return a * 31 ^ b; }
    static int loop(int n) {
        int s = 0;
        for (int i = 0; i < n; i++)
            s = part(s, i) + cells[i % 1000];
        return s;
    }
    static int sleeps(int n) throws Exception {
        Thread.sleep(0);
        return loop(n) + 1;
    }
    public static void main(String[] a) throws Exception {
        int s = 0;
        for (int i = 0; i < 4000; i++) s += sleeps(500);
        System.out.println(s);
    }
}
J
"$1/bin/javac" -d . Work.java || exit 1
rm -f jit-*.dump
"$tested/bin/java" -Xbatch -XX:+DumpJitCode -cp . Work >plain || fail "does not run with -XX:+DumpJitCode"
python3 - jit-*.dump <<'P' || fail "the dump is not as perf reads it"
import struct, sys
d = open(sys.argv[1], 'rb').read()
assert struct.unpack_from('<4I', d) == (0x4a695444, 1, 40, 62), 'header'
at, lines, tables, found = 40, {}, 0, {}
while at < len(d):
    kind, size = struct.unpack_from('<II', d, at)
    body = d[at + 16:at + size]
    assert size >= 16 and at + size <= len(d), 'record'
    at += size
    if kind == 2:
        address, n = struct.unpack_from('<QQ', body)
        p, rows = 16, []
        for _ in range(n):
            where, line, _ = struct.unpack_from('<QII', body, p)
            end = body.index(b'\0', p + 16)
            rows.append((where, line, body[p + 16:end].decode()))
            p = end + 1
        assert p == len(body), 'lines'
        lines[address] = rows
    elif kind == 4:
        total, index, mapped = struct.unpack_from('<QQQ', body)
        assert len(body) == 24 + total and index < total and mapped == total, 'unwinding'
        tables += 1
    else:
        assert kind == 0, 'kind'
        _, _, start, address, n, _ = struct.unpack_from('<IIQQQQ', body)
        name = body[40:body.index(b'\0', 40)].decode()
        assert start == address and len(body) == 41 + len(name) + n, 'code'
        assert all(start <= a < start + n for a, _, _ in lines.get(start, [])), 'lines outside'
        found[name] = {(l, f) for _, l, f in lines.get(start, [])}
        tables -= 1
        assert tables == 0, 'a table for each'
assert {(7, 'Work.java'), (8, 'Work.java'), (3, 'Work.java')} <= found['int Work.loop(int)'], found['int Work.loop(int)']
P
mkdir -p closed && chmod 555 closed
if ! touch closed/any 2>/dev/null; then
    (cd closed && "$tested/bin/java" -Xbatch -XX:+DumpJitCode -cp .. Work >../refused 2>&1) || fail "does not run where no dump can be"
    [ "$(grep -c 'dump: cannot be made' refused)" = 1 ] && [ "$(wc -l <refused)" = 2 ] || fail "not one line where no dump can be: $(head -5 refused)"
fi
"$tested/bin/java" -Xbatch -XX:+DescribeJitCode -cp . Work >described && cmp plain described || fail "does not run with -XX:+DescribeJitCode"
if command -v gdb >/dev/null; then
    cat >commands <<'G'
set pagination off
set breakpoint pending on
handle SIGSEGV nostop noprint pass
break JVM_Sleep
ignore 1 3000
run
bt
disassemble /s 'Work.loop(int)'
kill
G
    timeout 60 gdb -q -nx -batch -x commands --args "$tested/bin/java" -Xbatch -XX:+DescribeJitCode -cp . Work >gdb.out 2>&1
    grep -q 'Work.sleeps(int) () at Work.java:11' gdb.out && grep -q ' JavaMain ' gdb.out || fail "no stack through compiled code: $(grep '^#' gdb.out | cut -c1-120)"
    grep -q "imul" gdb.out && grep -q '^7	.*part(s, i)' gdb.out || fail "no instructions with lines"
fi
exit 0
