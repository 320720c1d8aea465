#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
# Thresholds (exit code 3, told by how much, per package, from a file) and the coverage of a change: against a git revision and
# from a diff file, as text and HTML; what is refused, and how.
set -eu
jdk=$1 tested=$2 out=$3
agent=$BUILD/agents/libgraft-coverage.so tool=$BUILD/bin/graft-coverage repo=$out/repo
fail() { echo "$*"; exit 1; }
command -v git > /dev/null || { echo "needs git"; exit 77; }
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
in_repo() { git -C "$repo" -c user.name=t -c user.email=t@example.org "$@"; }
rm -rf "$repo"; mkdir -p "$repo/mod/src/org/x/sub"
cat > "$repo/mod/src/org/x/Main.java" <<'J'
package org.x;
public class Main {
    static int old(int i) {
        return i > 0 ? i : -i;
    }
    public static void main(String[] a) {
        System.out.println(old(1) + org.x.sub.Part.part(a.length));
    }
}
J
cat > "$repo/mod/src/org/x/sub/Part.java" <<'J'
package org.x.sub;
public class Part {
    public static int part(int n) {
        int r = 7;
        if (n > 3)
            r = 8;
        return r;
    }
}
J
git init -q -b main "$repo"
in_repo add . && in_repo commit -qm first && in_repo tag first
python3 - "$repo/mod/src/org/x" <<'P'
import sys
main = sys.argv[1] + '/Main.java'
text = open(main).read()
text = text.replace('    static int old', '    static int fresh(int i) {\n        // why\n        if (i > 5 && i < 9)\n            return 1;\n        return 2;\n    }\n    static int old')
open(main, 'w').write(text.replace('old(1) +', 'old(1) + fresh(1) +'))
P
printf 'package org.x;\nclass Never {\n    int v = 1;\n}\n' > "$repo/mod/src/org/x/Never.java"    # git does not know it
mkdir -p "$out/classes"
"$jdk/bin/javac" -g -d "$out/classes" $(find "$repo" -name '*.java')
report() { "$tool" report "$@"; }
code() { local rc=0; "$@" > "$out/o" 2> "$out/e" || rc=$?; echo $rc; }
for home in "$jdk" "$tested"; do
    "$home/bin/java" "-agentpath:$agent=quiet,file=$out/d" -cp "$out/classes" org.x.Main > "$out/stdout"
    report "$out/d" --diff=first --repo="$repo" > "$out/changes"
    diff "$out/changes" - <<'X' || fail "$home: text of the change"
Changes since first
    75.0%    3/4     mod/src/org/x/Main.java  missed 6  branches missed in 5
                  mod/src/org/x/Never.java  no data: no class of it was loaded or given by --classes
3 of 4 changed lines are covered (75.0 %), 1 of 4 of their branches (25.0 %)
X
done
# a changed source of tests is no gap
mkdir -p "$repo/mod/test/org/x" "$out/test-classes"
echo 'package org.x; class MainTest { public static void main(String[] a) { Main.main(a); } }' > "$repo/mod/test/org/x/MainTest.java"
"$jdk/bin/javac" -g -cp "$out/classes" -d "$out/test-classes" "$repo/mod/test/org/x/MainTest.java"
"$jdk/bin/java" "-agentpath:$agent=quiet,file=$out/tests" -cp "$out/classes:$out/test-classes" org.x.MainTest > "$out/stdout"
report "$out/tests" --diff=first --repo="$repo" | grep -v Never.java | diff - <(sed 's,^.*Never.java.*,                  mod/test/org/x/MainTest.java  of tests: not counted,' "$out/changes") || fail "a source of tests"
rm -r "$repo/mod/test"
# never loaded classes count when they are given
report "$out/d" --diff=first --repo="$repo" --classes="$out/classes" | grep -q '^3 of 6 changed lines' || fail "--classes"
# the same from a file, with any prefix, and from git's short form of a range
in_repo add -N . && in_repo diff first > "$out/a.diff"
sed 's,^--- a/,--- ,; s,^+++ b/,+++ ,; /^diff\|^index\|^new/d' "$out/a.diff" > "$out/plain.diff"
for f in a plain; do
    [ "$(report "$out/d" --diff="$out/$f.diff" | tail -n +2)" = "$(tail -n +2 "$out/changes")" ] || { report "$out/d" --diff="$out/$f.diff"; fail "$f.diff"; }
done
in_repo commit -qam second
[ "$(report "$out/d" --diff=first..main --repo="$repo" | tail -n +2)" = "$(tail -n +2 "$out/changes")" ] || fail "a range"
in_repo config diff.relative true
[ "$(report "$out/d" --diff=first..main --repo="$repo/mod/src/org/x/sub" | tail -n +2)" = "$(tail -n +2 "$out/changes")" ] || fail "git told to leave out what is elsewhere"
in_repo config --unset diff.relative
report "$out/d" --diff=main --repo="$repo" | grep -q '^no changed line holds code$' || fail "no change"

