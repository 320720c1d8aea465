#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
# Two runs compared: what was gained and lost by class and line, also of code that moved; text, HTML, exit code.
set -eu
jdk=$1 tested=$2 out=$3
agent=$BUILD/agents/libgraft-coverage.so tool=$BUILD/bin/graft-coverage
fail() { echo "$*"; exit 1; }
rm -rf "$out"/{old,new,html}; mkdir -p "$out"/{old,new}/{src,classes}
cat > "$out/old/src/Main.java" <<'J'
class Main {
    static int both(int n) {
        if (n > 5)
            return 1;
        return 2;
    }
    static int other(int n) {
        return n > 0 && n < 9 ? 3 : 4;
    }
    public static void main(String[] a) {
        System.out.println(a[0].equals("both") ? both(Integer.parseInt(a[1])) : other(Integer.parseInt(a[1])));
        if (a.length > 2)
            new Gone();
    }
}
class Gone {
}
class Same {
}
J
# two lines more in front, one method written anew, one class less and one more
{ echo '// moved'; echo; sed 's/n > 0 && n < 9 ? 3 : 4/n - 1/; s/Gone/Come/' "$out/old/src/Main.java"; } > "$out/new/src/Main.java"
for v in old new; do "$jdk/bin/javac" -g -d "$out/$v/classes" "$out/$v/src/Main.java"; done
run() { "$home/bin/java" "-agentpath:$agent=quiet,file=$out/$1.dat" -cp "$out/$2/classes" Main "${@:3}" > "$out/stdout"; }
compare() { "$tool" compare "$@"; }
code() { local rc=0; "$@" > "$out/o" 2> "$out/e" || rc=$?; echo $rc; }
for home in "$jdk" "$tested"; do
    run a old both 6
    run b old other 1
    run b2 old other 1 x
    run c new both 1 x
    compare "$out/a.dat" "$out/b.dat" > "$out/text"
    diff "$out/text" - <<'X' || fail "$home: two runs of the same code"
Main
  line   55.6% ->  44.4%  branch   30.0% ->  40.0%  gained 8  lost 3-4
total  line   55.6% ->  44.4%  branch   30.0% ->  40.0%  1 lines gained, 2 lost
X
    compare "$out/a.dat" "$out/a.dat" > "$out/text"
    [ "$(cat "$out/text")" = "total  line   55.6% ->  55.6%  branch   30.0% ->  30.0%  0 lines gained, 0 lost" ] || fail "$home: nothing changed"
done
compare "$out/b2.dat" "$out/c.dat" > "$out/text" || fail "code that moved"
diff "$out/text" - <<'X' || fail "code that moved"
Come
  new: line 100.0%
Main
  line   55.6% ->  66.7%  branch   40.0% ->  50.0%  gained 5 7  1 methods changed
Gone
  gone
total  line   60.0% ->  70.0%  branch   40.0% ->  50.0%  2 lines gained, 0 lost
X
[ "$(code compare "$out/a.dat" "$out/b.dat" --fail-lost)" = 3 ] || fail "--fail-lost"
[ "$(code compare "$out/b2.dat" "$out/c.dat" --fail-lost)" = 0 ] || fail "--fail-lost without a loss"
compare "$out/a.dat" "$out/b.dat" --html="$out/html" --source="$out/old/src" --no-summary > "$out/o"
[ "$(grep -o '^<tr id=L[0-9]* class="[a-z ]*x [a-z]*"' "$out/html/default/Main.java.html" | tr -d '"' | sed 's/<tr id=//; s/ class=/:/' | tr '\n' ';')" = \
    'L3:m x down;L4:m x down;L8:p x up;' ] || { grep '<tr' "$out/html/default/Main.java.html"; fail "HTML: marks"; }
grep -q '<b>1</b> lines gained, <b>2</b> lost' "$out/html/index.html" || fail "HTML: totals"
compare "$out/b2.dat" "$out/c.dat" --html="$out/html" --no-summary > "$out/o"
grep -q '<h2>Only in the first</h2><ul><li>Gone' "$out/html/index.html" && grep -q '>Come\|class=tag>new' "$out/html/index.html" || fail "HTML: classes that came and went"
[ "$(code compare "$out/a.dat")" = 2 ] && grep -q 'wants two files' "$out/e" || fail "one file"
[ "$(code compare "$out/a.dat" "$out/b.dat" --fail-under=line=3)" = 2 ] || fail "an option of others"
[ "$(code compare "$out/a.dat" "$out/none")" = 1 ] && grep -q 'No such file' "$out/e" || fail "a file that is not there"
