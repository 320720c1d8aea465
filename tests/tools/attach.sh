#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# com.sun.tools.attach: properties, agents (good, failing, missing), local management agent; each
# VM as the attached one and as the attaching one, same answers as HotSpot to HotSpot.
set -u
ref=$1 tested=$2 dir=$3
. "$(dirname "$0")/common.sh"
cat >"$dir/Agent.java" <<'J'
public class Agent {
    public static void agentmain(String o, java.lang.instrument.Instrumentation i) throws Exception {
        System.out.println("agentmain " + o + " " + (i.getAllLoadedClasses().length > 100));
        if (o.equals("fail")) throw new Exception("no");
    }
}
J
cat >"$dir/Client.java" <<'J'
import com.sun.tools.attach.*;
public class Client {
    interface Step { void run() throws Exception; }
    static void step(Step s) {
        try { s.run(); System.out.println("done"); } catch (Exception e) { System.out.println(e); }
    }
    public static void main(String[] a) throws Exception {
        VirtualMachine vm = VirtualMachine.attach(a[0]);
        System.out.println(vm.getSystemProperties().getProperty("java.specification.version"));
        System.out.println(vm.getAgentProperties().getProperty("sun.java.command"));
        step(() -> vm.loadAgent(a[1], "hello"));
        step(() -> vm.loadAgent(a[1], "fail"));
        step(() -> vm.loadAgent("/nosuch.jar", "x"));
        step(() -> vm.loadAgentPath("/nosuch.so", ""));
        step(() -> vm.loadAgentLibrary("nosuch", ""));
        step(() -> System.out.println(vm.startLocalManagementAgent() != null));
        vm.detach();
        System.out.println(VirtualMachine.list().stream().anyMatch(d -> d.id().equals(a[0])
                                                                        && d.displayName().equals("Target")));
    }
}
J
"$ref/bin/javac" -d "$dir" "$dir/Agent.java" "$dir/Client.java" || exit 1
printf 'Agent-Class: Agent\n' >"$dir/manifest"
(cd "$dir" && "$ref/bin/jar" cfm agent.jar manifest Agent.class)
for target in ref tested; do
    for client in ref tested; do
        [ $client$target != refref ] || ! settled "$dir/ref-ref.txt" || continue
        start_target "${!target}"
        "${!client}/bin/java" -cp "$dir" Client $pid "$dir/agent.jar" >"$dir/$client-$target.txt" 2>&1
        end_target
        grep -v '^\(ready\|bye\)' "$dir/out" >>"$dir/$client-$target.txt"
        diff "$dir/ref-ref.txt" "$dir/$client-$target.txt" || fail "$client to $target"
        [ $client$target != refref ] || settle
    done
done
grep -q 'agentmain hello true' "$dir/ref-ref.txt" || fail "the reference does not run the agent"

# The socket of a VM that was killed is in the way of nobody.
mkdir -p "$dir/home/bin"
cat >"$dir/home/bin/java" <<S
#!/usr/bin/env bash
(umask 177; python3 -c "import socket; socket.socket(socket.AF_UNIX).bind('/tmp/.java_pid\$\$')") && exec "$tested/bin/java" "\$@"
S
chmod +x "$dir/home/bin/java"
start_target "$dir/home"
"$ref/bin/jcmd" $pid VM.version | grep -q 'JDK 17' || fail "a socket that was left behind is used"
end_target
