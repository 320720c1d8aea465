#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Edits that JVM TI does not know: a VM that offers redefinition without limits takes them, with state kept, and says why when
# it does not; the reference refuses them and goes on.
. "$(dirname "$0")/common.sh"
base graft
server "watch=$dir,verbose,socket=$scratch/structural.sock"
await 'watching'
grep -q 'members and super types may change' "$log" || { stop; echo "this VM offers no more than JVM TI"; exit 77; }
ask 'greet a' 'Hello a 1. 1'
greeter Hi 'int twice(int a) { return 2 * a; } String extra = "x"; public void run() { }' 'public class Greeter implements Runnable'
build "$src/Greeter.java"
await 'swapped 1 class in'
await '  Greeter: .*field added: String extra'
ask 'greet b' 'Hi b 2. 2'
sed -i 's/"Hi " + name/"Ho " + extra + twice(21) + (this instanceof Runnable) + name/' "$src/Greeter.java"; build "$src/Greeter.java"
await '  Greeter: changed: greet(String)'
answer=; echo 'greet c' >&6; read -r -t 180 -u 5 answer
[[ $answer =~ ^Ho\ (x|null)42truec\ 3\.\ 3$ ]] || fail "with new members: $answer"
# a migration hook is called for the object that lives, with the value of the field that goes
sed -i 's/int calls;/long count; static void $migrate(Greeter g, java.util.Map<String, Object> old) { g.count = 100 + (Integer) old.get("calls"); }/; s/++calls/++count/' "$src/Greeter.java"
build "$src/Greeter.java"
await 'swapped 1 class in'
await '  Greeter: $migrate(Greeter, Map) called for [12] objects*$'
answer=; echo 'greet c' >&6; read -r -t 180 -u 5 answer
[[ $answer =~ 42truec\ 104\.\ 4$ ]] || fail "after migration: $answer"
# taken back: the field has the value that it had, the one that came is there again after undoing no longer
sock=$scratch/structural.sock
undo() { perl -MIO::Socket::UNIX -e '$s = IO::Socket::UNIX->new($ARGV[0]) or die; print $s "undo\n"; print scalar <$s>' "$sock" >answers; }
undo; grep -q '"undone":\["Greeter"\]' answers || { fail undo; cat answers; }
await 'took back 1 class in'
answer=; echo 'greet c' >&6; read -r -t 180 -u 5 answer
[[ $answer =~ 42truec\ 4\.\ 5$ ]] || fail "after undo: $answer"
# what is refused is told in the VM's words, found by a dry run; nothing changes
mv "$src/Greeter.java" kept; echo 'public interface Greeter { String greet(String name); }' >"$src/Greeter.java"
"$jdk/bin/javac" -d out "$src/Greeter.java" && cp out/Greeter.class "$dir/Greeter.class"
await 'refused 1 of 1 class; nothing was changed'
await '  Greeter: .*('
echo 'greet d' >&6; read -r -t 180 -u 5 answer
[[ $answer =~ 42trued\ 5\.\ 6$ ]] || fail "after a refusal: $answer"
stop
finish
