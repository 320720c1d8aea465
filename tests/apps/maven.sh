#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: maven libmaven-resources-plugin-java libmaven-compiler-plugin-java libmaven-jar-plugin-java
# extent: suite
#
# maven, offline with Debian's repository: resources, compile, jar; then a broken source.
. "$(dirname "$0")/common.sh"
need /usr/share/maven/boot/plexus-classworlds-2.x.jar /usr/share/maven-repo/org/apache/maven/plugins/maven-jar-plugin
mkdir -p "$work/p/src/main/java/a" "$work/p/src/main/resources"
echo 'name=${project.artifactId}' >"$work/p/src/main/resources/a.properties"
echo 'package a; public class A { public static String hello() { return "hello"; } public static void main(String[] x) { System.out.println(hello()); } }' >"$work/p/src/main/java/a/A.java"
cat >"$work/p/pom.xml" <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>g</groupId><artifactId>demo</artifactId><version>1.0</version>
  <properties><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding><maven.compiler.source>17</maven.compiler.source>
    <maven.compiler.target>17</maven.compiler.target><project.build.outputTimestamp>2020-01-02T03:04:05Z</project.build.outputTimestamp></properties>
  <build><resources><resource><directory>src/main/resources</directory><filtering>true</filtering></resource></resources></build>
</project>
XML
mvn() { # home args
    local home=$1; shift
    "$home/bin/java" $O -cp /usr/share/maven/boot/plexus-classworlds-2.x.jar -Dclassworlds.conf=/usr/share/maven/bin/m2.conf \
        -Dmaven.home=/usr/share/maven -Dlibrary.jansi.path=/usr/share/maven/lib/jansi-native -Dmaven.multiModuleProjectDirectory=. \
        -Duser.home=. org.codehaus.plexus.classworlds.launcher.Launcher -o -B -Dmaven.repo.local="$work/repo" "$@" 2>&1 |
        sed -E 's/Total time:.*/Total time: N/; s/at: [0-9T:Z.-]+/at: T/; s|/[^ ]*/files|HERE|g; s|/[^ ]*/repo|REPO|g'
}
cp -rs /usr/share/maven-repo "$work/repo"
run() {
    cp -r "$work/p/." .
    mvn "$1" --version | grep -v -i -e 'java version' -e runtime -e 'OS name'
    mvn "$1" process-resources compile jar:jar
    "$1/bin/java" $O -cp target/demo-1.0.jar a.A
    sha256sum target/demo-1.0.jar
    echo 'package a; class B { int x = "no"; }' >src/main/java/a/B.java
    mvn "$1" compile
    rm -rf target/maven-archiver target/maven-status .m2
}
compare run
