# SPDX-License-Identifier: Apache-2.0
"""nests.py SEED: a random Java program of loops in loops over what fields say: bounds, positions and arrays that outer turns, inner ones, or another object that
may be the same one, change; as lexers, buffers and matchers have them.

Terms. *Places* (fields p, q, low, high, static s) hold 0 to 15, whatever is stored: so all loops end that go up to one, or down from it, by a local that nothing else
sets. A loop by a place *holds* it: what stands in it only lets it grow. Totals (sum, all, locals) hold anything. Prints a hash of results and of all that is left."""
import random
import sys

r = random.Random(int(sys.argv[1]))
METHODS, DEPTH = 40, 3
PLACES = ["p", "q", "low", "high", "s", "o.p", "o.high"]
ARRAYS = ["a", "b", "o.a"]


class Method:
    def __init__(self, number):
        self.number, self.loops, self.text = number, 0, ""
        self.text = self.block(DEPTH, ["x", "y"], [], [])

    def index(self, ints):
        i = r.choice([v for v in ints if v[0] in "ijk"] or ints)
        return r.choice([i, i, i, f"{i} + {r.randint(1, 3)}", f"{i} + low", f"{i} + o.p", f"{i} - low", f"({self.whole(1, ints)}) & 31", r.choice(PLACES), f"15 - {i}"])

    def whole(self, depth, ints):
        if depth == 0 or r.random() < 0.25:
            return r.choice([r.choice(ints), r.choice(ints), r.choice(PLACES), str(r.choice([0, 1, 2, 3, 7, 15, 31, -1]))])
        k, inner = r.random(), lambda: self.whole(depth - 1, ints)
        if k < 0.35:
            return f"{r.choice(ARRAYS)}[{self.index(ints)}]"
        if k < 0.42:
            return f"text[{self.index(ints)}]"
        if k < 0.47:
            return r.choice(["left()", "here()", "o.left()", f"at({inner()})", "(int) sum", "b.length", "a.length", "o.text.length"])
        if k < 0.52:
            return f"({inner()} {r.choice(['>', '<', '==', '!='])} {inner()} ? {inner()} : {inner()})"
        return f"({inner()} {r.choice(['+', '-', '*', '&', '|', '^', '+', '-'])} {inner()})"

    def test(self, ints):
        return r.choice([f"{self.whole(1, ints)} {r.choice(['<', '>', '==', '!=', '<=', '>='])} {self.whole(1, ints)}",
                         f"({self.whole(1, ints)} & {r.choice([1, 3, 7])}) == 0", f"text[{self.index(ints)}] == '{r.choice('ab c')}'", "o == this", "a == b"])

    def bound(self, ints):
        return r.choice(["high", "high", "q", "o.high", "s", "p", "low + 5", "(x & 15)", "left()", str(r.randint(3, 12))])

    def grow(self, place):
        return r.choice([f"{place}++;", f"{place} += 1;", f"{place} += 1 + (x & 1);", f"{place}++;"])

    def loop(self, depth, ints, held):
        self.loops += 1
        v, k = "ijk"[DEPTH - depth] + str(self.loops), r.random()
        if k < 0.55:
            head = f"for (int {v} = {r.choice(['0', '0', '0', 'low', 'p', 'o.low', '1'])}; {v} < {self.bound(ints)}; {v}{r.choice(['++', '++', '++', ' += 2', ' += 1 + (y & 1)'])})"
        elif k < 0.7:
            head = f"for (int {v} = {self.bound(ints)} - 1; {v} >= {r.choice(['0', '0', 'low', 'p'])}; {v}--)"
        else:
            places = [x for x in ["p", "q"] if x not in held]
            if not places:
                return self.simple(ints, held)
            place = r.choice(places)
            held = held + [place]
            test = f"{place} < {r.choice(['high', '15', 'o.high', 'a.length', '12'])}" + r.choice(["", "", f" && {self.test(ints)}"])
            return f"while ({test}) {{ {self.block(depth - 1, ints, held, ['break'])} {self.grow(place)} }}"
        return f"{head} {{ {self.block(depth - 1, ints + [v], held, ['break', 'continue'])} }}"

    def simple(self, ints, held):
        k = r.random()
        if k < 0.25:
            return f"{r.choice(['sum', 'sum', 'all', 'o.sum'])} {r.choice(['+=', '+=', '^=', '-=', '='])} {self.whole(2, ints)};"
        if k < 0.45:
            return f"{r.choice(ARRAYS)}[{self.index(ints)}] {r.choice(['=', '=', '+=', '^='])} {self.whole(2, ints)};"
        if k < 0.55:
            return f"text[{self.index(ints)}] = (char) ({self.whole(1, ints)});"
        if k < 0.6:
            return r.choice(["{ int[] c = a; a = b; b = c; }", "a = o.b;", "if ((x & 7) == 3) a = new int[40];", "o = o.o;", "if (y == 3) o = this;"])
        if k < 0.68:
            return f"{r.choice(['x', 'y'])} {r.choice(['+=', '^=', '='])} {self.whole(1, ints)};"
        place = r.choice(PLACES)
        if held and (place in held or "." in place or r.random() < 0.2):  # the other may be this one
            place = r.choice(held)
            return f"if ({place} < 30 && {self.test(ints)}) {self.grow(place)}"
        return r.choice([f"{place} = ({self.whole(1, ints)}) & 15;", f"{place} = {place} + 1 & 15;", f"set{place.capitalize()}({self.whole(1, ints)});" if place in ("p", "high") else f"{place} = low;"])

    def block(self, depth, ints, held, ways):
        parts = []
        for _ in range(r.randint(1, 3)):
            k = r.random()
            if depth > 0 and k < 0.5 and self.loops < 6:
                parts.append(self.loop(depth, ints, held))
            elif k < 0.75:
                parts.append(self.simple(ints, held))
            elif ways and k < 0.82:
                parts.append(f"if ({self.test(ints)}) {r.choice(ways)};")
            else:
                other = f" else {{ {self.simple(ints, held)} }}" if r.random() < 0.4 else ""
                parts.append(f"if ({self.test(ints)}) {{ {self.simple(ints, held)} {self.simple(ints, held) if r.random() < 0.3 else ''} }}{other}")
        return " ".join(parts)


