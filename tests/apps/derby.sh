#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 400
# packages: derby-tools libderby-java
# extent: suite
#
# Derby, embedded, on disk: batches, blobs, and recovery after the VM is halted.
. "$(dirname "$0")/common.sh"
jars derby derbytools
driver Crash <<'JAVA'
import java.sql.*;
public class Crash {
    public static void main(String[] a) throws Exception {
        try (Connection c = DriverManager.getConnection("jdbc:derby:db;create=true"); Statement s = c.createStatement()) {
            if (a[0].equals("fill")) {
                s.execute("create table t (id int primary key, s varchar(100), b blob)");
                c.setAutoCommit(false);
                PreparedStatement p = c.prepareStatement("insert into t values (?, ?, ?)");
                for (int i = 0; i < 2000; i++) {
                    p.setInt(1, i); p.setString(2, "row " + i); p.setBytes(3, new byte[i % 50]); p.addBatch();
                    if (i % 100 == 99) { p.executeBatch(); if (i < 1500) c.commit(); }
                }
                Runtime.getRuntime().halt(3);
            }
            ResultSet r = s.executeQuery("select count(*), sum(id), max(s) from t");
            r.next();
            System.out.println(r.getInt(1) + " " + r.getInt(2) + " " + r.getString(3));
            try { s.execute("insert into t values (1, 'dup', null)"); } catch (SQLException e) { System.out.println(e.getSQLState() + " " + e.getMessage().replaceAll("SQL\\d+-\\w+|'SQL[^']*'", "NAME")); }
        }
        try { DriverManager.getConnection("jdbc:derby:;shutdown=true"); } catch (SQLException e) { System.out.println(e.getSQLState()); }
    }
}
JAVA
crash() { vm "$1" -Dderby.stream.error.file=log Crash fill; echo "exit $?"; vm "$1" -Dderby.stream.error.file=log Crash look; local c=$?; rm -rf log db; return $c; }
compare crash
