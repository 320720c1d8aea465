#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# graft-class on classes that javac makes: verify, stats, dump as JSON, and a diff that ignores what has no meaning.
#     graft_class.sh JDK TESTED SCRATCH
set -u
jdk=$1 scratch=$(realpath -m "$3") tool=$BUILD/bin/graft-class failed=0
mkdir -p "$scratch/a" "$scratch/b" "$scratch/c"
say() { echo "$*"; failed=1; }
text='class Shape { int n; int area(int k) { for (int i = 0; i < k; i++) n += i; return n; } String s() { return "x" + n; } }'
echo "$text" >"$scratch/Shape.java"
"$jdk/bin/javac" -g -d "$scratch/a" "$scratch/Shape.java" && "$jdk/bin/javac" -g:none -d "$scratch/b" "$scratch/Shape.java" || exit 1
echo "${text/n += i/n -= i}" >"$scratch/Shape.java"
"$jdk/bin/javac" -d "$scratch/c" "$scratch/Shape.java" || exit 1

out=$("$tool" verify "$scratch/a/Shape.class") || say "verify: $out"
[[ $out == *": verified" ]] || say "verify: $out"
out=$("$tool" diff "$scratch/a/Shape.class" "$scratch/b/Shape.class") || say "debug information counts: $out"
out=$("$tool" diff "$scratch/a/Shape.class" "$scratch/c/Shape.class")
[ $? = 1 ] || say "diff finds nothing"
[ "$out" = $' method area (I)I access 0x0000 \n-    iadd\n+    isub' ] || say "diff: $out"
out=$("$tool" stats "$scratch/a/Shape.class")
[[ $out == *"methods                3"* ]] || say "stats: $out"
"$tool" dump "$scratch/a/Shape.class" | grep -q 'area' || say "dump"
for command in dump verify stats; do
    "$tool" $command -j "$scratch"/?/Shape.class >"$scratch/json" || say "$command -j"
    python3 -m json.tool "$scratch/json" >/dev/null || say "$command -j is no JSON"
done
# Annotations, on whatever they are.
cat >"$scratch/Noted.java" <<'JAVA'
import java.lang.annotation.*;
@Target(ElementType.TYPE_USE) @interface Use { int value() default 7; }
@Retention(RetentionPolicy.RUNTIME) @interface Mark {
    String s() default "x\n"; char c() default 'q'; boolean z() default true; Class<?>[] k() default {String.class};
    RetentionPolicy p() default RetentionPolicy.CLASS; Use n() default @Use(3); double d() default 1.5;
}
record Noted<T extends @Use(2) Object>(@Mark(s = "r", c = '\u00e9') int a) {
    static void m(@Mark int a, @Deprecated(since = "9") String b) { Object o = (@Use String) b; @Use(5) String x = b; }
}
JAVA
"$jdk/bin/javac" -g -d "$scratch/a" "$scratch/Noted.java" || exit 1
for class in Mark Noted; do "$tool" dump "$scratch/a/$class.class"; done | grep -v '^  #' |
    grep ' @[A-Za-z]\|AnnotationDefault\|Annotations\|parameter [0-9]\|^      a I' >"$scratch/noted"
diff - "$scratch/noted" <<'TEXT' || say "annotations differ (< wanted)"
    AnnotationDefault "x\n"
    AnnotationDefault 'q'
    AnnotationDefault true
    AnnotationDefault {java/lang/String.class}
    AnnotationDefault java/lang/annotation/RetentionPolicy.CLASS
    AnnotationDefault @Use(value = 3)
    AnnotationDefault 1.5d
    RuntimeVisibleAnnotations
      @java/lang/annotation/Retention(value = java/lang/annotation/RetentionPolicy.RUNTIME)
    RuntimeVisibleAnnotations
      @Mark(s = "r", c = '\u00e9')
    RuntimeVisibleParameterAnnotations
      parameter 0
        @Mark(s = "r", c = '\u00e9')
    RuntimeVisibleParameterAnnotations
      parameter 0
        @Mark
      parameter 1
        @java/lang/Deprecated(since = "9")
      attribute RuntimeInvisibleTypeAnnotations
        @Use on CAST pc 1 argument 0
        @Use(value = 5) on LOCAL_VARIABLE local 3 from 4 to 5
    RuntimeVisibleAnnotations
      @Mark(s = "r", c = '\u00e9')
    RuntimeInvisibleTypeAnnotations
      @Use(value = 2) on CLASS_TYPE_PARAMETER_BOUND 0 bound 0
      a I
        RuntimeVisibleAnnotations
          @Mark(s = "r", c = '\u00e9')
TEXT
printf 'junk' >"$scratch/bad.class"
"$tool" verify "$scratch/bad.class" >/dev/null && say "junk passes"
"$tool" frob >/dev/null 2>&1; [ $? = 2 ] || say "usage"
head -c 300 "$scratch/a/Shape.class" >"$scratch/bad.class"
out=$("$tool" dump "$scratch/bad.class") && say "a cut class passes"
[[ $out == *ClassFormatError* ]] || say "cut class: $out"
exit $failed
