#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# packages: closure-compiler
# extent: suite
#
# Closure compiler: simple and advanced optimisation of JavaScript.
. "$(dirname "$0")/common.sh"
need $share/closure-compiler.jar
cat >"$work/a.js" <<'JS'
/** @constructor */ function Point(x, y) { this.x = x; this.y = y; }
Point.prototype.plus = function (o) { return new Point(this.x + o.x, this.y + o.y); };
Point.prototype.unused = function () { return 1; };
/** @param {number} n @return {number} */ function fact(n) { if (n <= 1) { return 1; } else { return n * fact(n - 1); } }
var long_name = new Point(1, 2).plus(new Point(3, 4)); for (var i = 0; i < 10; i++) { if (i % 2 == 0) continue; window.alert(long_name.x + fact(i) + 'str' + "ing"); }
switch (long_name.y) { case 1: window.alert('a'); break; default: window.alert(false ? 1 : 2 + 3 * 4); }
try { var o = { a: 1, 'b': [1, 2,], get c() { return 5; } }; } catch (e) { } fact("no");
JS
run() {
    local level
    for level in WHITESPACE_ONLY SIMPLE_OPTIMIZATIONS ADVANCED_OPTIMIZATIONS; do
        "$1/bin/java" $O -jar $share/closure-compiler.jar --compilation_level $level --language_in ECMASCRIPT5 --warning_level VERBOSE --js "$work/a.js" 2>&1
        echo "exit $?"
    done
    echo 'var x = ;' >bad.js
    "$1/bin/java" $O -jar $share/closure-compiler.jar --js bad.js
}
compare run 1
