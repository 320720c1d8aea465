#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Signatures of hidden classes, SourceDebugExtension, StopThread(NULL), modules of loaders without classes; options of the command line
# that other tools pass.
. "$(dirname "$0")/common.sh"
asm="--add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED"
compile $asm "$here/Answers.java"
same answers "$(agent agent_answers)" $asm Answers

# java -m without a class path
mkdir -p module/p && echo 'module m {}' >module/module-info.java
echo 'package p; public class Show { public static void main(String[] a) { System.out.println("[" + System.getProperty("java.class.path") + "]"); } }' >module/p/Show.java
"$jdk/bin/javac" -d modules/m module/module-info.java module/p/Show.java || exit 1
same module -p modules -m m/p.Show
"$tested/bin/java" -XX:+AllowEnhancedClassRedefinition -XX:+PrintFlagsFinal -version 2>/dev/null | grep -Eq ' AllowEnhancedClassRedefinition += true' ||
    { echo "AllowEnhancedClassRedefinition is not known"; failed=1; }
grep -q "unnamed of platform" answers.hotspot.out || { echo "the reference did not run to the end"; failed=1; }
exit $failed
