#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# extent: suite
#
# Byteman, Byte Buddy's attach and JaCoCo (from the start, and attached) from Debian's packages, on both VMs: the same output.  See README.md.
set -u
jdk=$1 tested=$2 scratch=$3
here=$(cd "$(dirname "$0")" && pwd) jars=/usr/share/java failed=0 compared=0
mkdir -p "$scratch" && cd "$scratch" || exit 1

both() { # label, arguments of java
    local label=$1; shift
    timeout 60 "$jdk/bin/java" "$@" >$label.hotspot 2>&1; echo "exit $?" >>$label.hotspot
    timeout 60 "$tested/bin/java" "$@" >$label.graft 2>&1; echo "exit $?" >>$label.graft
    sed -i '/Sharing is only supported for boot loader classes/d' $label.hotspot # its class archive
    diff $label.hotspot $label.graft >$label.diff || { echo "$label differs:"; head -20 $label.diff; failed=1; }
    grep -q 'exit 0' $label.hotspot || { echo "$label does not run on the reference:"; head -5 $label.hotspot; failed=1; }
    compared=$((compared + 1))
}
have() { local j; for j; do [ -e $jars/$j ] || { echo "skipped: no $jars/$j"; return 1; }; done; }

if have byte-buddy.jar byte-buddy-agent.jar jna.jar; then
    cp=.:$jars/byte-buddy.jar:$jars/byte-buddy-agent.jar:$jars/jna.jar:$jars/jna-platform.jar:$jars/asm.jar:$jars/asm-commons.jar
    "$jdk/bin/javac" -cp $cp -d . "$here"/Target.java "$here"/Buddy.java || exit 1
    both buddy -cp $cp -Djdk.attach.allowAttachSelf=true Target buddy
fi
[ $compared -gt 0 ] || have byteman.jar || exit 77
if have byteman.jar; then
    cat >rules.btm <<'END'
RULE entry
CLASS Target
METHOD twice
AT ENTRY
IF $1 > 0
DO traceln("entry " + $1)
ENDRULE
RULE exit
CLASS Target
METHOD twice
AT EXIT
IF TRUE
DO RETURN $! + 1
ENDRULE
RULE throw
CLASS Target
METHOD fail
AT THROW ALL
IF TRUE
DO traceln("throws " + $^.getMessage())
ENDRULE
RULE empty
CLASS java.lang.String
METHOD isEmpty
AT ENTRY
IF callerEquals("Target.main", true)
DO traceln("isEmpty")
ENDRULE
END
    for mode in false true; do
        both byteman-$mode -cp . -Dorg.jboss.byteman.transform.all -Dorg.jboss.byteman.compile.to.bytecode=$mode \
            -javaagent:$jars/byteman.jar=script:rules.btm,boot:$jars/byteman.jar Target
    done
fi
if have org.jacoco.agent.jar; then
    "$jdk/bin/jar" xf $jars/org.jacoco.agent.jar jacocoagent.jar && both jacoco -cp . -javaagent:jacocoagent.jar=destfile=jacoco.exec,append=false Target
    [ -s jacoco.exec ] || { echo "no coverage was written"; failed=1; }
    core=$jars/org.jacoco.core.jar:$jars/asm.jar:$jars/asm-commons.jar:$jars/asm-tree.jar
    "$jdk/bin/javac" -cp $core -d attached "$here"/Covered.java || exit 1
    printf 'Agent-Class: Covered\nCan-Retransform-Classes: true\n' >manifest && "$jdk/bin/jar" cfm starter.jar manifest
    both jacoco-attached -cp attached:$core -Djdk.attach.allowAttachSelf=true Covered starter.jar jacocoagent.jar
    grep -q '^Covered.Work [0-9a-f]* .*1' jacoco-attached.graft || { echo "the attached agent counted nothing"; failed=1; }
fi
echo "$compared comparisons"
exit $failed
