#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packages: junit5 junit4 testng
# timeout: 300
# tests=on: an epoch for each test of JUnit 5, 4 and 3 and TestNG, without a change of code; what belongs to a class, what to none;
# parameterised, nested and dynamic tests; suites; tests that run at the same time.
set -eu
jdk=$1 tested=$2 out=$3
agent=$BUILD/agents/libgraft-coverage.so tool=$BUILD/bin/graft-coverage share=/usr/share/java
fail() { echo "$*"; exit 1; }
for jar in junit-platform-console junit-vintage-engine junit4 testng; do [ -e $share/$jar.jar ] || { echo "package with $jar.jar is missing"; exit 77; }; done
five=$(ls $share/junit-platform-{commons,engine,launcher,reporting,console}.jar $share/junit-jupiter-{api,engine,params}.jar $share/junit-vintage-engine.jar \
    $share/opentest4j.jar $share/apiguardian-api.jar $share/picocli.jar $share/univocity-parsers.jar \
    $share/open-test-reporting-*.jar $share/opentest4j-reporting*.jar $share/junit4.jar $share/hamcrest*.jar 2>/dev/null | tr '\n' ':')
ng=$share/testng.jar:$share/jcommander.jar:$share/bsh.jar:$share/snakeyaml.jar
rm -rf "$out/src" "$out/t"; mkdir -p "$out/src/p" "$out/t"
cat > "$out/src/p/Calc.java" <<'J'
package p;
public class Calc {
    static final int[] table = new int[3];
    public static int add(int a, int b) {
        return a + b;
    }
    public static int half(int a) {
        if (a % 2 == 0)
            return a / 2;
        throw new IllegalArgumentException();
    }
    public static void setUp() {
        table[0] = 1;
    }
    public static int slow(int a) throws InterruptedException {
        Thread.sleep(a);
        return a;
    }
}
J
cat > "$out/src/p/FiveTest.java" <<'J'
package p;
import static org.junit.jupiter.api.Assertions.*;
import java.util.stream.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
class FiveTest {
    @BeforeAll static void all() { Calc.setUp(); }
    @Test void adds() { assertEquals(3, Calc.add(1, 2)); }
    @Test void fails() { assertThrows(IllegalArgumentException.class, () -> Calc.half(3)); }
    @ParameterizedTest @ValueSource(ints = {2, 4}) void halves(int i) { assertEquals(i, 2 * Calc.half(i)); }
    @TestFactory Stream<DynamicTest> made() { return Stream.of(DynamicTest.dynamicTest("one", () -> Calc.add(1, 1))); }
    @Nested class Inner { @Test void deep() { Calc.half(8); } }
}
J
cat > "$out/src/p/FourTest.java" <<'J'
package p;
import static org.junit.Assert.*;
import org.junit.*;
public class FourTest {
    @BeforeClass public static void all() { Calc.setUp(); }
    @Test public void adds() { assertEquals(3, Calc.add(1, 2)); }
    @Test(expected = IllegalArgumentException.class) public void fails() { Calc.half(3); }
}
J
cat > "$out/src/p/FourCases.java" <<'J'
package p;
import org.junit.*;
import org.junit.runner.RunWith;
import org.junit.runners.*;
@RunWith(Parameterized.class) public class FourCases {
    @Parameterized.Parameters public static Object[] cases() { return new Object[] {2, 4}; }
    @Parameterized.Parameter public int i;
    @Test public void halves() { Calc.half(i); }
}
J
cat > "$out/src/p/FourAll.java" <<'J'
package p;
@org.junit.runner.RunWith(org.junit.runners.Suite.class) @org.junit.runners.Suite.SuiteClasses({FourTest.class, FourCases.class, ThreeTest.class}) public class FourAll {}
J
cat > "$out/src/p/ThreeTest.java" <<'J'
package p;
public class ThreeTest extends junit.framework.TestCase {
    public void testAdds() { assertEquals(3, Calc.add(1, 2)); }
}
J
cat > "$out/src/p/NgTest.java" <<'J'
package p;
import static org.testng.Assert.*;
import org.testng.annotations.*;
public class NgTest {
    @BeforeClass public void all() { Calc.setUp(); }
    @Test public void adds() { assertEquals(3, Calc.add(1, 2)); }
    @Test(expectedExceptions = IllegalArgumentException.class) public void fails() { Calc.half(3); }
    @DataProvider public Object[][] two() { return new Object[][] {{2}, {4}}; }
    @Test(dataProvider = "two") public void halves(int i) { Calc.half(i); }
}
J
cat > "$out/src/p/Both1Test.java" <<'J'
package p;
import org.junit.jupiter.api.*;
class Both1Test { @Test void one() throws Exception { Gate.pass(); Calc.slow(1); Gate.pass(); } }
class Both2Test { @Test void two() throws Exception { Gate.pass(); Gate.pass(); } }
class Gate {
    static final java.util.concurrent.CyclicBarrier b = new java.util.concurrent.CyclicBarrier(2);
    static void pass() throws Exception { b.await(60, java.util.concurrent.TimeUnit.SECONDS); }
}
J
"$jdk/bin/javac" -g -nowarn -cp "$five$ng" -d "$out/t" "$out"/src/p/*.java 2> "$out/javac.log" || { cat "$out/javac.log"; fail "javac"; }
line() { grep -nF "$1" "$out/src/p/Calc.java" | head -1 | cut -d: -f1; }
covered() { # TEXT: the epochs that reach the line
    "$tool" epochs "$out/d" --at="p.Calc:$(line "$1")" | sed 's/.* ms  //' | LC_ALL=C sort -u | tr '\n' ' '
}
expect() { # TEXT EPOCHS
    local got; got=$(covered "$1")
    [ "$got" = "$2 " ] || { "$tool" epochs "$out/d"; fail "$home, $what: '$1' by $got, not $2"; }
}
run() { # WHAT WORD...
    what=$1; shift
    "$home/bin/java" "-agentpath:$agent=file=$out/d,tests=on,include=p.*" "$@" > "$out/log" 2>&1 || { tail -30 "$out/log"; fail "$home: $what"; }
}
console="org.junit.platform.console.ConsoleLauncher --disable-banner"
. "tests/answers.sh"
answer_agents=1
for home in "$jdk" "$tested"; do
    [ "$home" != "$jdk" ] || ! settled || continue
    run "JUnit 5" -cp "$five$out/t" $console -c p.FiveTest
    expect 'return a + b' 'p.FiveTest.adds p.FiveTest.made'
    expect 'return a / 2' 'p.FiveTest$Inner.deep p.FiveTest.halves'
    expect 'throw new' 'p.FiveTest.fails'
    expect 'table[0]' 'p.FiveTest.*'
    [ "$("$tool" report "$out/d" --epoch=p.FiveTest.adds --no-summary --lcov=- | sed -n "s/^DA:$(line 'a + b'),//p")" = 1 ] || fail "$home: report of one test"
    run "JUnit 4" -cp "$share/junit4.jar:$share/hamcrest.jar:$out/t" org.junit.runner.JUnitCore p.FourAll
    expect 'return a + b' 'p.FourTest.adds p.ThreeTest.testAdds'
    expect 'return a / 2' 'p.FourCases.halves'
    expect 'throw new' 'p.FourTest.fails'
    expect 'table[0]' 'p.FourTest.*'
    run "JUnit 4 under 5" -cp "$five$out/t" $console -c p.FourTest -c p.FourCases
    expect 'return a + b' 'p.FourTest.adds'
    expect 'return a / 2' 'p.FourCases.halves'
    expect 'table[0]' 'p.FourTest.*'
    run "TestNG" -cp "$ng:$out/t" org.testng.TestNG -d "$out/ng" -testclass p.NgTest
    expect 'return a + b' 'p.NgTest.adds'
    expect 'return a / 2' 'p.NgTest.halves'
    expect 'throw new' 'p.NgTest.fails'
    expect 'table[0]' 'p.NgTest.*'
    run "two at a time" -Djunit.jupiter.execution.parallel.enabled=true -Djunit.jupiter.execution.parallel.mode.default=concurrent \
        -Djunit.jupiter.execution.parallel.config.strategy=fixed -Djunit.jupiter.execution.parallel.config.fixed.parallelism=2 \
        -cp "$five$out/t" $console -c p.Both1Test -c p.Both2Test
    got=$(covered 'Thread.sleep')
    [[ $got =~ ^p\.Both(1Test.one\|p.Both2Test.two|2Test.two\|p.Both1Test.one)\ $ ]] || fail "$home: at the same time: $got"
    "$tool" report "$out/d" --epoch=p.Both2Test.two --no-summary --lcov=- | grep -q "^DA:$(line Thread.sleep),1" || fail "$home: one of two"
    # without the option nothing is put in
    "$home/bin/java" "-agentpath:$agent=file=$out/d,include=p.*" -cp "$five$out/t" $console -c p.FiveTest > "$out/log" 2>&1
    [ "$("$tool" epochs "$out/d" | sed 's/.* ms  //')" = "(none)" ] || fail "$home: epochs without being asked"
    "$home/bin/java" "-agentpath:$agent=file=$out/d,tests=on,prune=on" -version > "$out/log" 2>&1 && fail "$home: tests and prune"
    [ "$home" != "$jdk" ] || settle
done
