# SPDX-License-Identifier: Apache-2.0
"""Reads profile.proto by its wire format alone: prints "frame;frame;... value value", outermost frame first, sorted."""
import gzip
import sys


def number(b, i):
    v = shift = 0
    while True:
        v |= (b[i] & 127) << shift
        shift += 7
        i += 1
        if b[i - 1] < 128:
            return v, i


def fields(b):
    i = 0
    while i < len(b):
        key, i = number(b, i)
        if key & 7 == 0:
            v, i = number(b, i)
        elif key & 7 == 2:
            n, i = number(b, i)
            v, i = b[i:i + n], i + n
            assert len(v) == n
        else:
            raise ValueError("wire type %d" % (key & 7))
        yield key >> 3, v


def numbers(b):
    i, out = 0, []
    while i < len(b):
        v, i = number(b, i)
        out.append(v)
    return out


profile = {}
for f, v in fields(gzip.open(sys.argv[1]).read()):
    profile.setdefault(f, []).append(v)
strings = [s.decode() for s in profile[6]]
assert strings[0] == ""
types = [tuple(strings[v] for _, v in fields(t)) for t in profile[1]]
assert types == [("calls", "count"), ("time", "nanoseconds")], types
assert strings[profile[14][0]] == "time" and profile[10][0] > 0 and profile[9][0] > 1500000000 * 10**9
functions = {dict(fields(f))[1]: strings[dict(fields(f))[2]] for f in profile[5]}
locations = {dict(fields(x))[1]: functions[dict(fields(dict(fields(x))[4]))[1]] for x in profile[4]}
assert 0 not in functions and 0 not in locations
lines = []
for s in profile[2]:
    s = dict(fields(s))
    calls, time = numbers(s[2])
    lines.append(";".join(locations[x] for x in reversed(numbers(s[1]))) + " %d" % calls)
print("\n".join(sorted(lines)))
