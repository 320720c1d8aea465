// SPDX-License-Identifier: Apache-2.0
package graft.hotswap;

/** Tomcat (9, 10) and Jetty: properties of beans as expressions of pages found them, and what is injected into servlets and filters. */
public final class Servlets {
    public static void swapped(Class<?>[] classes, Object[] found) {
        Caches c = new Caches(found);
        c.empty("jakarta.el.BeanELResolver", "cache|properties|propertiesCache");
        c.empty("javax.el.BeanELResolver", "cache|properties|propertiesCache");
        c.empty("org.apache.catalina.core.DefaultInstanceManager", "annotationCache");
        c.done();
    }
}
