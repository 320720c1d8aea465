#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: kotlin
# extent: suite
#
# kotlinc compiles a program, and its class files are the same; the program runs.
. "$(dirname "$0")/common.sh"
need /usr/share/kotlin/kotlinc/lib/kotlin-compiler.jar
cat >"$work/m.kt" <<'K'
sealed class Expr
data class Num(val v: Int) : Expr()
data class Sum(val l: Expr, val r: Expr) : Expr()
object Nothing0 : Expr()
fun eval(e: Expr): Int = when (e) { is Num -> e.v; is Sum -> eval(e.l) + eval(e.r); Nothing0 -> 0 }
inline fun <reified T> Any.isA() = this is T
class Node<T : Comparable<T>>(val value: T) { var left: Node<T>? = null; var right: Node<T>? = null
  fun add(v: T) { if (v < value) left?.add(v) ?: run { left = Node(v) } else right?.add(v) ?: run { right = Node(v) } }
  fun walk(f: (T) -> Unit) { left?.walk(f); f(value); right?.walk(f) } }
enum class Color(val rgb: Int) { RED(0xff0000) { override fun say() = "r" }, BLUE(255); open fun say() = name }
fun String.twice() = this + this
fun gen() = sequence { var a = 0; var b = 1; while (true) { yield(a); val t = a + b; a = b; b = t } }
class Lazy { val x by lazy { println("made"); 42 }; lateinit var s: String; operator fun plus(o: Lazy) = x + o.x }
fun main() {
    println(eval(Sum(Num(1), Sum(Num(2), Nothing0)))); println(Sum(Num(1), Num(2)).copy(l = Nothing0 as Expr is Num).toString())
}
K
sed -i 's/println(Sum(Num(1), Num(2)).copy.*$/println(Sum(Num(1), Num(2)).copy(l = Num(7))); println("x".isA<String>())\n    val n = Node(5); listOf(3, 8, 1, 9).forEach(n::add); n.walk { print("$it ") }; println()\n    println(Color.values().map { it.say() + it.rgb }); println("ab".twice() + gen().take(15).toList())\n    val l = Lazy(); println(l + Lazy()); try { l.s } catch (e: UninitializedPropertyAccessException) { println(e.message) }\n    println("a=1,b=2".split(",").associate { val (k, v) = it.split("="); k to v.toInt() }.toSortedMap())\n    val x: String? = null; println(x?.length ?: -1); try { x!!.length } catch (e: NullPointerException) { println("npe") }\n    for (i in 10 downTo 1 step 3) print(i); println((1..5).fold(1) { a, b -> a * b }); println(listOf(1, 2, 3, 4).partition { it % 2 == 0 })/' "$work/m.kt"
kjars=$(ls /usr/share/kotlin/kotlinc/lib/kotlin-*.jar | grep -v -e '-[0-9][0-9.]*\.jar$' | tr '\n' ':')
compile() { "$1/bin/java" $O -Djava.awt.headless=true -cp /usr/share/kotlin/kotlinc/lib/kotlin-preloader.jar org.jetbrains.kotlin.preloading.Preloader -cp /usr/share/kotlin/kotlinc/lib/kotlin-compiler.jar \
    org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -kotlin-home /usr/share/kotlin/kotlinc -nowarn -d . "$work/m.kt"; }
execute() { "$1/bin/java" $O -cp "/usr/share/kotlin/kotlinc/lib/kotlin-stdlib.jar:$work/made" MKt; }
compare compile
mkdir "$work/made" && (cd "$work/made" && O= compile "$ref") || exit 1
compare execute
