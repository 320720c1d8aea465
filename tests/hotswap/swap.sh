#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 360
#
# The watcher on both VMs: a changed method shows in the next answer and state is kept; several classes and loaders in
# one swap; refusals name the member and change nothing; half-written files; new and deleted directories; hooks.
. "$(dirname "$0")/common.sh"
for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    base $side
    server "watch=$dir,structural=off,hook=SwapServer.flush:SwapServer.fails:No.where"
    await 'watching 3 class files in 1 directory'
    ask 'greet a' 'Hello a 1. 1'
    ask 'other a' 'Hello a 1 2'

    greeter Hi; build "$src/Greeter.java"
    await 'swapped 1 class in [0-9.]* ms$'
    await '  Greeter: changed: greet(String)$'
    await 'HOOK Greeter$'
    await 'hook SwapServer.fails: java.lang.IllegalStateException: as asked'
    await 'hook No.where: java.lang.NoClassDefFoundError: No$'
    ask 'greet b' 'Hi b 2. 3'
    ask 'other b' 'Hi b 2 4'

    greeter Hey; tail_class '!'; build "$src"/*.java
    await 'swapped 2 classes in'
    await 'HOOK Greeter Tail$'
    ask 'greet c' 'Hey c 3! 5'

    # Constants are compared by all they are, handlers by what they catch.
    for text in '#1' '#2'; do
        tail_class "$text"; build "$src/Tail.java"
        await '  Tail: changed: text()$'
    done
    for type in NumberFormatException IllegalArgumentException; do
        echo "public class Tail { static String text() { try { return Integer.toString(1); } catch ($type e) { return null; } } }" >"$src/Tail.java"
        build "$src/Tail.java"
        await '  Tail: changed: text()$'
    done
    tail_class '!'; build "$src/Tail.java"
    await '  Tail: changed: text()$'

    # The same again is no news; another line of source is, but no method changed.
    cp "$dir/Tail.class" t; cp t "$dir/Tail.class"
    { echo; cat "$src/Greeter.java"; } >"$src/g"; mv "$src/g" "$src/Greeter.java"; build "$src/Greeter.java"
    await 'swapped 1 class in'
    await '  Greeter: constants, lines or attributes only'

    refused() { # text head members
        greeter No "$3" "$2"; build "$src/Greeter.java"
        await 'refused 1 of 1 class; nothing was changed'
        await "  Greeter: $1"
    }
    refused 'method added: int twice(int) (this VM cannot add a method' '' 'int twice(int a) { return 2 * a; }'
    refused 'field added: String\[\]\[\] names (this VM cannot change the fields' '' 'String[][] names;'
    refused 'super class changed: java.lang.Object to java.lang.Thread' 'public class Greeter extends Thread' ''
    refused 'interface added: java.lang.Runnable' 'public abstract class Greeter implements Runnable' ''
    refused 'modifiers of the class changed: public to public final (this VM cannot change the modifiers' 'public final class Greeter' ''
    refused 'inner class added: Greeter\$In (this VM cannot change the nest' '' 'static class In { }'
    refused 'lambda (method) added: void lambda\$new\$0()' '' '{ Runnable r = () -> { }; }'
    ask 'greet d' 'Hey d 4! 6'

    # One of two is refused: nothing changes; the other goes along with the next swap.
    greeter Salve; tail_class '?' 'int extra;'; build "$src"/*.java
    await 'refused 1 of 2 classes; nothing was changed'
    await '  Tail: field added: int extra'
    await '  Greeter: fine, waits'
    ask 'greet e' 'Hey e 5! 7'
    tail_class '?'; build "$src/Tail.java"
    await 'swapped 2 classes'
    ask 'greet f' 'Salve f 6? 8'

    # Half a file is read again until it is whole.
    tail_class '~'; "$jdk/bin/javac" -d out.$side "$src/Tail.java" || exit 1
    head -c 100 out.$side/Tail.class >"$dir/Tail.class"
    sleep 0.5
    cp out.$side/Tail.class "$dir/Tail.class"
    await 'swapped 1 class'
    ask 'greet g' 'Salve g 7~ 9'

    # A clean build deletes the directory; packages come and go.
    rm -rf "$dir"; sleep 0.2; mkdir "$dir"
    mkdir -p "$src/p/q"; echo 'package p.q; public class Late { public static String text() { return "early"; } }' >"$src/p/q/Late.java"
    greeter Ciao; build "$here/SwapServer.java" "$src"/*.java "$src/p/q/Late.java"
    await '  Greeter: changed: greet(String)'
    ask 'greet h' 'Ciao h 8~ 10'
    ask 'late p.q.Late' 'early 11'
    sed -i 's/early/late/' "$src/p/q/Late.java"; build "$src/p/q/Late.java"
    await '  p.q.Late: changed: text()'
    ask 'late p.q.Late' 'late 12'

    # Another directory comes in its place by renaming; the old one is kept.
    rm -rf "$dir.old" "$dir.new"; cp -r "$dir" "$dir.new"
    sed -i 's/late/newer/' "$src/p/q/Late.java"; "$jdk/bin/javac" -d "$dir.new" "$src/p/q/Late.java" || exit 1
    mv "$dir" "$dir.old"; mv "$dir.new" "$dir"
    await '  p.q.Late: changed: text()'
    ask 'late p.q.Late' 'newer 13'
    sed -i 's/newer/newest/' "$src/p/q/Late.java"; build "$src/p/q/Late.java"
    await '  p.q.Late: changed: text()'
    ask 'late p.q.Late' 'newest 14'
    rm -rf "$dir.old"
    stop

    # a class, a method and a hook whose names lie beyond U+FFFF
    base $side
    cat >"$src/Letters.java" <<'J'
public class Letters {
    public static class Of𐐀 { public static String text() { return call𐐀(); } static String call𐐀() { return "early"; } }
    public static void told𐐀(String[] classes) throws Exception { new java.io.PrintStream(System.err, true, "UTF-8").println("TOLD " + classes[0]); }
}
J
    build -encoding UTF-8 "$src/Letters.java"
    server "watch=$dir,structural=off,hook=Letters.told𐐀"
    await 'watching 5 class files in 1 directory'
    ask 'greet a' 'Hello a 1. 1'
    ask 'late Letters$Of𐐀' 'early 2'
    sed -i 's/early/late/' "$src/Letters.java"; build -encoding UTF-8 "$src/Letters.java"
    await '  Letters$Of𐐀: changed: call𐐀()$'
    await 'TOLD Letters$Of𐐀$'
    ask 'late Letters$Of𐐀' 'late 3'
    stop

    # partial, a short patience, quiet
    base $side
    server "structural=off,partial,tries=2,wait=50,quiet"
    ask 'greet a' 'Hello a 1. 1'
    greeter Hi; tail_class '?' 'int extra;'; "$jdk/bin/javac" -d out.$side "$src"/*.java
    (cd out.$side && cp Greeter.class Tail.class "$dir/")
    await 'refused 1 of [12] class'
    for i in $(seq 600); do
        echo 'greet b' >&6; read -r -t 180 -u 5 answer
        case $answer in Hi*) break ;; esac
        sleep 0.1
    done
    case $answer in "Hi b"*.*) ;; *) fail "partial: $answer" ;; esac
    head -c 200 out.$side/Tail.class >"$dir/Tail.class"
    await '  Tail: no valid class file: '
    grep -q -e 'watching' -e 'swapped' "$log" && fail "quiet is not quiet"
    stop
    [ $side = graft ] || settle
done
finish
