#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# packages: libbyteman-java libaspectj-java libbyte-buddy-java libmockito-java libobjenesis-java
# extent: suite
#
# Unmodified Java agents, at start and attached to the running VM: Byteman's rules, AspectJ's load-time weaver,
# Byte Buddy (rebasing at load; advice by retransformation, JDK classes too, and its removal), Mockito's inline mocks.
. "$(dirname "$0")/common.sh"
need $share/{byteman,aspectjweaver,aspectjrt,byte-buddy,byte-buddy-agent,mockito-core,objenesis}.jar
cp=$share/aspectjrt.jar:$share/byte-buddy.jar:$share/byte-buddy-agent.jar:$share/mockito-core.jar
# Java 8: the weaver and Mockito of the distribution are older than nest attributes
prepare -g -Xlint:-options --release 8 -cp $cp "$here"/{AgentsApp,MockApp,Audit}.java
prepare -cp "$work/classes" "$here/LateAgent.java"
prepare -g -cp "$work/classes:$cp" "$here/BuddyAgent.java"
printf 'Premain-Class: BuddyAgent\nAgent-Class: BuddyAgent\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n' >"$work/manifest"
(cd "$work/classes" && "$ref/bin/jar" cfm ../buddy.jar ../manifest BuddyAgent*.class)
cat >"$work/rules.btm" <<'END'
RULE deposits
CLASS AgentsApp$Savings
METHOD deposit
AT ENTRY
BIND c : long = $1
IF c > 0
DO System.out.println("byteman: deposit of " + c)
ENDRULE

RULE currency
CLASS AgentsApp$Savings
METHOD currency
AT EXIT
IF true
DO RETURN "USD"
ENDRULE

RULE thrown
CLASS AgentsApp$Savings
METHOD deposit
AT THROW
IF true
DO System.out.println("byteman: throws, balance " + $0.cents)
ENDRULE
END
mkdir -p "$work/classes/META-INF" "$work/classes/mockito-extensions"
cat >"$work/classes/META-INF/aop.xml" <<'END'
<aspectj><aspects><aspect name="Audit"/></aspects>
<weaver><include within="AgentsApp..*"/><include within="Audit"/></weaver></aspectj>
END
echo mock-maker-inline >"$work/classes/mockito-extensions/org.mockito.plugins.MockMaker"

# the reference warns that its class archive is of less use once the boot path has grown
java() { local home=$1; shift; [ "$home" = "$ref" ] && set -- -Xshare:off "$@"; "$home/bin/java" $O "$@"; }
byteman() { java "$1" -javaagent:$share/byteman.jar=script:"$work/rules.btm" -cp "$work/classes" AgentsApp; }
aspectj() { java "$1" --add-opens java.base/java.lang=ALL-UNNAMED -javaagent:$share/aspectjweaver.jar -cp "$work/classes:$share/aspectjrt.jar" AgentsApp; }
rebase() { java "$1" -javaagent:"$work/buddy.jar=rebase" -cp "$work/classes:$cp" AgentsApp; }
advice() { java "$1" -javaagent:"$work/buddy.jar=advice" -cp "$work/classes:$cp" AgentsApp; }
both() { java "$1" -javaagent:"$work/buddy.jar=advice" -javaagent:$share/byteman.jar=script:"$work/rules.btm" -cp "$work/classes:$cp" AgentsApp; }
late() { java "$1" -Djdk.attach.allowAttachSelf=true -cp "$work/classes:$cp" BuddyAgent; }
attach() { local home=$1; shift; java "$home" --add-opens java.base/java.lang=ALL-UNNAMED -Djdk.attach.allowAttachSelf=true -cp "$work/classes:$share/aspectjrt.jar" LateAgent "$@"; }
byteman_late() { attach "$1" "$share/byteman.jar=script:$work/rules.btm"; }
aspectj_late() { attach "$1" $share/aspectjweaver.jar early; }
buddy_late() { java "$1" -Djdk.attach.allowAttachSelf=true -cp "$work/classes:$cp" LateAgent "$work/buddy.jar=advice"; }
mockito() { java "$1" -cp "$work/classes:$cp:$share/objenesis.jar" MockApp; }
for agent in byteman aspectj rebase advice both late byteman_late aspectj_late buddy_late mockito; do compare $agent; done
