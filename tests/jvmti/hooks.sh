#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
#
# ClassFileLoadHook: order in a chain, replaced and damaged bytes, early classes, module readability, the class itself touched.
. "$(dirname "$0")/common.sh"
compile "$here/Hooks.java"
same chain "$(agent agent_hooks=chain)" Hooks
same chain_main "$(agent agent_hooks=chain)" Hooked
same chain_mixed "$(agent agent_hooks=chain-mixed)" Hooks
same early "$(agent agent_hooks=early)" Hooks
same late -Xshare:off "$(agent agent_hooks=late)" Hooks
for kind in garbage short long empty version name unset throw code; do
    same bad_$kind "$(agent agent_hooks=bad=$kind)" Hooks
    same bad_main_$kind "$(agent agent_hooks=bad=$kind)" Hooked
done
same module "$(agent agent_hooks=module)" Hooks module
compile "$here/Reads.java"
printf 'Premain-Class: Reads\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n' >reads.mf && "$jdk/bin/jar" cfm reads.jar reads.mf || exit 1
same reads -javaagent:reads.jar Reads
mkdir -p boot
for name in One Two Three Four; do echo "public class Boot$name { public String toString() { return \"original\"; } }" >boot/Boot$name.java; done
echo 'public class BootSub extends BootFour { }' >boot/BootSub.java
"$jdk/bin/javac" boot/*.java && "$jdk/bin/jar" cf boot.jar -C boot . || exit 1
compile -cp boot "$here/Touched.java"
printf 'Premain-Class: Touched\n' >touched.mf && "$jdk/bin/jar" cfm touched.jar touched.mf || exit 1
without_hashes() { sed 's/@[0-9a-f]*/@/g'; }
same touched filter=without_hashes -Xshare:off -javaagent:touched.jar=boot.jar Touched
echo "$compared comparisons"
exit $failed
