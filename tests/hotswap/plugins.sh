#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 500
#
# Plug-ins: what the class library remembers of classes is stale after a swap without them and right with them; plug-ins of others, compiled against
# a framework that two loaders have; order of plug-ins and hooks; plug-ins that throw, files they wait for, undo; no loader is kept alive; a
# framework of another version is told. Frameworks of Debian: frameworks.sh.
. "$(dirname "$0")/common.sh"

# A framework: it remembers what classes said, in objects and in a static map.
frame=$scratch/frame plug=$scratch/plug
rm -rf "$frame" "$plug" "$scratch/framesrc"; mkdir -p "$frame" "$plug/META-INF" "$scratch/framesrc/fw" "$scratch/framesrc/plug"
cat >"$scratch/framesrc/fw/Memory.java" <<'J'
package fw;
import java.util.*;
public class Memory {
    private static final Map<Class<?>, String> all = new HashMap<>();
    private final Map<Class<?>, String> mine = new HashMap<>();
    static String say(Class<?> c) {
        try { return (String) c.getMethod("say").invoke(null); } catch (ReflectiveOperationException e) { return e.toString(); }
    }
    public String ask(Class<?> c) { return mine.computeIfAbsent(c, Memory::say) + all.computeIfAbsent(c, Memory::say); }
    public void forget(Class<?> c) { mine.remove(c); }
    public static void forgetAll() { all.clear(); }
    public static class Own extends Memory { }
}
J
cat >"$scratch/framesrc/plug/Forget.java" <<'J'
package plug;
import fw.Memory;
public class Forget {
    static int runs;
    public static void swapped(Class<?>[] classes, Object[] found) {
        int objects = 0;
        for (Object o : found)
            if (o == Memory.class) Memory.forgetAll();
            else { objects++; for (Class<?> c : classes) ((Memory) o).forget(c); }
        boolean below = Forget.class.getClassLoader().getParent() == Memory.class.getClassLoader();
        System.err.println("PLUGIN " + ++runs + " objects " + objects + " classes " + classes.length + " " + classes[0].getName() + " below " + below
            + " context " + (Thread.currentThread().getContextClassLoader() == Memory.class.getClassLoader()));
    }
    public static class Fails {
        public static void swapped(Class<?>[] classes, Object[] found) { throw new IllegalStateException("as asked"); }
    }
    public static class Files {
        public static void written(String[] files, Object[] found) { System.err.println("FILES " + files.length + " " + files[0].replaceAll(".*/", "")); }
    }
}
J
"$jdk/bin/javac" -d "$frame" "$scratch"/framesrc/fw/*.java && "$jdk/bin/javac" -cp "$frame" -d "$plug" "$scratch"/framesrc/plug/*.java || exit 1
cat >"$plug/META-INF/hotswap-plugins" <<'T'
# a plug-in, and what it wants
plug.Forget$Fails  fw.Memory
plug.Forget  fw.Memory   # the class
    fw.Memory*           # and its objects
plug.Forget$Nobody  fw.Nowhere
plug.Forget$Files
    fw.Memory file:words*.txt
T

word() { echo "public class Word { public static String say() { return \"$1\"; } ${2-} }" >"$src/Word.java"; }
more() { # what JDK caches are about: text of the bundle, members of the bean, interfaces
    cat >"$src/Words.java" <<J
public class Words extends java.util.ListResourceBundle {
    protected Object[][] getContents() { return new Object[][] {{"word", "$1"}}; }
}
J
    echo "public class Bean implements java.io.Serializable { private static final long serialVersionUID = 1; public int getA() { return 1; } ${2-} }" >"$src/Bean.java"
}
prepare() {
    base $1
    word one; more first
    echo 'public class Heir extends Word { }' >"$src/Heir.java"
    echo 'public class SubBean extends Bean { }' >"$src/SubBean.java"
    cat >"$src/Bundle.java" <<'J'
public class Bundle { public static String text() { return java.util.ResourceBundle.getBundle("Words").getString("word"); } }
J
    cat >"$src/Beans.java" <<'J'
import java.beans.*;
import java.io.*;
public class Beans {
    static int properties() throws Exception { return Introspector.getBeanInfo(SubBean.class).getPropertyDescriptors().length; }
    public static String text() throws Exception {
        int[] n = new int[1]; // beans of another group of threads
        Thread t = new Thread(new ThreadGroup("other"), () -> { try { n[0] = properties(); } catch (Exception e) { n[0] = -1; } });
        t.start(); t.join();
        return properties() + "," + n[0] + "," + ObjectStreamClass.lookup(Bean.class).getFields().length + "," + sent();
    }
    /** Does a field of the superclass survive? */
    static String sent() throws Exception {
        SubBean b = new SubBean();
        try { Bean.class.getField("name").set(b, "kept"); } catch (NoSuchFieldException e) { }
        ByteArrayOutputStream to = new ByteArrayOutputStream();
        new ObjectOutputStream(to).writeObject(b);
        Object got = new ObjectInputStream(new ByteArrayInputStream(to.toByteArray())).readObject();
        try { return String.valueOf(Bean.class.getField("name").get(got)); } catch (NoSuchFieldException e) { return "none"; }
    }
}
J
    cat >"$src/Apps.java" <<'J'
