/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Proxies of interfaces that get methods, annotation types that get elements among them.
 *
 * java.lang.reflect.Proxy keeps the class that it has made for a list of interfaces, and that has the methods which there were
 * then.  It is taken out of that table, so that the next proxy is of a new class.  Proxies that exist stay as they
 * are: the new methods are abstract in them.  Their class cannot be redefined with what the generator would say now: it
 * numbers its static fields (m1, m2, ...) by the methods, and code that is running would find another method in its field.
 */
#include "redefine/reshape.h"
#include "heap/heap_upcall.h"

#include <stdlib.h>

typedef struct Search {
    const Change *changes;
    u4 n;
    Thread *t;
    Class *proxy;          /* java.lang.reflect.Proxy */
    CF_VEC(jobject) found; /* mirrors */
} Search;

static bool gains_methods(const Change *ch) {
    const ClassVersion *v = ch->klass->version;
    for (u4 i = 0; ch->shape && class_is_interface(ch->klass) && i < v->n_methods; i++)
        if (ch->shape->partner[i] == NO_METHOD && !(v->methods[i].access & (ACC_STATIC | ACC_PRIVATE))) return true;
    return false;
}

static bool any_gains(const Change *changes, u4 n) {
    for (u4 i = 0; i < n; i++)
        if (gains_methods(&changes[i])) return true;
    return false;
}

static void find_proxy(Class *c, void *arg) {
    Search *s = arg;
    bool concerned = false;
    if (!c->version || c->super != s->proxy || !c->mirror) return;
    for (u4 i = 0; i < s->n && !concerned; i++)
        concerned = gains_methods(&s->changes[i]) && class_is_subtype(c, s->changes[i].klass);
    if (!concerned) return;
    if (cf_vec_reserve(&s->found, s->found.len + 1u)) /* else it stays in the table */
        s->found.data[s->found.len++] = handle_local(s->t, c->mirror);
}
static void find_proxies(void *arg) { loader_visit_all_classes(find_proxy, arg); }

/* As Proxy.getProxyConstructor has it: the one interface, or a list of all. */
static Object *key_of(Thread *t, const Class *c) {
    if (c->n_interfaces == 1) return c->interfaces[0]->mirror;
    Object *all = class_new_array(t, JC(Class), c->n_interfaces);
    for (u4 i = 0; all && i < c->n_interfaces; i++) array_set_ref(all, (int32_t)i, c->interfaces[i]->mirror);
    return exec_call_static(t, "java/util/Arrays", "asList", "([Ljava/lang/Object;)Ljava/util/List;", all);
}

static void forget_proxy(Thread *t, Class *proxy, const Class *c) {
    Field *f = class_find_field_str(proxy, "proxyCache", "Ljdk/internal/loader/ClassLoaderValue;");
    Object *table = f ? field_ref(proxy->mirror, f->offset) : NULL, *key = table ? key_of(t, c) : NULL;
    static const char sub[] = "(Ljava/lang/Object;)Ljdk/internal/loader/AbstractClassLoaderValue$Sub;";
    Object *row = key ? exec_call_on(t, table, "sub", sub, key) : NULL;
    Object *made = row ? exec_call_on(t, row, "get", "(Ljava/lang/ClassLoader;)Ljava/lang/Object;", c->loader->java) : NULL;
    if (made) exec_call_on(t, row, "remove", "(Ljava/lang/ClassLoader;Ljava/lang/Object;)Z", c->loader->java, made);
}

void reshape_forget_proxies(Thread *t, const Change *changes, u4 n) {
    Search s = {.changes = changes, .n = n, .t = t};
    if (!any_gains(changes, n)) return;
    s.proxy = load_boot_class(t, "java/lang/reflect/Proxy");
    if (s.proxy && class_is_initialized(s.proxy)) safepoint_run("proxies of interfaces that get methods", find_proxies, &s);
    for (u4 i = 0; i < s.found.len; i++) {
        forget_proxy(t, s.proxy, mirror_class(handle_get(s.found.data[i])));
        t->exception = NULL;
        handle_delete_local(t, s.found.data[i]);
    }
    t->exception = NULL;
    cf_vec_free(&s.found);
}
