#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 200
# packages: libpicocli-java libjline3-java libjcommander-java
# extent: suite
#
# picocli and JCommander: annotated command lines, sub-commands, help, completion script, wrong usage.
. "$(dirname "$0")/common.sh"
jars picocli jcommander
driver Cli <<'JAVA'
import java.io.File;
import java.util.*;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.AutoComplete;
import picocli.CommandLine.*;
@Command(name = "cli", mixinStandardHelpOptions = true, version = "1.2", subcommands = {Cli.Sub.class, HelpCommand.class}, description = "A @|bold demo|@.")
public class Cli implements Callable<Integer> {
    enum Level { LOW, HIGH }
    @Option(names = {"-l", "--level"}, defaultValue = "LOW", description = "one of ${COMPLETION-CANDIDATES}") Level level;
    @Option(names = "-D") Map<String, Integer> defs = new TreeMap<>();
    @Option(names = "--n", arity = "0..1", fallbackValue = "5") Optional<Integer> n;
    @Parameters(arity = "0..*") List<File> files = List.of();
    @ArgGroup(exclusive = true) Either either;
    static class Either { @Option(names = "-a") boolean a; @Option(names = "-b") boolean b; }
    @Command(name = "sub", aliases = "s") static class Sub implements Runnable { @ParentCommand Cli up; @Option(names = "-x", required = true) long x; public void run() { if (x < 0) throw new IllegalStateException("negative"); System.out.println("sub " + x + " " + up.level); } }
    public Integer call() { System.out.println(level + " " + defs + " " + n + " " + files + " " + (either == null ? "-" : either.a + "/" + either.b)); return files.size(); }
    static class Args { @com.beust.jcommander.Parameter(names = "-v", description = "how loud") int v = 1; @com.beust.jcommander.Parameter List<String> rest = new ArrayList<>(); }
    public static void main(String[] a) {
        for (String s : new String[] {"", "-l high", "-l HIGH -Da=1 -Db=2 f g", "--n", "--n 7 -a", "-a -b", "sub", "s -x 4", "-lHIGH sub -x=9", "sub -x -1", "--levle", "help sub", "--help", "--version", "-Dx=y"}) {
            System.out.println("> " + s);
            CommandLine c = new CommandLine(new Cli()).setExecutionExceptionHandler((e, l, r) -> { System.out.println("failed " + e.getMessage()); return 70; }).setErr(new java.io.PrintWriter(System.out, true));
            System.out.println("exit " + c.execute(s.isEmpty() ? new String[0] : s.split(" ")));
        }
        System.out.println(AutoComplete.bash("cli", new CommandLine(new Cli())).hashCode() != 0);
        Args x = new Args(); com.beust.jcommander.JCommander j = com.beust.jcommander.JCommander.newBuilder().addObject(x).build();
        j.parse("-v", "3", "r1", "r2"); System.out.println(x.v + " " + x.rest);
        try { j.parse("-v", "no"); } catch (com.beust.jcommander.ParameterException e) { System.out.println(e.getMessage()); }
    }
}
JAVA
run() { vm "$1" Cli; }
compare run
