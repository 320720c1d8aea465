# SPDX-License-Identifier: Apache-2.0
"""races.py SEED: a random Java program of threads that share fields without a data race; says which outcomes the memory model (JLS 17.4) does not allow.

Each class T0, T1, ... is one test: two or three threads, each a few operations on fields of an object, done for thousands of fresh objects in a loop that gets
compiled. A program without data races behaves as if its steps were done one after the other (JLS 17.4.5), so the outcomes that are allowed are found by trying
all orders. Operations: volatile fields, read and written directly or by methods, and waited for; fields that are only touched under the monitor; a plain field that a volatile flag publishes; objects published by a
volatile field; atomics; the double-checked idiom; and one race that has a law of its own: final fields (17.5) of an object that nothing publishes.

A *step* is a function of the shared state and the thread's results; it says WAITS if it cannot be done yet. What a test prints: how many outcomes there were, and each that was not allowed."""
import itertools
import random
import sys

r = random.Random(int(sys.argv[1]))
TESTS = 12
WAITS = "waits"


def write(name, value):
    def step(shared, results):
        shared[name] = value
    return step


def read(name):
    def step(shared, results):
        results.append(shared[name])
    return step


class Test:
    def __init__(self, number):
        self.number, self.value = number, 0
        self.threads = 2 if r.random() < 0.8 else 3
        self.operations = [f for f, often in ((self.volatile_write, 3), (self.volatile_read, 4), (self.locked, 2), (self.publish, 2), (self.box, 2), (self.add, 1), (self.compare, 1), (self.checked, 1),
                                              (self.final, 1), (self.increment, 1)) if r.random() < 0.4 for _ in range(often)] or [self.volatile_write, self.volatile_read]
        self.publisher = r.randrange(self.threads)  # of the plain field d, and of what has final fields
        self.published = False
        self.programs = [self.program(t, r.randint(2, 5) if self.threads == 2 else r.randint(2, 3)) for t in range(self.threads)]
        self.waits = self.threads == 2 and r.random() < 0.4
        if self.waits:
            self.wait()
        self.allowed = sorted(self.outcomes())

    def wait(self):
        """The second thread waits for what the first one, which waits for nothing, assigns for certain; no value is 0."""
        name = r.choice(["v", "w"])
        steps, lines, _ = self.programs[0]
        if not any(line.startswith((f"o.{name} =", f"o.set{name.upper()}(")) for line in lines):
            step, line = [write(name, value := self.fresh())], f"o.set{name.upper()}({value});"
            steps += step
            lines.append(line)
        def step(shared, results):
            return None if shared[name] else WAITS
        self.programs[1][0].insert(0, step)
        self.programs[1][1].insert(0, r.choice([f"while (o.get{name.upper()}() == 0) continue;", f"while (o.{name} == 0) x++;", f"while (o.get{name.upper()}() == 0) x += o.length;"]))

    def fresh(self):
        self.value += 1
        return self.value

    def program(self, thread, n):
        self.results, steps, lines = 0, [], []
        while len(lines) < n:
            s, line = r.choice(self.operations)(thread)
            steps += s
            lines.append(line)
            if r.random() < 0.15:
                lines.append(r.choice(["o.noise(i);", "for (int k = 0; k < 3; k++) x += k ^ i;", "x += o.length;"]))
        return steps, lines, self.results

    def result(self):
        self.results += 1
        return f"out{self.results - 1}[i]"

    def volatile_write(self, thread):
        name, value = r.choice(["v", "w"]), self.fresh()
        return [write(name, value)], r.choice([f"o.{name} = {value};", f"o.set{name.upper()}({value});"])

    def volatile_read(self, thread):
        name, out = r.choice(["v", "w"]), self.result()
        return [read(name)], r.choice([f"{out} = o.{name};", f"{out} = o.get{name.upper()}();"])

    def increment(self, thread):
        def load(shared, results):
            results.append(("l", shared["v"]))
        def store(shared, results):
            at = max(k for k, one in enumerate(results) if isinstance(one, tuple))
            shared["v"] = results[at][1] + 100
            del results[at]
        return [load, store], "o.v += 100;"

    def locked(self, thread):
        lock = lambda text: r.choice([f"synchronized (o) {{ {text} }}", f"synchronized (o) {{ {text} o.noise(i); }}"])
        value, k = self.fresh(), r.random()
        if k < 0.35:
            def step(shared, results):
                results.append(shared["p"])
                shared["q"] = value
            return [step], lock(f"{self.result()} = o.p; o.q = {value};")
        if k < 0.7:
            def step(shared, results):
                shared["p"] += value * 16
                results.append(shared["q"])
            return [step], lock(f"o.p += {value * 16}; {self.result()} = o.q;")
        def step(shared, results):
            shared["p"], shared["q"] = shared["q"] + 1, value
        return [step], r.choice([lock(f"o.p = o.q + 1; o.q = {value};"), f"o.turn({value});"])

    def publish(self, thread):
        if thread == self.publisher:
            if self.published:
                return self.volatile_read(thread)
            self.published, value = True, self.fresh()
            return [write("d", value), write("f", 1)], f"o.d = {value}; o.f = 1;"
        def flag(shared, results):
            results.append(shared["d"] if shared["f"] else -1)
        return [flag], f"{self.result()} = o.f == 1 ? o.d : -1;"

    def box(self, thread):
        if r.random() < 0.5:
            value = self.fresh()
            return [write("box", value)], f"o.box = new Box({value});"
        out = self.result()
        return [read("box")], r.choice([f"{{ Box b = o.box; {out} = b == null ? 0 : b.value; }}", f"{out} = Box.of(o.box);"])

    def add(self, thread):
        value = self.fresh()
        def step(shared, results):
            results.append(shared["n"])
            shared["n"] += value
        out = self.result()
        return [step], r.choice([f"{out} = o.n.getAndAdd({value});", f"{out} = o.n.addAndGet({value}) - {value};"])

    def compare(self, thread):
        value = self.fresh()
        def step(shared, results):
            results.append(int(shared["n"] == 0))
            shared["n"] = shared["n"] or value
        return [step], f"{self.result()} = o.n.compareAndSet(0, {value}) ? 1 : 0;"

    def checked(self, thread):
        value = self.fresh()
        def step(shared, results):
            shared["once"] = shared["once"] or value
            results.append(shared["once"])
        return [step], f"if (o.once == null) synchronized (o) {{ if (o.once == null) o.once = new Box({value}); }} {self.result()} = o.once.value;"

    def final(self, thread):
        if thread == self.publisher:
            return [], f"o.plain = new Frozen({self.fresh()}, i);"
        return [read("final")], f"{{ Frozen z = o.plain; {self.result()} = z == null ? 0 : z.fit(i); }}"

    def outcomes(self):
        """All outcomes: what the threads read, and what is in the fields at the end."""
        outcomes, lengths = set(), [len(p[0]) for p in self.programs]
        seen = set()

        def go(at, shared, results):
            key = (tuple(at), tuple(sorted(shared.items())), tuple(map(tuple, results)))
            if key in seen:
                return
            seen.add(key)
            if all(a == n for a, n in zip(at, lengths)):
                outcomes.add(" ".join(str(x) for x in itertools.chain(*results, (shared[n] for n in ("v", "w", "p", "q", "n", "box")))))
            for t in range(self.threads):
                if at[t] == lengths[t]:
                    continue
                for seen_final in (0, 1):  # nothing orders the race
                    state, told = dict(shared, final=seen_final), [list(x) for x in results]
                    if self.programs[t][0][at[t]](state, told[t]) == WAITS:
                        continue
                    del state["final"]
                    go([a + (k == t) for k, a in enumerate(at)], state, told)

        go([0] * self.threads, dict(v=0, w=0, p=0, q=0, n=0, d=0, f=0, box=0, once=0), [[] for _ in range(self.threads)])
        return outcomes

    def text(self):
        outs = sum(p[2] for p in self.programs)
        text, base = f"final class T{self.number} extends Shared {{\n", 0
        calls, names = [], []
        for t, (_, lines, n) in enumerate(self.programs):
            arrays = [f"out{k}" for k in range(n)]
            text += f"    static int thread{t}(T{self.number}[] all{''.join(f', int[] {a}' for a in arrays)}, int from, int to) {{\n        int x = 0;\n        for (int i = from; i < to; i++) {{\n            T{self.number} o = all[i];\n"
            text += "".join(f"            {line}\n" for line in lines) + "        }\n        return x;\n    }\n"
            calls.append(f"(from, to) -> thread{t}(all{''.join(f', outs[{base + k}]' for k in range(n))}, from, to)")
            base += n
        allowed = self.allowed
        text += f"    static void test() {{\n        Set<String> allowed = new HashSet<>(Arrays.asList(ALLOWED.split(\";\"))), met = new TreeSet<>();\n        Set<Long> keys = new HashSet<>();\n        for (int round = 0; round < Main.ROUNDS; round++) {{\n"
        text += f"            T{self.number}[] all = new T{self.number}[Main.OBJECTS];\n            for (int i = 0; i < all.length; i++) all[i] = new T{self.number}();\n            int[][] outs = new int[{outs}][all.length];\n"
        text += f"            Main.together({', '.join(calls)});\n            for (int i = 0; i < all.length; i++) {{\n                if (keys.add(all[i].key(outs, i))) met.add(all[i].end(outs, i));\n            }}\n        }}\n"
        text += f"        Main.told({self.number}, allowed, met);\n    }}\n"
        pieces = [";".join(allowed)[k:k + 60000] for k in range(0, len(";".join(allowed)), 60000)]
        text += "    static final String ALLOWED = " + " + ".join(f'String.valueOf("{p}")' for p in pieces) + ";\n}\n\n"
        return text


