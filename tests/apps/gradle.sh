#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: gradle junit4
# extent: suite
#
# Gradle: a Java build with tests, through its daemon; the daemon runs on the VM of the build.
. "$(dirname "$0")/common.sh"
need /usr/bin/gradle
run() {
    mkdir -p src/main/java src/test/java
    echo "apply plugin: 'java'; repositories { flatDir { dirs '/usr/share/java' } }; dependencies { testCompile name: 'junit4'; testCompile name: 'hamcrest-core' }" >build.gradle
    echo 'public class Lib { public static int twice(int n) { return n * 2; } }' >src/main/java/Lib.java
    echo 'import org.junit.*; public class LibTest { @Test public void good() { Assert.assertEquals(4, Lib.twice(2)); } @Test public void bad() { Assert.assertEquals(5, Lib.twice(2)); } }' >src/test/java/LibTest.java
    export GRADLE_USER_HOME=$PWD/home JAVA_HOME=$1 GRADLE_OPTS="$O --add-opens java.base/java.lang=ALL-UNNAMED --add-opens java.base/java.util=ALL-UNNAMED"
    gradle --offline --no-daemon --console=plain -q jar 2>&1 | grep -v -i -e warning -e '^openjdk ' -e 'Runtime Environment' -e ' VM ('; gradle --offline --no-daemon --console=plain test 2>&1 | grep -oE '.*(LibTest|Assertion|tests completed).*|^BUILD FAILED'
    [ -e build/libs/*.jar ] && unzip -l build/libs/*.jar | awk '{print $4}' | grep class
    rm -rf home .gradle build build.gradle src
}
compare run
