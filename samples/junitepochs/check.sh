#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packages: junit5
# The commands of the README, on both VMs.
set -u
jdk=$1 tested=$2 scratch=$3 bad=0
here=$(cd "$(dirname "$0")" && pwd) share=/usr/share/java tool=$BUILD/bin/graft-coverage
[ -e $share/junit-platform-console.jar ] || { echo "package junit5 is missing"; exit 77; }
cp=$(ls $share/junit-platform-{commons,engine,launcher,reporting,console}.jar $share/junit-jupiter-{api,engine,params}.jar \
    $share/opentest4j.jar $share/apiguardian-api.jar $share/picocli.jar $share/univocity-parsers.jar \
    $share/open-test-reporting-*.jar $share/opentest4j-reporting*.jar 2>/dev/null | tr '\n' ':')
"$jdk/bin/javac" -g -cp "$cp" -d "$scratch/t" "$here"/*.java || exit 1
mkdir -p "$scratch/t/META-INF/services"
echo EpochListener > "$scratch/t/META-INF/services/org.junit.platform.launcher.TestExecutionListener"
line=$(grep -n 'price / 10' "$here/PriceTest.java" | cut -d: -f1)
. "$here/../../tests/answers.sh"
answer_agents=1
for home in "$jdk" "$tested"; do
    [ "$home" != "$jdk" ] || ! settled || continue
    "$home/bin/java" "-agentpath:$BUILD/agents/libgraft-coverage.so=file=$scratch/t.dat,quiet" -cp "$cp$scratch/t" \
        org.junit.platform.console.ConsoleLauncher --disable-banner -c PriceTest > "$scratch/out" 2>&1 || { cat "$scratch/out"; bad=1; }
    got=$("$tool" epochs "$scratch/t.dat" | sed 's/.* ms  //' | grep -v none | LC_ALL=C sort | tr '\n' ' ')
    [ "$got" = "PriceTest.many PriceTest.small " ] || { echo "$home: epochs: $got"; bad=1; }
    got=$("$tool" epochs "$scratch/t.dat" --at="PriceTest.java:$line" | sed 's/.* ms  //')
    [ "$got" = PriceTest.many ] || { echo "$home: who covers line $line: $got"; bad=1; }
    "$tool" report "$scratch/t.dat" --epoch=PriceTest.small --no-summary --lcov=- | grep -q "^DA:$line,0" || { echo "$home: report of one test"; bad=1; }
    "$home/bin/java" -cp "$cp$scratch/t" org.junit.platform.console.ConsoleLauncher --disable-banner -c PriceTest > "$scratch/out" 2>&1 ||
        { echo "$home: without the agent"; bad=1; }
    [ "$home" != "$jdk" ] || failed=$bad settle
done
exit $bad
