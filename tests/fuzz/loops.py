# SPDX-License-Identifier: Apache-2.0
"""loops.py SEED: a random Java program of loops over arrays, as opt_vector.c takes them or nearly so, or that only opt_unroll.c puts in a row.

Each method has one loop: elements are computed and stored, totals are made, or both; arrays may be one and the same. Prints a hash of each method's results
over many lengths, starts, and indexes that leave the array."""
import random
import sys

r = random.Random(int(sys.argv[1]))
METHODS, TYPES, WHOLE = 60, ("int", "long", "float", "double", "byte", "char", "short"), ("int", "long", "byte", "char", "short")
FILL = {"int": "h", "long": "h * 0x9E3779B97F4A7C15L", "byte": "(byte) h", "char": "(char) h", "short": "(short) h",
        "float": "k % 11 == 3 ? Float.NaN : k % 13 == 4 ? -0f : h / 1000f",
        "double": "k % 11 == 3 ? Double.NaN : k % 13 == 4 ? -0.0 : h / 1000.0"}


INDICES = ["o + i", "i + w", "i - o", "o - i", "n - 1 - i", "2 * i + 1", "i << 1", "i * 3 + o", "w + i + 1", "j", "j + 1", "o + (w + i)"]


def element(array, offset):
    return f"{array}[{offset}]" if isinstance(offset, str) else f"{array}[i{offset:+d}]" if offset else f"{array}[i]"


def constant(t):
    return str(r.randint(-5, 5)) if t in WHOLE else f"{r.randint(-3, 3)}.5{'f' if t == 'float' else ''}"


