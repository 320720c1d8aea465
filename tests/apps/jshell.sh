#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
#
# jshell runs a script, evaluating in its own VM.
. "$(dirname "$0")/common.sh"
cat >"$work/script.jsh" <<'END'
int x = 6 * 7
String twice(String s) { return s + s; }
System.out.println(twice("ab") + x)
record P(int a, String b) {}
var p = new P(1, "z")
System.out.println(p)
class C { int n = x; int up() { return ++n; } }
new C().up()
System.out.println(new C().up())
import java.util.stream.*
IntStream.range(0, 5).mapToObj(i -> i * i).collect(Collectors.toList())
System.out.println(IntStream.range(0, 5).sum())
int bad = "no"
1 / 0
undefined()
int twice(int i) { return i * 2; }
System.out.println(twice(x) + twice("q"))
/vars
/methods
/exit 5
END
run() { mkdir -p .java/.userPrefs; "$1/bin/jshell" $J --execution local --feedback normal -R-Duser.home=. -J-Duser.home=. -J-Djava.util.prefs.userRoot=. "$work/script.jsh"; local c=$?; rm -rf .java; return $c; }
compare run 5
