# SPDX-License-Identifier: Apache-2.0
"""objects.py SEED: a random Java program of objects, boxes, texts, collections, lambdas, exceptions and monitors.

METHODS static methods m0, m1, ... of random statements, each calling only those before it, over a random hierarchy of classes that share an interface. What
the methods meet changes while the program runs (Main.node: one class first, then two, then all, then null): what was compiled for the first has to be left.
main prints a hash of what each method returned, threw (class, message, lines and depth of the trace) and left in static fields. With arguments it runs
only the methods whose numbers they are and prints each outcome.

Terms. A *scope* is a list of variables (name, type, kind): `set` may be assigned, `final` may be captured by a lambda, `seen` neither. *weight* is how often
a statement runs at most, in one call of its method; calls are only made where weight times the callee's cost stays below MOST. Texts are cut where they are
assigned, collections are filled to a limit, recursion goes along `(x & 7) - 1`: all programs end. Nothing told depends on identity hashes or times. What would
throw is rare, since what stands behind it is not run: indexes are masked, arrays and lists mostly long enough."""
import random
import re
import sys

r = random.Random(int(sys.argv[1]))
METHODS, CLASSES, MOST = 25, r.randint(3, 7), 3000
INTS = ["0", "1", "-1", "2", "3", "7", "31", "100", "127", "128", "-129", "1000", "65535", "Integer.MIN_VALUE", "Integer.MAX_VALUE"]
TEXTS = ['""', '"a"', '"ab"', '"abcdefgh"', '"abcdefghi"', '"b\\u00e9"', '"\\u0416abc"', '"-17"', '"42"', '"Zz zZ"', '"the quick brown fox"']
LETTERS = {"i": "int", "l": "long", "d": "double", "z": "boolean", "c": "char", "s": "String", "I": "Integer", "n": "Node", "a": "int[]", "L": "List<Integer>",
           "m": "Map<String, Integer>", "o": "Object", "f": "IntUnaryOperator"}
TYPES = list(LETTERS.values())