# HTML: only what was changed
rm -rf "$out/html"
report "$out/d" --diff=first --repo="$repo" --html="$out/html" --source="$repo/mod/src" --no-summary > "$out/o"
[ "$(cd "$out/html" && find . -name '*.html' | sort | tr '\n' ' ')" = "./index.html ./org.x/Main.java.html " ] || fail "pages: $(find "$out/html")"
grep -q 'mod/src/org/x/Never.java' "$out/html/index.html" || fail "HTML: nothing about the file without data"
[ "$(grep -o '^<tr id=L[0-9]* class="[a-z ]*x"' "$out/html/org.x/Main.java.html" | tr -d '"' | sed 's/<tr id=//; s/ class=/:/' | tr '\n' ';')" = \
    'L3:x;L4:x;L5:p x;L6:m x;L7:c x;L8:x;L13:c x;' ] || { grep '<tr' "$out/html/org.x/Main.java.html"; fail "HTML: marks"; }

# for services: what was missed, of all and of the change
report "$out/d" --annotations=- --no-summary --source="$repo/mod/src" | sed "s,$repo/,,; s,file=[^,]*mod/,file=mod/," > "$out/o"
diff "$out/o" - <<'X' || fail "annotations"
::warning file=mod/src/org/x/Main.java,line=2,endLine=2,title=Missed lines::Not covered by a test
::warning file=mod/src/org/x/Main.java,line=5,endLine=5,title=Missed branches::3 of 4 branches not covered
::warning file=mod/src/org/x/Main.java,line=6,endLine=6,title=Missed lines::Not covered by a test
::warning file=mod/src/org/x/Main.java,line=10,endLine=10,title=Missed branches::1 of 2 branches not covered
::warning file=mod/src/org/x/sub/Part.java,line=2,endLine=2,title=Missed lines::Not covered by a test
::warning file=mod/src/org/x/sub/Part.java,line=5,endLine=5,title=Missed branches::1 of 2 branches not covered
::warning file=mod/src/org/x/sub/Part.java,line=6,endLine=6,title=Missed lines::Not covered by a test
X
[ "$(report "$out/d" --diff=first --repo="$repo" --annotations=- | cut -d: -f3- | cut -d, -f1,2 | tr '\n' ' ')" = \
    'warning file=mod/src/org/x/Main.java,line=5 warning file=mod/src/org/x/Main.java,line=6 ' ] || fail "annotations of a change"
report "$out/d" --diff=first --repo="$repo" --json="$out/json" --sarif="$out/sarif" --no-summary
report "$out/d" --json="$out/json.all" --no-summary
python3 - "$out" <<'P' || fail "JSON, SARIF"
import json, sys
j, everything, s = (json.load(open(sys.argv[1] + '/' + f)) for f in ('json', 'json.all', 'sarif'))
assert j['since'] == 'first' and j['changed']['line'] == {'covered': 3, 'total': 4}, j
assert [(f['path'], f['missedLines'], f['missedBranches']) for f in j['files']] == [('mod/src/org/x/Main.java', [[6, 6]], [[5, 3, 4]])], j
assert everything['counters']['line'] == {'covered': 8, 'total': 12} and len(everything['files']) == 2 and 'changed' not in everything, everything
assert everything['files'][1]['missedLines'] == [[2, 2], [6, 6]], everything
r = s['runs'][0]['results']
assert s['version'] == '2.1.0' and [x['ruleId'] for x in r] == ['missed-branch', 'missed-line'], s
assert r[1]['locations'][0]['physicalLocation'] == {'artifactLocation': {'uri': 'mod/src/org/x/Main.java'}, 'region': {'startLine': 6, 'endLine': 6}}, r
P

# thresholds
[ "$(code report "$out/d" --fail-under=line=66,branch=30)" = 0 ] || { cat "$out/e"; fail "reached, but not 0"; }
[ "$(code report "$out/d" --fail-under=line=95.5,branch=50)" = 3 ] || fail "line=95.5 is no 3"
diff "$out/e" - <<'X' || fail "what is said"
graft-coverage: line coverage is 66.66 %, 28.84 below the 95.50 % wanted: 8 of 12 lines, 4 more must be covered
graft-coverage: branch coverage is 37.50 %, 12.50 below the 50.00 % wanted: 3 of 8 branches, 1 more must be covered
X
printf '# gates\norg.x.*:line=75\n  org.x.sub:branch=50 # one of two\n' > "$out/rules"
[ "$(code report "$out/d" --fail-under="@$out/rules")" = 3 ] || fail "rules in a file"
[ "$(cat "$out/e")" = "$(printf 'graft-coverage: %s\n' 'org.x: line coverage is 71.42 %, 3.58 below the 75.00 % wanted: 5 of 7 lines, 1 more must be covered' \
    'org.x.sub: line coverage is 60.00 %, 15.00 below the 75.00 % wanted: 3 of 5 lines, 1 more must be covered')" ] || { cat "$out/e"; fail "rules per package"; }
