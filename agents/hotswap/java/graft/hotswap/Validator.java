// SPDX-License-Identifier: Apache-2.0
package graft.hotswap;

/** The constraints that Hibernate Validator (5 to 8; tried: 5.3) has read from classes. */
public final class Validator {
    private static final String METADATA = "org.hibernate.validator.internal.metadata.";

    public static void swapped(Class<?>[] classes, Object[] found) {
        Caches c = new Caches(found);
        c.empty(METADATA + "provider.AnnotationMetaDataProvider", "configuredBeans?");
        c.call(METADATA + "BeanMetaDataManager", "clear");
        c.call(METADATA + "BeanMetaDataManagerImpl", "clear");
        c.done();
    }
}