# Expressions by type, one a line. {i} and its like: an expression of that type (LETTERS), {C}: a class, {a|b}: one of these, {name}: Body.name(type, depth).
# A number in front: so often in the list. Above the line of dashes: what stands where nothing deeper may.
EXPRESSIONS = {"int": """
2 {constant}
Main.count
Main.numbers[{0|1|2|3|4|5|6|7}]
---
3 ({i} {+|-|*|&|^} {i})
({i} {<<|>>|>>>} {i})
({i} {/|%} ({i} | {1|1|1|1|1|8|8|0}))
({i} {/|%} {3|8|10|-7|1000})
2 {n}.a
{n}.next.a
4 {virtual}
{f}.applyAsInt({i})
2 {a}[{index}]
{a}.length
{a}[{seldom}]
{s}.length()
{s}.hashCode()
{s}.compareTo({s})
{s}.indexOf({c})
{s}.indexOf({s})
{s}.{indexOf|lastIndexOf}({c}, {index})
{I}
{I}.hashCode()
{I}.compareTo({I})
((int) {l})
((int) {d})
((int) {c})
(+({byte|short|char}) (int) {i})
Math.{min|max}({i}, {i})
Math.{floorMod|floorDiv}({i}, {i} | 1)
Math.{addExact|multiplyExact|subtractExact}({i} & 0xffff, {seldom} & 0x3fff)
Math.abs({i})
Integer.{bitCount|reverse|numberOfTrailingZeros|numberOfLeadingZeros|highestOneBit|signum|reverseBytes}({i})
Integer.{compare|rotateLeft|compareUnsigned|divideUnsigned|remainderUnsigned}({i}, {i} | 1)
Integer.parseInt(Integer.toString({i}))
(+Character.{getNumericValue|toUpperCase|toLowerCase|getType}({c}))
{L}.get({i} & 3)
{L}.{size|hashCode}()
{L}.indexOf({I})
{m}.getOrDefault({s}, {i})
{m}.{size|hashCode}()
{choice}
{switched}
2 {call}
new int[] {{i}, {i}, {i}}[{i} & 1]
new Pair({i}, {I}).p()
new Pair({i}, {s}).hashCode()
{stream}
{pattern}
Kind.of({i}).{rank|ordinal()}
Optional.ofNullable({I}).{orElse(5)|map(q -> q + 1).orElse(-1)}
(Main.count += {i})
Arrays.hashCode({a})
MainHandles.hash({a})
MainHandles.code({s})
MainHandles.index({s}, {c}, {i} & 3)
MainHandles.order({s}, {s})
MainHandles.bits({l})
Objects.hash({i}, {s}, {l})
Main.sum({i}, {i}, {i})
""", "long": """
{0L|1L|-1L|Long.MIN_VALUE|0x123456789abcdefL|-77L|1000L}
Main.total
---
({l} {+|-|*|&|^} {l})
({l} {+|-|*|&|^} {i})
({l} {<<|>>|>>>} {i})
({l} {/|%} ({l} | 1))
({l} {/|%} {10|1000|16|-3})
2 {n}.b
((long) {i})
((long) {d})
Double.doubleToLongBits({d})
Math.{min|max|floorMod|multiplyHigh}({l}, {l} | 1)
Long.{bitCount|reverse|hashCode|numberOfTrailingZeros}({l})
{choice}
{call}
{switched}
Long.valueOf({l}).longValue()
(Main.total += {l})
MainHandles.high({l}, {l})
Long.compare({l}, {l})
""", "double": """
{0.0|-0.0|1.5|Double.NaN|1e300|-2.25|0.1}
(double) Main.count
---
({d} {+|-|*|/} {d})
({d} {+|-|*|/|%} {i})
((double) {i})
((double) {l})
((double) (float) {d})
Math.{sqrt|abs|floor|ceil|rint}({d})
Math.{min|max}({d}, {d})
{choice}
{call}
""", "boolean": """
({i} {<|<=|>|>=|==|!=} {i})
({i} {<|<=|>|>=|==|!=} {constant})
---
2 ({i} {<|<=|>|>=|==|!=} {i})
({l} {<|<=|>|>=|==|!=} {l})
({d} {<|<=|>|>=|==|!=} {d})
({c} {<|<=|>|>=|==|!=} {c})
{s}.{equals|startsWith|endsWith|contains|equalsIgnoreCase}({s})
{s}.isEmpty()
({I} {==|!=} {I})
{I}.equals({o})
((Node) {n} {==|!=} (Node) {n})
((Node) {n} {==|!=} null)
2 ({n}.hashCode() == {System.identityHashCode(|Objects.hashCode(}{n}))
((Object) {n}.getClass() == {n}.getClass())
((Class<?>) {n}.getClass() == {C}.class)
((Object) {o} instanceof {String|Integer|Node|Pair|int[]|Base})
((Object) {o} instanceof {C})
((Object) {n} instanceof {C})
({z} && {z})
({z} || {z})
({z} {^|&} {z})
!{z}
{L}.contains({I})
{m}.containsKey({s})
Objects.equals({o}, {o})
new Pair({i}, {s}).equals(new Pair({i}, {s}))
Character.{isLetter|isDigit|isWhitespace|isUpperCase|isLetterOrDigit}({c})
Thread.holdsLock({n})
MainHandles.same({s}, {s})
MainHandles.letter({c})
{call}
new HashSet<>({L}).contains({i})
""", "char": """
{'a'|'b'|'Z'|'7'|' '|'\\u00e9'|'\\u0416'}
---
((char) (int) {i})
((char) ('a' + ({i} & 15)))
2 Main.at({s}, {i} & {3|7})
{s}.charAt(0)
Character.{toUpperCase|toLowerCase}({c})
{choice}
""", "String": """
{text}
---
({s} + {s})
({s} + {i})
({s} + {c} + {l})
("" + {I} + {z})
2 Main.tail({s}, {i} & 3)
{s}.{trim()|toUpperCase()|strip()|toLowerCase()|intern()}
{s}.concat({s})
{s}.replace({c}, {c})
String.valueOf({i})
String.valueOf({d})
String.valueOf({c})
Integer.toString({i}, {10|16|2|36})
Long.toHexString({l})
{s}.repeat({i} & 3)
MainHandles.text({i})
2 {n}.s
{choice}
{switched}
{call}
{L}.toString()
new StringBuilder({s}).append({i}).append({c}).reverse().toString()
new StringBuilder({s}).append({s}).append({l}).toString()
new StringBuilder().append({c}).append({i}).append({s}).toString()
String.join({s}, {s}, {s})
String.valueOf({s}.toCharArray())
new Pair({i}, {s}).toString()
Kind.of({i}).name()
{pattern}
((Object) {o} == null ? "none" : {s})
""", "Integer": """
((Integer) ({i}))
Integer.valueOf({-300|-128|127|128|5|300})
---
3 Integer.valueOf({i})
MainHandles.box({i})
{L}.get({i} & 3)
2 {m}.getOrDefault({s}, {i})
2 {n}.box
{choice}
Main.map.merge({s}, {i} & 255, Integer::sum)
{strange}
""", "Node": """
Main.node({i})
new {C}({i}, {l})
{self}
---
2 Main.node({i})
2 new {C}({i}, {l})
2 new {C}({i}, {l}).with({n})
{n}.next
{choice}
Main.keep({n})
{call}
{n}.with({n})
Main.kept[0]
{switched}
{strange}
""", "int[]": """
Main.numbers
---
(new int[8 + ({i} & 15)])
(new int[{i} & 15])
2 (new int[] {{i}, {i}, {i}, {i}, {i}, {i}, {i}, {i}})
(new int[] {{i}, {i}, {i}})
{a}.clone()
MainHandles.copy({a})
Arrays.copyOf({a}, 8 + ({i} & 7))
Arrays.copyOfRange({a}, {i} & 3, 11 + ({i} & 7))
""", "List<Integer>": """
Main.list
---
List.of({i}, {i}, {i}, {i})
new ArrayList<>({L})
Arrays.asList({I}, {I}, {I}, {i})
new ArrayList<>(Main.filled({a}))
{L}.subList(0, 4)
""", "Map<String, Integer>": """
Main.map
---
Map.of({s}, {i})
new {HashMap|TreeMap}<>({m})
Main.counted({s})
""", "Object": """
{s}
2 {I}
{n}
{a}
---
{s}
2 {I}
{n}
{a}
new Pair({i}, {s})
((Object) ({l}))
((Object) ({i}))
""", "IntUnaryOperator": """
{function}
---
4 {function}
((IntUnaryOperator) {Math::abs|Integer::bitCount|Integer::reverse})
Main.after({f}, {f})
{anonymous}
"""}