class Method:
    def __init__(self, number):
        self.number, self.type = number, r.choice(TYPES)
        self.offsets = r.choice([[0], [0], [0], [0, 1], [1], [0, 2, -1]])
        if r.random() < 0.5:
            self.offsets = r.choice([[r.choice(INDICES[:2])], [0, "o + i"], ["o + i", "i + w"], [r.choice(INDICES)], [0, r.choice(INDICES)], ["j", 0]])
        self.arrays = ["a", "b", "c"][:r.randint(1, 3)]
        self.first = "2" if -1 in self.offsets else r.choice(["0", "0", "from", "2"])
        self.scalar = self.type if self.type in ("int", "long", "float", "double") else "int"
        self.body, self.before, self.result, kind = [], "", "0", r.random()
        if kind < 0.55:
            self.stores(r.randint(1, 3))
            if r.random() < 0.25:
                self.stores(1)
        if kind >= 0.45:
            self.totals()
        r.shuffle(self.body)

    def expression(self, depth):
        inner = lambda: self.expression(depth - 1)
        if depth == 0 or r.random() < 0.3:
            return element(r.choice(self.arrays), r.choice(self.offsets)) if r.random() < 0.8 else r.choice(["x", constant(self.type)])
        k = r.random()
        if self.type not in WHOLE:
            if k < 0.1:
                return f"(-({inner()}))"
            if k < 0.3:
                return f"Math.abs({inner()})" if k < 0.2 or self.type == "float" else f"Math.sqrt({inner()})"
            return f"({inner()} {r.choice('+-*/')} {inner()})"
        if k < 0.1:
            return f"(-({inner()}))"
        if k < 0.18:
            return f"({inner()} {r.choice(['<<', '>>', '>>>'])} {r.randint(0, 40)})"
        if k < 0.32 and self.type in ("int", "long"):
            return f"Math.abs({inner()})" if k < 0.24 else f"Math.{r.choice(['min', 'max'])}({inner()}, {inner()})"
        if k < 0.42 and self.type in ("byte", "char", "short"):
            return f"({r.choice(['byte', 'char', 'short'])}) ({inner()})"
        return f"({inner()} {r.choice('+-*&|^+-')} {inner()})"

    def stores(self, depth):
        self.body.append(f"{element(r.choice('abcd'), r.choice(self.offsets))} = ({self.type}) ({self.expression(depth)});")

    def totals(self):
        t = "long" if self.type == "long" or (self.type == "int" and r.random() < 0.3) else self.scalar
        self.before = f"{t} s = ({t}) x, u = ({t}) y;"
        self.result = "s ^ u" if t in WHOLE else "Double.doubleToLongBits(s + u * 3)"
        for v in ["s", "u"][:r.choice([1, 1, 2])]:
            e, k = self.expression(r.randint(0, 2)), r.random()
            if t not in WHOLE:
                self.body.append(f"{v} += {e};")
            elif k < 0.5:
                self.body.append(f"{v} {r.choice(['+=', '+=', '-=', '*=', '&=', '|=', '^='])} {e};")
            elif k < 0.75:
                self.body.append(f"{v} = Math.{r.choice(['min', 'max'])}({v}, {e});")
            elif k < 0.85 and self.type in ("byte", "char", "short"):
                other = r.choice([constant(self.type), "200", "-3", element(r.choice(self.arrays), r.choice(self.offsets))])
                value = element(r.choice(self.arrays), r.choice(self.offsets)) + r.choice(["", "", " & 0xff", " & 0x0f"])
                self.body.append(f"if (({value}) {r.choice(['==', '!='])} {other}) {v} {r.choice(['+=', '-='])} {r.choice(['1', '1', '7'])};")
            elif k < 0.9:
                self.body.append(f"if ({self.expression(1)} {r.choice(['==', '!=', '<', '<=', '>', '>='])} {self.expression(1)}) {v} {r.choice(['+=', '-=', '|=', '^='])} {e};")
            elif t == "int":
                self.body.append(f"{{ int q = {e}; if (q {r.choice(['<', '<=', '>', '>='])} {v}) {v} = q; }}")
            else:
                self.body.append(f"{v} = {e} + {v};")
            if r.random() < 0.08:
                self.body.append(f"d[i] = ({self.type}) {v};")

    def text(self):
        t, s, n = self.type, self.scalar, self.number
        head = f"int i = {self.first}, j = o; {r.choice(['i < n', 'i < n', 'i <= n - 1', 'i + 1 < n', 'i - 2 <= n'])}; i++"
        if r.random() < 0.15:
            head = r.choice([f"int i = n - 1, j = o; i >= {self.first}; i--", f"int i = {self.first}, j = n; i < j; i++"])
        if r.random() < 0.25:  # nothing that is counted
            test = r.choice(["i < n", "i < n", "i < n && j < 50", "i < n && x == x"])
            head = f"int i = {self.first}, j = o; {test}; i += {r.choice(['1 + (w & 3)', '1 + (from ^ w)', '1 + (i & 1)', 'w > 2 ? 1 : 2', '1'])}"
            if r.random() < 0.5:
                self.body.insert(r.randint(0, len(self.body)), f"if ({self.expression(1)} {r.choice(['==', '!=', '<', '>'])} {self.expression(1)}) {r.choice(['break', 'break', 'continue'])};")
        if any("[j" in b for b in self.body):
            head += r.choice([", j++", ", j++", ", j--", ", j += 2"])
        loop = f"for ({head}) {{ {' '.join(self.body)} }}"
        if self.before and t in WHOLE and r.random() < 0.15:  # questions that no element answers, in more loops than opt_unswitch makes
            asked = lambda k: f"if ((byte) x {r.choice(['==', '!='])} {r.choice(['w', 'o', '(short) y'])} + {k}) s {r.choice(['+=', '-='])} {k + 1};"
            loop = " ".join(f"for ({head}) {{ {' '.join(self.body)} {asked(k)} }}" for k in range(10))
        return f"    static long m{n}({t}[] a, {t}[] b, {t}[] c, {t}[] d, {s} x, {s} y, int from, int n, int o, int w) {{ {self.before} {loop} return {self.result}; }}\n"

    def case(self):
        t, s, n = self.type, self.scalar, self.number
        return f"""        case {n}: {{
            {t}[][] q = {t}s(seed, n + 6);
            long r;
            try {{
                r = m{n}(q[seed % 5 == 1 ? 1 : 0], q[1], q[seed % 7 == 2 ? 0 : 2], q[seed % 3 == 0 ? 0 : seed % 3 + 1], ({s}) (seed * 37 - 60), ({s}) (seed - 3), seed % 4,
                    n + (seed % 50 == 49 ? 9 : 0), seed % 41 == 3 ? seed * 0x10001 : seed % 19 - 3, seed % 6);
            }} catch (RuntimeException e) {{
                r = e.getMessage().hashCode();
            }}
            return r * 31 + Arrays.hashCode(q[0]) + 3L * Arrays.hashCode(q[1]) + 5L * Arrays.hashCode(q[2]) + 7L * Arrays.hashCode(q[3]);
        }}
"""


def filler(t):
    return f"""    static {t}[][] {t}s(int seed, int n) {{
        {t}[][] q = new {t}[4][n];
        int h = seed;
        for ({t}[] a : q)
            for (int k = 0; k < n; k++) {{
                h = h * 1103515245 + 12345 + (h >>> 7);
                if (k % 17 == 5) h = k % 2 == 0 ? Integer.MIN_VALUE : -1;
                a[k] = {FILL[t]};
            }}
        return q;
    }}
"""


methods = [Method(k) for k in range(METHODS)]
print("import java.util.Arrays;\n\npublic class Loops {")
print("".join(m.text() for m in methods) + "".join(filler(t) for t in TYPES))
print("    static long run(int k, int seed, int n) {\n        switch (k) {\n" + "".join(m.case() for m in methods) + "        default: return 0;\n        }\n    }\n")
print(f"""    public static void main(String[] args) {{
        for (int k = 0; k < {METHODS}; k++) {{
            long h = 0;
            for (int seed = 0; seed < 700; seed++) h = h * 31 + run(k, seed, seed % 7 == 0 ? seed * 3 % 300 : seed % 73);
            System.out.println("m" + k + " " + h);
        }}
    }}
}}""")