import java.lang.ref.*;
import java.net.*;
import java.nio.file.*;
public class Apps {
    static ClassLoader[] loaders = new ClassLoader[2];
    static Object[] memories = new Object[2];
    public static String text() throws Exception {
        StringBuilder out = new StringBuilder();
        Class.forName("Heir");
        for (int i = 0; i < 2; i++) {
            if (memories[i] == null) {
                loaders[i] = new Loader(new URL[] {Path.of(System.getProperty("frame")).toUri().toURL()});
                memories[i] = loaders[i].loadClass(i == 0 ? "fw.Memory" : "fw.Memory$Own").getConstructor().newInstance();
            }
            out.append(memories[i].getClass().getMethod("ask", Class.class).invoke(memories[i], Word.class)).append(' ');
        }
        return out.toString();
    }
    static class Loader extends URLClassLoader {
        boolean ended;
        Loader(URL[] urls) { super(urls, null); }
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (ended) throw new IllegalStateException("this application has ended");
            return super.loadClass(name, resolve);
        }
    }
    /** As servers do it: somebody may still hold the loader, but it loads nothing any more. */
    public static class End {
        public static String text() { return "" + (((Loader) loaders[0]).ended = true); }
    }
    public static class Drop {
        public static String text() throws Exception {
            WeakReference<Object> one = new WeakReference<>(loaders[0]), two = new WeakReference<>(loaders[1]);
            loaders = new ClassLoader[2];
            memories = new Object[2];
            for (int i = 0; i < 100 && (one.get() != null || two.get() != null); i++) { System.gc(); Thread.sleep(20); }
            return (one.get() == null) + "," + (two.get() == null);
        }
    }
}
J
    build "$src"/*.java
}
java() { "$home/bin/java" $([ $side = graft ] && echo "${MODE_OPTIONS-}") -Dframe="$frame" -cp "$dir" "$@"; }

# Members may come (another JDK may stand in the place of our VM: jdks/run).
ours=$("$tested/bin/java" -version 2>&1 | grep -c Graft)
takes_shapes() { [ $side = graft ] && [ "$ours" != 0 ]; }

for side in hotspot graft; do
    [ $side = graft ] || ! settled || continue
    # without: what was true once
    prepare $side
    server "caches=off"
    ask 'late Bundle' 'first 1'
    ! takes_shapes || ask 'late Beans' '2,2,0,none 2'
    more second; ! takes_shapes || more second 'public String name; public String getB() { return name; }'
    build "$src/Words.java" "$src/Bean.java"
    await 'swapped [12] class'
    ask 'late Bundle' "first $(takes_shapes && echo 3 || echo 2)"
    ! takes_shapes || ask 'late Beans' '2,2,0,null 4'
    stop

    # with them: what is true now
    prepare $side
    server "verbose"
    ask 'late Bundle' 'first 1'
    ! takes_shapes || ask 'late Beans' '2,2,0,none 2'
    more second; ! takes_shapes || more second 'public String name; public String getB() { return name; }'
    build "$src/Words.java" "$src/Bean.java"
    await 'swapped [12] class'
    await 'plug-in graft.hotswap.Jdk has run'
    ask 'late Bundle' "second $(takes_shapes && echo 3 || echo 2)"
    ! takes_shapes || ask 'late Beans' '3,3,1,kept 4'
    stop

    # those of others, in a folder; nobody has loaded the framework at first
    prepare $side
    server "verbose,caches=off,plugins=$plug,hook=SwapServer.flush,socket=$scratch/plugins.$side"
    word two; build "$src/Word.java"
    await 'Word: not loaded yet'
    ask 'late Apps' 'twotwo twotwo  1'
    word three; build "$src/Word.java"
    await 'swapped 1 class in'
    await 'PLUGIN 1 objects 1 classes 2 Word below true context true'
    await 'PLUGIN 1 objects 1 classes 2 Word below true context true'
    await 'caches cleared by plug.Forget, plug.Forget ('
    await 'HOOK Word'
    ask 'late Apps' 'threethree threethree  2'
    [ "$(grep -c 'plug-in plug.Forget$Fails: java.lang.IllegalStateException: as asked' "$log")" = 2 ] || fail "who throws is not told"
    grep -q Nobody "$log" && fail "a plug-in without its framework was looked at"
    # an undo is a swap
    perl -MIO::Socket::UNIX -e '$s = IO::Socket::UNIX->new($ARGV[0]) or die; print $s "undo\n"; print scalar <$s>' "$scratch/plugins.$side" >answer
    grep -q '"undone":\["Word"\].*"plugins":\["plug.Forget","plug.Forget"\]' answer || { fail undo; cat answer; }
    ask 'late Apps' 'twotwo twotwo  3'
    # files: only those that it named
    grep -q FILES "$log" && fail "files before any was written"
    echo x >"$dir/other.txt"; echo x >"$dir/words.en.txt"
    await 'FILES 1 words.en.txt'
    await 'caches cleared by plug.Forget$Files, plug.Forget$Files'
    # an application ends: the plug-in is not for it any more
    ask 'late Apps$End' 'true 4'
    word six; build "$src/Word.java"
    await 'caches cleared by plug.Forget ('
    ask 'late Apps' 'twotwo sixsix  5'
    [ "$(grep -c 'plug-in plug.Forget:' "$log")" = 0 ] || fail "an application that has ended is told"
    ask 'late Apps$Drop' 'true,true 6'
    stop

    # in a jar
    prepare $side
    (cd "$plug" && "$jdk/bin/jar" cfM "$scratch/plug.jar" .)
    server "plugins=$scratch/plug.jar"
    ask 'late Apps' 'oneone oneone  1'
    word four; build "$src/Word.java"
    await 'caches cleared by plug.Forget, plug.Forget ('
    ask 'late Apps' 'fourfour fourfour  2'
    stop
    # another version of a framework has not what is expected
    prepare $side
    mkdir -p "$src/j"
    cat >"$src/j/SerializerCache.java" <<'J'
package com.fasterxml.jackson.databind.ser;
public class SerializerCache {
    private final java.util.Map<String, String> _readOnlyMap = new java.util.HashMap<>();
    static SerializerCache one;
    public static String text() {
        if (one == null) { one = new SerializerCache(); one._readOnlyMap.put("a", "b"); }
        return one._readOnlyMap.toString();
    }
}
J
    build "$src/j/SerializerCache.java"
    server verbose
    ask 'late com.fasterxml.jackson.databind.ser.SerializerCache' '{a=b} 1'
    ask 'late Apps' 'oneone oneone  2'
    word three; build "$src/Word.java"
    await 'plug-in graft.hotswap.Jackson: java.lang.IllegalStateException: not as expected, another version? com.fasterxml.jackson.databind.ser.SerializerCache.flush$'
    ask 'late com.fasterxml.jackson.databind.ser.SerializerCache' '{} 3'
    stop
    # what is no place for plug-ins ends the start
    for place in /nowhere "$dir" "$scratch/empty.jar"; do
        : >"$scratch/empty.jar"
        java "-agentpath:$agent=plugins=$place" Word >answer 2>&1 && fail "plugins=$place is accepted"
        grep -q "^\[hotswap\] plugins $place: " answer || { fail "plugins=$place"; cat answer; }
    done
    [ $side = graft ] || settle
done
finish
