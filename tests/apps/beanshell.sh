#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
# packages: libbsh-java
#
# BeanShell runs a script.
. "$(dirname "$0")/common.sh"
jars bsh
cat >"$work/s.bsh" <<'BSH'
int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
print(fact(10));
import java.util.*;
m = new TreeMap(); for (w : "the quick the lazy".split(" ")) m.put(w, m.get(w) == null ? 1 : m.get(w) + 1); print(m);
counter() { int n = 0; up() { return ++super.n; } return this; }
c = counter(); c.up(); print(c.up());
try { Integer.parseInt("x"); } catch (NumberFormatException e) { print(e.getMessage()); }
r = new Runnable() { run() { print("ran"); } }; t = new Thread(r); t.start(); t.join();
switch ("b") { case "a": print(1); break; case "b": print(2); default: print(3); }
print(new int[] {1, 2, 3}.length + " " + 7 / 2 + " " + 7 / 2.0 + " " + (char) 66 + " " + (1L << 40));
class P { int x; P(int x) { this.x = x; } int twice() { return x * 2; } } print(new P(21).twice());
for (i = 0; i < 3; i++) eval("print(i * " + i + ");");
undefined.foo();
BSH
run() { vm "$1" bsh.Interpreter "$work/s.bsh"; }
compare run
