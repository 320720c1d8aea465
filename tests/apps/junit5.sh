#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
# packages: junit5
#
# JUnit 5's console launcher over a suite with passing, failing and parameterised tests.
. "$(dirname "$0")/common.sh"
need $share/junit-platform-console.jar $share/junit-jupiter-params.jar
cp=$(ls $share/junit-platform-{commons,engine,launcher,reporting,console}.jar $share/junit-jupiter-{api,engine,params}.jar \
    $share/opentest4j.jar $share/apiguardian-api.jar $share/picocli.jar $share/univocity-parsers.jar \
    $share/open-test-reporting-*.jar $share/opentest4j-reporting*.jar 2>/dev/null | tr '\n' ':')
prepare -cp "$cp" "$here/Junit5Suite.java"
run() {
    "$1/bin/java" $O -cp "$cp$work/classes" org.junit.platform.console.ConsoleLauncher --disable-banner \
        --disable-ansi-colors --details=tree --details-theme=ascii -c Junit5Suite >raw
    local code=$?
    sed -E 's/after [0-9]+ ms/after N ms/; s/Lambda\$[0-9]+\/0x[0-9a-f]+/Lambda/' raw
    rm raw
    return $code
}
compare run 1
