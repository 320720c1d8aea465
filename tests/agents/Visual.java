// SPDX-License-Identifier: Apache-2.0
import com.sun.tools.attach.VirtualMachine;
import java.io.*;
import java.util.*;
import java.util.concurrent.TimeUnit;
import org.graalvm.visualvm.lib.jfluid.*;
import org.graalvm.visualvm.lib.jfluid.client.*;
import org.graalvm.visualvm.lib.jfluid.filters.*;
import org.graalvm.visualvm.lib.jfluid.global.CommonConstants;
import org.graalvm.visualvm.lib.jfluid.results.*;
import org.graalvm.visualvm.lib.jfluid.results.cpu.*;
import org.graalvm.visualvm.lib.jfluid.results.memory.*;

/**
 * VisualVM's profiler without its windows: its client drives its agent in a running program as the windows would.  Prints what must be the same on
 * every VM: calls of methods, objects by class, threads, and that the program goes on when the profiler has left.
 *
 *     java Visual JAVA_HOME FOLDER_OF_THE_AGENT'S_JARS PORT
 */
public class Visual {
    static class Quiet implements AppStatusHandler {
        public AsyncDialog getAsyncDialogInstance(String m, boolean cancel, Runnable r) {
            return new AsyncDialog() { public void close() { } public void display() { } };
        }
        void say(String kind, String m) { System.out.println(kind + " " + m); }
        public void displayError(String m) { say("error", m); }
        public void displayErrorAndWaitForConfirm(String m) { say("error", m); }
        public void displayErrorWithDetailsAndWaitForConfirm(String m, String d) { say("error", m + " " + d); }
        public void displayNotification(String m) { }
        public void displayNotificationAndWaitForConfirm(String m) { }
        public void displayNotificationWithDetailsAndWaitForConfirm(String m, String d) { }
        public void displayWarning(String m) { say("warning", m); }
        public void displayWarningAndWaitForConfirm(String m) { say("warning", m); }
        public void resultsAvailable() { }
        public void takeSnapshot() { }
        public boolean confirmWaitForConnectionReply() { return false; }
        public void handleShutdown() { }
        public void pauseLiveUpdates() { }
        public void resumeLiveUpdates() { }
    }
    static class NoPoints extends ProfilingPointsProcessor {
        public void profilingPointHit(RuntimeProfilingPoint.HitEvent e) { }
        public void timeAdjust(int thread, long from, long to) { }
        public void init(Object project) { }
        public RuntimeProfilingPoint[] getSupportedProfilingPoints() { return new RuntimeProfilingPoint[0]; }
    }

    static Process program;
    static BufferedReader lines;
    static PrintStream input;

    static String batch() throws IOException {
        input.println("go");
        input.flush();
        return answer();
    }
    /** The agent talks on the program's standard output too. */
    static String answer() throws IOException {
        for (String l; (l = lines.readLine()) != null;) {
            if (l.matches("ready|batch .*|bye")) return l;
        }
        return null;
    }

    static TreeMap<String, Long> made(ProfilerClient client) throws Exception {
        TreeMap<String, Long> r = new TreeMap<>();
        client.forceObtainedResultsDump(true);
        Thread.sleep(2000);
        AllocMemoryResultsSnapshot s = (AllocMemoryResultsSnapshot) client.getMemoryProfilingResultsSnapshot(false);
        for (int i = 0; i < s.getNProfiledClasses(); i++)
            if (s.getClassName(i).startsWith("Profiled$")) r.put(s.getClassName(i), (long) s.getObjectsCounts()[i]);
        return r;
    }
    static boolean changed(String[] classes) { return classes != null && Arrays.asList(classes).contains("Profiled"); }

