/* SPDX-License-Identifier: Apache-2.0 */
/* Chapter Module: questions here, changes through jdk.internal.module.Modules so that the
 * Java view and the VM's stay one. */
#include "ti.h"
#include "lang/string.h"
#include "heap/heap_upcall.h"
#include "object/version.h"
#include <string.h>

/* Of jdk.internal.module.Modules; arguments as the method has them. */
#define CALL_MODULES(t, name, desc, ...) \
    (exec_call_static(t, "jdk/internal/module/Modules", name, desc, __VA_ARGS__), error_of_call(t))
static jvmtiError error_of_call(Thread *t) {
    if (!t->exception) return JVMTI_ERROR_NONE;
    bool illegal = exception_is(t, EX_IllegalArgumentException);
    t->exception = NULL;
    return illegal ? JVMTI_ERROR_ILLEGAL_ARGUMENT : JVMTI_ERROR_INTERNAL;
}

/* --- modules of transformed classes read the unnamed modules ---
 * Agents insert calls to classes of their own, which live in unnamed modules.  Once per module: when a handler changes one of its classes,
 * and, as on the reference, when one is redefined or retransformed and any handler is asked, whatever it answers (VisualVM lives on it).
 * for classes from before the module system stood, ti_modules_catch_up does it before VMInit. */
static void grant_reads(Thread *t, Module *m) {
    if (!m || !m->name || !m->java || atomic_exchange(&m->is_default_reader, true)) return;
    Object *pending = exception_take(t); /* by the handler that changed the bytes */
    CALL_MODULES(t, "transformedByAgent", "(Ljava/lang/Module;)V", m->java);
    t->exception = pending;
}
void ti_module_transformed(Thread *t, Object *loader, const char *class_name) {
    if (!vm.booted || !class_name) return;
    Package *p = loader_package(loader_of(loader), symbol_package(symbol_of(class_name)), false);
    if (p) grant_reads(t, p->module);
}
void ti_module_redefined(Thread *t, Class *c) {
    if (vm.booted) grant_reads(t, c->module);
}
typedef struct Waiting {
    int n;
    Module *v[64];
} Waiting; /* the boot layer's modules; far fewer hold classes yet */
static void add_transformed(Class *c, void *arg) {
    Waiting *w = arg;
    if (!c->version || !c->version->agent_bytes || !c->module) return;
    for (int i = 0; i < w->n; i++)
        if (w->v[i] == c->module) return;
    if (w->n < (int)ARRAY_LEN(w->v)) w->v[w->n++] = c->module;
}
void ti_modules_catch_up(Thread *t) {
    Waiting w = {0};
    loader_visit_all_classes(add_transformed, &w);
    for (int i = 0; i < w.n; i++) grant_reads(t, w.v[i]);
}

static void add_module(Module *m, void *arg) {
    if (m->java) ti_refs_add(arg, m->java);
}
/* A loader that has put no class into its unnamed module has it all the same. */
static void add_unnamed(Loader *l, void *arg) {
    TiRefs *r = arg;
    Object *m = l->java ? JGET_REF(l->java, ClassLoader, unnamedModule) : NULL;
    for (u4 i = 0; m && i < r->list.len; i++)
        if (r->list.data[i] == m) return;
    if (m) ti_refs_add(r, m);
}
static void collect_modules(void *arg) {
    module_visit_all(add_module, arg);
    loader_visit_all(add_unnamed, arg);
}
jvmtiError ti_GetAllModules(Ti *x, jint *module_count_ptr, jobject **modules_ptr) {
    TiRefs r = {0};
    safepoint_run("JVM TI GetAllModules", collect_modules, &r);
    return ti_refs_give(x, &r, module_count_ptr, modules_ptr);
}
jvmtiError ti_GetNamedModule(Ti *x, jobject class_loader, const char *package_name, jobject *module_ptr) {
    Object *l = handle_get(class_loader);
    if (l && !(obj_class(l)->flags & CF_LOADER)) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    Package *p = loader_package(loader_of(l), symbol_of(package_name), false);
    Module *m = p ? p->module : NULL;
    return TI_ANSWER(module_ptr, m && m->name ? handle_local(x->thread, m->java) : NULL);
}

static bool is_module(jobject h) { return ti_is(h, JC(Module)); }
jvmtiError ti_AddModuleReads(Ti *x, jobject module, jobject to_module) {
    if (!is_module(module) || !is_module(to_module)) return JVMTI_ERROR_INVALID_MODULE;
    return CALL_MODULES(x->thread, "addReads", "(Ljava/lang/Module;Ljava/lang/Module;)V", handle_get(module),
                        handle_get(to_module));
}
static jvmtiError add_package(Ti *x, const char *method, jobject module, const char *pkg, jobject to) {
    if (!is_module(module) || !is_module(to)) return JVMTI_ERROR_INVALID_MODULE;
    if (strchr(pkg, '/')) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    Object *name = string_from_cstr(x->thread, pkg);
    return CALL_MODULES(x->thread, method, "(Ljava/lang/Module;Ljava/lang/String;Ljava/lang/Module;)V", handle_get(module), name,
                        handle_get(to));
}
jvmtiError ti_AddModuleExports(Ti *x, jobject module, const char *pkg_name, jobject to_module) {
    return add_package(x, "addExports", module, pkg_name, to_module);
}
jvmtiError ti_AddModuleOpens(Ti *x, jobject module, const char *pkg_name, jobject to_module) {
    return add_package(x, "addOpens", module, pkg_name, to_module);
}
static bool is_class(jclass h) { return ti_is(h, JC(Class)); }
jvmtiError ti_AddModuleUses(Ti *x, jobject module, jclass service) {
    if (!is_module(module)) return JVMTI_ERROR_INVALID_MODULE;
    if (!is_class(service)) return JVMTI_ERROR_INVALID_CLASS;
    return CALL_MODULES(x->thread, "addUses", "(Ljava/lang/Module;Ljava/lang/Class;)V", handle_get(module), handle_get(service));
}
jvmtiError ti_AddModuleProvides(Ti *x, jobject module, jclass service, jclass impl_class) {
    if (!is_module(module)) return JVMTI_ERROR_INVALID_MODULE;
    if (!is_class(service) || !is_class(impl_class)) return JVMTI_ERROR_INVALID_CLASS;
    return CALL_MODULES(x->thread, "addProvides", "(Ljava/lang/Module;Ljava/lang/Class;Ljava/lang/Class;)V", handle_get(module),
                        handle_get(service), handle_get(impl_class));
}
jvmtiError ti_IsModifiableModule(Ti *x, jobject module, jboolean *is_modifiable_module_ptr) {
    if (!is_module(module)) return JVMTI_ERROR_INVALID_MODULE;
    return TI_ANSWER(is_modifiable_module_ptr, JNI_TRUE);
}
