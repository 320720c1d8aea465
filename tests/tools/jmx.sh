#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# JMX from another process, as jconsole does it: by attaching, by -Dcom.sun.management.jmxremote.port,
# and with the agent started and stopped by jcmd.  The same client against both VMs.
set -u
ref=$1 tested=$2 dir=$3
. "$(dirname "$0")/common.sh"
cat >"$dir/Viewer.java" <<'J'
import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.tools.attach.VirtualMachine;
import java.lang.management.*;
import java.util.*;
import java.util.concurrent.*;
import javax.management.*;
import javax.management.openmbean.CompositeData;
import javax.management.remote.*;

public class Viewer {
    static void check(String what, boolean ok) { System.out.println(what + ": " + ok); }
    public static void main(String[] a) throws Exception {
        String address = a[0];
        if (!address.startsWith("service:")) {
            VirtualMachine vm = VirtualMachine.attach(a[0]);
            check("no agent yet", vm.getAgentProperties().getProperty("com.sun.management.jmxremote.localConnectorAddress") == null);
            address = vm.startLocalManagementAgent();
            vm.detach();
        }
        try (JMXConnector c = JMXConnectorFactory.connect(new JMXServiceURL(address))) {
            MBeanServerConnection s = c.getMBeanServerConnection();
            System.out.println(s.getDefaultDomain() + " " + new TreeSet<>(Arrays.asList(s.getDomains())));
            ThreadMXBean t = ManagementFactory.newPlatformMXBeanProxy(s, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
            var names = new TreeSet<String>();
            for (ThreadInfo i : t.dumpAllThreads(true, true))
                if (Set.of("waiter", "parker", "holder", "queued", "left", "right", "main").contains(i.getThreadName()))
                    names.add(i.getThreadName() + " " + i.getThreadState() + " " + i.getLockedMonitors().length + " " + i.getLockedSynchronizers().length
                              + " " + i.getStackTrace()[0].getMethodName());
            names.forEach(System.out::println);
            System.out.println(t.findDeadlockedThreads().length + " deadlocked");
            MemoryMXBean m = ManagementFactory.newPlatformMXBeanProxy(s, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
            var told = new LinkedBlockingQueue<String>();
            for (ObjectName n : s.queryNames(new ObjectName("java.lang:type=GarbageCollector,*"), null))
                s.addNotificationListener(n, (x, h) -> told.add(GarbageCollectionNotificationInfo.from((CompositeData) x.getUserData()).getGcCause()), null, null);
            m.gc();
            String cause;
            do cause = told.poll(30, TimeUnit.SECONDS); while (cause != null && !cause.equals("System.gc()"));
            System.out.println("notified of " + cause);
            check("heap", m.getHeapMemoryUsage().getUsed() > 0);
            RuntimeMXBean r = ManagementFactory.newPlatformMXBeanProxy(s, ManagementFactory.RUNTIME_MXBEAN_NAME, RuntimeMXBean.class);
            System.out.println(r.getSpecVersion() + " " + r.getSystemProperties().get("sun.java.command"));
            String help = (String) s.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "help",
                new Object[] {new String[] {"VM.uptime"}}, new String[] {String[].class.getName()});
            System.out.println(help.lines().findFirst().get());
            System.out.println(s.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcRun", new Object[0], new String[0]));
            MBeanInfo d = s.getMBeanInfo(new ObjectName("com.sun.management:type=DiagnosticCommand"));
            int described = 0;
            for (MBeanOperationInfo o : d.getOperations()) if (o.getDescriptor().getFieldValue("dcmd.name") != null) described++;
            check("commands", described > 20);
            for (MBeanOperationInfo o : d.getOperations())
                if (o.getName().equals("vmSystemProperties")) System.out.println(o.getDescriptor().getFieldValue("dcmd.permissionClass") + " "
                    + o.getDescriptor().getFieldValue("dcmd.permissionName") + " " + o.getDescriptor().getFieldValue("dcmd.permissionAction"));
            System.out.println(s.getAttribute(new ObjectName("java.lang:type=ClassLoading"), "Verbose"));
            s.setAttribute(new ObjectName("java.lang:type=Threading"), new Attribute("ThreadContentionMonitoringEnabled", true));
            System.out.println(s.getAttribute(new ObjectName("java.lang:type=Threading"), "ThreadContentionMonitoringEnabled"));
        }
    }
}
J
"$ref/bin/javac" -d "$dir" "$dir/Viewer.java" || exit 1
view() { "$ref/bin/java" -cp "$dir" Viewer "$1" 2>&1 | sed -E "s/jdk.management.jfr, //"; }
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])'; }
port=$(free_port)
at="service:jmx:rmi:///jndi/rmi://localhost:$port/jmxrmi"
open="-Dcom.sun.management.jmxremote.authenticate=false -Dcom.sun.management.jmxremote.ssl=false"
for vm in ref tested; do
    [ $vm = tested ] || ! settled "$dir"/ref.{attached,agent,port} || continue
    start_target "${!vm}" -Xmx64m
    view $pid >"$dir/$vm.attached"
    {   "$ref/bin/jcmd" $pid ManagementAgent.status
        "$ref/bin/jcmd" $pid ManagementAgent.start jmxremote.port=$port jmxremote.authenticate=false jmxremote.ssl=false
        view "$at" | head -3
        "$ref/bin/jcmd" $pid ManagementAgent.status
        "$ref/bin/jcmd" $pid ManagementAgent.start jmxremote.port=$port 2>&1 | head -3
        "$ref/bin/jcmd" $pid ManagementAgent.stop
        view "$at" | grep -c 'Connection refused'
    } 2>&1 | sed -E "s/^$pid:/PID:/; s/\b$port\b/PORT/g; s/[a-zA-Z0-9.-]+:(PORT|[0-9]{4,5})/HOST:PORT/g; s|stub/[A-Za-z0-9+/=]+|stub|g; /localConnectorAddress|service:jmx/d" >"$dir/$vm.agent"
    end_target
    start_target "${!vm}" -Xmx64m -Dcom.sun.management.jmxremote.port=$port $open
    view "$at" >"$dir/$vm.port"
    end_target
    [ $vm = tested ] || settle
done
grep -q 'notified of System.gc()' "$dir/ref.port" || fail "client: $(cat "$dir/ref.port")"
diff "$dir/ref.attached" "$dir/tested.attached" || fail "attached"
diff "$dir/ref.port" "$dir/tested.port" || fail "by port"
diff "$dir/ref.agent" "$dir/tested.agent" || fail "agent by jcmd"
