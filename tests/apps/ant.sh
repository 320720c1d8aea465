#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: ant ant-optional junit4
# extent: suite
#
# ant: javac, copy with filters, jar, zip, forked java, junit with a report, checksums, a failing target.
. "$(dirname "$0")/common.sh"
need /usr/share/ant/lib/ant-launcher.jar /usr/share/ant/lib/ant-junit.jar $share/junit4.jar $share/hamcrest-core.jar
mkdir -p "$work/p/src/a"
cat >"$work/p/src/a/Main.java" <<'JAVA'
package a;
public class Main {
    public static int add(int x, int y) { return x + y; }
    public static void main(String[] args) { System.out.println("main " + args.length + " " + add(2, 3)); System.exit(args.length); }
}
JAVA
cat >"$work/p/src/a/MainTest.java" <<'JAVA'
package a;
import org.junit.*;
public class MainTest {
    @Test public void adds() { Assert.assertEquals(5, Main.add(2, 3)); }
    @Test public void fails() { Assert.assertEquals("sum", 6, Main.add(2, 3)); }
    @Ignore @Test public void ignored() {}
}
JAVA
cat >"$work/p/build.xml" <<'XML'
<project name="p" default="all" basedir=".">
  <property name="v" value="1.${ant.project.name}"/>
  <path id="cp"><pathelement location="classes"/><fileset dir="/usr/share/java" includes="junit4.jar hamcrest-core.jar"/></path>
  <macrodef name="say"><attribute name="what"/><sequential><echo>say @{what}</echo></sequential></macrodef>
  <target name="compile"><mkdir dir="classes"/><javac srcdir="src" destdir="classes" includeantruntime="false" classpathref="cp" debug="true"/></target>
  <target name="text" depends="compile">
    <echo file="in.txt">version @V@ ${v}&#10;two&#10;three&#10;</echo>
    <copy file="in.txt" tofile="out.txt"><filterchain><linecontains><contains value="e"/></linecontains><replacetokens><token key="V" value="9"/></replacetokens></filterchain></copy>
    <loadfile property="t" srcFile="out.txt"/><echo>${t}</echo>
    <checksum file="out.txt" property="sum" algorithm="SHA-256"/><echo>${sum}</echo>
    <condition property="yes"><and><available file="out.txt"/><not><equals arg1="a" arg2="b"/></not></and></condition><echo>${yes}</echo>
    <pathconvert property="fs" pathsep=","><sort><fileset dir="src"/></sort><mapper type="flatten"/></pathconvert><echo>${fs}</echo>
  </target>
  <target name="all" depends="text">
    <touch datetime="01/02/2020 03:04 am"><fileset dir="classes"/></touch>
    <jar destfile="p.jar" basedir="classes" modificationtime="01/02/2020 03:04 am"><manifest><attribute name="Main-Class" value="a.Main"/></manifest></jar>
    <unzip src="p.jar" dest="un"/><tar destfile="p.tar.gz" compression="gzip" basedir="un" includes="**/*.class"/>
    <java jar="p.jar" fork="true" resultproperty="rc"><arg value="x"/><arg value="y z"/></java><echo>rc ${rc}</echo>
    <say what="hello"/><parallel threadCount="2"><sequential><sleep milliseconds="10"/></sequential><say what="p"/></parallel>
    <junit printsummary="yes" fork="yes"><classpath refid="cp"/><formatter type="plain"/><test name="a.MainTest"/></junit>
    <fail message="at the end" unless="never"/>
  </target>
</project>
XML
ant=/usr/share/ant/lib
run() {
    cp -r "$work/p/." .
    "$1/bin/java" $O -cp $ant/ant-launcher.jar org.apache.tools.ant.launch.Launcher -lib $share/junit4.jar -lib $share/hamcrest-core.jar 2>&1 | sed -E 's/[0-9.]+ sec(onds?)?/N sec/g; s|/[^ ]*/files|HERE|g'
    "$1/bin/java" $O -cp $ant/ant-launcher.jar org.apache.tools.ant.launch.Launcher -p
    sed -i -E 's/[0-9.]+ sec(onds?)?/N sec/g' TEST-*.txt
    sed -i -E '/Created-By|^\s+at /d' un/META-INF/MANIFEST.MF TEST-*.txt
    rm -f p.jar p.tar.gz
}
compare run
