// SPDX-License-Identifier: Apache-2.0
import java.math.BigDecimal;
import java.sql.*;
import java.util.*;
import org.mozilla.javascript.*;

/** The programs that are edited: each does a round of work and tells what came out, which is always the same. */
public interface Programs extends java.util.concurrent.Callable<String> {

    static Programs byName(String name) throws Exception {
        switch (name) {
        case "fresh": return new FreshDatabase();
        case "kept": return new KeptDatabase();
        default: return new Scripts();
        }
    }
    String[] NAMES = {"fresh", "kept", "scripts"};

    static void rows(StringBuilder out, Statement s, String q) {
        try (ResultSet r = s.executeQuery(q)) {
            int n = r.getMetaData().getColumnCount();
            while (r.next()) {
                for (int i = 1; i <= n; i++) out.append(i > 1 ? "," : "").append(r.getObject(i));
                out.append(';');
            }
        } catch (SQLException e) {
            out.append(e.getSQLState());
        }
        out.append('\n');
    }

    /** A database that lives for a round. */
    final class FreshDatabase implements Programs {
        @Override public String call() throws Exception {
            StringBuilder out = new StringBuilder();
            try (Connection c = DriverManager.getConnection("jdbc:h2:mem:", "sa", ""); Statement s = c.createStatement()) {
                s.execute("create table dept(id int primary key, name varchar(20) not null)");
                s.execute("create table emp(id int primary key, name varchar(30), dept int references dept(id), salary decimal(10,2), hired date)");
                s.execute("create index emp_dept on emp(dept, salary)");
                s.execute("insert into dept values (1,'R&D'),(2,'Sales'),(3,'Empty')");
                try (PreparedStatement p = c.prepareStatement("insert into emp values (?,?,?,?,?)")) {
                    for (int i = 0; i < 60; i++) {
                        p.setInt(1, i);
                        p.setString(2, "emp" + i);
                        p.setInt(3, i % 2 + 1);
                        p.setBigDecimal(4, BigDecimal.valueOf(100000 + i * 37 % 5000, 2));
                        p.setDate(5, java.sql.Date.valueOf("2020-01-" + (10 + i % 18)));
                        p.addBatch();
                    }
                    out.append(p.executeBatch().length);
                }
                rows(out, s, "select d.name, count(*) n, sum(e.salary) total, min(e.hired) from emp e join dept d on d.id = e.dept group by d.name order by d.name");
                rows(out, s, "select d.name, e.id from dept d left join emp e on e.dept = d.id and e.id < 3 order by 1, 2");
                rows(out, s, "select name from emp where name like 'emp1_%' and salary > (select avg(salary) from emp) order by salary desc, id fetch first 5 rows only");
                rows(out, s, "select distinct extract(day from hired) d from emp where id between 10 and 13 order by d");
                rows(out, s, "select case when salary > 1010 then 'high' else 'low' end k, count(*) from emp group by k order by k");
                rows(out, s, "select upper(name) || '-' || cast(id as varchar(10)) x, coalesce(null, 'z'), regexp_replace(name, '[0-9]+', '#') from emp where id in (5, 7) order by id");
                rows(out, s, "with recursive t(n) as (select 1 union all select n + 1 from t where n < 10) select sum(n), max(n) from t");
                rows(out, s, "select id, row_number() over (partition by dept order by salary desc) from emp where id < 6 order by id");
                c.setAutoCommit(false);
                out.append(s.executeUpdate("update emp set salary = salary * 2 where dept = 1"));
                Savepoint sp = c.setSavepoint();
                out.append(s.executeUpdate("delete from emp where id > 5"));
                c.rollback(sp);
                rows(out, s, "select count(*), max(salary) from emp");
                c.rollback();
                c.setAutoCommit(true);
                for (String bad : new String[] {"insert into dept values (1, 'dup')", "insert into emp values (9999, 'x', 77, 1, null)", "selec 1", "select * from nope"})
                    try { s.execute(bad); } catch (SQLException e) { out.append(e.getSQLState()).append(' '); }
                s.execute("create view v as select dept, count(*) c from emp group by dept");
                s.execute("create sequence q start with 5");
                rows(out, s, "select v.c, next value for q from v order by v.dept");
                s.execute("alter table emp add column note varchar(10) default 'n'");
                rows(out, s, "select note, count(*) from emp group by note");
                s.execute("merge into dept key(id) values (3, 'Three'), (4, 'Four')");
                rows(out, s, "select * from dept order by id");
            }
            return out.toString();
        }
    }

