// SPDX-License-Identifier: Apache-2.0
import com.sun.jdi.*;
import com.sun.jdi.connect.*;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

/** Debugs IdeTarget on the JDK of the first argument as an IDE does, and prints what it sees. */
public class IdeClient {
    static VirtualMachine vm;
    static EventRequestManager requests;
    static EventQueue queue;
    static final Map<String, Integer> lines = new HashMap<>();
    static EventSet last;

    /** Without the numbers and addresses in names of hidden classes. */
    static void say(String s) { System.out.println(s.replaceAll("Lambda\\$\\d+/0x[0-9a-f]+", "Lambda")); }
    static void title(String s) { say("== " + s); }

    // ---- the target -------------------------------------------------------------------

    static void launch(String home, String classes) throws Exception {
        LaunchingConnector c = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> a = c.defaultArguments();
        a.get("home").setValue(home);
        a.get("options").setValue("-cp " + classes);
        a.get("main").setValue("IdeTarget");
        vm = c.launch(a);
        requests = vm.eventRequestManager();
        queue = vm.eventQueue();
        copy(vm.process().getInputStream(), "out ");
        copy(vm.process().getErrorStream(), "err ");
    }
    static final List<String> target = Collections.synchronizedList(new ArrayList<>());
    static final List<Thread> copiers = new ArrayList<>();
    static void copy(InputStream in, String mark) {
        Thread t = new Thread(() -> {
            try (BufferedReader r = new BufferedReader(new InputStreamReader(in))) {
                for (String l; (l = r.readLine()) != null;) target.add(mark + l);
            } catch (IOException e) {
                target.add(mark + e);
            }
        });
        t.start();
        copiers.add(t);
    }
    static int line(String bp) { return lines.get(bp); }

    // ---- events -------------------------------------------------------------------------

    static Event next() throws Exception {
        if (last != null) last.resume();
        last = null;
        EventSet s = queue.remove(20000);
        if (s == null) throw new IllegalStateException("no event for 20 seconds");
        last = s;
        return s.iterator().next();
    }
    /** Resumes until an event of the kind comes; all others are shown. */
    static <E extends Event> E until(Class<E> kind) throws Exception {
        for (;;) {
            Event e = next();
            if (kind.isInstance(e)) return kind.cast(e);
            say("  (" + describe(e) + ")");
        }
    }
    static String describe(Event e) {
        String s = e.getClass().getSimpleName().replace("Impl", "");
        if (e instanceof ExceptionEvent x)
            return s + " " + x.exception().referenceType().name() + " at " + at(x.location()) + " caught " + (x.catchLocation() == null ? "-" : at(x.catchLocation()));
        if (e instanceof MethodExitEvent x) return s + " " + x.method() + " = " + show(x.returnValue());
        if (e instanceof ModificationWatchpointEvent x) return s + " " + x.field() + " " + show(x.valueCurrent()) + " -> " + show(x.valueToBe()) + " at " + at(x.location());
        if (e instanceof AccessWatchpointEvent x) return s + " " + x.field() + " " + show(x.valueCurrent()) + " at " + at(x.location());
        if (e instanceof ClassPrepareEvent x) return s + " " + x.referenceType().name();
        if (e instanceof ThreadStartEvent x) return s + " " + x.thread().name();
        if (e instanceof ThreadDeathEvent x) return s + " " + x.thread().name();
        if (e instanceof MonitorContendedEnteredEvent x) return s + " " + x.thread().name() + " " + x.monitor().referenceType().name();
        if (e instanceof MonitorContendedEnterEvent x) return s + " " + x.thread().name() + " " + x.monitor().referenceType().name();
        if (e instanceof MonitorWaitEvent x) return s + " " + x.thread().name() + " " + x.timeout();
        if (e instanceof MonitorWaitedEvent x) return s + " " + x.thread().name() + " " + x.timedout();
        if (e instanceof LocatableEvent x) return s + " " + at(x.location());
        return s;
    }
    static String at(Location l) { return l.declaringType().name() + "." + l.method().name() + ":" + l.lineNumber(); }

