#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 900
# packages: gradle junit4 ant maven libmaven-resources-plugin-java libmaven-compiler-plugin-java libmaven-jar-plugin-java
# extent: suite
#
# Build tools under graft: Gradle with its daemon and test workers, Maven's script, Ant with a forked java; on Graft and on HotSpot.
. "$(dirname "$0")/common.sh"
for p in gradle mvn ant; do [ -e /usr/bin/$p ] || { echo "no $p"; exit 77; }; done
mkdir -p g/src/main/java g/src/test/java m/src/main/java/a a/src
echo "apply plugin: 'java'; repositories { flatDir { dirs '/usr/share/java' } }; dependencies { testCompile name: 'junit4'; testCompile name: 'hamcrest-core' }" >g/build.gradle
echo 'public class Lib { public static int twice(int n) { return n * 2; } public static int unused() { return 1; } }' >g/src/main/java/Lib.java
cat >g/src/test/java/LibTest.java <<'J'
import org.junit.*;
public class LibTest {
    @Test public void good() { Assert.assertEquals(4, Lib.twice(2)); }
    @Test public void vm() throws Exception {
        java.nio.file.Files.write(java.nio.file.Paths.get("vm.txt"), System.getProperty("java.vm.name").getBytes());
    }
}
J
export GRADLE_USER_HOME=$scratch/home JAVA_HOME=$jdk
export GRADLE_OPTS="--add-opens java.base/java.lang=ALL-UNNAMED --add-opens java.base/java.util=ALL-UNNAMED -Dorg.gradle.daemon.idletimeout=60000"
cd g
check "Gradle, worker covered on HotSpot" 0 'coverage.dat: 1 classes' -- "$graft" coverage --include='Lib*' -- gradle --offline --console=plain test
has "its VM" OpenJDK vm.txt
check "its lines" 0 '^Lib .*1' -- "$graft" report dump coverage.dat
rm -rf build coverage.dat* vm.txt
check "Gradle, worker covered on Graft" 0 'coverage.dat: 1 classes' -- "$graft" run -- "$graft" coverage --include='Lib*' -- gradle --offline --console=plain test
has "its VM" Graft vm.txt
gradle --stop >/dev/null 2>&1; "$graft" run -- gradle --stop >/dev/null 2>&1
cd ..
echo 'package a; public class A { public static void main(String[] x) { System.out.println("hello"); } }' >m/src/main/java/a/A.java
cat >m/pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>g</groupId><artifactId>demo</artifactId><version>1.0</version>
  <properties><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding><maven.compiler.source>17</maven.compiler.source>
    <maven.compiler.target>17</maven.compiler.target></properties>
</project>
XML
cp -rs /usr/share/maven-repo repo
cd m
check "Maven on Graft" 0 '^Java version: 17.*runtime: /' -- "$graft" run -- mvn --version
has "... from the image" "runtime: $tested" out
check "Maven, traced" 0 'trace-[0-9]+.txt' -- "$graft" run -- "$graft" trace --include='org.apache.maven.cli.MavenCli' -- mvn -o -B -q -Dmaven.repo.local="$scratch/repo" compile
has "... exactly" ' 1 +[0-9]* +[0-9.]+ +[0-9.]+ +org.apache.maven.cli.MavenCli.main' "$(echo trace-*.txt)"
is "... and compiles" "$(ls target/classes/a)" A.class
cd ../a
cp ../m/src/main/java/a/A.java src/
echo '<project default="go"><target name="go"><mkdir dir="c"/><javac srcdir="src" destdir="c" debug="true" includeantruntime="false"/><java classname="a.A" classpath="c" fork="true"/></target></project>' >build.xml
check "Ant, a forked java covered" 0 'coverage.dat: 1 classes, lines [0-9.]+ % of 1,' -- "$graft" coverage --include=a.A -- ant
finish
