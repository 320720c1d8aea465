// SPDX-License-Identifier: Apache-2.0
package graft.hotswap;

/** What Spring (4.3 to 6) remembers of classes, and of beans as far as it was made from their classes. Beans that are there stay as they are. */
public final class Spring {
    private static final String BEANS = "org.springframework.beans.factory.";

    public static void swapped(Class<?>[] classes, Object[] found) {
        Caches c = new Caches(found);
        c.call("org.springframework.util.ReflectionUtils", "clearCache");
        c.call("org.springframework.core.ResolvableType", "clearCache");
        c.call("org.springframework.core.annotation.AnnotationUtils", "clearCache");
        c.empty("org.springframework.core.LocalVariableTableParameterNameDiscoverer", "parameterNamesCache");
        c.empty("org.springframework.beans.CachedIntrospectionResults", "strongClassCache", "softClassCache");
        c.empty(BEANS + "support.AbstractAutowireCapableBeanFactory", "filteredPropertyDescriptorsCache", "factoryMethodCandidateCache?");
        c.empty(BEANS + "support.DefaultListableBeanFactory", "allBeanNamesByType", "singletonBeanNamesByType", "mergedBeanDefinitionHolders?");
        c.empty(BEANS + "support.AbstractBeanFactory", "mergedBeanDefinitions");
        c.empty(BEANS + "annotation.AutowiredAnnotationBeanPostProcessor", "candidateConstructorsCache", "injectionMetadataCache",
            "lookupMethodsChecked?");
        c.empty(BEANS + "annotation.InitDestroyAnnotationBeanPostProcessor", "lifecycleMetadataCache");
        c.empty("org.springframework.context.annotation.CommonAnnotationBeanPostProcessor", "injectionMetadataCache");
        c.empty("org.springframework.context.event.AbstractApplicationEventMulticaster", "retrieverCache");
        c.empty("org.springframework.expression.spel.support.ReflectivePropertyAccessor", "readerCache", "writerCache", "typeDescriptorCache",
            "sortedMethodsCache?");
        c.done();
    }
}
