// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.net.Socket;
import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * PORT CONNECTIONS REQUESTS: asks a server over connections that stay open, the next question after the answer. Prints requests
 * per second and the 99th percentile of the latency in microseconds of the second half, and a sum of the answers.
 */
public class Load {
    final int port, requests;
    final AtomicInteger next = new AtomicInteger();
    final long[] started, took;
    final int[] sums;

    Load(int port, int requests) {
        this.port = port;
        this.requests = requests;
        started = new long[requests];
        took = new long[requests];
        sums = new int[requests];
    }

    static int answer(DataInputStream in) throws IOException {
        String status = in.readLine();
        int length = -1;
        for (String line; !(line = in.readLine()).isEmpty();)
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) length = Integer.parseInt(line.substring(15).trim());
        if (status == null || !status.contains(" 200") || length < 0) throw new IOException(status + ", length " + length);
        byte[] body = new byte[length];
        in.readFully(body);
        return Arrays.hashCode(body);
    }

    void ask() {
        try (Socket s = new Socket("localhost", port)) {
            s.setTcpNoDelay(true);
            OutputStream out = s.getOutputStream();
            DataInputStream in = new DataInputStream(new BufferedInputStream(s.getInputStream(), 1 << 16));
            for (int i; (i = next.getAndIncrement()) < requests;) {
                started[i] = System.nanoTime();
                out.write(("GET /page?q=" + i + "&name=%3Cn" + i % 7 + "%3E&z=1&z=2 HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nUser-Agent: load\r\n\r\n").getBytes());
                sums[i] = answer(in);
                took[i] = System.nanoTime() - started[i];
            }
        } catch (IOException e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    public static void main(String[] a) throws Exception {
        Load load = new Load(Integer.parseInt(a[0]), Integer.parseInt(a[2]));
        Thread[] threads = new Thread[Integer.parseInt(a[1])];
        for (int i = 0; i < threads.length; i++) (threads[i] = new Thread(load::ask)).start();
        for (Thread t : threads) t.join();
        int half = load.requests / 2;
        long end = IntStream.range(half, load.requests).mapToLong(i -> load.started[i] + load.took[i]).max().getAsLong();
        long[] late = Arrays.copyOfRange(load.took, half, load.requests);
        Arrays.sort(late);
        System.out.println((load.requests - half) * 1_000_000_000L / (end - load.started[half]) + " " + late[late.length * 99 / 100] / 1000 + " " + Arrays.hashCode(load.sums));
    }
}