def table(text):
    parts = []
    for part in text.split("---"):
        lines = [re.fullmatch(r"(?:(\d+) )?(.+)", line) for line in part.strip().split("\n")]
        parts.append([m[2] for m in lines for _ in range(int(m[1] or 1))])
    return parts


EXPRESSIONS = {type: table(text) for type, text in EXPRESSIONS.items()}


def chance(p):
    return r.random() < p


class Body:
    """Statements and expressions of one method; in_class: of a method of the classes."""

    def __init__(self, name, scope, callees, in_class=False):
        self.name, self.scopes, self.callees, self.in_class = name, [list(scope)], callees, in_class
        self.weight, self.cost, self.names, self.labels, self.lambdas = 1, 1, 0, [], 0

    # ---- variables
    def variables(self, type, kinds=("set", "final", "seen")):
        return [n for scope in self.scopes for n, t, k in scope if t == type and k in kinds and (k == "final" or not self.lambdas)]

    def fresh(self, prefix="v"):
        self.names += 1
        return f"{prefix}{self.names}"

    def declare(self, name, type, kind):
        self.scopes[-1].append((name, type, kind))

    # ---- expressions
    def value(self, type, depth):
        self.cost += self.weight
        known = self.variables(type)
        if known and (depth <= 0 or chance(0.35)):
            return r.choice(known)
        shallow, deep = EXPRESSIONS[type]
        return self.filled(r.choice(shallow if depth <= 0 else deep), type, depth - 1)

    def filled(self, template, type, depth):
        def one(match):
            what = match[1]
            if "|" in what:
                return r.choice(what.split("|"))
            if what in LETTERS:
                return self.value(LETTERS[what], depth)
            return self.some_class() if what == "C" else getattr(self, what)(type, depth)

        return re.sub(r"\{([^{} ]+| \|[^{}]*|[^{} ]*\|[^{}]*)\}", one, template)

    def some_class(self):
        return f"C{r.randrange(CLASSES)}"

    def constant(self, type, d):
        return r.choice(INTS) if chance(0.5) else str(r.randint(-200, 200))

    def text(self, type, d):
        return r.choice(TEXTS)

    def index(self, type, d):
        return r.choice([f"({self.value('int', d)} & 7)", f"({self.value('int', d)} & 3)", "0", "1"])

    def seldom(self, type, d):
        """What would throw if it were not masked: it is not in one of twenty."""
        return self.value("int", d) if chance(0.05) else f"({self.value('int', d)} & 7)"

    def strange(self, type, d):
        if chance(0.9):
            return self.value(type, d)
        if type == "Node":
            return r.choice(["((Node) null)", f"(({self.some_class()}) (Node) {self.value('Node', d)})"])
        return r.choice([f"((Integer) (Object) {self.value('Object', d)})", f"{self.value('Map<String, Integer>', d)}.get({self.value('String', d)})"])

    def self(self, type, d):
        return "this" if self.in_class and not self.lambdas else f"Main.node({self.value('int', 0)})"

    def choice(self, type, d):
        return f"({self.value('boolean', d)} ? {self.value(type, d)} : {self.value(type, d)})"

    def switched(self, type, d):
        on, labels = r.choice([(f"{self.value('int', d)} & 7", "01234567"), (self.value("String", d), TEXTS), (f"Kind.of({self.value('int', d)})", "ABCD")])
        arms = "".join(f"case {n} -> {self.value(type, d)}; " for n in r.sample(list(labels), r.randint(1, 4)))
        return f"(switch ({on}) {{ {arms}default -> {self.value(type, d)}; }})"

    def call(self, type, d):
        fit = [m for m in self.callees if m.type == type and m.cost * self.weight < MOST]
        if not fit:
            return self.value(type, d)
        m = r.choice(fit)
        self.cost += m.cost * self.weight
        return f"{m.name}({', '.join(self.value(t, min(d, 1)) for t in m.parameters)})"

    def virtual(self, type, d):
        """A call that is dispatched; none in the methods of the classes, which would not end."""
        if self.in_class:
            return self.filled("{n}.a", type, d)
        return self.filled(r.choice(["{n}.area({i})", "{n}.area({i})", "{n}.twice({i})", "Main.tell({n})", "new {C}({i}, {l}).area({i})"]), type, d)

    def inner(self, names, depth):
        """What a lambda with these parameters computes: it sees only variables that may be captured."""
        self.scopes.append([(n, "int", "final") for n in names])
        self.lambdas += 1
        text = self.value("int", depth)
        self.lambdas -= 1
        self.scopes.pop()
        return text

    def function(self, type, d):
        q = self.fresh("q")
        return f"((IntUnaryOperator) ({q} -> {self.inner([q], min(d, 1))}))"

    def anonymous(self, type, d):
        q = self.fresh("q")
        return f"new IntUnaryOperator() {{ int n = {self.inner([], 0)}; public int applyAsInt(int {q}) {{ return n++ + {self.inner([q], min(d, 1))}; }} }}"

    def stream(self, type, d):
        q, p = self.fresh("q"), self.fresh("q")
        w, self.weight = self.weight, self.weight * 8
        step = lambda n: self.inner([n], min(d, 1))
        text = r.choice([
            lambda: f"IntStream.range(0, {self.value('int', 0)} & 7).map({q} -> {step(q)}).sum()",
            lambda: f"IntStream.range(0, {self.value('int', 0)} & 7).filter({q} -> ({step(q)} & 1) == 0).map({p} -> {step(p)}).max().orElse(-3)",
            lambda: f"{self.value('List<Integer>', 0)}.stream().filter({q} -> {q} > {r.randint(-9, 99)}).mapToInt({p} -> {step(p)}).sum()",
            lambda: f"Arrays.stream({self.value('int[]', 0)}).limit(9).map({q} -> {step(q)}).reduce(7, ({p}, {p}b) -> {p} * 31 + {p}b)"])()
        self.weight = w
        return text

    def pattern(self, type, d):
        c = self.fresh("c")
        tested = r.choice(["String", "Integer", self.some_class(), "Node"])
        source = self.value("Object", d)
        self.scopes.append([(c, "Node" if tested[0] == "C" else tested, "final")])
        yes = self.value(type, d)
        self.scopes.pop()
        return f"((Object) {source} instanceof {tested} {c} ? {yes} : {self.value(type, d)})"

    # ---- statements
    def block(self, n, indent):
        self.scopes.append([])
        text = "".join(self.statement(indent) for _ in range(n))
        self.scopes.pop()
        return text

    def statement(self, indent):
        nested = len(indent) < 24
        kinds = ["declare"] * 4 + ["assign"] * 4 + ["store"] * 3 + ["element", "element", "call", "collect", "build", "leave", "shown"]
        if nested:
            kinds += ["branch"] * 3 + ["loop"] * 3 + ["catching", "catching", "locked", "switch", "each", "throwing"]
        return getattr(self, "do_" + r.choice(kinds))(indent)

    def do_declare(self, p):
        type = r.choice(TYPES + ["int"] * 4 + ["Node", "Node", "String", "Integer", "long"])
        value, name, kind = self.kept(type, 2), self.fresh(), r.choice(["set", "set", "final"])
        self.declare(name, type, kind)
        return f"{p}{type} {name} = {value};\n"

    def do_assign(self, p):
        type = r.choice(["int", "int", "int", "long", "double", "String", "Integer", "Node", "boolean", "char", "int[]", "Object"])
        known = self.variables(type, ("set",))
        if not known:
            return self.do_declare(p)
        name, k = r.choice(known), r.random()
        if type in ("int", "long") and k < 0.15:
            return f"{p}{name}{r.choice(['++', '--'])};\n"
        if type in ("int", "long") and k < 0.5:
            return f"{p}{name} {r.choice(['+=', '-=', '*=', '^=', '|=', '&=', '>>='])} {self.value('int' if chance(0.8) else type, 2)};\n"
        return f"{p}{name} = {self.kept(type, 2)};\n"

    def kept(self, type, depth):
        """A value that outlives the statement: no text may grow with the turns of a loop."""
        value = self.value(type, depth)
        return f"cut({value})" if type == "String" else value

    def do_store(self, p):
        if chance(0.3):
            place, operator, type = r.choice([("Main.count", "=", "int"), ("Main.total", "^=", "long"), ("Main.kept[{i} & 1]", "=", "Node"), ("Main.objects[{i} & 3]", "=", "Object"),
                                              ("Main.any({i})[0]", "=", "Object")])
            return f"{p}{self.filled(place, type, 0)} {operator} {self.value(type, 2)};\n"
        field, type = r.choice([("a", "int"), ("a", "int"), ("b", "long"), ("next", "Node"), ("s", "String"), ("box", "Integer")])
        value = self.kept(type, 2)
        return f"{p}{self.value('Node', 1)}.{field} {r.choice(['=', '=', '+=']) if type in ('int', 'long') else '='} {value};\n"

    def do_element(self, p):
        index = f"{self.value('int', 1)}{'' if chance(0.02) else ' & 3' if chance(0.5) else ' & 7'}"
        return f"{p}{self.value('int[]', 0)}[{index}] {r.choice(['=', '+=', '^='])} {self.value('int', 2)};\n"

    def do_call(self, p):
        return f"{p}Main.count += {self.call('int', 2)};\n"

    def do_collect(self, p):
        lists = "{L}" if chance(0.1) else "Main.list"
        template = r.choice([f"Main.add({lists}, {{i}})", "Main.map.merge(cut({s}), {i}, Integer::sum)", "Main.map.put({text}, {I})", "Main.map.computeIfAbsent(cut({s}), q -> q.length())"])
        return f"{p}{self.filled(template, 'int', 1)};\n"

    def do_build(self, p):
        name, w = self.fresh("b"), self.weight
        text = f"{p}StringBuilder {name} = new StringBuilder({r.choice(['', '', self.value('String', 0)])});\n{p}"
        if chance(0.6):
            text += f"for (int {name}i = 0; {name}i < ({self.value('int', 0)} & 7); {name}i++) "
            self.weight *= 8
        appends = "".join(f".append({self.value(r.choice(['int', 'char', 'String', 'long', 'boolean', 'Integer']), 1)})" for _ in range(r.randint(1, 3)))
        self.weight = w
        return f"{text}{name}{appends};\n{p}Main.total += {name}.{self.filled(r.choice(['length()', 'toString().hashCode()', 'indexOf({s})']), 'int', 0)};\n"

    def do_leave(self, p):
        condition = self.value("boolean", 1)
        k = r.random()
        if self.labels and k < 0.7:
            label = r.choice(self.labels)
            return f"{p}if ({condition}) {r.choice(['break', 'continue'])} {label};\n"
        if k < 0.85:
            return f"{p}if ({condition} && {self.value('boolean', 1)}) return {self.value(self.type, 2)};\n"
        return self.do_throwing(p)

    def do_throwing(self, p):
        template = "if ({i} {==|>} {constant} && {z}) throw new " + r.choice(["IllegalStateException({s})", "Stop({i})", "Quiet({i})"])
        return f"{p}{self.filled(template, 'int', 1)};\n"

    def do_branch(self, p):
        text = f"{p}if ({self.value('boolean', 2)}) {{\n{self.block(r.randint(1, 3), p + '    ')}{p}}}"
        if chance(0.5):
            text += f" else {{\n{self.block(r.randint(1, 3), p + '    ')}{p}}}"
        return text + "\n"

    def do_loop(self, p):
        if self.weight > 200:
            return self.do_branch(p)
        n, turns = self.fresh("i"), r.choice([4, 8, 16, 16, 32])
        bound = r.choice([f"({self.value('int', 1)} & {turns - 1})", str(turns), f"Math.min({turns}, {self.value('int[]', 0)}.length)"])
        head = r.choice([f"int {n} = 0; {n} < {bound}; {n}++", f"int {n} = {turns}; {n} > 0; {n} -= {r.randint(1, 3)}", f"int {n} = 1; {n} < (1 << {min(turns, 12)}); {n} <<= 1",
                         f"int {n} = 0, {n}e = {bound}; {n} < {n}e; {n} += 1 + ({self.value('int', 0)} & 1)"])
        w, label = self.weight, f"l{n}"
        self.weight *= turns
        self.scopes.append([(n, "int", "seen")])
        self.labels.append(label)
        body = self.block(r.randint(1, 4), p + "    ")
        self.labels.pop()
        self.scopes.pop()
        self.weight = w
        return f"{p}{label}: for ({head}) {{\n{body}{p}}}\n"

    def do_each(self, p):
        if self.weight > 100:
            return self.do_branch(p)
        n, w = self.fresh("e"), self.weight
        type, over = r.choice([("int", "{a}"), ("int", "{L}"), ("Integer", "{L}"), ("String", "{m}.keySet()")])
        over = self.filled(over, type, 1)
        self.weight *= 12
        self.scopes.append([(n, type, "final")])
        body = self.block(r.randint(1, 3), p + "    ")
        self.scopes.pop()
        self.weight = w
        return f"{p}for ({type} {n} : {over}) {{\n{body}{p}}}\n"

    def do_catching(self, p):
        n = self.fresh("x")
        block = lambda least, most: self.block(r.randint(least, most), p + "    ")
        text = f"{p}try {{\n{block(1, 3)}{p}}}"
        kind = r.choice(["RuntimeException", "NullPointerException", "ArithmeticException | ClassCastException", "Quiet", "Stop", "IndexOutOfBoundsException"])
        caught = chance(0.85)
        if caught:
            text += f" catch ({kind} {n}) {{\n{p}    Main.count = Main.count * 31 + Main.trace({n});\n{block(0, 2)}{p}}}"
        if not caught or chance(0.3):
            text += f" finally {{\n{block(1, 2)}{p}}}"
        return text + "\n"

    def do_shown(self, p):
        """Objects that lead to one another, and that only frames of seldom calls name until one of them is given away."""
        n, h, x = self.fresh("n"), self.fresh("h"), self.fresh("x")
        seldom = lambda: r.choice([f"Main.count += Main.aside({n}, {r.randint(1, 3)});", f"Main.count += Main.aside(Main.kept[0], {r.randint(1, 3)});", f"Main.objects[1] = new Pair({h}.n, {n}.s);",
                                   f"Main.kept[1] = {n};", f"{h}.n++;", f"Main.count += {self.value('int', 1)};"])
        told = f"Main.count += {h}.n * 7 + {h}.node.a + ({h}.node == {n} ? 1 : 2);"
        leave = r.choice(["", "", f" return {self.value(self.type, 1)};"])
        return (f"{p}Node {n} = new {self.some_class()}({self.value('int', 1)}, {self.value('long', 0)});\n{p}Held {h} = new Held({n}, {self.value('int', 1)});\n"
                f"{p}if (({self.value('int', 1)} & {r.choice([15, 7, 31])}) == 3) {{\n{p}    {seldom()} {seldom()}\n{p}    try {{ {seldom()} {seldom()} }} catch (RuntimeException {x}) {{ {told}{leave} }}\n"
                f"{p}    {told}{leave}\n{p}}}{' else ' if leave else chr(10) + p}{told}\n")

    def do_locked(self, p):
        return f"{p}synchronized ({self.value('Node', 1)}) {{\n{self.block(r.randint(1, 3), p + '    ')}{p}}}\n"

    def do_switch(self, p):
        text = f"{p}switch ({self.value('int', 1)} & 7) {{\n"
        for n in r.sample(range(8), r.randint(2, 5)):
            text += f"{p}case {n}:\n{self.block(r.randint(1, 2), p + '    ')}" + (f"{p}    break;\n" if chance(0.7) else "")
        return text + f"{p}default:\n{self.block(1, p + '    ')}{p}}}\n"


