#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
#
# Folders of Maven and Gradle projects: class files and sources of all modules, of modules that come later, a clean build; a change in one module
# compiles what depends on it in another; a build tool's JVM (jars only on its class path) watches the project it was started in.
. "$(dirname "$0")/common.sh"
module() { # folder build-file
    mkdir -p "$1/src/main/java" "$1/src/test/java"
    : >"$1/$2"
}
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    base $side
    top=$scratch/project.$side
    rm -rf "$top"
    mkdir -p "$top/node_modules/x/src/main/java" "$top/.hidden/src/main/java"
    : >"$top/pom.xml"
    : >"$top/node_modules/x/pom.xml"
    module "$top/core" pom.xml
    module "$top/group/app" pom.xml
    mkdir -p "$top/core/target/classes"
    echo 'package core; public class Rates { public static final int TAX = 19; }' >"$top/core/src/main/java/Rates.java"
    echo 'package app; public class Page { public static String text() { return "tax " + core.Rates.TAX; } }' >"$top/group/app/src/main/java/Page.java"
    mkdir -p "$top/core/src/main/java/core" "$top/group/app/src/main/java/app"
    mv "$top/core/src/main/java/Rates.java" "$top/core/src/main/java/core"
    mv "$top/group/app/src/main/java/Page.java" "$top/group/app/src/main/java/app"
    "$jdk/bin/javac" -g -d "$top/core/target/classes" "$top"/core/src/main/java/core/*.java || exit 1
    "$jdk/bin/javac" -g -cp "$top/core/target/classes" -d "$top/group/app/target/classes" "$top"/group/app/src/main/java/app/*.java || exit 1
    java() { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -cp "$dir:$top/core/target/classes:$top/group/app/target/classes" "$@"; }
    server "structural=off,project=$top,compile"
    await "project $top: 2 modules$"
    await 'watching 5 class files in 3 directories'
    await 'compiling 2 sources of 2 directories'
    ask 'late app.Page' 'tax 19 1'
    sed -i 's/19/7/' "$top/core/src/main/java/core/Rates.java"
    await 'compiled 2 sources in [0-9]* ms, with what depends on it'
    await 'swapped 1 class in'
    await '  app.Page: changed: text()'
    ask 'late app.Page' 'tax 7 2'
    [ -e "$top/group/app/target/classes/app/Page.class" ] && [ ! -e "$top/core/target/classes/app" ] || fail "a class file is in another module"

    # a new module, made step by step as an IDE does; its first class goes to a folder that was not there
    mkdir "$top/late"; sleep 0.3; : >"$top/late/pom.xml"; mkdir -p "$top/late/src"; sleep 0.3; mkdir -p "$top/late/src/main/java/late"
    echo 'package late; public class New { public static int v() { return core.Rates.TAX + 1; } }' >"$top/late/src/main/java/late/New.java"
    await "project $top: 1 more module"
    await 'compiled 1 source in'
    [ -e "$top/late/target/classes/late/New.class" ] || fail "no class of the new module"
    sed -i 's/7/8/' "$top/core/src/main/java/core/Rates.java"
    await 'compiled 3 sources in [0-9]* ms, with what depends on it'
    await '  app.Page: changed: text()'
    ask 'late app.Page' 'tax 8 3'

    # a clean build
    rm -rf "$top/group/app/target"; sleep 0.7
    sed -i 's/"tax "/"TAX "/' "$top/group/app/src/main/java/app/Page.java"
    await '  app.Page: changed: text()'
    ask 'late app.Page' 'TAX 8 4'
    stop

    # Gradle: a subproject without a file of its own, a language folder; the JVM of a tool started in the project
    base $side
    top=$scratch/gradle.$side
    rm -rf "$top"
    mkdir -p "$top/lib/src/main/java" "$top/app/src/main/java" "$top/app/src/main/kotlin"
    : >"$top/settings.gradle.kts"
    module "$top/app" build.gradle
    (cd "$dir" && "$jdk/bin/jar" cf "$scratch/tool.$side.jar" .)
    unset -f java
    java() { (cd "$top" && "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -cp "$scratch/tool.$side.jar" "$@"); }
    server ""
    stop
    log=$scratch/$side.log seen=0
    (cd "$top" && "$home/bin/java" "-agentpath:$agent" -cp "$scratch/tool.$side.jar" SwapServer "$dir" </dev/null) >/dev/null 2>"$log"
    await "project $top: 2 modules$"
    await 'watching 0 class files in 3 directories'
    [ $side = graft ] || settle
    unset -f java
    java() { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -cp "$dir" "$@"; }
done
finish
