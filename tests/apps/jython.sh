#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 400
# packages: jython
# extent: suite
#
# Jython: classes, generators, regular expressions, json, threads, Java interop, a traceback.
. "$(dirname "$0")/common.sh"
need /usr/share/java/jython.jar
cat >"$work/s.py" <<'PY'
# -*- coding: utf-8 -*-
import re, json, threading, collections, itertools, functools, datetime, hashlib, sys, zlib, struct, random
from java.util import ArrayList, Collections, HashMap
from java.lang import Runnable, Thread, Integer, NumberFormatException
class Shape(object):
    def __init__(self, n): self.n = n
    def __repr__(self): return '%s(%d)' % (type(self).__name__, self.n)
    def __lt__(self, o): return self.n < o.n
    @property
    def twice(self): return self.n * 2
    @staticmethod
    def make(*a, **k): return [Shape(x) for x in a] + sorted(k.items())
print Shape.make(3, 1, z=2, a=1), sorted([Shape(3), Shape(1)]), Shape(4).twice
def gen(n):
    a, b = 0, 1
    for i in xrange(n):
        got = yield a
        a, b = b, a + b
print list(gen(20)), sum(x * x for x in range(100)), 2 ** 200, 7 // -2, -7 % 3, 1e16, 0.1 + 0.2
print re.sub(r'(\w+)@(\w+)', lambda m: m.group(2).upper() + ' ' + m.group(1), 'me@there you@here')
print json.dumps({'b': [1, 2.5, None, True], 'a': u'\u00e9'}, sort_keys=True), json.loads('{"x": [1, {"y": "z"}]}')
print collections.Counter('mississippi').most_common(2), collections.OrderedDict([(1, 2), (0, 3)]), list(itertools.permutations('abc', 2))
print hashlib.sha256('abc').hexdigest(), zlib.crc32('hello'), struct.pack('>hI', -2, 7).encode('hex'), datetime.date(2024, 2, 29).isoformat()
l = ArrayList(); l.add('b'); l.add('a'); Collections.sort(l); print l, len(l), l[0], [x for x in l]
class R(Runnable):
    def run(self): out.append('ran')
out = []; t = Thread(R()); t.start(); t.join(); print out
try: Integer.parseInt('zz')
except NumberFormatException, e: print e.getMessage()
lock = threading.Lock(); total = [0]
def work():
    for i in range(200):
        with lock: total[0] += 1
ts = [threading.Thread(target=work) for i in range(4)]
for t in ts: t.start()
for t in ts: t.join()
print total, random.Random(42).randint(0, 1000000)
with open('f.txt', 'w') as f: f.write('one\ntwo\n')
print [s.strip() for s in open('f.txt')], functools.reduce(lambda a, b: a * b, range(1, 15)), 'x'.join(['a', 'b']), u'\u0416'.lower() == u'\u0436'
exec 'z = 5\nprint z * 3'
def deep(n): return deep(n + 1)
try: deep(0)
except RuntimeError, e: print e
def bad(): return {}['nokey']
bad()
PY
run() { "$1/bin/java" $O -Duser.home=. -Dpython.home=/usr/share/jython -Dpython.cachedir.skip=true -jar $share/jython.jar -S "$work/s.py"; local c=$?; return $c; }
compare run 1
