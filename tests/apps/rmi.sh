#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# extent: suite
#
# rmiregistry with a server and a client process: calls, callbacks, exceptions, distributed collection; each side against HotSpot too.
. "$(dirname "$0")/common.sh"
driver Rmi <<'JAVA'
import java.io.*;
import java.nio.file.*;
import java.rmi.*;
import java.rmi.registry.*;
import java.rmi.server.*;
import java.util.*;

public class Rmi {
    public interface Listener extends Remote { void heard(String s) throws RemoteException; }
    public interface Service extends Remote {
        Map<String, Integer> count(List<String> words) throws RemoteException;
        void fail(String why) throws RemoteException, IOException;
        void listen(Listener l) throws RemoteException;
        Service child(String name) throws RemoteException;
        byte[] big(int n) throws RemoteException;
        void stop() throws RemoteException;
    }
    static class Impl extends UnicastRemoteObject implements Service {
        final String name;
        Impl(String name) throws RemoteException { this.name = name; }
        public Map<String, Integer> count(List<String> words) {
            Map<String, Integer> m = new TreeMap<>();
            for (String w : words) m.merge(name + w, 1, Integer::sum);
            return m;
        }
        public void fail(String why) throws IOException {
            if (why.isEmpty()) throw new IllegalStateException("empty");
            throw new FileNotFoundException(why);
        }
        public void listen(Listener l) throws RemoteException { for (int i = 0; i < 5; i++) l.heard(name + i); }
        public Service child(String n) throws RemoteException { return new Impl(name + n); }
        public byte[] big(int n) { byte[] b = new byte[n]; for (int i = 0; i < n; i++) b[i] = (byte) (i * 7); return b; }
        public void stop() throws RemoteException {
            UnicastRemoteObject.unexportObject(this, true);
            new Thread(() -> { try { Thread.sleep(200); } catch (InterruptedException e) { } System.exit(0); }).start();
        }
    }
    public static void main(String[] a) throws Exception {
        if (a[0].equals("serve")) {
            Registry r = LocateRegistry.createRegistry(0);     // the port is in its reference
            String ref = r.toString(), port = ref.replaceAll("(?s).*\\[[^\\]]*?:(\\d+)\\].*", "$1");
            r.rebind("service", new Impl("root/"));
            if (a.length > 2) LocateRegistry.getRegistry(Integer.parseInt(a[2])).rebind("outside", new Impl("other/"));
            Files.writeString(Path.of(a[1] + ".part"), port);
            Files.move(Path.of(a[1] + ".part"), Path.of(a[1]));
            Thread.sleep(Long.MAX_VALUE);
        }
        Registry r = LocateRegistry.getRegistry("localhost", Integer.parseInt(a[1]));
        System.out.println(Arrays.toString(r.list()));
        Service s = (Service) r.lookup("service");
        System.out.println(s.count(List.of("a", "b", "a")));
        for (String why : new String[] {"", "gone"}) {
            try { s.fail(why); } catch (Exception e) {
                System.out.println(e + " at " + Arrays.stream(e.getStackTrace()).anyMatch(f -> f.getMethodName().equals("fail")));
            }
        }
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        Listener l = heard::add;
        UnicastRemoteObject.exportObject(l, 0);
        s.listen(l);
        System.out.println(heard);
        Service c = s.child("x/").child("y/");
        System.out.println(c.count(List.of("z")) + " " + Arrays.hashCode(c.big(1 << 20)));
        Thread[] ts = new Thread[8];
        int[] sums = new int[ts.length];
        for (int t = 0; t < ts.length; t++) {
            int k = t;
            (ts[t] = new Thread(() -> {
                try { for (int i = 0; i < 100; i++) sums[k] += s.count(Collections.nCopies(i + k, "w")).values().stream().mapToInt(x -> x).sum(); }
                catch (RemoteException e) { e.printStackTrace(); }
            })).start();
        }
        for (Thread t : ts) t.join();
        System.out.println(Arrays.toString(sums));
        try { r.lookup("nothing"); } catch (NotBoundException e) { System.out.println(e); }
        s.stop();
        System.exit(0);
    }
}
JAVA
pair() { # server home, options, client home, options
    "$1/bin/java" $2 -Djava.rmi.server.hostname=localhost -cp "$work/classes" Rmi serve port >server.out 2>&1 &
    local server=$!
    wait_for port || { kill $server; cat server.out; return 1; }
    "$3/bin/java" $4 -Djava.rmi.server.hostname=localhost -cp "$work/classes" Rmi client "$(cat port)" || { kill $server; return 1; }
    wait $server
    echo "server: $?"
    cat server.out; rm port server.out
}
both() { pair "$1" "$O" "$1" "$O"; }
server_only() { pair "$1" "$O" "$ref" ""; }
client_only() { pair "$ref" "" "$1" "$O"; }
registry() { # the rmiregistry program, with classes of its own
    local port i; port=$((20000 + RANDOM % 20000))
    "$1/bin/rmiregistry" $J $port &
    local registry=$!
    for i in $(seq 1200); do (exec 3<>/dev/tcp/localhost/$port) 2>/dev/null && break; sleep 0.1; done
    echo 'try { var r = java.rmi.registry.LocateRegistry.getRegistry('$port'); System.out.println(java.util.Arrays.toString(r.list())); r.lookup("no"); } catch (Exception e) { System.out.println(e); }' >s.jsh
    echo /exit >>s.jsh
    mkdir -p .java/.userPrefs
    "$ref/bin/jshell" -J-Duser.home=. -J-Djava.util.prefs.userRoot=. --execution local -s s.jsh
    kill $registry; wait $registry
    echo "registry: $?"
    rm -rf s.jsh .java
}
compare both
compare server_only
compare client_only
compare registry
