#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Programs behave as before when everything outside java.base is rewritten: all other modules of the JDK and the program's own
# jars, with a counter at every block, with every method in try/finally, with every call wrapped (values boxed), with a counter on
# every edge, with a look at every new object. The reference VM verifies all of it; what the programs write must be the same byte for
# byte, and the probes must have been called.
#     programs.sh JDK TESTED SCRATCH [PLAN...]
set -u
jdk=$1 scratch=$(realpath -m "$3"); shift 3
plans=${*:-calls ${FULL:+blocks finally passed edges objects}}
. "$(dirname "$0")/common.sh"
rt_frames
jars=()
for j in groovy clojure eclipse-jdt-core; do [ ! -e /usr/share/java/$j.jar ] || jars+=(/usr/share/java/$j.jar); done
libs=$(ls /usr/share/java/{asm,asm-commons,asm-util,asm-tree,asm-analysis,antlr,commons-cli,core.specs.alpha,spec.alpha,clojure-1.11,eclipse-jdt-core,org.eclipse.*}.jar 2>/dev/null | tr '\n' ':')

cat >"$scratch/Mixed.java" <<'J'
import java.io.*;
import java.util.*;
import java.util.logging.*;
import javax.script.*;
import javax.xml.parsers.*;
import javax.xml.transform.*;
import javax.xml.transform.dom.*;
import javax.xml.transform.stream.*;
public class Mixed {
    public static void main(String[] a) throws Exception {
        var doc = DocumentBuilderFactory.newInstance().newDocumentBuilder()
            .parse(new ByteArrayInputStream("<a x='1'><b>text</b><b/></a>".getBytes()));
        var out = new StringWriter();
        TransformerFactory.newInstance().newTransformer().transform(new DOMSource(doc), new StreamResult(out));
        System.out.println(out + " " + doc.getElementsByTagName("b").getLength());
        Logger.getLogger("x").setLevel(Level.FINE);
        System.out.println(Logger.getLogger("x").isLoggable(Level.FINE) + " " + new java.awt.Point(3, 4).distance(0, 0));
        System.out.println(java.sql.Timestamp.valueOf("2020-01-02 03:04:05").toLocalDateTime());
        if (a.length > 0) {
            Class<?> probe = Class.forName("java.lang.BootProbe");
            long n = 0;
            for (String f : new String[] {"blocks", "edges"})
                n += Arrays.stream((long[]) probe.getField(f).get(null)).sum();
            for (String f : new String[] {"entries", "exits", "calls", "others"})
                n += probe.getField(f).getLong(null);
            if (n < 1000)
                throw new AssertionError("only " + n + " probes");
        }
    }
}
J
"$jdk/bin/javac" -d "$scratch" "$scratch/Mixed.java" || exit 1

# Everything that is compared goes to the folder $1; the rest are VM options. $front: rewritten jars, or nothing.
programs() {
    local to=$1; shift
    local java=("$jdk/bin/java" -Xverify:all -Xshare:off -XX:TieredStopAtLevel=1 "$@")
    mkdir -p "$to/javac" "$to/ecj"
    "${java[@]}" -cp "$scratch" Mixed ${front:+check} >"$to/mixed" 2>"$to.err" || fail mixed "$to"
    "${java[@]}" -m jdk.compiler/com.sun.tools.javac.Main -d "$to/javac" "$top"/tests/java/lang/*.java >"$to/javac.out" 2>"$to.err" ||
        fail javac "$to"
    [ ! -e /usr/share/java/groovy.jar ] || "${java[@]}" -cp "${front:+$front/groovy.jar:}/usr/share/java/groovy.jar:$libs" groovy.ui.GroovyMain \
        -e 'println((1..20).findAll { it % 3 == 0 }.collect { "<$it>" }.join(",")); def m = [a: 1]; m.b = { x -> x * 2 }(21); println m' \
        >"$to/groovy" 2>"$to.err" || fail groovy "$to"
    [ ! -e /usr/share/java/clojure.jar ] || "${java[@]}" -cp "${front:+$front/clojure.jar:}/usr/share/java/clojure.jar:$libs" clojure.main \
        -e '(defn f [n] (if (< n 2) n (+ (f (- n 1)) (f (- n 2))))) (println (map f (range 15)) (reduce + (filter odd? (range 100))))' \
        >"$to/clojure" 2>"$to.err" || fail clojure "$to"
    [ ! -e /usr/share/java/eclipse-jdt-core.jar ] || "${java[@]}" -cp "${front:+$front/eclipse-jdt-core.jar:}$libs" \
        org.eclipse.jdt.internal.compiler.batch.Main -17 -nowarn -proc:none -d "$to/ecj" "$top"/tests/java/lang/{Generics,Lambdas,Switches}.java \
        >"$to/ecj.out" 2>"$to.err" || fail ecj "$to"
    [ $failed = 0 ]
}
failed=0
fail() { failed=1; echo "$2: $1 ends with an error:"; grep -v -e '^WARNING' -e deprecated "$2.err" | head -5; }

rm -rf "$scratch/plain"; front=
answer_inputs="$scratch/Mixed.class $top/tests/java/lang"
kept plain "$scratch/plain" -- programs "$scratch/plain"
for plan in $plans; do
    out=$scratch/out
    rm -rf "$out" "${scratch:?}/$plan"
    progress "$plan: rewriting"
    "$scratch/rt_frames" -m "plan-$plan" -o "$out" "$jdk/lib/modules" "${jars[@]}" || failed=1
    rm "$out/jdk/java.base.jar"
    rt_probe "$out/jdk" || failed=1
    rt_patch "$out/jdk"
    front=$out/jars
    progress "$plan: programs"
    answer_inputs="$scratch/Mixed.class $top/tests/java/lang $out"
    kept "$plan" "$scratch/$plan" -- programs "$scratch/$plan" "${patches[@]}"
    diff -r "$scratch/plain" "$scratch/$plan" >"$scratch/diff" || { failed=1; echo "$plan:"; head -20 "$scratch/diff"; }
    rm -rf "$out"
done
[ -s "$scratch/plain/mixed" ] && [ "$(find "$scratch/plain" -name '*.class' | wc -l)" -gt 20 ] || { echo "the programs did nothing"; failed=1; }
exit $failed
