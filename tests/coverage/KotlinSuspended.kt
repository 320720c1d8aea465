// SPDX-License-Identifier: Apache-2.0
// What Kotlin's compiler makes of functions that suspend; some parts run, some do not, on purpose.
package k

import kotlin.coroutines.*
import kotlin.coroutines.intrinsics.*

var waiting: Continuation<Unit>? = null

suspend fun pause(): Unit = suspendCoroutineUninterceptedOrReturn { c ->
    waiting = c
    COROUTINE_SUSPENDED
}
suspend fun now(n: Int): Int = suspendCoroutineUninterceptedOrReturn { n }
suspend fun twoPoints(n: Int): Int {
    pause()
    val a = now(n)
    if (a > 3) {
        pause()
        return a + 1
    }
    return now(a) + a
}
suspend fun never(n: Int): Int {
    val a = now(n)
    pause()
    return a
}
suspend fun handedOn(n: Int): Int = now(n)
suspend fun handedOnUnit() {
    pause()
}
suspend fun caught(n: Int): Int {
    try {
        pause()
        return now(n)
    } catch (e: IllegalStateException) {
        return 0
    } finally {
        println("finally")
    }
}
suspend fun loop(n: Int): Int {
    var sum = 0
    for (i in 1..n) {
        pause()
        sum += now(i)
    }
    return sum
}
suspend fun plain(n: Int): Int = n + 1
class Holder(val n: Int) {
    suspend fun member(): Int {
        pause()
        return now(n)
    }
    private suspend fun hidden(s: String?): Int {
        pause()
        return s?.length ?: n
    }
    suspend fun open(): Int = hidden("abc") + hidden(null)
}
fun run(f: suspend () -> Int) {
    f.startCoroutine(object : Continuation<Int> {
        override val context: CoroutineContext get() = EmptyCoroutineContext
        override fun resumeWith(result: Result<Int>) {
            println(result.getOrNull() ?: "failed")
        }
    })
    while (true) {
        val c = waiting ?: break
        waiting = null
        c.resume(Unit)
    }
}

fun main(args: Array<String>) {
    run { twoPoints(1) }
    run { twoPoints(4) + 1 }
    run { handedOn(3) }
    run {
        handedOnUnit()
        7
    }
    run { caught(2) }
    run { loop(3) + plain(1) }
    run {
        val h = Holder(5)
        if (args.size > 3) pause()
        h.member() + h.open()
    }
    sequence {
        yield(1)
        yield(2)
        if (args.size > 7) yield(3)
    }.forEach { println(it) }
}
