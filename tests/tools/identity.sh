#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# modes: default xint hot opthot compact
#
# Identity hashes: the same in each run, and those of the reference's main thread where that has its archive of classes; so sets and maps that they
# order are walked in the same order.
jdk=$1 tested=$2
mkdir -p "$3/classes" && cd "$3" || exit 1
cat >IdentityOrder.java <<'J'
import java.util.*;

public class IdentityOrder {
    enum Color { RED, GREEN, BLUE, CYAN, MAGENTA, YELLOW, BLACK, WHITE }
    static class Node {}
    static class Derived extends Node {}
    record Pair(int a, int b) {}
    interface Shape { default String name() { return "shape"; } }

    static void say(String what) { System.out.println(what + " " + Integer.toHexString(new Object().hashCode())); }

    public static void main(String[] args) throws Exception {
        System.out.println(Integer.toHexString(System.identityHashCode(new Object())));
        Map<Color, Integer> map = new HashMap<>();
        for (Color c : Color.values()) map.put(c, c.ordinal());
        System.out.println(map);
        Set<Object> set = new HashSet<>();
        for (int i = 0; i < 20; i++) set.add(new Node() { public String toString() { return "node"; } });
        new Derived();
        say("derived");
        new Pair(1, 2);
        new Shape() {}.name();
        say("classes");
        Runnable r = () -> say("in a lambda");
        r.run();
        say(List.of(3, 1, 2).stream().map(x -> x * 2).sorted().toList() + "");
        System.out.println(String.format("%5.2f %s %x", 3.14159, "text", 255));
        say("format");
        Thread t = new Thread(() -> {});
        t.start();
        t.join();
        say("thread");
        Map<Class<?>, String> own = new HashMap<>();
        for (Class<?> c : List.of(Node.class, Derived.class, Pair.class, Shape.class, Color.class)) own.put(c, c.getSimpleName());
        System.out.println(own.values());
        System.out.println(new Node().toString() + " " + new int[0]);
    }
}
J
"$jdk/bin/javac" -nowarn -d classes IdentityOrder.java || exit 1
printf 'Main-Class: IdentityOrder\n' >manifest
"$jdk/bin/jar" cfm order.jar manifest -C classes . || exit 1
failed=0
run() { # NAME JAVA WORD...: the collector for which the reference maps its archive of objects
    local name=$1 java=$2
    shift 2
    "$java" -XX:+UseG1GC "$@" >"$name" 2>&1
}
compare() { # LABEL WORD...
    local label=$1
    shift
    run "$label.1" "$tested/bin/java" ${MODE_OPTIONS-} "$@"
    run "$label.2" "$tested/bin/java" ${MODE_OPTIONS-} "$@"
    cmp -s "$label.1" "$label.2" || { echo "$label: two runs differ"; diff "$label.1" "$label.2" | head -5; failed=1; }
    [ $archive = yes ] || return
    run "$label.reference" "$jdk/bin/java" "$@"
    cmp -s "$label.reference" "$label.1" || { echo "$label differs (< HotSpot, > Graft)"; diff "$label.reference" "$label.1" | head -8; failed=1; }
}
archive=no
if "$jdk/bin/java" -XX:+UseG1GC -Xshare:on -version >/dev/null 2>&1; then archive=yes; else echo "the reference has no archive: only compared with itself"; fi
compare path -cp classes IdentityOrder
compare jar -jar order.jar
compare options -ea -Dx=y -Xmx300m -cp classes:order.jar IdentityOrder
[ "$(wc -l <path.1)" -ge 11 ] || { echo "no output"; cat path.1; failed=1; }
exit $failed
