// SPDX-License-Identifier: Apache-2.0
// What Kotlin's compiler adds to the code; some parts run, some do not, on purpose.
package k

enum class Colour { RED, GREEN, BLUE }
data class Point(val x: Int, val y: Int = 3)
sealed class S { class A : S(); class B : S() }
interface WithDefault { fun d(): Int = 5 }
class Impl : WithDefault
class Late {
    lateinit var s: String
    fun length(): Int = s.length
}
inline fun twice(f: (Int) -> Int): Int {
    val a = f(1)
    return a + f(2)
}
fun defaults(a: Int = 1, b: String = "x"): Int = a + b.length
fun whenEnum(c: Colour): Int = when (c) {
    Colour.RED -> 1
    Colour.GREEN -> 2
    Colour.BLUE -> 3
}
fun whenString(s: String): Int = when (s) {
    "a" -> 1
    "b", "c" -> 2
    else -> 3
}
fun whenClash(s: String) {
    when (s) {
        "Aa" -> println(1)
        "BB" -> println(2)
    }
}
fun whenSealed(s: S): Int = when (s) {
    is S.A -> 1
    is S.B -> 2
}
fun notNull(s: String?): Int = s!!.length
fun safe(s: String?): Int? = s?.trim()?.length
fun cast(a: Any?): String = a as String
fun use(r: java.io.Closeable) = r.use { 3 }
fun never(a: Int): Int {
    return if (a > 3 && a < 9) 1 else 2
}
object Single { fun f() = 1 }
class Comp {
    companion object { val c = 5; @JvmStatic fun st() = 1 }
    @JvmOverloads fun over(a: Int, b: Int = 2) = a + b
    private fun hidden() = 3
    fun lam() = { hidden() }()
}

fun main(args: Array<String>) {
    println(defaults() + defaults(2) + defaults(b = "yy"))
    println(whenEnum(Colour.RED) + whenString("a") + whenString("z") + whenSealed(S.A()))
    whenClash("BB")
    println(notNull("a"))
    println(safe("b"))
    println(cast("c"))
    println(use(java.io.ByteArrayInputStream(ByteArray(1))))
    println(Impl().d())
    println(Point(1).copy(y = 4))
    val l = Late()
    l.s = "x"
    println(l.length())
    println(twice { it + 1 } + Single.f() + Comp.st() + Comp().over(1) + Comp().lam())
    listOf(1, 2).map { it * 2 }.filter { it > 2 }.forEach { println(it) }
    try { notNull(null) } catch (e: NullPointerException) { println("null") }
}
