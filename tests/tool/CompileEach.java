// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.tools.*;

/**
 * CompileEach OUT java/AREA/Name...: compiles tests/java/AREA/Name.java into OUT/AREA/Name/, each
 * program by itself, in one JVM. Skips what is newer than its source. Errors go to .errors there.
 */
public class CompileEach {
    public static void main(String[] args) throws Exception {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        for (String name : Arrays.asList(args).subList(1, args.length)) {
            Path source = Path.of("tests", name + ".java");
            Path out = Path.of(args[0], name.substring("java/".length()));
            Path stamp = out.resolve(".compiled");
            if (Files.exists(stamp) && Files.getLastModifiedTime(stamp)
                    .compareTo(Files.getLastModifiedTime(source)) > 0)
                continue;
            deleteTree(out);
            Files.createDirectories(out);
            List<String> options = new ArrayList<>(List.of("-nowarn", "-g", "-XDignore.symbol.file",
                "-d", out.toString()));
            for (String line : Files.readAllLines(source)) {
                if (!line.startsWith("//"))
                    break;
                if (line.startsWith("// javac: "))
                    options.addAll(List.of(line.substring("// javac: ".length()).trim().split(" +")));
            }
            try (StandardJavaFileManager files = javac.getStandardFileManager(null, null, null)) {
                StringWriter errors = new StringWriter();
                boolean ok = javac.getTask(errors, files, null, options, null,
                    files.getJavaFileObjects(source)).call();
                if (ok)
                    Files.writeString(stamp, "");
                else
                    Files.writeString(out.resolve(".errors"), errors.toString());
            }
        }
    }

    private static void deleteTree(Path top) throws IOException {
        if (!Files.exists(top))
            return;
        try (Stream<Path> all = Files.walk(top)) {
            for (Path p : all.sorted(Comparator.reverseOrder()).collect(Collectors.toList()))
                Files.delete(p);
        }
    }
}
