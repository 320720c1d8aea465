#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
# Redefinition throws away the code of the class and of its users, in frames that run it too, and no other code.
set -u
ref=$1 tested=$2 dir=$3
fail() { echo "$*"; exit 1; }
cd "$dir" || exit 1
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS
[ "$(uname -m)" = x86_64 ] || exit 0
cat >Change.java <<'J'
import java.lang.instrument.*;
import java.nio.file.*;
public class Change {
    static Instrumentation in;
    public static void premain(String a, Instrumentation i) { in = i; }
    static volatile boolean stop;
    static volatile int seen;
    /** Stands in compiled code with a call of the victim's while it is redefined. */
    static class Loop {
        static void run() {
            while (!stop) seen = Victim.f(1000) * 2 + inlined(3);
        }
    }
    static int inlined(int n) { return Victim.small(n); }
    static class Users { static int user(int n) { return Victim.f(n) + 1; } }
    /** Has what it inlines from a class that is no user of Victim's by itself. */
    static class Far { static int far(int n) { return Change.inlined(n) + 1; } }
    static class Strangers { static int stranger(int n) { return Other.f(n) + 1; } }
    public static void main(String[] a) throws Exception {
        int sum = 0;
        Victim v = new Victim();
        for (int i = 0; i < 20000; i++) sum += Users.user(i) + Far.far(i) + Strangers.stranger(i) + v.get();
        Thread t = new Thread(Loop::run);
        t.start();
        Thread.sleep(500);
        System.out.println("before " + Users.user(1) + " " + Far.far(1) + " " + seen + " " + v.get());
        in.redefineClasses(new ClassDefinition(Victim.class, Files.readAllBytes(Path.of("new/Victim.class"))));
        System.out.println("after " + Users.user(1) + " " + Far.far(1) + " " + v.get());
        Thread.sleep(200);
        System.out.println("loop " + seen);
        for (int i = 0; i < 20000; i++) sum += Users.user(i) + Far.far(i) + Strangers.stranger(i) + v.get();
        System.out.println("again " + Users.user(1) + " " + Far.far(1) + " " + v.get() + " " + Strangers.stranger(1));
        stop = true;
        t.join();
    }
}
J
victim() { echo "public class Victim { int x = 5; static int f(int n) { int s = $1; for (int i = 0; i < 3; i++) s += n; return s; } static int small(int n) { return n * 10 + $1; } int get() { return x$2; } }"; }
echo 'public class Other { static int f(int n) { int s = 0; for (int i = 0; i < 3; i++) s += n; return s; } }' >Other.java
victim 0 "" >Victim.java
mkdir -p old new src
"$ref/bin/javac" -d old Change.java Other.java Victim.java || exit 1
victim 100 " + 7" >src/Victim.java
"$ref/bin/javac" -d new src/Victim.java || exit 1
printf 'Premain-Class: Change\nCan-Redefine-Classes: true\n' >manifest
"$ref/bin/jar" cfm agent.jar manifest
run() { "$1/bin/java" -javaagent:agent.jar "${@:2}" -cp old Change; }
run "$ref" | grep -E '^(before|after|loop|again)' >ref.out || fail "the reference fails"
for mode in -Xbatch -XX:+BackgroundCompilation; do
    run "$tested" ${MODE_OPTIONS-} -XX:+PrintCompilation $mode >out || { tail -5 out; fail "fails with $mode"; }
    grep -E '^(before|after|loop|again)' out | diff ref.out - || fail "other answers with $mode"
    [ -n "${MODE_OPTIONS-}" ] && continue
    for m in Victim::f 'Change\$Users::user' 'Change\$Far::far' 'Change\$Loop::run'; do
        grep -Eq "$m .*made not entrant" out || fail "$m is not thrown away with $mode"
    done
    ! grep -E 'made not entrant' out | grep -E 'Strangers|Other' || fail "code of strangers is thrown away with $mode"
done
exit 0
