#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: rhino
#
# Rhino: closures, generators, regular expressions, JSON, Java interop, compiled and interpreted.
. "$(dirname "$0")/common.sh"
jars js
cat >"$work/s.js" <<'JS'
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
print(fib(18), [3, 1, 2].sort(), [1, 2, 3].map(function (x) { return x * 1.5; }).join());
var o = { get a() { return this._a || 1; }, set a(v) { this._a = v * 2; } }; o.a = 21; print(o.a, JSON.stringify({ x: [1, null, "é"], o: o }));
print("2024-01-02 and 2025-03-04".replace(/(\d+)-(\d+)-(\d+)/g, "$3.$2.$1"), /(a+)+b/.exec("xaaab").index);
try { null.x; } catch (e) { print(e); }
try { undefinedFn(); } catch (e) { print(e.name, e.message, e.lineNumber); }
function* g() { for (var i = 0; i < 3; i++) yield i * i; } var it = g(), r; while (!(r = it.next()).done) print(r.value);
var list = new java.util.ArrayList(); list.add("x"); list.add(java.lang.Integer.valueOf(3)); print(list, list.size());
var t = new java.lang.Thread(new java.lang.Runnable({ run: function () { print("in thread"); } })); t.start(); t.join();
var c = new JavaAdapter(java.util.Comparator, { compare: function (a, b) { return b.compareTo(a); } }); java.util.Collections.sort(list = new java.util.ArrayList(java.util.Arrays.asList("b", "c", "a")), c); print(list);
try { java.lang.Integer.parseInt("zz"); } catch (e) { print(e.javaException); }
var s = 0; for (var i = 0; i < 200000; i++) s = (s * 31 + i) % 1000003; print(s);
print(Math.PI.toFixed(5), (0.1 + 0.2), 1e21, (255).toString(16), parseInt("0x1f"), isNaN("x"), new Date(0).toISOString());
print(eval("(function(a){return a+1})(41)"), typeof undefined, [1, [2, [3]]].toString(), Object.keys({ b: 1, a: 2 }));
let [p, q] = [1, 2]; print(p, q, ((x) => x * 2)(21));
throw new Error("at the end");
JS
run() { local l; for l in -1 0 9; do vm "$1" org.mozilla.javascript.tools.shell.Main -opt $l -version 200 "$work/s.js"; echo "exit $?"; done; }
compare run
