#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares two XML reports in JaCoCo's format line by line: JACOCO.xml OURS.xml [minimum percent].

Status of a line: what its colour shows - missed, partly or fully covered (instructions), and the numbers of
missed and taken branches. A line that only one report has counts as different. Exit 1 below the minimum.
"""
import sys
import xml.etree.ElementTree as ET


def lines(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    root = ET.fromstring(text[text.index("<report"):])      # without the DOCTYPE: no DTD is at hand
    out, counters = {}, {}
    for p in root.iter("package"):
        for s in p.iter("sourcefile"):
            for l in s.iter("line"):
                key = (p.get("name") + "/" + s.get("name"), int(l.get("nr")))
                out[key] = tuple(int(l.get(k)) for k in ("mi", "ci", "mb", "cb"))
    for c in root.findall("counter"):
        counters[c.get("type")] = (int(c.get("missed")), int(c.get("covered")))
    return out, counters


def status(v):
    mi, ci, mb, cb = v
    return ("missed" if not ci else "partly" if mi else "covered", mb, cb)


def main():
    ref, rc = lines(sys.argv[1])
    our, oc = lines(sys.argv[2])
    minimum = float(sys.argv[3]) if len(sys.argv) > 3 else 99.5
    keys = sorted(set(ref) | set(our))
    same = exact = 0
    for k in keys:
        a, b = ref.get(k), our.get(k)
        if a and b and status(a) == status(b):
            same += 1
            exact += a == b
        else:
            print("%s:%d jacoco %s ours %s" % (k[0], k[1], a, b))
    share = 100.0 * same / len(keys) if keys else 0.0
    for t in rc:
        mark = "" if rc[t] == oc.get(t) else "   <-- differs"
        print("%-12s jacoco %7d/%-7d ours %7d/%-7d%s" % ((t,) + rc[t] + oc.get(t, (0, 0)) + (mark,)))
    print("lines %d, same status %d (%.3f %%), same counts %d" % (len(keys), same, share, exact))
    return 0 if share >= minimum else 1


sys.exit(main())
