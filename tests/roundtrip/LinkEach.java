// SPDX-License-Identifier: Apache-2.0
import java.io.Writer;
import java.net.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import java.util.zip.*;

/**
 * LinkEach [-odd FILE] [-cp JAR:JAR...] PLACE...: links (so verifies) every class of each PLACE, a jar or a folder. One named like a
 * module of the running JDK holds patches of it (--patch-module): its classes are asked of the module's loader. Another is put in
 * front of the given class path. Counts what the verifier or the class-file parser refuses;
 * classes that cannot be linked for want of others are only counted. FILE gets a line for each class of either kind.
 */
public class LinkEach {
    static int linked, refused, missing;
    static Writer odd;

    public static void main(String[] args) throws Exception {
        int first = 0;
        if (args[0].equals("-odd")) {
            odd = Files.newBufferedWriter(Path.of(args[1]));
            first = 2;
        }
        List<URL> path = new ArrayList<>();
        if (args[first].equals("-cp")) {
            for (String s : args[first + 1].split(":"))
                path.add(Path.of(s).toUri().toURL());
            first += 2;
        }
        for (String place : Arrays.asList(args).subList(first, args.length)) {
            Path top = Path.of(place);
            Optional<Module> module = ModuleLayer.boot().findModule(top.getFileName().toString().replaceFirst("[.]jar$", ""));
            List<URL> urls = new ArrayList<>(List.of(top.toUri().toURL()));
            urls.addAll(path);
            ClassLoader loader = module.isPresent() ? module.get().getClassLoader()
                : new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
            for (String n : names(top))
                if (n.endsWith(".class") && !n.endsWith("module-info.class") && !n.startsWith("META-INF"))
                    link(n.substring(0, n.length() - 6).replace('/', '.'), loader);
        }
        System.out.println(linked + " linked, " + refused + " refused, " + missing + " need absent classes");
        if (odd != null)
            odd.close();
        System.exit(refused == 0 ? 0 : 1);
    }

    static List<String> names(Path top) throws Exception {
        if (Files.isDirectory(top))
            try (Stream<Path> files = Files.walk(top)) {
                return files.map(p -> top.relativize(p).toString()).sorted().collect(Collectors.toList());
            }
        try (ZipFile jar = new ZipFile(top.toFile())) {
            return jar.stream().map(ZipEntry::getName).sorted().collect(Collectors.toList());
        }
    }

    static void note(String name, Throwable e) throws Exception {
        if (odd != null)
            odd.write(name + " " + e.getClass().getName() + "\n");
    }

    static void link(String name, ClassLoader loader) throws Exception {
        try {
            Class.forName(name, false, loader).getDeclaredMethods(); // asks for a linked class
            linked++;
        } catch (VerifyError | ClassFormatError e) {
            refused++;
            note(name, e);
            String m = String.valueOf(e.getMessage());
            System.out.println(e.getClass().getSimpleName() + " " + name + ": "
                + m.lines().limit(refused < 5 ? 60 : 3).collect(Collectors.joining("\n    ")));
        } catch (Throwable e) {
            missing++;
            note(name, e);
        }
    }
}
