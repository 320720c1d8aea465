// SPDX-License-Identifier: Apache-2.0
import java.math.BigDecimal;
import java.sql.*;

/** The same session on any in-memory SQL database: schema, batch, joins, aggregates, transactions, constraint errors. */
public class SqlSession {
    static void show(Statement s, String q) throws SQLException {
        System.out.println("> " + q);
        try (ResultSet r = s.executeQuery(q)) {
            ResultSetMetaData m = r.getMetaData();
            while (r.next()) {
                StringBuilder b = new StringBuilder();
                for (int i = 1; i <= m.getColumnCount(); i++)
                    b.append(i > 1 ? " | " : "").append(m.getColumnLabel(i)).append('=').append(r.getObject(i));
                System.out.println(b);
            }
        } catch (SQLException e) {
            System.out.println(e.getSQLState() + " " + e.getMessage().split("\n")[0]);
        }
    }

    public static void main(String[] args) throws Exception {
        try (Connection c = DriverManager.getConnection(args[0], "sa", ""); Statement s = c.createStatement()) {
            System.out.println(c.getMetaData().getDatabaseProductName());
            s.execute("create table dept(id int primary key, name varchar(20) not null)");
            s.execute("create table emp(id int primary key, name varchar(30), dept int references dept(id), salary decimal(10,2), hired date)");
            s.execute("create index emp_dept on emp(dept, salary)");
            s.execute("insert into dept values (1,'R&D'),(2,'Sales'),(3,'Empty')");
            try (PreparedStatement p = c.prepareStatement("insert into emp values (?,?,?,?,?)")) {
                for (int i = 0; i < 2000; i++) {
                    p.setInt(1, i); p.setString(2, "emp" + i); p.setInt(3, i % 2 + 1); p.setBigDecimal(4, BigDecimal.valueOf(100000 + i * 37 % 5000, 2)); p.setDate(5, Date.valueOf("2020-01-" + (i % 28 + 1 < 10 ? "0" : "") + (i % 28 + 1)));
                    p.addBatch();
                }
                System.out.println(p.executeBatch().length);
            }
            show(s, "select d.name, count(*) n, sum(e.salary) total, min(e.hired) first from emp e join dept d on d.id = e.dept group by d.name order by d.name");
            show(s, "select d.name, e.id from dept d left join emp e on e.dept = d.id and e.id < 3 order by 1, 2");
            show(s, "select name from emp where name like 'emp1_9%' and salary > (select avg(salary) from emp) order by salary desc, id fetch first 5 rows only");
            show(s, "select distinct extract(day from hired) d from emp where id between 10 and 13 order by d");
            show(s, "select case when salary > 1020 then 'high' else 'low' end k, count(*) from emp group by case when salary > 1020 then 'high' else 'low' end order by k");
            show(s, "select upper(name) || '-' || cast(id as varchar(10)) x, coalesce(null, 'z') from emp where id in (5, 7) order by id");
            c.setAutoCommit(false);
            System.out.println(s.executeUpdate("update emp set salary = salary * 2 where dept = 1"));
            Savepoint sp = c.setSavepoint();
            System.out.println(s.executeUpdate("delete from emp"));
            c.rollback(sp);
            show(s, "select count(*), max(salary) from emp");
            c.rollback();
            show(s, "select count(*), max(salary) from emp");
            c.setAutoCommit(true);
            for (String bad : new String[] {"insert into dept values (1, 'dup')", "insert into emp values (9999, 'x', 77, 1, null)", "insert into dept values (9, null)", "selec 1", "select * from nope"})
                try { s.execute(bad); } catch (SQLException e) { System.out.println(e.getSQLState() + " " + e.getErrorCode()); }
            show(s, "select id, name from emp where id = 1999");
            s.execute("drop table emp");
            try (ResultSet r = c.getMetaData().getTables(null, null, "DEPT", null)) { System.out.println(r.next() + " " + r.getString("TABLE_NAME")); }
        }
    }
}
