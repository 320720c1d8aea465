// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Runs a debugger with a script: each line is typed when the prompt for it is there.  A command that lets the program
 * run has two prompts: the debugger's for the command, which names a thread if it comes late, and that of the event
 * that stops the program again.
 * usage: JdbScript SCRIPT COMMAND...   The dialogue goes to standard output.
 */
public class JdbScript {
    static final Pattern IDLE = Pattern.compile("(?s).*> $"), STOPPED = Pattern.compile("(?s).*[\\w-]+\\[\\d+\\] $"),
        STOPPED_AGAIN = Pattern.compile("(?ms).*(^|: )(> |[\\w-]+\\[\\d+\\] ).*[\\w-]+\\[\\d+\\] \\z"),
        RESUMES = Pattern.compile("run|cont|next|step|step up|reenter"), NEVER = Pattern.compile("(?!)");
    static final StringBuilder said = new StringBuilder();
    static boolean ended;

    static void listen(InputStream in) {
        byte[] b = new byte[4096];
        try {
            for (int n; (n = in.read(b)) > 0;)
                synchronized (said) {
                    said.append(new String(b, 0, n));
                    said.notifyAll();
                }
        } catch (IOException e) {
            // closed: the end
        }
        synchronized (said) {
            ended = true;
            said.notifyAll();
        }
    }

    /** What was said until the prompt; false at the end. */
    static boolean await(Pattern prompt) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        synchronized (said) {
            while (!ended && !prompt.matcher(said).matches()) {
                long left = (deadline - System.nanoTime()) / 1_000_000;
                if (left <= 0)
                    throw new Exception("no prompt after: " + said);
                said.wait(left);
            }
            System.out.print(said);
            said.setLength(0);
            return !ended;
        }
    }

    public static void main(String[] args) throws Exception {
        List<String> command = List.of(args).subList(1, args.length);
        Process p = new ProcessBuilder(command).redirectErrorStream(true).start();
        Thread t = new Thread(() -> listen(p.getInputStream()));
        t.start();
        Pattern prompt = IDLE;
        try (Writer w = p.outputWriter()) {
            for (String line : Files.readAllLines(Path.of(args[0]))) {
                if (!await(prompt))
                    break;
                System.out.println(line);
                if (RESUMES.matcher(line).matches())
                    prompt = STOPPED_AGAIN;
                else if (prompt != IDLE)
                    prompt = STOPPED;
                w.write(line + "\n");
                w.flush();
            }
            await(NEVER);
        } catch (IOException e) {
            System.out.println("[" + e.getMessage() + "]");
        }
        p.waitFor();
        System.out.println("exit " + p.exitValue());
    }
}