FIXED = """
import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntBinaryOperator;

final class Box {
    int value;
    Box(int value) { this.value = value; }
    static int of(Box b) { return b == null ? 0 : b.value; }
}

final class Frozen {
    final int value, turn;
    Frozen(int value, int turn) { this.value = value; this.turn = turn + 1; }
    int fit(int i) { return value != 0 && turn == i + 1 ? 1 : -7; }
}

class Shared {
    volatile int v, w, f;
    int p, q, d, length;
    final AtomicInteger n = new AtomicInteger();
    volatile Box box, once;
    Frozen plain;
    void setV(int x) { v = x; }
    void setW(int x) { w = x; }
    int getV() { return v; }
    int getW() { return w; }
    synchronized void turn(int x) { p = q + 1; q = x; }
    static int total;
    void noise(int i) { if (i == -5) total++; }
    long key(int[][] outs, int i) {
        long h = ((((v * 1000003L + w) * 1000003 + p) * 1000003 + q) * 1000003 + n.get()) * 1000003 + Box.of(box);
        for (int[] out : outs) h = h * 1000003 + out[i];
        return h;
    }
    String end(int[][] outs, int i) {
        StringBuilder b = new StringBuilder();
        for (int[] out : outs) b.append(out[i]).append(' ');
        return b.append(v).append(' ').append(w).append(' ').append(p).append(' ').append(q).append(' ').append(n).append(' ').append(Box.of(box)).toString();
    }
}

"""
MAIN = """public class Main {
    static final int ROUNDS = Integer.getInteger("rounds", 30), OBJECTS = Integer.getInteger("objects", 5000);
    static final int AT_ONCE = 64;  // so many objects, then the threads wait for each other

    static void together(IntBinaryOperator... bodies) {
        Thread[] all = new Thread[bodies.length];
        AtomicInteger arrived = new AtomicInteger();
        for (int t = 0; t < all.length; t++) {
            IntBinaryOperator body = bodies[t];
            all[t] = new Thread(() -> {
                for (int from = 0, due = all.length; from < OBJECTS; from += AT_ONCE, due += all.length) {
                    arrived.incrementAndGet();
                    for (int k = 1; arrived.get() < due; k++) if (k % 100 == 0) Thread.yield();
                    body.applyAsInt(from, Math.min(from + AT_ONCE, OBJECTS));
                }
            });
            all[t].start();
        }
        try {
            for (Thread t : all) t.join();
        } catch (InterruptedException e) {
            throw new RuntimeException(e);
        }
    }

    static void told(int test, Set<String> allowed, Set<String> met) {
        int n = met.size();
        met.removeAll(allowed);
        for (String s : met) System.out.println("T" + test + ": not allowed: " + s);
        System.err.println("T" + test + ": " + n + " of " + allowed.size() + " outcomes");
        bad |= !met.isEmpty();
    }

    static boolean bad;

    public static void main(String[] args) {
CALLS        System.exit(bad ? 1 : 0);
    }
}
"""
tests = []
while len(tests) < TESTS:
    test = Test(len(tests))
    if len(test.allowed) > (1 if test.waits else 3):
        tests.append(test)
print(FIXED + "".join(t.text() for t in tests) + MAIN.replace("CALLS", "".join(f"        T{k}.test();\n" for k in range(TESTS))))
