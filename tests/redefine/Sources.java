// SPDX-License-Identifier: Apache-2.0
package redefine;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.*;
import javax.tools.*;

/** Sources in memory, compiled to class files in memory. */
final class Sources {
    /** Public types, each a source of its own. */
    static Map<String, byte[]> compile(String... texts) {
        Map<String, ByteArrayOutputStream> files = new HashMap<>();
        JavaCompiler c = ToolProvider.getSystemJavaCompiler();
        JavaFileManager fm = new ForwardingJavaFileManager<>(c.getStandardFileManager(null, null, null)) {
            @Override public JavaFileObject getJavaFileForOutput(Location l, String name, JavaFileObject.Kind k, FileObject s) {
                return new SimpleJavaFileObject(URI.create("mem:///" + name + ".class"), k) {
                    @Override public OutputStream openOutputStream() {
                        files.put(name, new ByteArrayOutputStream());
                        return files.get(name);
                    }
                };
            }
        };
        List<JavaFileObject> sources = new ArrayList<>();
        for (String text : texts) {
            sources.add(new SimpleJavaFileObject(URI.create("mem:///" + text.split(" ")[2] + ".java"), JavaFileObject.Kind.SOURCE) {
                @Override public CharSequence getCharContent(boolean ignore) { return text; }
            });
        }
        if (!c.getTask(null, fm, null, List.of("-proc:none", "-nowarn"), null, sources).call()) System.exit(1);
        Map<String, byte[]> bytes = new HashMap<>();
        files.forEach((name, file) -> bytes.put(name, file.toByteArray()));
        return bytes;
    }
}
