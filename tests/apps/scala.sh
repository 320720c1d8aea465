#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: scala
# extent: suite
#
# scalac compiles a program, and its class files are the same; the program runs.
. "$(dirname "$0")/common.sh"
need $share/scala-compiler.jar
cp=$(ls $share/{scala-compiler,scala-library,scala-reflect,scala-xml_2.11,scala-parser-combinators_2.11,jline2}.jar 2>/dev/null | tr '\n' ':')
cat >"$work/M.scala" <<'S'
import scala.collection.mutable
sealed trait Expr
case class Num(v: Double) extends Expr
case class Bin(op: Char, l: Expr, r: Expr) extends Expr
object Parser extends scala.util.parsing.combinator.RegexParsers {
  def num: Parser[Expr] = """\d+(\.\d+)?""".r ^^ (s => Num(s.toDouble))
  def factor: Parser[Expr] = num | "(" ~> expr <~ ")"
  def term: Parser[Expr] = factor ~ rep(("*" | "/") ~ factor) ^^ { case f ~ rs => rs.foldLeft(f) { case (l, op ~ r) => Bin(op.head, l, r) } }
  def expr: Parser[Expr] = term ~ rep(("+" | "-") ~ term) ^^ { case f ~ rs => rs.foldLeft(f) { case (l, op ~ r) => Bin(op.head, l, r) } }
}
trait Loud { def name: String; def shout = name.toUpperCase + "!" }
class Dog(val name: String) extends Loud { override def toString = s"Dog($name)" }
object M {
  def eval(e: Expr): Double = e match {
    case Num(v) => v
    case Bin('+', l, r) => eval(l) + eval(r)
    case Bin('-', l, r) => eval(l) - eval(r)
    case Bin('*', l, r) => eval(l) * eval(r)
    case Bin(_, l, r) => eval(l) / eval(r)
  }
  implicit class Twice(val s: String) extends AnyVal { def twice = s + s }
  lazy val primes: Stream[Int] = 2 #:: Stream.from(3).filter(n => primes.takeWhile(p => p * p <= n).forall(n % _ != 0))
  def main(a: Array[String]) {
    println(Parser.parseAll(Parser.expr, "1 + 2 * (3 - 4) / 8").map(eval))
    println(Parser.parseAll(Parser.expr, "1 + * 2"))
    println(primes.take(20).toList, new Dog("rex").shout, "ab".twice)
    val m = mutable.Map[String, Int]().withDefaultValue(0)
    for (w <- "the quick the lazy the".split(' ')) m(w) += 1
    println(m.toSeq.sortBy(-_._2))
    println((1 to 100).par.map(x => x * x).sum, (for { x <- 1 to 3; y <- x to 3 if x != y } yield (x, y)).mkString(";"))
    println(<a b="1">{ List(1, 2).map(x => <i>{x}</i>) }</a>)
    println(BigInt(2).pow(100), Vector.tabulate(3, 2)(_ * _), 'sym, 1.5f, Right(1): Either[String, Int])
    val Array(p, q) = "k=v".split("="); println(s"$p -> ${q * 3}")
    try { List().head } catch { case e: NoSuchElementException => println(e.getMessage) }
    println(Num(1) == Num(1), Bin('+', Num(1), Num(2)).copy(op = '*'), Some(3).flatMap(x => if (x > 2) Some(x * 2) else None))
  }
}
S
compile() { "$1/bin/java" $O -Xss8m -cp "$cp" -Dscala.usejavacp=true scala.tools.nsc.Main -nowarn -d . "$work/M.scala"; }
execute() { "$1/bin/java" $O -cp "$cp:$work/made" M; }
compare compile
mkdir "$work/made" && (cd "$work/made" && O= compile "$ref") || exit 1
compare execute
