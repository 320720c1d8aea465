// SPDX-License-Identifier: Apache-2.0
import java.math.BigDecimal;
import java.sql.*;

/** A database in memory: ROWS inserts in batches, as many queries by key, some by range, joins, groups and updates. */
public class SqlLoad {
    static void insert(Connection c, int rows) throws SQLException {
        try (PreparedStatement p = c.prepareStatement("insert into orders values (?,?,?,?,?)")) {
            for (int i = 0; i < rows; i++) {
                p.setInt(1, i);
                p.setInt(2, i * 31 % 1000);
                p.setString(3, "item number " + i % 517);
                p.setBigDecimal(4, BigDecimal.valueOf(i * 37L % 100000, 2));
                p.setTimestamp(5, Timestamp.valueOf("2020-01-" + (10 + i % 19) + " 12:00:00"));
                p.addBatch();
                if (i % 500 == 499) p.executeBatch();
            }
            p.executeBatch();
        }
    }

    static long sum(PreparedStatement p, Object... args) throws SQLException {
        for (int i = 0; i < args.length; i++) p.setObject(i + 1, args[i]);
        long sum = 0;
        try (ResultSet r = p.executeQuery()) {
            for (int columns = r.getMetaData().getColumnCount(); r.next();)
                for (int i = 1; i <= columns; i++) sum = sum * 31 + r.getString(i).hashCode();
        }
        return sum;
    }

    static long query(Connection c, int rows) throws SQLException {
        long sum = 0;
        try (PreparedStatement key = c.prepareStatement("select o.item, o.price, p.name from orders o join customers p on p.id = o.customer where o.id = ?");
             PreparedStatement range = c.prepareStatement("select item, count(*), sum(price) from orders where customer between ? and ? group by item order by 3 desc, 1 fetch first 5 rows only");
             PreparedStatement like = c.prepareStatement("select id, upper(item) from orders where customer = ? and item like ? order by price desc, id");
             PreparedStatement update = c.prepareStatement("update orders set price = price + 1 where customer = ?")) {
            for (int i = 0; i < rows; i++) {
                sum = sum * 31 + sum(key, i * 17 % rows);
                if (i % 100 == 0) sum = sum * 31 + sum(range, i / 100 % 900, i / 100 % 900 + 20);
                if (i % 20 == 0) sum = sum * 31 + sum(like, i % 1000, "item%" + i % 10);
                if (i % 50 == 0) { update.setInt(1, i % 1000); sum = sum * 31 + update.executeUpdate(); }
            }
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        int rows = Integer.parseInt(args[1]);
        try (Connection c = DriverManager.getConnection(args[0], "sa", ""); Statement s = c.createStatement()) {
            s.execute("create table customers(id int primary key, name varchar(30))");
            s.execute("create table orders(id int primary key, customer int references customers(id), item varchar(40), price decimal(12,2), at timestamp)");
            try (PreparedStatement p = c.prepareStatement("insert into customers values (?, ?)")) {
                for (int i = 0; i < 1000; i++) { p.setInt(1, i); p.setString(2, "customer " + i); p.executeUpdate(); }
            }
            insert(c, rows);
            System.out.println(query(c, rows));
            try (PreparedStatement all = c.prepareStatement("select count(*), sum(price), max(at) from orders")) { System.out.println(sum(all)); }
        }
    }
}
