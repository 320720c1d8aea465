#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# modes: !instrumented
# timeout: 180
#
# The command line: forms of naming the program, options, files of arguments, environment, errors and exit codes.
. "$(dirname "$0")/common.sh"
mkdir -p "$work/classes"
cat >"$work/Hello.java" <<'END'
public class Hello { public static void main(String[] a) { System.out.println("hello " + String.join(",", a) + System.getProperty("p") + Hello.class.desiredAssertionStatus()); if (a.length > 3) System.exit(Integer.parseInt(a[3])); } }
class NoMain {} class BadMain { public void main(String[] a) {} } class InitFails { static { if (true) throw new Error("init"); } public static void main(String[] a) {} }
END
prepare "$work/Hello.java"
printf 'Main-Class: Hello\n' >"$work/mf"
"$ref/bin/jar" cfm "$work/hello.jar" "$work/mf" -C "$work/classes" .
echo "-Dp=argfile -ea Hello 'two words' x" >"$work/args"
cases() {
    local java="$1/bin/java${O:+ $O}"
    t() { local shown="$*"; [ -z "$O" ] || shown=${shown/" $O"/}; echo "--- $shown"; "$@"; echo "exit $?"; } # the mode's options are not shown
    {
    t $java -cp "$work/classes" Hello a b
    t $java -Dp=1 -ea:Hello -cp "$work/classes" Hello a b c 77
    t $java -jar "$work/hello.jar" x
    t $java -cp "$work/classes" "@$work/args"
    t $java -Xmx100m -Xms20m -Xss1m -XX:+UseG1GC -XX:+UseParallelGC -cp "$work/classes" Hello
    t $java -Xint -Xbatch -Xshare:off -Xverify:all -XX:+UnlockDiagnosticVMOptions -cp "$work/classes" Hello
    t $java -XX:NoSuchOption=1 -cp "$work/classes" Hello
    t $java -XX:+IgnoreUnrecognizedVMOptions -XX:NoSuchOption=1 -cp "$work/classes" Hello
    t $java -Xnosuch -cp "$work/classes" Hello
    t $java --no-such -cp "$work/classes" Hello
    t $java -Xmx1k Hello
    t $java -Xmxbad Hello
    t $java -cp "$work/classes" NotThere
    t $java -cp "$work/classes" NoMain
    t $java -cp "$work/classes" BadMain
    t $java -cp "$work/classes" InitFails
    t $java -cp "$work/classes" hello
    t $java -jar /no/such.jar
    t $java -agentlib:nosuchagent -cp "$work/classes" Hello
    t $java -agentpath:/no/such/agent.so -cp "$work/classes" Hello
    t $java -javaagent:/no/such.jar -cp "$work/classes" Hello
    t $java "$work/Hello.java" source mode
    t $java --add-modules no.such.module -cp "$work/classes" Hello
    t $java --list-modules
    t $java --describe-module java.logging
    t $java -m java.base/nothing
    t $java -verbose:nothing -cp "$work/classes" Hello
    t env CLASSPATH="$work/classes" $java Hello env
    t env JDK_JAVA_OPTIONS="-Dp=fromenv -ea" $java -cp "$work/classes" Hello
    t env JAVA_TOOL_OPTIONS="-Dp=tool -ea" $java -cp "$work/classes" Hello
    t env _JAVA_OPTIONS="-Dp=under" $java -Dp=over -cp "$work/classes" Hello
    } 2>&1 | sed "s|$1|HOME|g"
}
compare cases
