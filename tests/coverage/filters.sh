#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packages: liblombok-java
# timeout: 120
# Filters that Debian's JaCoCo does not have yet (accessors of records, the missing default of a switch), and that --old-filters
# takes away; code that Lombok makes and marks.
set -eu
jdk=$1 tested=$2 out=$3
agent=$BUILD/agents/libgraft-coverage.so tool=$BUILD/bin/graft-coverage
fail() { echo "$*"; exit 1; }
rm -rf "$out/src" "$out/t"; mkdir -p "$out/src" "$out/t"
cat > "$out/src/Made.java" <<'J'
public class Made {
    enum Colour { RED, GREEN }
    record Point(int x, long y) {
    }
    record Own(int x) {
        public int x() { return -x; }
    }
    static int all(Colour c) {
        return switch (c) {
            case RED -> 1;
            case GREEN -> 2;
        };
    }
    static int some(Colour c) {
        return switch (c) {
            case RED -> 1;
            default -> 2;
        };
    }
    public static void main(String[] a) {
        new Point(1, 2);
        new Own(3);
        System.out.println(all(Colour.RED) + all(Colour.GREEN) + some(Colour.RED));
    }
}
J
"$jdk/bin/javac" -g -d "$out/t" "$out/src/Made.java"
expect() { # LINE "mi ci mb cb" WHAT
    local got; got=$(sed -n "s/.*<line nr=\"$1\" mi=\"\([0-9]*\)\" ci=\"\([0-9]*\)\" mb=\"\([0-9]*\)\" cb=\"\([0-9]*\)\".*/\1 \2 \3 \4/p" "$out/x")
    [[ $got = $2 ]] || fail "$home: $3: line $1 is '$got', not '$2'"
}
xml() { "$tool" report "$out/d" --xml=- --no-summary "$@" | sed 's/<line /\n<line /g' > "$out/x"; }
for home in "$jdk" "$tested"; do
    "$home/bin/java" "-agentpath:$agent=quiet,file=$out/d" -cp "$out/t" Made > "$out/stdout"
    xml
    expect 3 '0 9 0 0' 'a record'
    expect 6 '4 0 0 0' 'an accessor that was written'
    expect 9 '0 * 0 2' 'a switch over all'
    expect 15 '0 * 1 1' 'a switch with a default'
    xml --old-filters
    expect 3 '6 9 0 0' 'a record, as before'
    expect 9 '4 * 1 2' 'a switch over all, as before'
done
[ -f /usr/share/java/lombok.jar ] || { echo "package liblombok-java is missing"; exit 77; }
echo 'lombok.addLombokGeneratedAnnotation = true' > "$out/src/lombok.config"
printf '@lombok.Data\npublic class Bean {\n    private int a;\n    int own() { return a; }\n    public static void main(String[] x) { new Bean().own(); }\n}\n' > "$out/src/Bean.java"
"$jdk/bin/javac" -g -nowarn -cp /usr/share/java/lombok.jar -d "$out/t" "$out/src/Bean.java" > "$out/log" 2>&1 || { cat "$out/log"; echo "Lombok does not go with this javac"; exit 77; }
home=$jdk
"$home/bin/java" "-agentpath:$agent=quiet,file=$out/d" -cp "$out/t" Bean
xml
[ "$(grep -o '<method name="[^"]*"' "$out/x" | cut -d'"' -f2 | tr '\n' ' ')" = "own main " ] || { cat "$out/x"; fail "Lombok's methods are reported"; }
"$jdk/bin/javap" -cp "$out/t" Bean | grep -q hashCode || fail "Lombok made no methods"