    static BreakpointRequest breakAt(String bp) throws Exception {
        ReferenceType t = type("IdeTarget");
        BreakpointRequest r = requests.createBreakpointRequest(t.locationsOfLine(line(bp)).get(0));
        r.enable();
        return r;
    }
    static BreakpointEvent runTo(String bp) throws Exception {
        BreakpointRequest r = breakAt(bp);
        BreakpointEvent e = until(BreakpointEvent.class);
        requests.deleteEventRequest(r);
        say("stopped at " + at(e.location()) + " in " + e.thread().name());
        return e;
    }
    static ReferenceType type(String name) {
        List<ReferenceType> l = vm.classesByName(name);
        if (l.size() != 1) throw new IllegalStateException(l.size() + " classes " + name);
        return l.get(0);
    }

    // ---- values --------------------------------------------------------------------------

    static String show(Value v) { return show(v, 0); }
    static String show(Value v, int depth) {
        if (v == null) return "null";
        if (v instanceof StringReference s) return '"' + s.value() + '"';
        if (v instanceof ArrayReference a)
            return a.type().name() + a.getValues().stream().map(x -> depth > 2 ? "." : show(x, depth + 1)).collect(Collectors.joining(",", "{", "}"));
        if (v instanceof ObjectReference o) return "a " + o.referenceType().name();
        return v.type().name() + " " + v;
    }
    static void frames(ThreadReference t) throws Exception {
        for (StackFrame f : t.frames()) {
            say("  " + at(f.location()) + " this " + show(f.thisObject()) + " args " + f.getArgumentValues().stream().map(IdeClient::show).toList());
            try {
                for (LocalVariable v : f.visibleVariables()) {
                    String type;
                    try { type = v.type().name(); } catch (ClassNotLoadedException e) { type = "not loaded " + e.className(); }
                    say("    " + v.typeName() + " " + v.name() + " (" + type + ", " + v.genericSignature() + ") = " + show(f.getValue(v)));
                }
            } catch (AbsentInformationException e) {
                say("    no names");
            }
        }
    }
    interface Try { Object run() throws Exception; }
    static void attempt(String what, Try t) {
        try {
            Object r = t.run();
            say("  " + what + ": " + (r instanceof Value || r == null ? show((Value) r) : r));
        } catch (InvocationException e) {
            say("  " + what + ": throws " + e.exception().referenceType().name());
        } catch (Exception | LinkageError e) {
            say("  " + what + ": " + e.getClass().getName() + " " + e.getMessage());
        }
    }
    static Method method(ReferenceType t, String name, String sig) {
        return sig == null ? t.methodsByName(name).get(0) : t.methodsByName(name, sig).get(0);
    }

    // ---- what an IDE does -----------------------------------------------------------------

