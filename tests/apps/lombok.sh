#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: liblombok-java
# extent: suite
#
# javac with Lombok, which rewrites the compiler's trees from an annotation processor: class files the same.
. "$(dirname "$0")/common.sh"
need $share/lombok.jar
cat >"$work/L.java" <<'JAVA'
import lombok.*;
import java.util.*;
@Data @Builder @AllArgsConstructor @NoArgsConstructor class Point { private int x; @NonNull private String name = "n"; @Singular private List<String> tags; }
@Value class Pair<A, B> { A left; B right; }
public class L {
    @SneakyThrows static void sneaky() { throw new java.io.IOException("sneaky"); }
    @Getter(lazy = true) private final Map<String, Integer> slow = Map.of("made", 1);
    @Synchronized int sync(int n) { return n + 1; }
    public static void main(String[] a) {
        val p = Point.builder().x(3).name("p").tag("a").tag("b").build();
        System.out.println(p + " " + p.equals(new Point(3, "p", List.of("a", "b"))) + " " + new Pair<>(1, "x") + " " + new L().getSlow() + " " + new L().sync(4));
        try { p.setName(null); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try { sneaky(); } catch (Exception e) { System.out.println(e); }
    }
}
JAVA
run() {
    local o=
    for p in code comp file main model parser processing tree util jvm api; do o+=" -J--add-opens=jdk.compiler/com.sun.tools.javac.$p=ALL-UNNAMED"; done
    "$1/bin/javac" $J $o -cp $share/lombok.jar -processorpath $share/lombok.jar -d . "$work/L.java" 2>&1
    "$1/bin/java" $O -cp . L
}
compare run