class Method(Body):
    def __init__(self, number, callees):
        self.type = r.choice(["int", "int", "int", "long", "String", "Node", "boolean", "double"])
        self.parameters = [r.choice(["int", "int", "Node", "Node", *ARGUMENTS]) for _ in range(r.randint(1, 5))]
        names = [(f"p{k}", t, r.choice(["set", "final", "final"])) for k, t in enumerate(self.parameters)]
        super().__init__(f"m{number}", names, callees)
        body = self.block(r.randint(2, 5), "        ")
        head = f"static {'synchronized ' if chance(0.08) else ''}{self.type} {self.name}({', '.join(f'{t} {n}' for n, t, _ in names)})"
        self.text = f"    {head} {{\n{body}        return {self.kept(self.type, 2)};\n    }}\n\n"


def a_class(k):
    parent = f"C{r.randrange(k)}" if k and chance(0.4) else "Base"
    fields = [("a", "int", "final"), ("b", "long", "final"), ("x", "int", "final"), ("s", "String", "final"), ("box", "Integer", "final"), ("next", "Node", "final")]
    value = lambda depth: Body("", fields, [], True).value("int", depth)
    methods = ""
    if parent == "Base" or chance(0.6):
        result = f"((x & 7) == 0 || next == null ? {value(2)} : next.area((x & 7) - 1) {r.choice('+^-')} a)" if chance(0.5) else value(2)
        methods += f"    {r.choice(['', '', 'synchronized '])}public int area(int x) {{ {r.choice(['', 'a++; ', 'b += x; ', 'box = x; '])}return {result}; }}\n"
    if chance(0.4):
        methods += f"    public int twice(int x) {{ return {r.choice(['super.twice(x) + ', '', 'area(x) ^ '])}{value(1)}; }}\n"
    if chance(0.3):
        methods += "    public boolean equals(Object o) { return o instanceof Base q && q.a == a; }\n    public int hashCode() { return a; }\n"
    if chance(0.3):
        methods += f"    public Node with(Node n) {{ {r.choice(['if (n != null) ', ''])}a += n.a; return {r.choice(['this', 'n', 'super.with(n)'])}; }}\n"
    made = r.choice(["", ' this.s = "k" + a;', " this.box = a;", " this.next = Main.kept[0];", " if (a == 7777) throw new Stop(a);"])
    final = "final " if k == CLASSES - 1 and chance(0.2) else ""
    return f"{final}class C{k} extends {parent} {{\n    C{k}(int a, long b) {{ super(a, b);{made} }}\n{methods}}}\n\n"


