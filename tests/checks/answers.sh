#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Kept answers of the reference (tests/answers.sh): asked once, and again when anything that the reference sees has changed;
# nothing that a test did not agree with is kept; javac of the reference home compiles what has changed.
set -u
jdk=$1 scratch=$3 top=$PWD failed=0
unset FRESH ANSWERS_USED
export ANSWERS=$scratch/answers ANSWERS_STATE=state ANSWERS_AGENTS=agents top
own=$scratch/suite
mkdir -p "$ANSWERS" "$own" "$scratch/work" && cd "$scratch/work" || exit 1
cat >"$own/question.sh" <<'S'
. "$top/tests/answers.sh"
answer_inputs=input answer_agents=1
name=mine key=mine paths=mine found=mine     # of the script: its functions see them
ask() { echo asked >>log; [ "$name$key$paths$found" = minemineminemine ] && cat input >answer; }
try() { cp "${OTHER-input}" got; }
judge() { cmp -s answer got; }
loop() { settled answer || { ask; settle; }; }
case $1 in
kept) kept it answer -- ask ;;
agreed) agreed it ask try judge answer ;;
loop) failed=${2-0}; loop ;;
esac
cat answer
S
# asks TIMES WHAT FORM [ENVIRONMENT]...: how often the reference is asked
asks() {
    local times=$1 what=$2 form=$3 got; shift 3
    : >log; rm -f answer
    got=$(env "$@" bash "$own/question.sh" $form)
    [ "$(wc -l <log)" = "$times" ] || { echo "$what: asked $(wc -l <log) times, not $times"; failed=1; }
    [ "$got" = "$(cat input)" ] || { echo "$what: the answer is '$got'"; failed=1; }
}
echo one >input; echo wrong >other
for form in kept agreed loop; do
    echo one >input
    asks 1 "$form, first" $form
    asks 0 "$form, again" $form
    asks 1 "$form, FRESH" $form FRESH=1
    asks 1 "$form, other machine" $form ANSWERS_STATE=x
    asks 1 "$form, other agents" $form ANSWERS_AGENTS=x
    asks 1 "$form, other environment" $form JAVA_TOOL_OPTIONS=-Dx=y
    asks 1 "$form, nowhere to keep" $form ANSWERS=
    echo "two $form" >input
    asks 1 "$form, other input" $form
    asks 0 "$form, other input again" $form
    echo "// $form" >"$own/Program.java"
    asks 1 "$form, other program" $form
    echo "# $form" >>"$own/question.sh"
    asks 1 "$form, other script" $form
    asks 0 "$form, at last" $form
done
# What differs is asked again, and is not kept if it differs still.
asks 1 "disagreement with a kept answer" agreed OTHER=other
echo three >input
asks 1 "disagreement" agreed OTHER=other
asks 1 "after a disagreement" agreed
asks 0 "agreed" agreed
# What used an answer says so.
asks 1 "kept, three" kept
asks 0 used kept ANSWERS_USED="$scratch/used" && (cd "$ANSWERS" && xargs rm -rf <"$scratch/used")
asks 1 "thrown away" kept
# A turn that fails is not kept.
echo four >input
asks 1 "failed turn" "loop 1"
asks 1 "after a failed turn" "loop 0"

# javac
says() { # WANTED [NAME=VALUE]...
    rm -rf out; env "${@:2}" "$jdk/bin/javac" -cp lib -d out Main.java 2>err || { echo "javac: $(cat err)"; failed=1; return; }
    local got; got=$("$jdk/bin/java" -cp out:lib Main 2>&1)
    [ "$got" = "$1" ] || { echo "javac: '$got', not '$1'"; failed=1; }
}
library() { mkdir -p lib; echo "class Lib { static final int N = $1; }" >Lib.java; "$jdk/bin/javac" -d lib Lib.java || failed=1; }
program() { echo "class Main { public static void main(String[] a) { System.out.println(\"$1\" + Lib.N); } }" >Main.java; }
library 1; program a
says a1; says a1
program b; says b1
library 2; says b2
entries=$(find "$ANSWERS" -name out | wc -l)
says b2; [ "$(find "$ANSWERS" -name out | wc -l)" = "$entries" ] || { echo "javac: compiled again"; failed=1; }
echo 'class Main { int i = ""; }' >Main.java
for i in 1 2; do
    "$jdk/bin/javac" -cp lib -d out Main.java >said 2>&1 && { echo "javac: no error"; failed=1; }
    grep -q 'incompatible types' said || { echo "javac: no message"; cat said; failed=1; }
done
exit $failed
