#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packages: junit4
# timeout: 200
# affected: the tests that a change can matter to, by the data of tests=on: what ran in a test, in its class, in a static
# initialiser that another test came by first; new and gone files, constants, files of other kinds; and who is refused.
set -eu
jdk=$1 tested=$2 out=$3
agent=$BUILD/agents/libgraft-coverage.so tool=$BUILD/bin/graft-coverage repo=$out/repo
fail() { echo "$*"; exit 1; }
command -v git > /dev/null || { echo "needs git"; exit 77; }
junit=/usr/share/java/junit4.jar:/usr/share/java/hamcrest.jar
[ -e /usr/share/java/junit4.jar ] || { echo "package junit4 is missing"; exit 77; }
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
in_repo() { git -C "$repo" -c user.name=t -c user.email=t@example.org "$@"; }
rm -rf "$repo" "$out/t"; mkdir -p "$repo/main/p" "$repo/test/p" "$out/t"
java() { cat > "$repo/$1/p/$2.java"; }
java main One <<< 'package p; public class One {
    public static int one(int a) {
        return a + 1;
    } }'
java main Two <<< 'package p; public class Two { public static int two() { return 2; } }'
java main Ready <<< 'package p; public class Ready { public static void setUp() { } }'
java main Maker <<< 'package p; class Maker { static int make() { return 5; } }'
java main Table <<< 'package p; public class Table {
    static final int[] all = {Maker.make(), Two.two()};
    public static int at(int i) {
        return all[i];
    } }'
java main Fixed <<< 'package p; public class Fixed {
    public static final int LIMIT = 7;
    public static int fix() { return 1; } }'
java main Codes <<< 'package p; public class Codes {
    static final int[] codes = {
        10,
        20 };
    public static int plus(int i) { return i; } }'
java main More <<< 'package p; public class More extends Codes { interface Sizes { int BIG = 9; } }'
java main Single <<< 'package p; public class Single {
    static Single it;
    final int size = Part.size();
    static Single get() { if (it == null) it = new Single(); return it; } }'
java main Part <<< 'package p; class Part { static int size() { return 3; } }'
java main Lonely <<< 'package p; class Lonely { static int f() { return 1; } }'
java main Loaded <<< 'package p; public class Loaded { static int f() { return 1; } }'
java test ATest <<< 'package p; import org.junit.*;
@FixMethodOrder(runners.MethodSorters.NAME_ASCENDING) public class ATest {
    @BeforeClass public static void all() { Ready.setUp(); }
    @Test public void one() { Assert.assertEquals(2, One.one(1)); Loaded.class.getMethods(); }
    @Test public void table() { Table.at(0); }
}'
java test Base <<< 'package p; import org.junit.*; public abstract class Base {
    int twice(int i) { return 2 * i; } }'
