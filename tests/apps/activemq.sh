#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 400
# packages: libactivemq-java libslf4j-java libgeronimo-jms-1.1-spec-java libgeronimo-j2ee-management-1.1-spec-java
# extent: suite
#
# ActiveMQ: a broker inside the VM; queues, topics, transactions and selectors over TCP by several threads.
. "$(dirname "$0")/common.sh"
jars activemq-{broker,client,openwire-legacy} slf4j-api slf4j-nop geronimo-jms_1.1_spec geronimo-j2ee-management-1.1-spec
cp+=$(ls $share/hawtbuf.jar 2>/dev/null):
driver Broker <<'JAVA'
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import javax.jms.*;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.broker.BrokerService;
import org.apache.activemq.broker.TransportConnector;
public class Broker {
    public static void main(String[] a) throws Exception {
        BrokerService b = new BrokerService();
        b.setPersistent(false); b.setUseJmx(false); b.setUseShutdownHook(false);
        TransportConnector t = b.addConnector("tcp://localhost:0");
        b.start();
        ActiveMQConnectionFactory f = new ActiveMQConnectionFactory(t.getConnectUri());
        f.setTrustAllPackages(true);
        Connection c = f.createConnection();
        c.start();
        AtomicLong sum = new AtomicLong(), odd = new AtomicLong();
        CountDownLatch all = new CountDownLatch(2000);
        for (int i = 0; i < 3; i++) {
            Session s = c.createSession(false, Session.AUTO_ACKNOWLEDGE);
            s.createConsumer(s.createQueue("work"), i == 0 ? "odd = true" : "odd = false").setMessageListener(m -> {
                try { sum.addAndGet(m.getIntProperty("n")); if (m.getBooleanProperty("odd")) odd.incrementAndGet(); } catch (JMSException e) { e.printStackTrace(); }
                all.countDown();
            });
        }
        Thread[] w = new Thread[4];
        for (int k = 0; k < w.length; k++) {
            int id = k;
            (w[k] = new Thread(() -> {
                try {
                    Session s = c.createSession(true, Session.SESSION_TRANSACTED);
                    MessageProducer p = s.createProducer(s.createQueue("work"));
                    for (int i = 0; i < 500; i++) {
                        Message m = i % 2 == 0 ? s.createTextMessage("t" + i) : s.createObjectMessage(new ArrayList<>(List.of(i)));
                        m.setIntProperty("n", i); m.setBooleanProperty("odd", i % 2 == 1);
                        p.send(m);
                        if (i % 50 == 49) s.commit();
                    }
                    p.send(s.createTextMessage("rolled back")); s.rollback(); s.close();
                } catch (JMSException e) { e.printStackTrace(); }
            })).start();
        }
        for (Thread x : w) x.join();
        System.out.println(all.await(120, TimeUnit.SECONDS) + " " + sum + " " + odd);
        Session s = c.createSession(false, Session.CLIENT_ACKNOWLEDGE);
        TemporaryQueue q = s.createTemporaryQueue();
        s.createProducer(q).send(s.createMapMessage());
        System.out.println(s.createConsumer(q).receive(5000) instanceof MapMessage);
        try { s.createConsumer(s.createQueue("x"), "bad selector ="); } catch (InvalidSelectorException e) { System.out.println("selector " + e.getMessage()); }
        c.close(); b.stop(); b.waitUntilStopped();
        System.out.println(b.isStopped());
    }
}
JAVA
run() { vm "$1" Broker; local c=$?; rm -rf activemq-data; return $c; }
compare run