[ "$(code report "$out/d" --fail-under=org.x.sub:line=60 --fail-under=org.x:line=71)" = 0 ] || fail "two options"
[ "$(code report "$out/d" --fail-under=org.z.*:line=1)" = 3 ] && grep -q 'org.z.*: no package' "$out/e" || fail "a name of nothing"
[ "$(code report "$out/d" --diff=first --repo="$repo" --fail-under=diff=75)" = 0 ] || fail "diff=75"
[ "$(code report "$out/d" --diff=first --repo="$repo" --fail-under=diff=76,diff-branch=25)" = 3 ] || fail "diff=76"
grep -q 'diff coverage is 75.00 %, 1.00 below' "$out/e" && [ "$(wc -l < "$out/e")" = 1 ] || { cat "$out/e"; fail "what is said about a change"; }

# a source that was edited after the run
touch -d "1 hour" "$repo/mod/src/org/x/Main.java"
[ "$(code report "$out/d" --diff=first --repo="$repo")" = 0 ] && grep -q 'org/x/Main.java was written after the run began' "$out/e" || { cat "$out/e"; fail "an edit after the run"; }
[ "$(code report "$out/d" --diff=first..main --repo="$repo")" = 0 ] && [ ! -s "$out/e" ] || { cat "$out/e"; fail "a range, after an edit"; }

# refused
refused() { # CODE TEXT ARGUMENTS
    local rc; rc=$(code report "$out/d" "${@:3}")
    [ "$rc" = "$1" ] && grep -qF -- "$2" "$out/e" || { cat "$out/e"; fail "${*:3}: $rc"; }
}
for bad in line line= line=x line=101 lines=8 :line=3 line=80, '' a:; do refused 2 'want MEASURE=PERCENT' "--fail-under=$bad"; done
refused 2 'No such file' --fail-under=@/no/such
refused 2 'needs --diff' --fail-under=diff=3
refused 1 'nosuchrev' --diff=nosuchrev --repo="$repo"
refused 1 'is no revision' --diff=--output=/tmp/x --repo="$repo"
GIT_CEILING_DIRECTORIES=$out refused 1 'ot a git repository' --diff=first --repo="$out/classes"
refused 1 'not a unified diff' --diff="$out/rules"
printf 'line=1\n\0line=99\n' > "$out/rules.cut"
refused 2 'rules.cut: not a text' --fail-under="@$out/rules.cut"
# a part of a change, or one that was damaged, is not taken for the whole
git -C "$repo" diff first > "$out/whole.diff"
[ "$(code report "$out/d" --diff="$out/whole.diff")" = 0 ] || { cat "$out/e"; fail "a diff from a file"; }
lines=$(wc -l < "$out/whole.diff")
head -$((lines - 1)) "$out/whole.diff" > "$out/bad.diff"
refused 1 "bad.diff:$((lines - 1)): the diff is damaged, or cut off" --diff="$out/bad.diff"
sed '/^@@/s/+[0-9]*/+x/' "$out/whole.diff" > "$out/bad.diff"
refused 1 'the diff is damaged' --diff="$out/bad.diff"
sed '/^@@/s/,[0-9]* @@/,1 @@/' "$out/whole.diff" > "$out/bad.diff"
refused 1 'the diff is damaged' --diff="$out/bad.diff"
sed 's/^+ /!/' "$out/whole.diff" > "$out/bad.diff"
refused 1 'the diff is damaged' --diff="$out/bad.diff"
# as a mail: text before, and a signature behind
{ printf 'From: x\n- an item\n---\n a file | 2 +-\n\n'; cat "$out/whole.diff"; printf -- '-- \n2.39\n\n'; } > "$out/mail.diff"
[ "$(code report "$out/d" --diff="$out/mail.diff")" = 0 ] || { cat "$out/e"; fail "a diff in a mail"; }
# orders to a terminal
printf 'diff --git a/x\033[2J.java b/x\033[2J.java\n--- a/x\033[2J.java\n+++ b/x\033[2J.java\n@@ -1 +1 @@\n-a\n+b\n' > "$out/terminal.diff"
[ "$(code report "$out/d" --diff="$out/terminal.diff")" = 0 ] && grep -q 'x?\[2J.java' "$out/o" || { cat "$out/o" "$out/e"; fail "control characters of a diff"; }
[ ! -e /dev/full ] || refused 1 'No space left' --diff=first --repo="$repo" --no-summary --lcov=/dev/full
