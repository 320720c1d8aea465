#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 200
# packages: libmvel-java libcommons-jexl3-java libcommons-logging-java
# extent: suite
#
# MVEL (which compiles to bytecode) and JEXL: expressions, loops, projections, functions, their errors.
. "$(dirname "$0")/common.sh"
jars mvel2 commons-jexl3 commons-logging
driver Expr <<'JAVA'
import java.io.Serializable;
import java.util.*;
import org.apache.commons.jexl3.*;
import org.mvel2.*;
public class Expr {
    public static class Person { public String name; private int age; public Person(String n, int a) { name = n; age = a; } public int getAge() { return age; } public Person twin() { return new Person(name + "2", age); } }
    public static void main(String[] x) {
        Map<String, Object> v = new HashMap<>(Map.of("p", new Person("ann", 31), "l", List.of(3, 1, 2), "m", new TreeMap<>(Map.of("k", 5)), "n", 7));
        v.put("ps", List.of(new Person("a", 1), new Person("b", 2)));
        for (String e : new String[] {"p.age + n * 2", "p.twin().name.toUpperCase() + '!'", "(name in ps)", "($ in l if $ > 1)", "m['k'] == 5 && p.name ~= 'a.*'",
            "s = 0; foreach (i : l) { s += i; } s", "def f(a) { a <= 1 ? 1 : a * f(a - 1); } f(10)", "new String('abc').length()", "[1, 'two', [3 : 4]]", "n is Integer ? 'int' : 'other'", "Math.max(n, 9)", "p.none", "1 +", "n / 0"}) {
            try {
                Serializable c = MVEL.compileExpression(e);
                Object r = null;
                for (int i = 0; i < 200; i++) r = MVEL.executeExpression(c, new HashMap<>(v));
                System.out.println(e + " = " + r);
            } catch (RuntimeException t) { System.out.println(e + " fails " + t.getClass().getName()); }
        }
        JexlEngine j = new JexlBuilder().strict(true).silent(false).create();
        for (String e : new String[] {"p.age + n", "var s = 0; for (i : l) s = s + i; s", "ps.size() > 1 and p.name =^ 'a'", "x -> x * n", "{'a': [1, 2]}.a[1]", "empty(m) ? 1 : size(m)", "p.missing", "n n"})
            try {
                Object r = null;
                for (int i = 0; i < 200; i++) r = j.createScript(e).execute(new MapContext(new HashMap<>(v)));
                System.out.println(e + " = " + (r instanceof Iterable && !(r instanceof Collection) ? "range" : r instanceof JexlScript s ? s.execute(new MapContext(v), 6) : r));
            } catch (JexlException t) { System.out.println(e + " fails " + t.getMessage().replaceAll("Expr[^ ]*", "Expr")); }
    }
}
JAVA
run() { vm "$1" Expr; vm "$1" -Dmvel2.disable.jit=true Expr; vm "$1" --add-opens java.base/java.lang=ALL-UNNAMED Expr | md5sum; }
compare run
