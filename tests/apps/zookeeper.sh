#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# packages: libzookeeper-java libslf4j-java libnetty-java libjetty9-java
# extent: suite
#
# ZooKeeper: a server and clients in one VM; watches, ephemeral and sequential nodes, transactions, recovery from its log.
. "$(dirname "$0")/common.sh"
jars zookeeper zookeeper-jute slf4j-api slf4j-nop netty-all
cp+=$(ls $share/{metrics-core,snappy-java,commons-cli,audience-annotations,log4j-1.2,yetus-audience-annotations}.jar 2>/dev/null | tr '\n' ':')
driver Zoo <<'JAVA'
import java.io.File;
import java.net.*;
import java.util.*;
import java.util.concurrent.*;
import org.apache.zookeeper.*;
import org.apache.zookeeper.data.*;
import org.apache.zookeeper.server.*;
public class Zoo {
    static ServerCnxnFactory start() throws Exception {
        ServerCnxnFactory f = ServerCnxnFactory.createFactory(new InetSocketAddress("localhost", 0), 50);
        f.startup(new ZooKeeperServer(new File("data"), new File("log"), 500));
        return f;
    }
    static ZooKeeper connect(ServerCnxnFactory f, Watcher w) throws Exception {
        CountDownLatch up = new CountDownLatch(1);
        ZooKeeper z = new ZooKeeper("localhost:" + f.getLocalPort(), 10000, e -> { if (e.getState() == Watcher.Event.KeeperState.SyncConnected) up.countDown(); if (e.getPath() != null) w.process(e); });
        if (!up.await(30, TimeUnit.SECONDS)) throw new TimeoutException();
        return z;
    }
    public static void main(String[] a) throws Exception {
        ServerCnxnFactory f = start();
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        ZooKeeper z = connect(f, e -> seen.add(e.getType() + " " + e.getPath())), y = connect(f, e -> { });
        z.create("/a", "v".getBytes(), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        z.exists("/a/e", true);
        y.create("/a/e", null, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
        System.out.println(seen.poll(20, TimeUnit.SECONDS));
        z.exists("/a/e", true);
        y.close();
        System.out.println(seen.poll(20, TimeUnit.SECONDS));
        for (int i = 0; i < 300; i++) z.create("/a/s", ("" + i).getBytes(), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT_SEQUENTIAL);
        try { z.multi(List.of(Op.create("/t", null, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT), Op.check("/a", 99))); } catch (KeeperException e) { System.out.println(e.code() + " " + (z.exists("/t", false) == null)); }
        try { z.setData("/a", null, 7); } catch (KeeperException.BadVersionException e) { System.out.println(e.getMessage()); }
        CountDownLatch all = new CountDownLatch(200);
        for (int i = 0; i < 200; i++) z.setData("/a", new byte[i], -1, (rc, p, c, s) -> all.countDown(), null);
        System.out.println(all.await(30, TimeUnit.SECONDS));
        z.close(); f.shutdown();
        f = start();
        z = connect(f, e -> { });
        Stat s = new Stat();
        System.out.println(z.getData("/a", false, s).length + " " + s.getVersion() + " " + s.getNumChildren() + " " + new TreeSet<>(z.getChildren("/a", false)).first());
        z.close(); f.shutdown();
        System.exit(0);
    }
}
JAVA
run() { mkdir data log; vm "$1" -Dzookeeper.jmx.log4j.disable=true -Dzookeeper.4lw.commands.whitelist='*' Zoo; local c=$?; rm -rf data log; return $c; }
compare run
