// SPDX-License-Identifier: Apache-2.0
// options: -Dsome=thing -ea
import java.lang.management.*;
import java.util.*;

/** RuntimeMXBean, ClassLoadingMXBean, OperatingSystemMXBean, compilation, logging, options. */
public class Runtime1 {
    static void check(String what, boolean ok) { System.out.println(what + ": " + ok); }
    static class Extra { }

    /* What dumps the heap or starts agents is for who attaches, not for remote users. */
    static void commands() throws Exception {
        var server = ManagementFactory.getPlatformMBeanServer();
        var name = new javax.management.ObjectName("com.sun.management:type=DiagnosticCommand");
        var offered = new TreeSet<String>();
        for (var o : server.getMBeanInfo(name).getOperations()) offered.add(o.getName());
        System.out.println(offered);
        for (String[] words : new String[][] {{}, {"GC.heap_dump"}, {"ManagementAgent.start"}, {"GC.run"}}) {
            String help = (String) server.invoke(name, "help", new Object[] {words}, new String[] {String[].class.getName()});
            System.out.println(help.contains("GC.heap_dump") + " " + help.contains("ManagementAgent.") + " " + help.contains("GC.run"));
            if (words.length > 0) System.out.println(help.lines().findFirst().get());
        }
    }

    public static void main(String[] a) throws Exception {
        var r = ManagementFactory.getRuntimeMXBean();
        check("pid", r.getPid() == ProcessHandle.current().pid() && r.getName().startsWith(r.getPid() + "@"));
        check("times", r.getUptime() > 0 && r.getStartTime() <= System.currentTimeMillis());
        System.out.println(r.getSpecName() + " " + r.getSpecVersion() + " " + r.getManagementSpecVersion());
        System.out.println(r.getInputArguments().contains("-Dsome=thing") + " " + r.getSystemProperties().get("some"));
        check("paths", !r.getClassPath().isEmpty() && r.getLibraryPath() != null && !r.isBootClassPathSupported());
        var c = ManagementFactory.getClassLoadingMXBean();
        long total = c.getTotalLoadedClassCount();
        new Extra();
        check("loaded", c.getTotalLoadedClassCount() > total && c.getLoadedClassCount() + c.getUnloadedClassCount() == c.getTotalLoadedClassCount());
        check("verbose", c.isVerbose());
        var o = (com.sun.management.UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        System.out.println(o.getName() + " " + o.getArch() + " " + o.getAvailableProcessors());
        check("memory", o.getTotalMemorySize() > o.getFreeMemorySize() && o.getCommittedVirtualMemorySize() > 0);
        check("files", o.getOpenFileDescriptorCount() > 0 && o.getMaxFileDescriptorCount() >= o.getOpenFileDescriptorCount());
        check("load", o.getProcessCpuTime() > 0 && o.getSystemLoadAverage() >= 0);
        double load = o.getProcessCpuLoad();
        check("cpu load", load <= 1.0);
        var log = ManagementFactory.getPlatformMXBean(PlatformLoggingMXBean.class);
        System.out.println(log.getLoggerLevel("") + " " + log.getParentLoggerName("") + " " + log.getLoggerNames().contains(""));
        var d = ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class);
        for (String n : new String[] {"HeapDumpOnOutOfMemoryError", "MaxHeapFreeRatio", "MinHeapFreeRatio", "PrintConcurrentLocks", "HeapDumpPath"}) {
            var v = d.getVMOption(n);
            System.out.println(n + " " + v.getValue() + " " + v.isWriteable() + " " + v.getOrigin());
        }
        d.setVMOption("MinHeapFreeRatio", "30");
        System.out.println(d.getVMOption("MinHeapFreeRatio").getValue() + " " + d.getVMOption("MinHeapFreeRatio").getOrigin());
        for (String[] bad : new String[][] {{"MinHeapFreeRatio", "x"}, {"MinHeapFreeRatio", "101"}, {"NoSuch", "1"}, {"MaxHeapSize", "1"}, {"HeapDumpOnOutOfMemoryError", "2"}})
            try { d.setVMOption(bad[0], bad[1]); System.out.println(bad[0] + " taken"); }
            catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        for (var p : List.of("Code", "mapped", "direct")) System.out.print("");
        for (var b : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) if (b.getName().equals("direct")) check("buffers", b.getCount() >= 0);
        var server = ManagementFactory.getPlatformMBeanServer();
        var names = new TreeSet<String>();
        for (var n : server.queryNames(null, null)) if (!n.toString().contains("type=MemoryPool") && !n.toString().contains("type=GarbageCollector")
            && !n.toString().contains("type=MemoryManager") && !n.toString().contains("type=Compilation") && !n.toString().contains("jdk.management.jfr")) names.add(n.toString());
        names.forEach(System.out::println);
        commands();
    }
}
