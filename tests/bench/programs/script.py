# SPDX-License-Identifier: Apache-2.0
# Jython: classes, generators, dictionaries, strings, regular expressions, exceptions, sorting.
import re, sys

class Vector(object):
    def __init__(self, x, y): self.x, self.y = x, y
    def __add__(self, o): return Vector(self.x + o.x, self.y + o.y)
    def __cmp__(self, o): return cmp(self.norm, o.norm)
    @property
    def norm(self): return abs(self.x) + abs(self.y)

def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)

def sieve(n):
    composite = [False] * (n + 1)
    for p in xrange(2, n + 1):
        if not composite[p]:
            yield p
            for m in xrange(2 * p, n + 1, p): composite[m] = True

def words(n):
    counts = {}
    for w in re.findall(r'\w+', ' '.join('w%d' % (i * 7 % 613) for i in xrange(n))):
        counts[w] = counts.get(w, 0) + 1
    return sorted(counts.items(), key=lambda e: (-e[1], e[0]))[:3]

def matrix(n):
    a = [[(i * j) % 7 + 0.5 for j in range(n)] for i in range(n)]
    columns = zip(*a)
    return sum(sum(x * y for x, y in zip(row, c)) for row in a for c in columns)

def vectors(n):
    all = [Vector(i % 13, -(i * 7 % 31)) for i in xrange(n)]
    total = reduce(lambda a, b: a + b, all)
    return total.x, total.y, max(all).norm, sorted(all)[n // 2].norm

def queens(n):
    def place(row, columns, down, up):
        if row == n: return 1
        return sum(place(row + 1, columns | set([c]), down | set([row + c]), up | set([row - c])) for c in range(n)
                   if c not in columns and row + c not in down and row - c not in up)
    return place(0, frozenset(), frozenset(), frozenset())

def failures(n):
    seen = 0
    for i in xrange(n):
        try:
            if i % 2: raise KeyError(i)
            [][i]
        except KeyError, e: seen += e.args[0] % 3
        except IndexError: seen += 1
    return seen

for i in range(int(sys.argv[1])):
    print fib(23), sum(sieve(300000)), words(60000), '%.1f' % matrix(70), vectors(30000), queens(7), failures(30000)
    print sum(int(d) for d in str(3 ** 20000)), len('x'.join(str(k).replace('1', 'one') for k in xrange(100000))), 'abc'.join(['-'] * 3)
