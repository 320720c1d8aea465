// SPDX-License-Identifier: Apache-2.0
// Groovy: dynamic calls, closures, builders, JSON, strings, metaclasses, operators.
import groovy.json.JsonOutput
import groovy.json.JsonSlurper

class Account {
    String owner
    BigDecimal amount = 0
    List history = []

    def leftShift(n) { amount += n; history << n; this }
    Account plus(Account o) { new Account(owner: "$owner+$o.owner", amount: amount + o.amount) }
    def methodMissing(String name, args) { "$name/${args.size()}" }
}

def fib(n) { n < 2 ? n : fib(n - 1) + fib(n - 2) }

def sieve(n) {
    def composite = new boolean[n + 1]
    (2..n).findAll { p ->
        if (!composite[p]) for (def m = p * 2; m <= n; m += p) composite[m] = true
        !composite[p]
    }.size()
}

def words(n) {
    def text = (0..<n).collect { "word${it * 7 % 311}" }.join(' ')
    text.split(' ').countBy { it }.sort { -it.value * 1000 + it.key.size() }.take(3)
}

def bank(n) {
    def all = (1..10).collect { new Account(owner: "o$it") }
    n.times { all[it % 10] << (it % 17) }
    [all.sum().amount, all.collect { it.history.size() }.max(), all[0].unknown(1, 2)]
}

def json(n) {
    def text = JsonOutput.toJson((0..<n).collect { [id: it, name: "n$it", tags: ['a', 'b', it as String], nested: [x: it * 0.5, y: null]] })
    def back = new JsonSlurper().parseText(text)
    [text.size(), back.sum { it.id + it.tags.size() }, back.findAll { it.nested.x > 100 }.size()]
}

def markup(n) {
    def out = new StringWriter()
    new groovy.xml.MarkupBuilder(out).table { n.times { i -> tr(id: i) { td("cell $i"); td(i * i) } } }
    new XmlSlurper().parseText(out.toString()).tr.findAll { it.@id.toInteger() % 3 == 0 }.size()
}

String.metaClass.shout = { -> delegate.toUpperCase() + '!' }
(args[0] as int).times {
    println fib(24)
    println sieve(200000)
    println words(60000)
    println bank(60000)
    println json(6000)
    println markup(5000)
    println((1..150000).inject(0L) { a, b -> (a * 31 + b) % 1000003 })
    println((1..20000).collect { "s$it".shout().size() }.sum() + (1..60000).findAll { it % 3 == 0 }.collectMany { [it, it * 2] }.groupBy { it % 10 }.size())
}
