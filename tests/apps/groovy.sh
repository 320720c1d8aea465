#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
# packages: groovy
#
# A Groovy script: dynamic dispatch, closures, builders, metaprogramming, regular expressions, power assert.
. "$(dirname "$0")/common.sh"
need $share/groovy-all.jar
cat >"$work/script.groovy" <<'END'
import groovy.json.*
import groovy.transform.*

@Canonical class Person { String name; int age }
def people = [new Person('Ann', 31), new Person('Bob', 25), new Person(name: 'Cid', age: 44)]
println people.findAll { it.age > 30 }*.name.join(', ')
println people.groupBy { it.age > 30 }.collectEntries { k, v -> [k, v.size()] }
println people.sort { -it.age }.collect { "${it.name}:${it.age}" }
String.metaClass.shout = { -> delegate.toUpperCase() + '!' }
println 'groovy'.shout()
def fact
fact = { n -> n <= 1 ? 1G : n * fact(n - 1) }
println fact(40)
println((1..10).inject(0) { a, b -> a + b } + [1, 2, 3].sum() + [a: 1, b: 2].values().sum())
println JsonOutput.prettyPrint(JsonOutput.toJson([list: [1, 2.5, null], map: [k: 'v "q"']]))
println new JsonSlurper().parseText('{"a": [1, {"b": true}]}').a[1].b
def m = 'John 42, Jane 37' =~ /(\w+) (\d+)/
m.each { println "${it[1]} -> ${it[2].toInteger() + 1}" }
switch (17) { case String: println 'str'; break; case 10..20: println 'range'; break; default: println '?' }
println([3, 1, 2].sort().reverse().withIndex().collect { v, i -> v * i })
@CompileStatic int fib(int n) { n < 2 ? n : fib(n - 1) + fib(n - 2) }
println fib(20)
class Dyn { def methodMissing(String n, a) { "missing $n ${a.size()}" }; def propertyMissing(String n) { "prop $n" } }
println new Dyn().anything(1, 2) + ' ' + new Dyn().foo
trait Flies { String fly() { "${getClass().simpleName} flies" } }
class Bird implements Flies {}
println new Bird().fly()
def sw = new StringWriter()
new groovy.xml.MarkupBuilder(sw).root(a: 1) { child('text'); 2.times { n -> item(n) } }
println sw
println new XmlSlurper().parseText('<r><i v="1"/><i v="2"/></r>').i.collect { it.@v.toInteger() }.sum()
def list = [1, 2]
try { assert list.size() == 3 } catch (AssertionError e) { println e.message }
try { null.foo() } catch (NullPointerException e) { println e.message }
try { 'x'.nope(1) } catch (MissingMethodException e) { println e.message.readLines()[0] }
println 10.5 / 3 + ' ' + (7 as String) + ' ' + (1 <=> 2) + ' ' + 2 ** 70 + ' ' + [1, [2, [3]]].flatten() + ' ' + ('a'..'e').step(2)
END
run() { "$1/bin/java" $O -Duser.home=. -cp "$(ls /usr/share/groovy/lib/*.jar | tr '\n' ':')" groovy.lang.GroovyShell "$work/script.groovy"; local c=$?; rm -rf .groovy; return $c; }
compare run
