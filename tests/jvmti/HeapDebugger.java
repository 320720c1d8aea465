// SPDX-License-Identifier: Apache-2.0
import com.sun.jdi.*;
import com.sun.jdi.connect.*;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.util.*;

/** A debugger that asks for instances and referrers: libjdwp's use of heap walks. Argument: the JDK to debug. */
public class HeapDebugger {
    public static class Target {
        static class Item { Object held; Item(Object o) { held = o; } }
        static Item[] items = new Item[7];
        static Object shared = new Object();
        public static void main(String[] args) {
            for (int i = 0; i < 7; i++) items[i] = new Item(shared);
            stop();
        }
        static void stop() { }
    }
    static String name(ObjectReference o) { return o instanceof ClassObjectReference ? "class " + ((ClassObjectReference) o).reflectedType().name() : o.type().name(); }
    static void report(VirtualMachine vm, ReferenceType t) {
        ReferenceType item = vm.classesByName("HeapDebugger$Target$Item").get(0);
        System.out.println("can " + vm.canGetInstanceInfo() + ", counts " + Arrays.toString(vm.instanceCounts(List.of(item, t))));
        List<ObjectReference> all = item.instances(0);
        System.out.println("instances " + all.size() + ", at most three: " + item.instances(3).size());
        ObjectReference shared = (ObjectReference) t.getValue(t.fieldByName("shared"));
        List<String> names = new ArrayList<>();
        for (ObjectReference o : shared.referringObjects(0)) names.add(name(o));
        Collections.sort(names);
        System.out.println("referrers of shared " + names);
        names.clear();
        for (ObjectReference o : all.get(0).referringObjects(0)) names.add(name(o));
        System.out.println("referrers of an item " + names);
    }
    public static void main(String[] args) throws Exception {
        LaunchingConnector c = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> a = c.defaultArguments();
        a.get("home").setValue(args[0]);
        a.get("options").setValue("-cp classes");
        a.get("main").setValue("HeapDebugger$Target");
        VirtualMachine vm = c.launch(a);
        ClassPrepareRequest r = vm.eventRequestManager().createClassPrepareRequest();
        r.addClassFilter("HeapDebugger$Target");
        r.enable(); /* the target waits until the set with its start event is resumed below */
        for (boolean on = true; on;) {
            EventSet set = vm.eventQueue().remove(60_000);
            if (set == null) { System.out.println("no event"); break; }
            for (Event e : set) {
                if (e instanceof ClassPrepareEvent) {
                    ReferenceType t = ((ClassPrepareEvent) e).referenceType();
                    vm.eventRequestManager().createBreakpointRequest(t.methodsByName("stop").get(0).location()).enable();
                } else if (e instanceof BreakpointEvent) {
                    report(vm, ((BreakpointEvent) e).location().declaringType());
                } else if (e instanceof VMDeathEvent || e instanceof VMDisconnectEvent) {
                    on = false;
                }
            }
            if (on) set.resume();
        }
    }
}
