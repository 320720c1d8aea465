// SPDX-License-Identifier: Apache-2.0
package graft.hotswap;

/** What Jackson's databind (2.x) remembers: types, and how objects of a class are written and read; also readers and writers made beforehand. */
public final class Jackson {
    private static final String DATABIND = "com.fasterxml.jackson.databind.";

    public static void swapped(Class<?>[] classes, Object[] found) {
        Caches c = new Caches(found);
        c.call(DATABIND + "type.TypeFactory", "clearCache");
        c.empty(DATABIND + "introspect.JacksonAnnotationIntrospector", "_annotationsInside");
        c.empty(DATABIND + "util.RootNameLookup", "_rootNames");
        c.call(DATABIND + "ser.SerializerCache", "flush");
        c.empty(DATABIND + "ser.SerializerCache", "_readOnlyMap");
        c.call(DATABIND + "deser.DeserializerCache", "flushCachedDeserializers");
        c.empty(DATABIND + "ObjectMapper", "_rootDeserializers");
        c.forget(DATABIND + "ObjectReader", "_rootDeserializer");
        c.forget(DATABIND + "ObjectWriter$Prefetch", "valueSerializer");
        c.done();
    }
}
