#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packages: ant ant-optional junit5
# timeout: 200
# A build with Ant that starts a VM for each class of tests: one data file, with each test, without Ant's own VM.
set -eu
jdk=$1 tested=$2 out=$3
agent=$(realpath "$BUILD/agents/libgraft-coverage.so") tool=$BUILD/bin/graft-coverage share=/usr/share/java
fail() { echo "$*"; exit 1; }
command -v ant > /dev/null && [ -e $share/ant-junitlauncher.jar ] && [ -e $share/junit-platform-launcher.jar ] || { echo "needs ant, ant-optional and junit5"; exit 77; }
app=$(realpath -m "$out/app")
rm -rf "$app"; mkdir -p "$app"/src/{main,test}/java/p
cat > "$app/src/main/java/p/Price.java" <<'J'
package p;
public class Price {
    public static int of(int n) {
        if (n > 9)
            return 9 * n;
        return 10 * n;
    }
}
J
for t in A:1 B:12; do
    echo "package p; import org.junit.jupiter.api.*; class ${t%:*}Test { @Test void t() { Assertions.assertTrue(Price.of(${t#*:}) > 0); } }" > "$app/src/test/java/p/${t%:*}Test.java"
done
cat > "$app/build.xml" <<X
<project default="test">
  <path id="cp">
    <fileset dir="$share" includes="junit-platform-*.jar junit-jupiter*.jar opentest4j.jar apiguardian-api.jar"/>
    <pathelement path="target/classes"/><pathelement path="target/test-classes"/>
  </path>
  <target name="test">
    <mkdir dir="target/classes"/><mkdir dir="target/test-classes"/>
    <javac srcdir="src/main/java" destdir="target/classes" debug="true" includeantruntime="false"/>
    <javac srcdir="src/test/java" destdir="target/test-classes" classpathref="cp" debug="true" includeantruntime="false"/>
    <junitlauncher printSummary="true" haltOnFailure="true"><classpath refid="cp"/>
      <testclasses outputdir="."><fileset dir="target/test-classes" includes="**/ATest.class"/><fork/></testclasses>
      <testclasses outputdir="."><fileset dir="target/test-classes" includes="**/BTest.class"/><fork/></testclasses>
    </junitlauncher>
  </target>
</project>
X
for home in "$jdk" "$tested"; do
    rm -f "$app/coverage.dat"
    (cd "$app" && JAVA_HOME=$(realpath "$home") JAVA_TOOL_OPTIONS="-agentpath:$agent=append,tests=on,from=$app/*,file=$app/coverage.dat,quiet" \
        ant > ant.log 2>&1) || { tail -20 "$app/ant.log"; fail "$home: the build failed"; }
    [ "$("$tool" info "$app/coverage.dat" | grep -c 'end *normal')" = 2 ] || { "$tool" info "$app/coverage.dat"; fail "$home: not the two VMs with tests"; }
    [ "$("$tool" epochs "$app/coverage.dat" --at=p.Price:5 | sed 's/.* ms  //')" = p.BTest.t ] || { "$tool" epochs "$app/coverage.dat"; fail "$home: who covers line 5"; }
    [ "$("$tool" report "$app/coverage.dat" --csv=- --no-summary | tail -n +2)" = "Coverage,p,Price,3,11,0,2,1,3,1,2,1,1" ] ||
        { "$tool" report "$app/coverage.dat" --csv=-; fail "$home: report"; }
done
