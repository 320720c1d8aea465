#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 240
# Each kind of file that the tools read, damaged at random, always in the same ways (mutants.py): data of a run, with counts, of tests and of many
# runs, snapshots of the heap, class files, archives, diffs, thresholds, sources. Never a signal, never silence, no orders to a terminal; what was there stays.
set -eu
jdk=$1 tested=$2 out=$3
agents=$BUILD/agents/libgraft
rm -rf "$out/samples"; mkdir -p "$out/samples/src"
here=$(cd "$(dirname "$0")" && pwd) tools=$(realpath "$BUILD/bin")
cd "$out/samples"
cat > src/Hit.java <<'J'
import java.util.function.*;
public class Hit {
    static int f(int i) {
        return i > 3 ? i : -i;
    }
    static String g(Object o) {
        try {
            switch (o.toString()) { case "a": return "b"; case "c": return "d"; default: throw new IllegalStateException(); }
        } catch (IllegalStateException e) {
            return null;
        } finally {
            f(2);
        }
    }
    enum Color { RED { int v() { return 1; } }, BLUE; int v() { return 0; } }
    public static void main(String[] a) throws Exception {
        Supplier<Object> s = () -> "x";
        g(s.get()); g("a"); Color.RED.v();
        Class<?> api;
        try { api = Class.forName("java.lang.GraftCoverage"); } catch (ClassNotFoundException e) { return; }
        for (String name : new String[] {"p.A.x", "p.A.y|p.B.z", "p.A.*", null}) {
            api.getMethod("epoch", String.class).invoke(null, name);
            f(a.length);
        }
    }
}
J
"$jdk/bin/javac" -g -d t src/Hit.java
run() { "$jdk/bin/java" "-agentpath:$agents-$1.so=quiet,$2" -cp t Hit "${@:3}"; }
run coverage prune=off,file=plain.dat
run coverage counts,file=counts.dat
run coverage tests=on,file=tests.dat
for i in 1 2 3; do run coverage append,file=all.dat $i; done
for i in a b; do run heap file=/dev/null,save=$i.heap; done
cp t/Hit.class .
(cd t; "$jdk/bin/jar" cf ../all.jar ./*.class -C ../src Hit.java)
printf '# gates\nline=10,branch=5\nHit*:line=10\norg.*:method=3\n' > gates.txt
cat > change.diff <<'D'
diff --git a/src/Hit.java b/src/Hit.java
index 1111111..2222222 100644
--- a/src/Hit.java
+++ b/src/Hit.java
@@ -1,7 +1,7 @@
 import java.util.function.*;
 public class Hit {
     static int f(int i) {
-        return i > 4 ? i : -i;
+        return i > 3 ? i : -i;
     }
     static String g(Object o) {
         try {
diff --git a/src/Gone.java b/src/Gone.java
deleted file mode 100644
--- a/src/Gone.java
+++ /dev/null
@@ -1,2 +0,0 @@
-class Gone {
-}
diff --git "a/src/A \303\244.java" "b/src/A \303\244.java"
rename from "src/A \303\244.java"
rename to "src/B.java"
D
python3 "$here/mutants.py" . "$tools" $([ -n "${FULL:-}" ] && echo 300 || echo 14)
