// SPDX-License-Identifier: Apache-2.0
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A text file written, then read by lines, by bytes and as a whole; decoding, splitting, counting. */
public class FileReading {
    public static void main(String[] a) throws IOException {
        long t = System.nanoTime();
        Path file = Files.createTempFile("bench", ".txt");
        try {
            StringBuilder b = new StringBuilder();
            for (int i = 0; i < 20000; i++) b.append("line ").append(i).append(" with \u00e4\u00f6 and ").append(i * 31 % 977).append(" words\n");
            Files.write(file, b.toString().getBytes(StandardCharsets.UTF_8));
            long sum = 0;
            for (int round = 0; round < 4; round++) {
                try (BufferedReader r = Files.newBufferedReader(file)) {
                    for (String line; (line = r.readLine()) != null; ) sum += line.length() + line.lastIndexOf(' ');
                }
                try (InputStream in = Files.newInputStream(file)) {
                    byte[] buffer = new byte[8192];
                    for (int n; (n = in.read(buffer)) > 0; )
                        for (int i = 0; i < n; i++) if (buffer[i] == '\n') sum++;
                }
                sum = sum * 31 + new String(Files.readAllBytes(file), StandardCharsets.UTF_8).hashCode();
            }
            System.out.println(sum);
        } finally {
            Files.delete(file);
        }
        Bench.done(t);
    }
}