FIXED = """
import java.lang.invoke.*;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

class Stop extends RuntimeException {
    final int n;
    Stop(int n) { super("stop " + n); this.n = n; }
}

class Quiet extends RuntimeException {
    Quiet(int n) { super("quiet " + n, null, false, false); }
}

record Pair(int p, Object q) {}

enum Kind {
    A(3), B(1), C(4), D(2);
    final int rank;
    Kind(int rank) { this.rank = rank; }
    static Kind of(int n) { return values()[n & 3]; }
}

final class Held {
    Node node;
    int n;
    Held(Node node, int n) { this.node = node; this.n = n; }
}

final class MainHandles {
    static final MethodHandle HASH = of(Arrays.class, "hashCode", int.class, int[].class), CODE = of(String.class, "hashCode", int.class),
        SAME = of(String.class, "equals", boolean.class, Object.class), INDEX = of(String.class, "indexOf", int.class, int.class, int.class),
        LETTER = of(Character.class, "isLetter", boolean.class, int.class), BITS = of(Long.class, "bitCount", int.class, long.class),
        HIGH = of(Math.class, "multiplyHigh", long.class, long.class, long.class), TEXT = of(Integer.class, "toString", String.class, int.class),
        ORDER = of(String.class, "compareTo", int.class, String.class), COPY = of(int[].class, "clone", Object.class), BOX = of(Integer.class, "valueOf", Integer.class, int.class);
    static MethodHandle of(Class<?> k, String name, Class<?> result, Class<?>... parameters) {
        try {
            MethodType t = MethodType.methodType(result, parameters);
            boolean fixed = k != int[].class && java.lang.reflect.Modifier.isStatic(k.getMethod(name, parameters).getModifiers());
            return fixed ? MethodHandles.lookup().findStatic(k, name, t) : MethodHandles.lookup().findVirtual(k, name, t);
        } catch (ReflectiveOperationException e) { throw new AssertionError(e); }
    }
    static RuntimeException thrown(Throwable t) {
        if (t instanceof Error e) throw e;
        return (RuntimeException) t;
    }
    static int hash(int[] a) { try { return (int) HASH.invokeExact(a); } catch (Throwable t) { throw thrown(t); } }
    static int code(String s) { try { return (int) CODE.invokeExact(s); } catch (Throwable t) { throw thrown(t); } }
    static boolean same(String s, String t) { try { return (boolean) SAME.invokeExact(s, (Object) t); } catch (Throwable e) { throw thrown(e); } }
    static int index(String s, char c, int n) { try { return (int) INDEX.invokeExact(s, (int) c, n); } catch (Throwable t) { throw thrown(t); } }
    static int order(String s, String t) { try { return (int) ORDER.invokeExact(s, t); } catch (Throwable e) { throw thrown(e); } }
    static boolean letter(char c) { try { return (boolean) LETTER.invokeExact((int) c); } catch (Throwable t) { throw thrown(t); } }
    static int bits(long n) { try { return (int) BITS.invokeExact(n); } catch (Throwable t) { throw thrown(t); } }
    static long high(long n, long m) { try { return (long) HIGH.invokeExact(n, m); } catch (Throwable t) { throw thrown(t); } }
    static String text(int n) { try { return (String) TEXT.invokeExact(n); } catch (Throwable t) { throw thrown(t); } }
    static int[] copy(int[] a) { try { return (int[]) (Object) COPY.invokeExact(a); } catch (Throwable t) { throw thrown(t); } }
    static Integer box(int n) { try { return (Integer) BOX.invokeExact(n); } catch (Throwable t) { throw thrown(t); } }
}

interface Shape {
    int area(int x);
    default int twice(int x) { return area(x) * 2; }
}

abstract class Node implements Shape {
    int a; long b; Node next; String s = "n"; Integer box = 5;
    Node(int a, long b) { this.a = a; this.b = b; this.next = Main.kept[0]; }
    Node with(Node n) { next = n; return this; }
}

abstract class Base extends Node {
    Base(int a, long b) { super(a, b); }
}
"""