    static void connecting() throws Exception {
        title("connecting");
        for (java.lang.reflect.Method m : Arrays.stream(VirtualMachine.class.getMethods())
                 .filter(m -> m.getName().startsWith("can") && m.getParameterCount() == 0).sorted(Comparator.comparing(java.lang.reflect.Method::getName)).toList())
            say("  " + m.getName() + " " + m.invoke(vm));
        until(VMStartEvent.class);
        ClassPrepareRequest p = requests.createClassPrepareRequest();
        p.addClassFilter("IdeTarget*");
        p.enable();
        say(describe(until(ClassPrepareEvent.class)));
        BreakpointEvent e = runTo("start");
        say("groups " + vm.topLevelThreadGroups().stream().map(g -> g.name() + " " + g.threadGroups().stream().map(ThreadGroupReference::name).sorted().toList()).toList());
        for (String n : List.of("main", "Reference Handler", "Finalizer", "Signal Dispatcher")) {
            ThreadReference t = vm.allThreads().stream().filter(x -> x.name().equals(n)).findFirst().get();
            say("  " + n + " suspended " + t.isSuspended() + " count " + t.suspendCount() + " at breakpoint " + t.isAtBreakpoint() + " frames " + (t.frameCount() > 0));
        }
        attempt("pop the only frame", () -> { e.thread().popFrames(e.thread().frame(0)); return "done"; });
        ReferenceType t = type("IdeTarget");
        say("source " + t.sourceName() + " " + t.sourcePaths(null) + " strata " + t.availableStrata() + " version " + t.majorVersion() + "." + t.minorVersion());
        say("methods " + t.methods().stream().map(Object::toString).sorted().toList());
        say("fields " + t.fields().stream().map(f -> f.typeName() + " " + f).sorted().toList());
        say("lines " + t.allLineLocations().stream().map(Location::lineNumber).sorted().distinct().count() + " module " + t.module().name());
        say("loader of String " + type("java.lang.String").classLoader() + ", constants " + (type("java.lang.String").constantPoolCount() > 100));
        say("modules " + vm.allModules().stream().map(ModuleReference::name).filter(Objects::nonNull).filter(n -> n.matches("java\\.(base|logging|desktop)")).sorted().toList());
        ClassLoaderReference app = t.classLoader();
        say("visible " + app.visibleClasses().stream().map(ReferenceType::name).filter(n -> n.matches("IdeTarget.*|java.lang.String(\\[\\])*|int(\\[\\])?|long\\[\\]")).sorted().toList());
        say("defined " + app.definedClasses().stream().map(ReferenceType::name).filter(n -> n.startsWith("IdeTarget")).sorted().toList());
        requests.deleteEventRequest(p);
    }
    static void locals() throws Exception {
        title("locals");
        BreakpointEvent e = runTo("locals");
        frames(e.thread());
        StackFrame f = e.thread().frame(0);
        f.setValue(f.visibleVariableByName("i"), vm.mirrorOf(77));
        f.setValue(f.visibleVariableByName("text"), vm.mirrorOf("set"));
        attempt("set wrong type", () -> { f.setValue(f.visibleVariableByName("i"), vm.mirrorOf("no")); return "done"; });
        attempt("set array of wrong type", () -> { f.setValue(f.visibleVariableByName("ia"), f.getValue(f.visibleVariableByName("la"))); return "done"; });
        ArrayReference ia = (ArrayReference) f.getValue(f.visibleVariableByName("ia"));
        ia.setValue(1, vm.mirrorOf(99));
        attempt("beyond the array", () -> ia.getValue(3));
        say("  ia " + show(ia) + " string array type " + ((ArrayType) type("java.lang.String[]")).componentTypeName());
        attempt("new array", () -> ((ArrayType) ((ArrayReference) f.getValue(f.visibleVariableByName("deep"))).type()).newInstance(2));
        say("  instances of Point " + type("IdeTarget$Point").instances(0).size() + " leaves " + type("IdeTarget$Leaf").instances(0).size()
            + " counts " + Arrays.toString(vm.instanceCounts(List.of(type("IdeTarget$Pair"), type("IdeTarget$Leaf")))));
        ObjectReference leaf = type("IdeTarget$Leaf").instances(1).get(0);
        say("  referrers " + leaf.referringObjects(0).stream().map(IdeClient::show).sorted().toList());
        say("  enum " + show(type("IdeTarget$Colour").getValue(type("IdeTarget$Colour").fieldByName("RED"))));
        ReferenceType point = type("IdeTarget$Point");
        say("  point " + point.visibleFields() + " " + ((ClassType) point).superclass().name() + " " + point.signature() + " final " + point.isFinal() + " nested " + type("IdeTarget").nestedTypes().stream().map(ReferenceType::name).sorted().toList());
    }
    static void invocations(ThreadReference t) throws Exception {
        title("invocations");
        ClassType target = (ClassType) type("IdeTarget");
        ClassType s = (ClassType) type("java.lang.String");
        attempt("static", () -> target.invokeMethod(t, method(target, "two", null), List.of(vm.mirrorOf(21L)), 0));
        attempt("single-threaded", () -> target.invokeMethod(t, method(target, "three", null), List.of(), ClassType.INVOKE_SINGLE_THREADED));
        attempt("throws", () -> target.invokeMethod(t, method(target, "thrower", null), List.of(vm.mirrorOf(5)), ClassType.INVOKE_SINGLE_THREADED));
        attempt("void", () -> "" + target.invokeMethod(t, method(target, "one", null), List.of(), 0));
        attempt("string", () -> vm.mirrorOf("abc").invokeMethod(t, method(s, "concat", null), List.of(vm.mirrorOf("def")), 0));
        ClassType derived = (ClassType) loaded(t, "IdeTarget$Derived");
        ObjectReference d = derived.newInstance(t, method(derived, "<init>", null), List.of(vm.mirrorOf("made")), 0);
        d.disableCollection();
        attempt("virtual", () -> d.invokeMethod(t, method(derived, "get", "()Ljava/lang/String;"), List.of(), 0));
        attempt("nonvirtual", () -> d.invokeMethod(t, method(derived.superclass(), "get", null), List.of(), ObjectReference.INVOKE_NONVIRTUAL));
        attempt("private", () -> d.invokeMethod(t, method(derived.superclass(), "secret", null), List.of(vm.mirrorOf(3)), 0));
        attempt("default", () -> d.invokeMethod(t, derived.allInterfaces().get(0).methodsByName("greet").get(0), List.of(vm.mirrorOf("x")), 0));
        attempt("interface static", () -> derived.allInterfaces().get(0).invokeMethod(t, derived.allInterfaces().get(0).methodsByName("count").get(0), List.of(), 0));
        attempt("varargs", () -> d.invokeMethod(t, method(derived, "many", null), List.of(vm.mirrorOf("f"), vm.mirrorOf("a"), vm.mirrorOf("b")), 0));
        attempt("varargs none", () -> d.invokeMethod(t, method(derived, "many", null), List.of(vm.mirrorOf("f")), 0));
        attempt("fails", () -> d.invokeMethod(t, method(derived, "fails", null), List.of(vm.mirrorOf(2)), 0));
        attempt("wrong argument", () -> d.invokeMethod(t, method(derived, "fails", null), List.of(vm.mirrorOf("2")), 0));
        attempt("too few", () -> d.invokeMethod(t, method(derived, "fails", null), List.of(), 0));
        attempt("constructor throws", () -> ((ClassType) type("IdeTarget$Point")).newInstance(t, method(type("IdeTarget$Point"), "<init>", null), List.of(vm.mirrorOf(-1), vm.mirrorOf(0)), 0));
        attempt("toString of a record", () -> type("IdeTarget$Pair").instances(1).get(0).invokeMethod(t, method(type("java.lang.Object"), "toString", null), List.of(), 0));
        attempt("fields", () -> { d.setValue(derived.fieldByName("ratio"), vm.mirrorOf(2.25)); return d.getValue(derived.fieldByName("ratio")); });
        attempt("field of a superclass", () -> d.getValue(derived.fieldByName("held")));
        attempt("static field", () -> { derived.setValue(derived.fieldByName("total"), vm.mirrorOf(8L)); return derived.getValue(derived.fieldByName("total")); });
        attempt("final field", () -> { type("IdeTarget$Point").instances(1).get(0).setValue(type("IdeTarget$Point").fieldByName("x"), vm.mirrorOf(8)); return "done"; });
        attempt("hash equals", () -> d.equals(d) && d.uniqueID() != 0 ? "yes" : "no");
        d.enableCollection();
        say("  still " + at(t.frame(0).location()));
    }
    static ReferenceType loaded(ThreadReference t, String name) throws Exception {
        if (vm.classesByName(name).isEmpty()) {
            ClassType c = (ClassType) type("java.lang.Class");
            c.invokeMethod(t, c.methodsByName("forName", "(Ljava/lang/String;)Ljava/lang/Class;").get(0), List.of(vm.mirrorOf(name)), 0);
        }
        for (int i = 0; i < 200 && vm.classesByName(name).isEmpty(); i++) Thread.sleep(10); // JDI learns of it by an event
        return type(name);
    }
    static void step(ThreadReference t, int depth, int n, String... out) throws Exception {
        for (int i = 0; i < n; i++) {
            StepRequest r = requests.createStepRequest(t, StepRequest.STEP_LINE, depth);
            for (String x : out) r.addClassExclusionFilter(x);
            r.addCountFilter(1);
            r.enable();
            Event e = until(StepEvent.class);
            say("  step " + at(((StepEvent) e).location()) + " depth " + t.frameCount());
            requests.deleteEventRequest(r);
        }
    }
    static void stepping() throws Exception {
        title("stepping");
        ThreadReference t = runTo("lambdas").thread();
        String[] filters = {"java.*", "jdk.*", "sun.*"};
        step(t, StepRequest.STEP_INTO, 3, filters);
        step(t, StepRequest.STEP_OUT, 1, filters);
        step(t, StepRequest.STEP_OVER, 3, filters);
        step(t, StepRequest.STEP_INTO, 6, filters);
    }
    static void exceptions() throws Exception {
        title("exceptions");
        ExceptionRequest all = requests.createExceptionRequest(null, true, true);
        for (String x : List.of("java.lang.invoke.*", "jdk.internal.loader.*")) all.addClassExclusionFilter(x);
        all.enable();
        BreakpointRequest stop = breakAt("watches");
        for (;;) {
            Event e = next();
            say("  " + describe(e));
            if (e instanceof BreakpointEvent) break;
        }
        requests.deleteEventRequest(stop);
        requests.deleteEventRequest(all);
    }
    static void watches(ThreadReference t) throws Exception {
        title("watches");
        ReferenceType d = type("IdeTarget$Derived"), b = type("IdeTarget$Base");
        List<EventRequest> l = new ArrayList<>();
        for (Field f : List.of(d.fieldByName("watched"), d.fieldByName("total"), b.fieldByName("held"), b.fieldByName("made"))) {
            l.add(requests.createAccessWatchpointRequest(f));
            l.add(requests.createModificationWatchpointRequest(f));
        }
        l.forEach(EventRequest::enable);
        MethodExitRequest x = requests.createMethodExitRequest();
        x.addClassFilter("IdeTarget");
        x.enable();
        BreakpointRequest stop = breakAt("exits");
        for (Event e; !((e = next()) instanceof BreakpointEvent);) say("  " + describe(e));
        requests.deleteEventRequest(stop);
        requests.deleteEventRequests(l);
        requests.deleteEventRequest(x);
    }
    static void frameSurgery() throws Exception {
        title("drop to frame, force return");
        ThreadReference t = runTo("inner").thread();
        StackFrame f = t.frame(1);
        say("  k " + show(f.getValue(f.visibleVariableByName("k"))));
        t.popFrames(t.frame(0));
        say("  now " + at(t.frame(0).location()) + " depth " + t.frameCount());
        StackFrame g = t.frame(0);
        g.setValue(g.visibleVariableByName("k"), vm.mirrorOf(100));
        say("  " + at(runTo("inner").thread().frame(0).location()) + " k " + show(t.frame(0).getArgumentValues().get(0)));
        MethodEntryRequest entry = requests.createMethodEntryRequest();
        entry.addClassFilter("IdeTarget");
        entry.enable();
        MethodEntryEvent e;
        do e = until(MethodEntryEvent.class); while (!e.method().name().equals("early"));
        attempt("wrong type of result", () -> { t.forceEarlyReturn(vm.mirrorOf(4)); return "done"; });
        t.forceEarlyReturn(vm.mirrorOf("forced"));
        requests.deleteEventRequest(entry);
    }
    static void redefinition(byte[] changed) throws Exception {
        title("redefinition");
        ThreadReference t = runTo("swap").thread();
        step(t, StepRequest.STEP_OVER, 1);
        ReferenceType s = type("IdeTarget$Swapped");
        attempt("garbage", () -> { vm.redefineClasses(Map.of(s, new byte[] {1, 2, 3, 4})); return "done"; });
        attempt("another class", () -> { vm.redefineClasses(Map.of(type("IdeTarget$Leaf"), changed)); return "done"; });
        attempt("changed", () -> { vm.redefineClasses(Map.of(s, changed)); return "done"; });
        attempt("call", () -> ((ClassType) s).invokeMethod(t, method(s, "body", null), List.of(), 0));
        say("  obsolete " + t.frame(0).location().method().isObsolete());
    }
    static void monitors() throws Exception {
        title("monitors");
        MonitorContendedEnterRequest a = requests.createMonitorContendedEnterRequest();
        MonitorContendedEnteredRequest b = requests.createMonitorContendedEnteredRequest();
        MonitorWaitRequest c = requests.createMonitorWaitRequest();
        MonitorWaitedRequest d = requests.createMonitorWaitedRequest();

        for (EventRequest r : List.of(a, b)) r.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        a.addClassFilter("IdeTarget*"); b.addClassFilter("IdeTarget*");
        b.enable();
        ThreadReference t = runTo("monitors").thread();
        vm.suspend();
        say("  owned " + t.ownedMonitors().stream().map(IdeClient::show).toList() + " frames " + t.ownedMonitorsAndFrames().stream().map(m -> m.stackDepth() + " " + show(m.monitor())).toList());
        ThreadReference k = vm.allThreads().stream().filter(x -> x.name().equals("contender")).findFirst().get();
        say("  contender status " + k.status() + " wants " + show(k.currentContendedMonitor()) + " owned " + k.ownedMonitors().size());
        ObjectReference lock = t.ownedMonitors().get(0);
        say("  owner " + lock.owningThread().name() + " entries " + lock.entryCount() + " waiting " + lock.waitingThreads().stream().map(ThreadReference::name).toList());
        vm.resume();
        ThreadReference w = runTo("waiting").thread();
        ThreadReference q = vm.allThreads().stream().filter(x -> x.name().equals("waiter")).findFirst().get();
        say("  waiter status " + q.status() + " wants " + show(q.currentContendedMonitor()) + " at " + at(q.frame(0).location()));
        say("  owner " + lock.owningThread() + " entries " + lock.entryCount() + " waiting " + lock.waitingThreads().stream().map(ThreadReference::name).toList());
        requests.deleteEventRequest(b);
        requests.deleteEventRequest(a);
    }
    /** The thread that is stepped is interrupted all the time, also while the debugger's own code waits on it. */
    static void interruptedSteps() throws Exception {
        title("steps over sleep");
        ThreadReference t = runTo("sleeps").thread();
        int n = 0;
        for (; n < 25; n++) {
            StepRequest r = requests.createStepRequest(t, StepRequest.STEP_LINE, StepRequest.STEP_OVER);
            r.addClassFilter("IdeTarget");
            r.enable();
            until(StepEvent.class);
            requests.deleteEventRequest(r);
        }
        say("  steps " + n + " in " + t.frame(0).location().method().name());
    }
    static void end() throws Exception {
        title("stop, death");
        ThreadReference m = runTo("stop").thread();
        ThreadReference s = vm.allThreads().stream().filter(x -> x.name().equals("stopped")).findFirst().get();
        ClassType ae = (ClassType) type("java.lang.ArithmeticException");
        ObjectReference e = ae.newInstance(m, ae.methodsByName("<init>", "(Ljava/lang/String;)V").get(0), List.of(vm.mirrorOf("client")), ClassType.INVOKE_SINGLE_THREADED);
        attempt("stop with a string", () -> { s.stop(vm.mirrorOf("x")); return "done"; });
        attempt("stop with null", () -> { s.stop(null); return "done"; });
        s.stop(e);
        ThreadDeathRequest d = requests.createThreadDeathRequest();
        d.setSuspendPolicy(EventRequest.SUSPEND_NONE);
        d.addThreadFilter(s);
        d.enable();
        ExceptionRequest u = requests.createExceptionRequest(type("java.lang.IllegalStateException"), false, true);
        u.enable();
        for (Event x; !((x = next()) instanceof VMDisconnectEvent);) say("  " + describe(x));
    }

    public static void main(String[] a) throws Exception {
        List<String> source = Files.readAllLines(Path.of(a[2]));
        for (int i = 0; i < source.size(); i++) {
            int k = source.get(i).indexOf("// bp ");
            if (k >= 0) lines.put(source.get(i).substring(k + 6), i + 1);
        }
        byte[] changed = Files.readAllBytes(Path.of(a[3]));
        launch(a[0], a[1]);
        try {
            connecting();
            locals();
            invocations(vm.allThreads().stream().filter(x -> x.name().equals("main")).findFirst().get());
            stepping();
            exceptions();
            watches(vm.allThreads().stream().filter(x -> x.name().equals("main")).findFirst().get());
            frameSurgery();
            redefinition(changed);
            monitors();
            interruptedSteps();
            end();
        } catch (Throwable e) {
            e.printStackTrace(System.out);
            try { vm.exit(99); } catch (VMDisconnectedException x) { }
        }
        int code = vm.process().waitFor();
        for (Thread t : copiers) t.join();
        title("the target said");
        target.stream().filter(l -> l.startsWith("out")).forEach(IdeClient::say);
        target.stream().filter(l -> l.startsWith("err")).forEach(IdeClient::say);
        say("exit " + code);
    }
}