java test CTest <<< 'package p; import org.junit.*; public class CTest extends Base {
    @Test public void first() { Assert.assertEquals(10, Codes.codes[0]); }
    @Test public void second() { Assert.assertEquals(20, second(1)); }
    @Test public void inherited() { More.plus(twice(1)); }
    @Test public void kept() { Assert.assertEquals(3, Single.get().size); }
    @Test public void big() { new More(); Assert.assertEquals(9, More.Sizes.BIG); }
    int second(int i) { return Codes.codes[i]; }
}'
java test BTest <<< 'package p; import org.junit.*; public class BTest {
    @Test public void table() { Table.at(1); }
    @Test public void fixed() { Fixed.fix(); Assert.assertEquals(3, Single.get().size); }
}'
printf '# p\n' > "$repo/README.md"; printf 'x' > "$repo/data.bin"
sed -i 's/import org.junit.\*;/import org.junit.*; import org.junit.runners.*;/; s/runners.MethodSorters/MethodSorters/' "$repo/test/p/ATest.java"
"$jdk/bin/javac" -g -nowarn -cp "$junit" -d "$out/t" "$repo"/*/p/*.java
rm -rf "$repo/.git"; git init -q -b main "$repo"; in_repo add . && in_repo commit -qm first
run() { "$home/bin/java" "-agentpath:$agent=file=$out/d,tests=on,quiet,include=p.*${1-}" -cp "$junit:$out/t" org.junit.runner.JUnitCore p.ATest p.BTest p.CTest > "$out/log" || { cat "$out/log"; fail "$home: the tests failed"; }; }
affected() { local rc=0; (cd "$repo" && "$tool" affected "$out/d" --since=main "$@") > "$out/o" 2> "$out/e" || rc=$?; echo "$rc $(tr '\n' ' ' < "$out/o")"; }
expect() { # "CODE TESTS" WHAT [OPTION...]
    local got; got=$(affected "${@:3}")
    [ "$got" = "$1 " ] || { cat "$out/e"; fail "$home: $2: $got, not $1"; }
    in_repo reset -q --hard; in_repo clean -qfd
}
edit() { sed -i "$2" "$repo/$1"; ! git -C "$repo" diff --quiet || fail "no edit of $1"; }
every='p.ATest.one p.ATest.table p.BTest.fixed p.BTest.table p.CTest.big p.CTest.first p.CTest.inherited p.CTest.kept p.CTest.second'
for home in "$jdk" "$tested"; do
    run
    expect '0' 'nothing changed'
    edit main/p/One.java 's/a + 1/1 + a/';           expect '0 p.ATest.one' 'a method'
    edit main/p/Ready.java 's/{ }/{ return; }/';     expect '0 p.ATest.one p.ATest.table' 'what a class of tests is set up with'
    edit main/p/Maker.java 's/5/6/';                 expect '0 p.ATest.table p.BTest.table' 'over a static initialiser that ran in another test'
    edit test/p/BTest.java 's/at(1)/at(0)/';         expect '0 p.BTest.*' 'a test'
    edit test/p/Base.java 's/2 . i/i + i/';          expect '0 p.CTest.*' 'what a test extends'
    edit main/p/Codes.java 's/20/30/';               expect '0 p.CTest.big p.CTest.first p.CTest.inherited p.CTest.second' 'a static field, by lines without its name'
    edit main/p/Part.java 's/3/4/';                  expect '0 p.BTest.fixed p.CTest.kept' 'over what another test made and kept'
    edit main/p/More.java 's/{ int/{ Integer N = 1; int/';        expect '0 p.CTest.big p.CTest.inherited' 'a class whose name stands before an inherited method'
    edit main/p/More.java 's/BIG = 9/BIG = 8/';      expect "4 $every" 'a constant of a class that was never loaded'
    edit main/p/Fixed.java 's/LIMIT = 7/LIMIT = 8/'; expect "4 $every" 'a constant'
    edit main/p/Fixed.java 's/LIMIT = 7/LIMIT = 8/'; git -C "$repo" diff > "$out/x.diff"
    expect "4 $every" 'a constant, by a diff from a file' --since="$out/x.diff"
    edit main/p/Fixed.java 's/return 1/return 2/';   expect '0 p.BTest.fixed' 'beside a constant'
    edit main/p/Fixed.java 's/public static int fix/public static final int fix/'; expect '0 p.BTest.fixed' 'words as at a constant'
    edit main/p/One.java 's,a + 1;,a + /* one */1; // "done",'; expect '0' 'comments and layout'
    edit main/p/Lonely.java 's,class,/* x */ &,';  expect '0' 'comments in what never ran'
    edit test/p/BTest.java 's,@Test,/* x */ &,';     expect '0 p.BTest.*' 'comments in a test'
    edit main/p/Lonely.java 's/1/2/';                expect "4 $every" 'no data'
    edit main/p/Loaded.java 's/1/2/';                expect "4 $every" 'loaded only'
    grep -q 'main/p/Loaded.java: changed, and nothing of it ran in any test: all tests' "$out/e" || { cat "$out/e"; fail "why all"; }
    in_repo mv main/p/One.java main/p/Uno.java;      expect '0 p.ATest.one' 'a file that moved'
    rm "$repo/main/p/Fixed.java";                    expect '0 p.BTest.fixed' 'a file that is gone' # no constant is left to be copied ...
    edit README.md 's/p/q/';                         expect "4 $every" 'no source'
    edit README.md 's/p/q/';                         expect '0' 'ignored' '--ignore=*.md:doc/*'
    edit data.bin 's/x/\x00/';                       expect "4 $every" 'a binary file'
    java main Fresh <<< 'package p; class Fresh { }'; expect '0' 'a new class'
    java test FreshTest <<< 'package p.q; class FreshTest { }'; expect '0 p.q.FreshTest.*' 'a new test'
    edit test/p/BTest.java 's/at(1)/at(0)/';         expect '0 p.BTest' 'for Maven' --as=maven
    edit main/p/One.java 's/a + 1/1 + a/';           expect '0 --tests p.ATest.one*' 'for Gradle' --as=gradle
    edit main/p/Maker.java 's/5/6/';                 expect '0 p.ATest#table*,p.BTest#table*' 'several for Maven' --as=maven
    rm "$repo/test/p/BTest.java";                    expect '0' 'tests that are gone'
done
# refused: nothing on stdout, a message, a code
refused() { # CODE TEXT ARGUMENTS
    local rc=0; (cd "$repo" && "$tool" affected "${@:3}") > "$out/o" 2> "$out/e" || rc=$?
    [ "$rc" = "$1" ] && [ ! -s "$out/o" ] && grep -qF -- "$2" "$out/e" || { cat "$out/e"; fail "${*:3}: $rc"; }
}
refused 2 'wants --since' "$out/d"
refused 2 'maven' "$out/d" --since=main --as=ant
refused 1 'nosuch' "$out/d" --since=nosuch
head -c 3000 "$out/d" > "$out/cut"
refused 1 'not a coverage data file' "$out/cut" --since=main
run ,tests=off
refused 1 'has no tests' "$out/d" --since=main
