// SPDX-License-Identifier: Apache-2.0
// Kotlin: data and sealed classes, lambdas, sequences, extensions, operators, collections, strings, delegates, coroutine builders of sequences.
data class Account(val owner: String, var amount: Long = 0, val history: MutableList<Int> = mutableListOf()) {
    operator fun plusAssign(n: Int) { amount += n; history += n }
    operator fun plus(o: Account) = Account("$owner+${o.owner}", amount + o.amount)
}

sealed class Expr {
    data class Num(val value: Int) : Expr()
    data class Sum(val left: Expr, val right: Expr) : Expr()
    data class Product(val left: Expr, val right: Expr) : Expr()
    object Nothing : Expr()
}

fun eval(e: Expr): Int = when (e) {
    is Expr.Num -> e.value
    is Expr.Sum -> eval(e.left) + eval(e.right)
    is Expr.Product -> eval(e.left) * eval(e.right) % 10007
    Expr.Nothing -> 0
}

fun tree(depth: Int, seed: Int): Expr = when {
    depth == 0 -> if (seed % 7 == 0) Expr.Nothing else Expr.Num(seed % 100)
    seed % 2 == 0 -> Expr.Sum(tree(depth - 1, seed * 3 + 1), tree(depth - 1, seed + 5))
    else -> Expr.Product(tree(depth - 1, seed + 2), tree(depth - 1, seed * 5 + 3))
}

fun fib(n: Int): Int = if (n < 2) n else fib(n - 1) + fib(n - 2)

fun sieve(n: Int): Int {
    val composite = BooleanArray(n + 1)
    return (2..n).count { p ->
        if (!composite[p]) for (m in p * 2..n step p) composite[m] = true
        !composite[p]
    }
}

fun words(n: Int): List<String> {
    val text = (0 until n).joinToString(" ") { "word${it * 7 % 311}" }
    return text.split(' ').groupingBy { it }.eachCount().entries.sortedWith(compareBy({ -it.value }, { it.key })).take(3).map { (w, c) -> "$w=$c" }
}

fun bank(n: Int): String {
    val all = (1..10).map { Account("o$it") }
    repeat(n) { all[it % 10] += it % 17 }
    return "${all.reduce { a, b -> a + b }.amount} ${all.map { it.history.size }.max()}"
}

fun numbers() = sequence {
    var a = 0L
    var b = 1L
    while (true) {
        yield(a)
        a = b.also { b = (a + b) % 1000003 }
    }
}

inline fun <T, R> Iterable<T>.scanned(first: R, step: (R, T) -> R): List<R> {
    var last = first
    return map { x -> step(last, x).also { last = it } }
}

fun String.shout() = toUpperCase() + "!"

class Settings(values: Map<String, Any?>) {
    val name: String by values
    val size: Int by values
    val label by lazy { "$name/$size" }
}

fun main(args: Array<String>) {
    repeat(args[0].toInt()) {
        println(fib(30))
        println(sieve(600000))
        println(words(80000))
        println(bank(300000))
        println((1..40).sumBy { s -> eval(tree(11, s)) })
        println(numbers().filter { it % 3 == 0L }.take(120000).fold(7L) { a, b -> (a * 31 + b) % 1000003 })
        println((1..200000).scanned(0L) { a, b -> (a * 31 + b) % 1000003 }.last())
        println((1..60000).map { "s$it".shout().length }.sum() + (1..150000).filter { it % 3 == 0 }.flatMap { listOf(it, it * 2) }.groupBy { it % 10 }.size)
        println((1..60000).map { Settings(mapOf("name" to "n$it", "size" to it)).label.hashCode() }.fold(0) { a, b -> a * 31 + b })
    }
}
