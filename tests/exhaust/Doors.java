// SPDX-License-Identifier: Apache-2.0
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;

/** Doors wait: a program that stays. Doors table|fuzz PID [N SEED]: hostile requests to the attach socket of PID, and what comes back. */
public class Doors {
    static final String LONG = "x".repeat(5000), A1024 = "a".repeat(1024), A1025 = A1024 + "a";
    /** Escapes: | is the end of a word. */
    static final String[] TABLE = {"2|properties||||", "|properties||||", "1 |properties||||", "12345678901|properties||||", "1|nothing||||", "1|||||",
        "1|seventeen_letters||||", "1|sixteen_letters_||||", "1|" + LONG + "||||", "1|printflag||||", "1|printflag|NoSuchFlag|||", "1|printflag|" + A1024 + "|||",
        "1|setflag|NoSuchFlag|1||", "1|setflag|MaxHeapSize|1||", "1|setflag|HeapDumpOnOutOfMemoryError|%n%s||", "1|dumpheap||||", "1|dumpheap|existing|||",
        "1|dumpheap|/nowhere/at/all|||", "1|dumpheap|d|-wrong||", "1|dumpheap|d|-live|77|", "1|dumpheap|link|-live||", "1|inspectheap|-wrong|||",
        "1|jcmd|%n%s%n|||", "1|jcmd|No.such|||", "1|jcmd|GC.heap_dump|||", "1|load|nowhere|true||", "1|load|/dev/null|true||",
        "1|printflag|" + A1025 + "|||", "1|jcmd", "1|jcmd|", "1|jcmd|help", "1", "\u00ff\u00fe\u0000\u0001|||||"};

    static String ask(String pid, byte[] request, boolean end) throws IOException {
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        try (SocketChannel c = SocketChannel.open(UnixDomainSocketAddress.of(Path.of("/tmp/.java_pid" + pid)))) {
            try {
                for (ByteBuffer b = ByteBuffer.wrap(request); b.hasRemaining();) c.write(b);
                if (end) c.shutdownOutput();
            } catch (IOException e) {
                // it has answered or dropped us already
            }
            ByteBuffer b = ByteBuffer.allocate(1 << 16);
            try {
                while (c.read(b.clear()) >= 0) got.write(b.array(), 0, b.position());
            } catch (IOException e) {
                // a reset: what was not read was thrown away
            }
        }
        return got.toString(StandardCharsets.ISO_8859_1);
    }
    static byte[] bytes(String s) { return s.replace('|', '\0').getBytes(StandardCharsets.ISO_8859_1); }

    static String alive(String pid) throws IOException {
        String s = ask(pid, bytes("1|printflag|UseCompressedOops|||"), true);
        return s.startsWith("0\n") ? "alive" : "no answer: " + s;
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("wait")) {
            System.out.println("ready");
            while (System.in.read() >= 0) {}
            System.out.println("ended well");
            return;
        }
        String pid = args[1];
        if (args[0].equals("table")) {
            for (String r : TABLE) {
                String s = ask(pid, bytes(r), true), status = s.lines().findFirst().orElse("nothing");
                System.out.println((r.length() > 60 ? r.substring(0, 20) + "..." + r.length() : r) + " -> " + status + ", " + alive(pid));
            }
            return;
        }
        Random random = new Random(Long.parseLong(args[3]));
        int n = Integer.parseInt(args[2]), answered = 0;
        String[] words = {"1", "2", "", "jcmd", "help", "properties", "printflag", "setflag", "inspectheap", "-live", "-all", "threaddump", "Thread.print", "VM.flags", "VM.uptime",
            "agentProperties", A1024, A1025, LONG, "%s%n%x", "\u00e9\u0000", "-1", "\n"};
        for (int i = 0; i < n; i++) {
            ByteArrayOutputStream b = new ByteArrayOutputStream();
            for (int k = random.nextInt(8); k > 0; k--) {
                b.writeBytes(bytes(b.size() == 0 && random.nextInt(4) > 0 ? "1" : words[random.nextInt(words.length)]));
                if (random.nextInt(12) > 0) b.write(0);
            }
            byte[] r = b.toByteArray();
            for (int k = random.nextInt(3); k > 0 && r.length > 0; k--) r[random.nextInt(r.length)] = (byte) random.nextInt(256);
            if (!ask(pid, r, true).isEmpty()) answered++;
        }
        System.out.println(n + " requests, " + (answered > 0 ? "some" : "none") + " answered, " + alive(pid));
    }
}