    /** A database, a connection and prepared statements that live as long as the storm. */
    final class KeptDatabase implements Programs {
        final Connection c = DriverManager.getConnection("jdbc:h2:mem:kept", "sa", "");
        final PreparedStatement add, sum, one;
        KeptDatabase() throws SQLException {
            try (Statement s = c.createStatement()) {
                s.execute("create table account(id int primary key, owner varchar(20), balance bigint, history varchar(200) default '')");
                s.execute("create index owners on account(owner)");
                for (int i = 0; i < 100; i++) s.execute("insert into account(id, owner, balance) values (" + i + ", 'o" + i % 7 + "', " + i * 100 + ")");
            }
            add = c.prepareStatement("update account set balance = balance + ?, history = ? where id = ?");
            sum = c.prepareStatement("select sum(balance), count(distinct owner), max(history) from account");
            one = c.prepareStatement("select owner, sum(balance) from account where owner = ? group by owner");
        }
        void move(int from, int to, long amount) throws SQLException {
            for (int i = 0; i < 2; i++) {
                add.setLong(1, i == 0 ? -amount : amount);
                add.setString(2, "moved " + amount);
                add.setInt(3, i == 0 ? from : to);
                if (add.executeUpdate() != 1) throw new SQLException("account " + from + " or " + to);
            }
        }
        @Override public String call() throws Exception {
            StringBuilder out = new StringBuilder();
            c.setAutoCommit(false);
            for (int i = 0; i < 10; i++) move(i, 99 - i, 50 + i);
            c.commit();
            try (ResultSet r = sum.executeQuery()) { while (r.next()) out.append(r.getLong(1)).append(' ').append(r.getInt(2)).append(' ').append(r.getString(3)); }
            for (int i = 0; i < 10; i++) move(99 - i, i, 50 + i);
            c.commit();
            move(5, 6, 1000);
            c.rollback();
            c.setAutoCommit(true);
            one.setString(1, "o3");
            try (ResultSet r = one.executeQuery()) { while (r.next()) out.append(r.getString(1)).append(r.getLong(2)).append(';'); }
            try (Statement s = c.createStatement()) { rows(out, s, "select id, balance from account where mod(id, 17) = 0 order by id"); }
            return out.toString();
        }
    }

    /** JavaScript: a scope and functions that stay, and scripts that come and go, interpreted and compiled. */
    final class Scripts implements Programs {
        static final String KEPT = "function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
            + "function Point(x, y) { this.x = x; this.y = y; } Point.prototype.norm = function () { return this.x * this.x + this.y * this.y; };\n"
            + "var counter = (function () { var n = 0; return { up: function () { return ++n; }, reset: function () { n = 0; } }; })();\n"
            + "var kept = []; for (var i = 0; i < 50; i++) kept.push(new Point(i, i + 1));";
        static final String ROUND = "counter.reset(); var out = [fib(9), kept.reduce(function (a, p) { return a + p.norm(); }, 0), counter.up() + counter.up()];\n"
            + "out.push([3, 1, 2].sort().join('-'), JSON.stringify({ a: [1, null, 'x'], b: { c: 1.5 } }), JSON.parse('[1,{\"z\":2}]')[1].z);\n"
            + "out.push('2024-01-02 and 2025-03-04'.replace(/(\\d+)-(\\d+)-(\\d+)/g, '$3.$2.$1'), /(a+)+b/.exec('xaaab').index);\n"
            + "try { null.x; } catch (e) { out.push(e instanceof TypeError); } finally { out.push('f'); }\n"
            + "try { undefinedFn(); } catch (e) { out.push(e.name); }\n"
            + "var s = 0; for (var i = 0; i < 800; i++) s = (s * 31 + i) % 1000003; out.push(s);\n"
            + "var list = new java.util.ArrayList(); list.add('x'); list.add(java.lang.Integer.valueOf(3)); out.push(String(list), list.size());\n"
            + "out.push(Math.PI.toFixed(5), 0.1 + 0.2, 1e21, (255).toString(16), parseInt('0x1f'), isNaN('x'), Object.keys({ b: 1, a: 2 }), eval('(function(a){return a+1})(41)'));\n"
            + "let [p, q] = [1, 2]; out.push(p, q, ((x) => x * 2)(21)); with ({ w: 9 }) { out.push(w); } switch (s % 3) { case 0: out.push('zero'); break; default: out.push('more'); }\n"
            + "out.join('|');";
        final Scriptable scope;
        int rounds;
        Scripts() {
            Context x = enter(-1);
            scope = x.initStandardObjects();
            x.evaluateString(scope, KEPT, "kept", 1, null);
            Context.exit();
        }
        static Context enter(int level) {
            Context x = Context.enter();
            x.setLanguageVersion(Context.VERSION_ES6);
            x.setOptimizationLevel(level);
            return x;
        }
        @Override public String call() {
            Context x = enter(rounds++ % 4 == 3 ? 0 : -1);
            try {
                return Context.toString(x.evaluateString(scope, "(function () {" + ROUND.replace("out.join('|');", "return out.join('|');") + "})()", "round", 1, null));
            } finally {
                Context.exit();
            }
        }
    }
}
