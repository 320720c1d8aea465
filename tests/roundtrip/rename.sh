#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# Classes with other names run as before on the reference VM with -Xverify:all:
#   probe    a class with names in every place: package, classes and members renamed; what it prints is what the original
#            prints, with the names replaced
#   lang3    all of commons-lang3 in another package, used by a program
#   ecj      the whole Java compiler of Eclipse in another package (strings too), and with all private members renamed: it
#            compiles a file to the same bytes
# each also with the constant pool collected.
#     rename.sh JDK TESTED SCRATCH
set -u
jdk=$1 scratch=$(realpath -m "$3") bad=0
here=$(cd "$(dirname "$0")" && pwd) top=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$scratch"; mkdir -p "$scratch"
"${CC:-gcc}" -std=gnu11 -O2 ${SANITIZE-} -Wno-unused-parameter -I"$top/bci-lib" -I"$top/classfile" -I"$top/classfile/base" \
    "$here/rt_rename.c" "$here/corpus.c" "$BUILD/libbci.a" "$BUILD/libclassfile.a" -lzip -o "$scratch/rt_rename" || exit 1
cd "$scratch" || exit 1
export ASAN_OPTIONS=detect_leaks=0
. "$here/../answers.sh"
# asked FILE... -- INPUT... -- WORD...: what the reference tells, in the first FILE; the others are what the program makes. INPUTs are read.
asked() {
    asked_into=$1 asked_paths=() answer_inputs=
    while [ "$1" != -- ]; do asked_paths+=("$1"); shift; done
    shift
    while [ "$1" != -- ]; do answer_inputs+=" $1"; shift; done
    shift
    kept asked "${asked_paths[@]}" -- run "$@"
}
run() { "$jdk/bin/java" -Xverify:all -Xshare:off -XX:TieredStopAtLevel=1 "$@" >"$asked_into" 2>&1; }
rename() { ./rt_rename "$@" >log 2>&1 || { head -5 log; bad=1; }; }
same() { diff "$1" "$2" >difference || { echo "$3"; head -6 difference; bad=1; }; }
pack() { (cd "$1" && "$jdk/bin/jar" --create --no-compress --file "../$1.jar" .); }

# probe
"$jdk/bin/javac" -parameters -g -d probe "$here/RenameProbe.java" || exit 1
pack probe
asked probe.out -- probe -- -cp probe probe.before.RenameProbe
sed -e 's/probe\.before/other.place.now/g' -e 's/Circle/Disc/g' -e 's/radius/r/g' -e 's/weight/mass/g' -e 's/levels/steps/g' \
    -e 's/hidden/shown/g' -e 's/secret/open/g' -e 's/apply(/go(/g' probe.out >probe.expected
for g in "" -g; do
    rm -rf renamed
    rename -o renamed -s $g probe/before/=other/place/now/ 'probe/before/RenameProbe$Circle=other/place/now/RenameProbe$Disc' \
        'probe/before/RenameProbe$Circle.radius=r' 'probe/before/RenameProbe$Circle.levels=steps' \
        'probe/before/RenameProbe$Mark.levels=steps' 'probe/before/RenameProbe$Level.weight=mass' \
        'probe/before/RenameProbe$Level$1.weight=mass' 'probe/before/RenameProbe$Step.apply=go' \
        'probe/before/RenameProbe.hidden=shown' 'probe/before/RenameProbe.secret=open' -- probe.jar
    asked renamed.out -- renamed -- -cp renamed other.place.now.RenameProbe
    # sorted within a class by the new names
    sort probe.expected >a; sort renamed.out >b
    same a b "probe $g"
done

# commons-lang3
lang3=/usr/share/java/commons-lang3.jar
if [ -e $lang3 ]; then
    cat >Use.java <<'J'
import java.util.*;
import org.apache.commons.lang3.*;
import org.apache.commons.lang3.builder.*;
import org.apache.commons.lang3.reflect.*;
import org.apache.commons.lang3.time.*;
import org.apache.commons.lang3.tuple.*;
import org.apache.commons.lang3.math.*;
public class Use {
    int x = 3; String s = "text"; int[] v = {1, 2};
    public static void main(String[] a) throws Exception {
        System.out.println(ToStringBuilder.reflectionToString(new Use(), ToStringStyle.SHORT_PREFIX_STYLE));
        System.out.println(StringUtils.leftPad(StringUtils.capitalize("word"), 9, "*") + WordOf.of("a b"));
        System.out.println(EqualsBuilder.reflectionEquals(new Use(), new Use()) + " " + HashCodeBuilder.reflectionHashCode(new Use()));
        System.out.println(FastDateFormat.getInstance("yyyy-MM-dd HH:mm", TimeZone.getTimeZone("UTC"), Locale.US).format(0L));
        System.out.println(DurationFormatUtils.formatDurationWords(123456789, true, true) + " " + Triple.of(1, "b", 'c'));
        System.out.println(MethodUtils.invokeMethod("abcdef", "substring", 2) + " " + Fraction.getFraction("3/9").reduce());
        System.out.println(TypeUtils.toString(TypeUtils.parameterize(Map.class, String.class, Integer[].class)));
        System.out.println(SerializationUtils.clone(new ArrayList<>(List.of(Pair.of(1, 2)))) + " " + Range.between(1, 9).contains(5));
        System.out.println(ArrayUtils.toString(ArrayUtils.addAll(new int[] {1}, 2, 3)) + " " + ClassUtils.getShortClassName(Map.Entry.class));
        try { Validate.isTrue(false, "no %d", 7L); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
    }
    static class WordOf { static List<String> of(String s) { return Arrays.asList(StringUtils.split(s)); } }
}
J
    "$jdk/bin/javac" -cp $lang3 -d use Use.java || exit 1
    pack use
    asked use.expected -- use -- -cp use:$lang3 Use
    for how in "org/apache/commons/lang3/=shaded/l/" "-g -s org/apache/commons/lang3/=a/much/longer/package/name/than/before/"; do
        rm -rf moved
        rename -o moved $how -- $lang3 use.jar
        asked use.out -- moved -- -cp moved Use
        same use.expected use.out "lang3 $how"
    done
fi

# ecj
ecj=/usr/share/java/ecj.jar
[ -e $ecj ] || ecj=/usr/share/java/eclipse-jdt-core.jar
if [ -e $ecj ]; then
    main=org.eclipse.jdt.internal.compiler.batch.Main
    asked ecj.log ecj.expected -- "$here/RenameProbe.java" -- -cp $ecj $main -17 -g -proc:none -d ecj.expected "$here/RenameProbe.java"
    mkdir res; (cd res && "$jdk/bin/jar" xf $ecj && find . \( -name '*.class' -o -path './META-INF*' \) -type f -delete)
    for how in "-s org/eclipse/=shaded/" "-g -p secret_"; do
        rm -rf moved moved.out
        rename -o moved $how -- $ecj
        m=$main
        case $how in
        -s*) m=shaded${main#org.eclipse}; mkdir -p moved/shaded; cp -r res/org/eclipse/. moved/shaded/ ;;
        *) cp -r res/. moved/ ;;
        esac
        asked moved.log moved.out -- moved -- -cp moved "$m" -17 -g -proc:none -d moved.out "$here/RenameProbe.java"
        same ecj.log moved.log "ecj $how: messages"
        diff -r ecj.expected moved.out >difference || { echo "ecj $how: output"; head -5 difference; bad=1; }
        [ -e moved.out/probe/before/RenameProbe.class ] || { echo "ecj $how: nothing compiled"; bad=1; }
    done
fi
exit $bad
