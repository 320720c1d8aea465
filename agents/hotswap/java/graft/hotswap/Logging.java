// SPDX-License-Identifier: Apache-2.0
package graft.hotswap;

import java.io.File;
import java.util.logging.LogManager;

/** Log4j 2, Logback and java.util.logging read their configuration again when its file was written. */
public final class Logging {
    public static void written(String[] files, Object[] found) throws Exception {
        for (Object o : found)
            if (o instanceof Class) configure(files);
            else if (o.getClass().getName().startsWith("ch.qos.logback.")) logback(o);
            else o.getClass().getMethod("reconfigure").invoke(o);
    }

    private static void logback(Object context) throws Exception {
        Class<?> c = context.getClass(), initializer = Class.forName("ch.qos.logback.classic.util.ContextInitializer");
        c.getMethod("reset").invoke(context);
        initializer.getMethod("autoConfig").invoke(initializer.getConstructor(c).newInstance(context));
    }

    /** Only if it is the program's: others configure it by themselves. */
    private static void configure(String[] files) throws Exception {
        String name = System.getProperty("java.util.logging.config.file");
        for (String file : files)
            if (name != null && new File(name).getCanonicalFile().equals(new File(file).getCanonicalFile()))
                LogManager.getLogManager().readConfiguration();
    }
}
