#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Stacks, threads, groups, suspension, raw monitors, agent threads, modules, JNI table, search paths.
. "$(dirname "$0")/common.sh"
compile "$here/Live.java"
mkdir -p more
for name in OnBoot OnApp; do
    echo "public class $name { }" >more/$name.java && "$jdk/bin/javac" -d more more/$name.java || exit 1
done
"$jdk/bin/jar" --create --file boot.jar -C more OnBoot.class && "$jdk/bin/jar" --create --file app.jar -C more OnApp.class || exit 1
# Without a class archive, or the reference warns about it.
same live -Xshare:off "$(agent agent_live)" Live
same interpreted -Xshare:off -Xint "$(agent agent_live)" Live

# A Java agent: premain, a transformer, classes of the agent found by the application.
cat >Changer.java <<'J'
import java.lang.instrument.*;
import java.security.ProtectionDomain;
public class Changer implements ClassFileTransformer {
    public static void premain(String options, Instrumentation i) {
        System.out.println("premain " + options + " " + (i.getAllLoadedClasses().length > 100) + " " + (i.getObjectSize(new int[10]) > 0));
        i.addTransformer(new Changer());
    }
    public byte[] transform(ClassLoader l, String name, Class<?> old, ProtectionDomain d, byte[] bytes) {
        if (!"Changed".equals(name))
            return null;
        byte[] fresh = bytes.clone();
        for (int k = 0; k + 5 < fresh.length; k++)
            if (fresh[k] == 'h' && fresh[k + 1] == 'e' && fresh[k + 2] == 'l' && fresh[k + 3] == 'l' && fresh[k + 4] == 'o')
                fresh[k] = 'H';
        return fresh;
    }
}
J
echo 'public class Changed { public static void main(String[] a) { System.out.println("hello"); } }' >Changed.java
"$jdk/bin/javac" -d more Changer.java && "$jdk/bin/javac" -d classes Changed.java && echo 'Premain-Class: Changer' >manifest &&
    "$jdk/bin/jar" --create --file changer.jar --manifest manifest -C more Changer.class || exit 1
same javaagent -javaagent:changer.jar=options Changed
same javaagents -javaagent:changer.jar=one -javaagent:changer.jar=two Changed
same no_jar -javaagent:missing.jar Changed
echo "$compared comparisons"
exit $failed