HELPERS = """
    static int count, phase;
    static long total;
    static Node[] kept = new Node[2];
    static Object[] objects = new Object[4];
    static int[] numbers = new int[8];
    static List<Integer> list = new ArrayList<>();
    static Map<String, Integer> map = new HashMap<>();

    static String cut(String s) { return s.length() > 40 ? s.substring(0, 40) : s; }
    static Node keep(Node n) { kept[1] = n; return n; }
    static char at(String s, int n) { return n < s.length() ? s.charAt(n) : '#'; }
    static String tail(String s, int n) { return n < s.length() ? s.substring(n) : s; }
    static int aside(Node n, int deep) { /* too much to be a body */
        if (deep > 0) return aside(n, deep - 1) + aside(kept[0], deep - 1);
        if (n != null) n.a += 5;
        if (phase > 4 && count % 7 == 3) throw new Stop(count);
        return phase + 1;
    }
    static int tell(Shape s) { return s.area(3) + s.twice(1); }
    static IntUnaryOperator after(IntUnaryOperator f, IntUnaryOperator g) { return q -> g.applyAsInt(f.applyAsInt(q)); }
    static int sum(int... all) { int s = 0; for (int n : all) s = s * 7 + n; return s; }
    static Object[] any(int n) { return n % 29 == 5 ? new String[2] : n % 31 == 6 ? new Integer[1] : objects; }
    static void add(List<Integer> l, int n) { if (l.size() < 20) l.add(n); else l.set(n & 15, n); }
    static List<Integer> filled(int[] a) { List<Integer> l = new ArrayList<>(); for (int n : a) l.add(n); return l; }
    static Map<String, Integer> counted(String s) {
        Map<String, Integer> m = new TreeMap<>();
        for (int i = 0; i < s.length(); i++) m.merge(s.substring(i, i + 1), 1, Integer::sum);
        return m;
    }
    static int trace(Throwable t) {
        int h = t.getClass().getName().hashCode() * 31 + String.valueOf(t.getMessage()).split(" because ")[0].hashCode();
        StackTraceElement[] all = t.getStackTrace();
        for (int i = 0; i < Math.min(all.length, 5); i++) h = h * 31 + all[i].getMethodName().hashCode() + (all[i].getClassName().startsWith("java") ? 0 : all[i].getLineNumber());
        return h * 31 + all.length;
    }
    static Node node(int n) {
        int k = phase < 2 ? 0 : phase < 3 ? n & 1 : n & 15;
        return switch (k) {
            CASES
            case 14 -> kept[1];
            case 15 -> phase > 4 && n % 7 == 1 ? null : kept[0];
            default -> new C0(n, ~n);
        };
    }
    static long state(Node n, int depth) { return n == null || depth == 0 ? 1 : n.a + 31 * n.b + 7 * Objects.hashCode(n.s) + 3 * Objects.hashCode(n.box) + 13 * state(n.next, depth - 1); }
    static long of(Object o) {
        return o instanceof Node n ? state(n, 4) : o instanceof int[] a ? Arrays.hashCode(a) : o instanceof Boolean b ? (b ? 1 : 2) : o instanceof Double d ? (d.isNaN() ? 7 : Double.doubleToLongBits(d)) : Objects.hashCode(o);
    }
    static void reset(int seed) {
        count = seed; total = seed * 0x9E3779B97F4A7C15L;
        kept[0] = new C0(seed, 3); kept[1] = node(seed); kept[0].next = kept[1];
        objects[0] = seed; objects[1] = "o" + seed; objects[2] = kept[1]; objects[3] = null;
        for (int i = 0; i < 8; i++) numbers[i] = seed * i * 77 - i;
        list.clear(); map.clear();
        for (int i = 0; i < 9; i++) { list.add(i * seed - 4); map.put("k" + i * (seed & 3), i * 100); }
        map.put("ab", 1); map.put("42", null);
    }
    static IntUnaryOperator some(int n) { return n % 3 == 0 ? q -> q + n : n % 3 == 1 ? Math::abs : q -> q * q; }
    static Object object(int n) {
        return switch (n & 7) { case 0 -> n; case 1 -> "s" + n; case 2 -> node(n); case 3 -> new Pair(n, "p"); case 4 -> (long) n; case 5 -> new int[] {n}; case 6 -> phase > 3 ? null : n; default -> 1000 + n; };
    }
    static long once(int k, int seed) {
        phase = seed / 60;
        reset(seed);
        long h;
        try {
            h = of(call(k, seed));
        } catch (StackOverflowError | OutOfMemoryError e) {
            throw e;
        } catch (Throwable t) {
            h = trace(t);
        }
        h = h * 31 + count + 7 * total + 11 * state(kept[0], 5) + 13 * state(kept[1], 5) + 17 * Arrays.hashCode(numbers);
        for (Object o : objects) h = h * 31 + of(o);
        return h * 31 + list.hashCode() + 3 * map.hashCode();
    }
    public static void main(String[] args) {
        for (int k = 0; k < METHODS; k++) {
            if (args.length > 0 && !Arrays.asList(args).contains("" + k)) continue;
            long h = 0;
            for (int seed = 0; seed < 420; seed++) {
                long one = once(k, seed);
                if (args.length > 0) System.out.println("m" + k + " " + seed + " " + one);
                h = h * 31 + one;
            }
            System.out.println("m" + k + " " + h);
        }
    }
}
"""
ARGUMENTS = {
    "int": ["seed", "seed * 31 - 7", "1 << (seed & 31)", "seed & 3", "-seed"], "Node": ["node(seed)", "node(seed + 5)", "kept[0]", "new C1(seed, 2)"],
    "String": ['"s" + seed', '"ab"', 'seed % 50 == 49 ? null : "abcdefgh" + seed % 3', '"" + seed'], "long": ["seed * 0x10001L", "(long) -seed"],
    "Integer": ["seed", "seed % 40 == 39 ? null : (Integer) (seed * 3)"], "int[]": ["numbers", "new int[7 + (seed & 15)]", "new int[] {seed, 2, 3, seed, 5, 6, 7, 8, 9}"],
    "List<Integer>": ["list", "List.of(seed, 2, 3, seed)", "new LinkedList<>(list)"], "double": ["seed / 3.0", "seed % 9 == 8 ? Double.NaN : seed"],
    "Object": ["object(seed)", '"o"', "seed"], "IntUnaryOperator": ["some(seed)", "q -> q - 1"]}

methods = []
for k in range(METHODS):
    methods.append(Method(k, methods[:]))
cases = "\n".join(f"            case {n} -> new C{n % CLASSES}(n, n * 3L);" for n in range(1, 14))
calls = "".join(f"            case {k}: return {m.name}({', '.join(r.choice(ARGUMENTS[t]) for t in m.parameters)});\n" for k, m in enumerate(methods))
print(FIXED + "".join(a_class(k) for k in range(CLASSES)) + "public class Main {\n" + "".join(m.text for m in methods))
print(f"    static Object call(int k, int seed) {{\n        switch (k) {{\n{calls}            default: return null;\n        }}\n    }}")
print(HELPERS.replace("            CASES", cases).replace("METHODS", str(METHODS)))
