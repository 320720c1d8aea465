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
# Classes that are not named are believed to be what the code takes them for, interfaces too; those that are, are looked at.
echo 'class Run implements Runnable { public void run() {} Thread t() { return new Thread(this); } static void k(Kind k) {}
    static void m() { k(new Kind()); } } class Kind {} class Pind {}' >"$scratch/Run.java"
"$jdk/bin/javac" -d "$scratch/a" "$scratch/Run.java" || exit 1
out=$("$tool" verify "$scratch/a/Run.class" "$scratch/a/Kind.class") || say "believes too little: $out"
sed 's/(LKind;)V/(LPind;)V/' "$scratch/a/Run.class" >"$scratch/b/Run.class"
out=$("$tool" verify "$scratch/b/Run.class" "$scratch/a/Kind.class") || say "believes too little: $out"
out=$("$tool" verify "$scratch/b/Run.class" "$scratch/a/"{Kind,Pind}.class) && say "believes too much: $out"
[[ $out == *"Type 'Kind' (current frame, stack[0]) is not assignable to 'Pind'"* ]] || say "verify: $out"
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
# Names and strings of any characters: a line for each fact, all of it, and JSON.
cat >"$scratch/Odd.java" <<'JAVA'
import jdk.internal.org.objectweb.asm.*;
public class Odd implements Opcodes {
    public static void main(String[] a) throws Exception {
        ClassWriter w = new ClassWriter(0);
        w.visit(V11, ACC_PUBLIC, "p/\ud83d\ude00", null, "java/lang/Object", null);
        w.visitField(ACC_STATIC | ACC_FINAL, "k", "I", null, a[1].equals("1") ? 1 : 2);
        MethodVisitor m = w.visitMethod(ACC_STATIC, "a\n  method public b\33[31m\u009b", "()V", null, null);
        m.visitCode();
        m.visitLdcInsn("\0\udc00\u00e9");
        m.visitInsn(POP);
        m.visitLdcInsn("a".repeat(597) + "\1" + "b".repeat(200) + a[1]);
        m.visitInsn(POP);
        m.visitInsn(RETURN);
        m.visitMaxs(1, 0);
        m.visitEnd();
        w.visitEnd();
        java.nio.file.Files.write(java.nio.file.Path.of(a[0]), w.toByteArray());
    }
}
JAVA
for n in 1 2; do
    "$jdk/bin/java" --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED "$scratch/Odd.java" "$scratch/odd$n.class" $n || exit 1
done
"$tool" dump "$scratch/odd1.class" >"$scratch/odd"
grep -q '^public class p/\\ud83d\\ude00 extends' "$scratch/odd" || say "name of a class"
[ "$(grep -c '^  method ' "$scratch/odd")" = 1 ] && grep -q '^  method static a\\n  method public b\\x1b\[31m\\u009b ()V$' "$scratch/odd" ||
    say "name of a method: $(grep -a '^  method' "$scratch/odd")"
grep -q 'ldc #[0-9]* // "\\x00\\udc00\\u00e9"$' "$scratch/odd" || say "odd string"
long=$(printf 'a%.0s' {1..597})'\x01'$(printf 'b%.0s' {1..200})1
grep -qF "// \"$long\"" "$scratch/odd" || say "long string"
LC_ALL=C grep -q '[^ -~]' "$scratch/odd" && say "not printable"
"$tool" dump -j "$scratch/odd1.class" >"$scratch/json"
python3 - "$scratch/json" <<'PY' || say "JSON of odd names"
import json, sys
c, = json.load(open(sys.argv[1]))
assert c["name"] == "p/\U0001f600" and [m["name"] for m in c["methods"]] == ["a\n  method public b\33[31m\x9b"], c
PY
"$tool" diff "$scratch/odd1.class" "$scratch/odd2.class" >"$scratch/diff" && say "a string that differs at its end is the same"
[ "$(sed -n 's/^\([+-]\).*ConstantValue \([12]\)$/\1\2/p' "$scratch/diff" | tr '\n' ' ')" = "-1 +2 " ] || say "constants: $(cut -c1-80 "$scratch/diff")"
# What lambdas do, whatever the number of their bootstrap rows.
text='interface F { void f(); } class Lambdas { static void a() {} static void b() {} F one() { return Lambdas::a; } F two() { return Lambdas::b; } }'
echo "$text" >"$scratch/Lambdas.java"
"$jdk/bin/javac" -d "$scratch/a" "$scratch/Lambdas.java" || exit 1
sed 's/F one() { return Lambdas::a; } F two() { return Lambdas::b; }/F two() { return Lambdas::b; } F one() { return Lambdas::a; }/' \
    <<<"$text" >"$scratch/Lambdas.java"
"$jdk/bin/javac" -d "$scratch/b" "$scratch/Lambdas.java" || exit 1
out=$("$tool" diff "$scratch/a/Lambdas.class" "$scratch/b/Lambdas.class") || say "numbers of bootstrap rows count: $out"
sed 's/F two() { return Lambdas::b; }/F two() { return Lambdas::a; }/' <<<"$text" >"$scratch/Lambdas.java"
"$jdk/bin/javac" -d "$scratch/c" "$scratch/Lambdas.java" || exit 1
"$tool" diff "$scratch/a/Lambdas.class" "$scratch/c/Lambdas.class" >"$scratch/diff" && say "another body of a lambda is the same"
grep -q '^+    invokedynamic f:()LF; by .*Lambdas.a:()V' "$scratch/diff" || say "lambda: $(cat "$scratch/diff")"
printf 'junk' >"$scratch/bad.class"
"$tool" verify "$scratch/bad.class" >/dev/null && say "junk passes"
"$tool" frob >/dev/null 2>&1; [ $? = 2 ] || say "usage"
head -c 300 "$scratch/a/Shape.class" >"$scratch/bad.class"
out=$("$tool" dump "$scratch/bad.class") && say "a cut class passes"
[[ $out == *ClassFormatError* ]] || say "cut class: $out"
exit $failed
