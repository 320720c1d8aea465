# SPDX-License-Identifier: Apache-2.0
# library NAME PATTERN: compiles build/sources/NAME and Poke into $OUT, lists the classes to poke in $OUT/NAME.list.
library() {
    tests/sources.sh >/dev/null || { echo "sources of $1 cannot be fetched"; exit 77; }
    mkdir -p "$OUT/$1"
    find "build/sources/$1" -name '*.java' > "$OUT/$1.files"
    "$JDK/bin/javac" --release 8 -nowarn -g -encoding UTF-8 -d "$OUT/$1" "@$OUT/$1.files" > "$OUT/$1.javac" 2>&1
    "$JDK/bin/javac" -d "$OUT" tests/coverage/Poke.java
    (cd "$OUT/$1" && find . -name '*.class') | grep -v '\$[0-9]' | sed 's|^\./||; s|/|.|g; s|\.class$||' | \
        LC_ALL=C sort | grep -E "$2" > "$OUT/$1.list"
}
# jacoco_agent: $OUT/jacocoagent.jar. Debian's agent lacks the Premain-Class entry and the classes of JaCoCo's core and of ASM.
jacoco_agent() {
    rm -rf "$OUT/agent"; mkdir -p "$OUT/agent"
    (cd "$OUT/agent"
     for j in org.jacoco.agent.rt org.jacoco.core asm asm-tree asm-commons asm-analysis; do
         "$JDK/bin/jar" xf /usr/share/java/$j.jar
     done
     rm -rf META-INF module-info.class
     printf 'Premain-Class: org.jacoco.agent.rt.internal.PreMain\n' > ../agent.mf
     "$JDK/bin/jar" cfm ../jacocoagent.jar ../agent.mf .)
}
