#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: antlr4 javacc jflex
# extent: suite
#
# Generators: ANTLR 4, JavaCC and JFlex make the same parsers, which run.
. "$(dirname "$0")/common.sh"
jars antlr4 antlr4-runtime antlr3-runtime stringtemplate4 treelayout icu4j javax.json jflex java-cup-0.11b javacc
cat >"$work/Calc.g4" <<'G'
grammar Calc;
prog : (stat ';')+ EOF ;
stat : ID '=' expr # assign | expr # print ;
expr : <assoc=right> expr '^' expr # pow | expr op=('*'|'/') expr # mul | expr op=('+'|'-') expr # add | '(' expr ')' # par | INT # int | ID # id ;
ID : [a-z]+ ; INT : [0-9]+ ; WS : [ \t\n]+ -> skip ; COMMENT : '/*' .*? '*/' -> channel(HIDDEN) ;
G
cat >"$work/words.flex" <<'F'
%%
%class Words
%standalone
%unicode
%line
%state STR
%%
<YYINITIAL> {
  [:letter:]+ { System.out.println(yyline + " word " + yytext()); }
  [0-9]+("."[0-9]+)? { System.out.println("num " + yytext()); }
  \" { yybegin(STR); }
  [^] { }
}
<STR> {
  [^\"]+ { System.out.println("str " + yytext()); }
  \" { yybegin(YYINITIAL); }
}
F
cat >"$work/Sum.jj" <<'J'
options { STATIC = false; }
PARSER_BEGIN(Sum) public class Sum { public static void main(String[] a) throws Exception { for (String s : a) try { System.out.println(new Sum(new java.io.StringReader(s)).sum()); } catch (ParseException | TokenMgrError e) { System.out.println(e.getMessage()); } } } PARSER_END(Sum)
SKIP : { " " } TOKEN : { <NUM : (["0"-"9"])+> | <PLUS : "+"> | <MINUS : "-"> }
int sum() : { int v, w; } { v = term() ( <PLUS> w = term() { v += w; } | <MINUS> w = term() { v -= w; } )* <EOF> { return v; } }
int term() : { Token t; int v; } { t = <NUM> { return Integer.parseInt(t.image); } | "(" v = term() ")" { return v; } }
J
cat >"$work/UseCalc.java" <<'JAVA'
import org.antlr.v4.runtime.*;
import org.antlr.v4.runtime.tree.*;
public class UseCalc extends CalcBaseVisitor<Long> {
    final java.util.Map<String, Long> vars = new java.util.TreeMap<>();
    public Long visitAssign(CalcParser.AssignContext c) { return vars.put(c.ID().getText(), visit(c.expr())); }
    public Long visitPrint(CalcParser.PrintContext c) { System.out.println(visit(c.expr())); return null; }
    public Long visitPow(CalcParser.PowContext c) { return (long) Math.pow(visit(c.expr(0)), visit(c.expr(1))); }
    public Long visitMul(CalcParser.MulContext c) { long a = visit(c.expr(0)), b = visit(c.expr(1)); return c.op.getText().equals("*") ? a * b : a / b; }
    public Long visitAdd(CalcParser.AddContext c) { long a = visit(c.expr(0)), b = visit(c.expr(1)); return c.op.getText().equals("+") ? a + b : a - b; }
    public Long visitPar(CalcParser.ParContext c) { return visit(c.expr()); }
    public Long visitInt(CalcParser.IntContext c) { return Long.valueOf(c.getText()); }
    public Long visitId(CalcParser.IdContext c) { return vars.getOrDefault(c.getText(), 0L); }
    public static void main(String[] a) {
        for (String s : a) {
            CalcParser p = new CalcParser(new CommonTokenStream(new CalcLexer(CharStreams.fromString(s))));
            ParseTree t = p.prog();
            System.out.println(t.toStringTree(p) + " " + p.getNumberOfSyntaxErrors());
            if (p.getNumberOfSyntaxErrors() == 0) new UseCalc().visit(t);
        }
    }
}
JAVA
run() {
    cp "$work"/{Calc.g4,words.flex,Sum.jj} .
    vm "$1" org.antlr.v4.Tool -visitor -o . Calc.g4 && vm "$1" jflex.Main -q words.flex && vm "$1" javacc -OUTPUT_DIRECTORY=sum Sum.jj || return 1
    sed -i -E '/generated|Generated|^\/\* JavaCC/d; s/from .*words.flex/from words.flex/' *.java sum/*.java
    "$ref/bin/javac" -nowarn -cp "$cp" -d classes *.java "$work/UseCalc.java" && "$ref/bin/javac" -nowarn -d classes sum/*.java || return 1
    cp=$cp:classes vm "$1" UseCalc 'x=2^3^2; x*(1+2)/3-y; /* c */ 7;' '1+;' '(1;' 2>&1
    printf 'one two 3.5 "in quotes" \xc3\xa9t\xc3\xa9\nnext 12' >in.txt
    "$1/bin/java" $O -cp classes Words in.txt
    "$1/bin/java" $O -cp classes Sum '1 + 2 - (7)' '1 +' '1 ? 2' ''
    rm -rf classes
}
compare run