methods = [Method(k) for k in range(METHODS)]
print("""import java.util.Arrays;

public class Nests {
    int p, q, low, high = 15;
    long sum, all;
    static int s;
    int[] a = new int[40], b = new int[40];
    char[] text = new char[40];
    Nests o = this;

    int left() { return high - p & 15; }
    int here() { return text[p]; }
    int at(int i) { return a[i & 31]; }
    void setP(int x) { p = x & 15; }
    void setHigh(int x) { high = x & 15; }
""")
for m in methods:
    print(f"    long m{m.number}(int x, int y) {{ {m.text} return sum * 31 + x; }}")
print("    static long run(int k, Nests n, int x, int y) {\n        switch (k) {")
for m in methods:
    print(f"        case {m.number}: return n.m{m.number}(x, y);")
print(f"""        default: return 0;
        }}
    }}
    void fill(int seed) {{
        p = seed & 3; q = seed >> 2 & 3; low = seed % 5; high = seed % 16; s = seed % 11; sum = all = seed;
        for (int i = 0; i < 40; i++) {{
            a[i] = seed * i - 50; b[i] = i * i ^ seed; text[i] = (char) ('a' + (seed + i * 7 & 3));
        }}
    }}
    long hash() {{ return (((((p * 31L + q) * 31 + low) * 31 + high) * 31 + s) * 31 + sum) * 31 + all + Arrays.hashCode(a) * 7L + Arrays.hashCode(b) * 3L + Arrays.hashCode(text); }}
    public static void main(String[] args) {{
        for (int k = 0; k < {METHODS}; k++) {{
            long h = 0;
            for (int seed = 0; seed < 300; seed++) {{
                Nests n = new Nests(), other = new Nests();
                n.fill(seed);
                other.fill(seed * 7 + 1);
                other.o = n;
                if (seed % 3 != 0) n.o = other;
                try {{
                    h = h * 31 + run(k, n, seed, seed * 5 & 15);
                }} catch (RuntimeException e) {{
                    h = h * 31 + e.toString().hashCode() + e.getStackTrace()[0].getLineNumber();
                }}
                h = h * 31 + n.hash() + other.hash() * 5;
            }}
            System.out.println("m" + k + " " + h);
        }}
    }}
}}""")