    public static void main(String[] args) {
        try {
            drive(args);
        } catch (Throwable e) {
            e.printStackTrace(System.out);
        }
        System.exit(0);
    }
    static void drive(String[] args) throws Exception {
        program = new ProcessBuilder(args[0] + "/bin/java", "-Xshare:off", "--add-opens", "java.base/java.lang=ALL-UNNAMED", "-cp", ".", "Profiled")
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> program.destroyForcibly()));
        lines = new BufferedReader(new InputStreamReader(program.getInputStream()));
        input = new PrintStream(program.getOutputStream());
        System.out.println(answer());
        String plain = batch();
        System.out.println(plain);

        ProfilerEngineSettings settings = new ProfilerEngineSettings();
        settings.initialize(args[1]);
        settings.setPortNo(Integer.parseInt(args[2]));
        settings.setTargetJDKVersionString(CommonConstants.JDK_170_STRING);
        settings.setSystemArchitecture(CommonConstants.ARCH_64);
        settings.setCPUProfilingType(CommonConstants.CPU_INSTR_FULL);
        settings.setInstrScheme(CommonConstants.INSTRSCHEME_TOTAL);
        settings.setInstrumentGetterSetterMethods(true);
        settings.setInstrumentEmptyMethods(true);
        settings.setInstrumentObjectInit(true);
        settings.setInstrumentSpawnedThreads(false);
        settings.setInstrumentationFilter(new InstrumentationFilter(new GenericFilter("own", "Profiled*", GenericFilter.TYPE_INCLUSIVE)));
        settings.setSeparateConsole(false);
        settings.setTargetJVMExeFile(args[0] + "/bin/java");
        TargetAppRunner runner = new TargetAppRunner(settings, new Quiet(), new NoPoints());
        ProfilerClient client = runner.getProfilerClient();
        if (!runner.readSavedCalibrationData() && !runner.calibrateInstrumentationCode()) throw new AssertionError("no calibration");
        System.out.println("calibrated");

        CPUCallGraphBuilder calls = new CPUCallGraphBuilder();
        MemoryCallGraphBuilder objects = new MemoryCallGraphBuilder();
        ProfilingResultsDispatcher results = ProfilingResultsDispatcher.getDefault();
        EventBufferResultsProvider.getDefault().addDispatcher(results);
        results.addListener(calls);
        results.addListener(objects);
        calls.startup(client);
        objects.startup(client);
        client.registerCPUCCTProvider(calls);
        client.registerMemoryCCTProvider(objects);
        results.startup(client);

        VirtualMachine vm = VirtualMachine.attach("" + program.pid());
        vm.loadAgent(args[1] + "/jfluid-server-15.jar", args[2]);
        vm.detach();
        client.initiateRecursiveCPUProfInstrumentation(
            new ClientUtils.SourceCodeSelection[] {new ClientUtils.SourceCodeSelection("Profiled", "batch", "()I")});
        System.out.println("session " + runner.initiateSession(2, false));
        System.out.println("attached " + runner.attachToTargetVM());
        // Quiet until the classes are changed: its two sides mix up their streams when commands cross.
        for (int i = 0; i < 300 && !changed(client.getStatus().getInstrMethodClasses()); i++) Thread.sleep(200);
        Thread.sleep(10000);
        for (int i = 0; i < 2; i++) System.out.println(batch().equals(plain));
        client.forceObtainedResultsDump(true);
        Thread.sleep(3000); // results are read by a thread of their own
        CPUResultsSnapshot cpu = client.getCPUProfilingResultsSnapshot(false);
        FlatProfileContainer flat = cpu.getFlatProfile(-1, CPUResultsSnapshot.METHOD_LEVEL_VIEW);
        TreeSet<String> rows = new TreeSet<>();
        for (int i = 0; i < flat.getNRows(); i++)
            rows.add("calls " + Arrays.toString(cpu.getMethodClassNameAndSig(flat.getMethodIdAtRow(i), CPUResultsSnapshot.METHOD_LEVEL_VIEW)) + " " + flat.getNInvocationsAtRow(i));
        rows.forEach(System.out::println);

        client.removeAllInstrumentation();
        settings.setAllocTrackEvery(1);
        settings.setAllocStackTraceLimit(4);
        client.initiateMemoryProfInstrumentation(CommonConstants.INSTR_OBJECT_ALLOCATIONS);
        for (int i = 0; i < 20; i++) { // one batch between two looks, the first of which already has objects
            Thread.sleep(3000);
            TreeMap<String, Long> before = made(client);
            boolean equal = batch().equals(plain);
            Thread.sleep(3000);
            TreeMap<String, Long> after = made(client);
            if (before.getOrDefault("Profiled$Thing", 0L) == 0) continue;
            after.forEach((name, n) -> System.out.println("objects " + name + " " + (n - before.getOrDefault(name, 0L))));
            System.out.println(equal);
            break;
        }
        System.out.println("numbers " + (client.getMonitoredData().getTotalMemory() > 0));
        runner.prepareDetachFromTargetJVM();
        runner.detachFromTargetJVM();
        System.out.println("detached");
        System.out.println(batch().equals(plain));
        input.println("end");
        input.flush();
        System.out.println(answer());
        System.out.println("exit " + (program.waitFor(30, TimeUnit.SECONDS) ? program.exitValue() : -1));
        System.exit(0);
    }
}
