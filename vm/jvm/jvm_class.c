/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding and defining classes; kind tests; names; protection domains; assertion
 * status; boot packages.  What the class file says is in jvm_classdata.c.
 */
#include "jvm/jvm_int.h"

#include "core/hooks.h"
#include "core/launch.h"
#include "core/vm.h"
#include "frame/frame_view.h"
#include "load/jimage.h"
#include "native/intrinsic/array_ops.h"
#include "object/method.h"

#include <stdio.h>
#include <stdlib.h>

Object *jvm_class_array(Thread *t, Class **list, int32_t n) {
    Object *a = class_new_array(t, JC(Class), n);
    for (int32_t i = 0; a && i < n; i++) array_set_ref(a, i, list[i]->mirror);
    return a;
}

jobjectArray jvm_give_array(Thread *t, Object *a, int32_t n) {
    Object *exact = a && n < array_len(a) ? heap_alloc_array(t, obj_class(a), n) : a;
    for (int32_t i = 0; exact && exact != a && i < n; i++) array_set_ref(exact, i, array_ref(a, i));
    if (exact) HOOK_CALL(VM_ALLOC, vm_alloc, t, exact);
    return handle_local(t, exact);
}

/* ---- finding ---- */

JVM_EXPORT jclass JVM_FindClassFromBootLoader(JNIEnv *env, const char *name) {
    if (!name || strlen(name) > SYMBOL_MAX) return NULL;
    IN_JAVA Thread *t = native_enter(env);
    return native_class_handle(t, load_boot_class(t, name));
}

static jclass find_class(JNIEnv *env, const char *name, jboolean init, Loader *l, bool error) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = NULL;
    ExKind k = error ? EX_NoClassDefFoundError : EX_ClassNotFoundException;
    Symbol *s = name ? class_name_symbol(t, name, k) : NULL;
    if (!name) throw_new(t, k, "No class name given");
    else if (s) c = error ? load_class_or_ncdfe(t, s, l) : load_class(t, s, l);
    if (c && init && jvm_is_instance_class(c) && !class_init(t, c)) c = NULL;
    return native_class_handle(t, c);
}

JVM_EXPORT jclass JVM_FindClassFromCaller(JNIEnv *env, const char *name, jboolean init, jobject loader, jclass caller) {
    return find_class(env, name, init, loader_of(handle_get(loader)), false);
}

JVM_EXPORT jclass JVM_FindClassFromClass(JNIEnv *env, const char *name, jboolean init, jclass from) {
    Class *c = native_class(from);
    return find_class(env, name, init, c ? c->loader : BOOT_LOADER, true);
}

JVM_EXPORT jclass JVM_FindLoadedClass(JNIEnv *env, jobject loader, jstring name) {
    IN_JAVA Thread *t = native_enter(env);
    if (!name || string_mutf8_length(handle_get(name)) > SYMBOL_MAX) return NULL;
    return native_class_handle(t, loader_find_loaded(loader_of(handle_get(loader)), string_to_symbol_slashes(handle_get(name))));
}

JVM_EXPORT jclass JVM_FindPrimitiveClass(JNIEnv *env, const char *utf) {
    IN_JAVA Thread *t = native_enter(env);
    for (int i = T_BOOLEAN; i <= T_VOID; i++)
        if (primitive_classes[i] && symbol_eq(primitive_classes[i]->name, utf))
            return native_class_handle(t, primitive_classes[i]);
    return throw_new(t, EX_ClassNotFoundException, "%s", utf), NULL;
}

/* ---- defining ---- */

static jclass define(JNIEnv *env, const char *name, jobject loader, const jbyte *buf, jsize len, jobject pd, const char *source) {
    IN_JAVA Thread *t = native_enter(env);
    DefineOptions opt = {.protection_domain = handle_get(pd), .source = source};
    Symbol *expected = name ? class_name_symbol(t, name, EX_NoClassDefFoundError) : NULL;
    if (t->exception) return NULL;
    return native_class_handle(t, define_class(t, expected, loader_of(handle_get(loader)), (const u1 *)buf, (size_t)len, &opt));
}

JVM_EXPORT jclass JVM_DefineClass(JNIEnv *env, const char *name, jobject loader, const jbyte *buf, jsize len, jobject pd) {
    return define(env, name, loader, buf, len, pd, NULL);
}

JVM_EXPORT jclass JVM_DefineClassWithSource(JNIEnv *env, const char *name, jobject loader, const jbyte *buf, jsize len,
                                            jobject pd, const char *source) {
    return define(env, name, loader, buf, len, pd, source);
}

enum { DEFINE_NESTMATE = 1, DEFINE_HIDDEN = 2, DEFINE_STRONG = 4, DEFINE_VM_ANNOTATIONS = 8 };

static const char *lookup_define_problem(int flags, jobject class_data) {
    if (flags & DEFINE_HIDDEN) return NULL;
    if (class_data) return "classData is only applicable for hidden classes";
    if (flags & DEFINE_NESTMATE) return "dynamic nestmate is only applicable for hidden classes";
    if (!(flags & DEFINE_STRONG)) return "an ordinary class must be strongly referenced by its defining loader";
    if (flags & DEFINE_VM_ANNOTATIONS) return "vm annotations only allowed for hidden classes";
    return NULL;
}

/*
 * The class library defines the classes of lambdas as strong: the reference pays for each unit of life. Nobody can look them
 * up, so here they go with the call site that made them; else each redefinition of a class with lambdas left some behind.
 */
static bool made_for_a_lambda(const Thread *t) {
    enum { FRAMES = 6 }; /* from ClassLoader.defineClass0 to the factory */
    int n = 0;
    for (FrameView v = view_youngest(t); view_exists(v) && n < FRAMES; v = view_older(v), n++) {
        const Class *c = view_method(v)->holder;
        if (c->loader->is_boot && !strcmp(c->name->bytes, "java/lang/invoke/InnerClassLambdaMetafactory")) return true;
    }
    return false;
}

static Class *lookup_define(Thread *t, Class *lookup, const char *name, const jbyte *buf, jsize len, jobject pd, jboolean init,
                            int flags, jobject class_data) {
    DefineOptions opt = {.protection_domain = handle_get(pd),
                         .hidden = (flags & DEFINE_HIDDEN) != 0,
                         .strong = flags & DEFINE_STRONG && !made_for_a_lambda(t),
                         .nestmate = (flags & DEFINE_NESTMATE) != 0,
                         .vm_annotations = (flags & DEFINE_VM_ANNOTATIONS) != 0,
                         .lookup = lookup,
                         .class_data = handle_get(class_data),
                         .source = "__JVM_LookupDefineClass__"};
    if (name && !class_name_check(t, name, EX_NoClassDefFoundError)) return NULL;
    Symbol *expected = !name ? NULL : opt.hidden ? symbol_private(name, strlen(name)) : symbol_of(name);
    Class *c = define_class(t, expected, lookup->loader, (const u1 *)buf, (size_t)len, &opt);
    if (opt.hidden) symbol_private_free(expected); /* only its text counts */
    if (!c) return NULL;
    if (!opt.hidden && !access_same_package(lookup, c))
        return throw_new(t, EX_IllegalArgumentException, "Lookup class and defined class are in different packages"), NULL;
    return (init ? class_init(t, c) : class_link(t, c)) ? c : NULL;
}

JVM_EXPORT jclass JVM_LookupDefineClass(JNIEnv *env, jclass lookup, const char *name, const jbyte *buf, jsize len, jobject pd,
                                        jboolean init, int flags, jobject class_data) {
    IN_JAVA Thread *t = native_enter(env);
    Class *l = native_class(lookup);
    const char *problem = !l ? "Lookup class is null" : lookup_define_problem(flags, class_data);
    if (problem) return throw_new(t, EX_IllegalArgumentException, "%s", problem), NULL;
    return native_class_handle(t, lookup_define(t, l, name, buf, len, pd, init, flags, class_data));
}

/* ---- kind ---- */

JVM_EXPORT jboolean JVM_IsInterface(JNIEnv *env, jclass cls) { return class_is_interface(native_class(cls)); }
JVM_EXPORT jboolean JVM_IsArrayClass(JNIEnv *env, jclass cls) { return class_is_array(native_class(cls)); }
JVM_EXPORT jboolean JVM_IsPrimitiveClass(JNIEnv *env, jclass cls) { return class_is_primitive(native_class(cls)); }
JVM_EXPORT jboolean JVM_IsHiddenClass(JNIEnv *env, jclass cls) { return (native_class(cls)->flags & CF_HIDDEN) != 0; }
JVM_EXPORT jboolean JVM_IsRecord(JNIEnv *env, jclass cls) {
    Class *c = native_class(cls);
    return jvm_is_instance_class(c) && (c->access & ACC_FINAL) && c->super == JC(Record) &&
           cf_attr(&c->version->cf->attrs, CF_ATTR_RECORD) != NULL;
}

/* ---- names ---- */

static Object *make_name(Thread *t, Class *c) {
    if (!(class_element(c)->flags & CF_HIDDEN)) return string_from_symbol_dots(t, c->name);
    /* internal a/B+0x1 is a.B/0x1 outside */
    char *s = strdup(c->name->bytes);
    if (!s) return throw_no_memory(t), NULL;
    text_replace(s, '/', '.');
    char *plus = strrchr(s, '+');
    if (plus) *plus = '/';
    Object *r = string_from_cstr(t, s);
    free(s);
    return r;
}

Object *jvm_class_name(Thread *t, Class *c) {
    Object *s = JGET_REF(c->mirror, Class, name);
    if (s) return s;
    s = make_name(t, c);
    if (s) s = string_intern(t, s);
    if (s) JSET_REF(c->mirror, Class, name, s);
    return s;
}

JVM_EXPORT jstring JVM_InitClassName(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    return handle_local(t, jvm_class_name(t, native_class(cls)));
}

/* ---- security data ---- */

JVM_EXPORT jobject JVM_GetProtectionDomain(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    return handle_local(t, class_element(native_class(cls))->protection_domain);
}

JVM_EXPORT jobjectArray JVM_GetClassSigners(JNIEnv *env, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    return jvm_is_instance_class(c) && c->signers ? handle_local(t, op_clone(t, c->signers)) : NULL;
}

JVM_EXPORT void JVM_SetClassSigners(JNIEnv *env, jclass cls, jobjectArray signers) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    if (jvm_is_instance_class(c)) c->signers = handle_get(signers);
}

/* ---- assertions ---- */

JVM_EXPORT jboolean JVM_DesiredAssertionStatus(JNIEnv *env, jclass unused, jclass cls) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = native_class(cls);
    char *dotted = NULL;
    bool r = false;
    if (jvm_is_instance_class(c) && !(dotted = strdup(c->name->bytes))) throw_no_memory(t);
    if (dotted) r = assert_status(text_replace(dotted, '/', '.'), c->loader == BOOT_LOADER);
    free(dotted);
    return r;
}

static bool fill_directives(Thread *t, Object *o, bool packages, u4 names_off, u4 flags_off) {
    int n = 0, i = 0;
    for (AssertRule *r = assert_rules; r; r = r->next) n += r->name && r->is_package == packages;
    Object *names = class_new_array(t, JC(String), n);
    Object *flags = names ? heap_alloc_array(t, primitive_array_classes[T_BOOLEAN], n) : NULL;
    if (!flags) return false;
    for (AssertRule *r = assert_rules; r; r = r->next) {
        if (!r->name || r->is_package != packages) continue;
        Object *s = string_from_platform(t, r->name);
        if (!s) return false;
        array_set_ref(names, i, s);
        ARRAY_ELEMS(u1, flags)[i++] = r->enable;
    }
    ref_store(o, names_off, names);
    ref_store(o, flags_off, flags);
    return true;
}

JVM_EXPORT jobject JVM_AssertionStatusDirectives(JNIEnv *env, jclass unused) {
    IN_JAVA Thread *t = native_enter(env);
    Class *c = JC(AssertionStatusDirectives);
    Object *o = class_new_object(t, c);
    if (o &&
        fill_directives(t, o, false, jc_off.AssertionStatusDirectives_classes, jc_off.AssertionStatusDirectives_classEnabled) &&
        fill_directives(t, o, true, jc_off.AssertionStatusDirectives_packages, jc_off.AssertionStatusDirectives_packageEnabled)) {
        bool deflt = false;
        for (AssertRule *r = assert_rules; r; r = r->next)
            if (!r->name) deflt = r->enable;
        JSET_BOOL(o, AssertionStatusDirectives, deflt, deflt);
    } else {
        o = NULL;
    }
    return handle_local(t, o);
}

/* ---- boot packages ---- */

/* Packages that a path of the boot loader provides: of image modules, or with a recorded
 * location (append path).  Packages of classes defined at run time are not listed. */
static bool is_system_package(const Package *p) {
    return p->location || (p->module && p->module->name && jimage_package_module(p->name->bytes));
}

static Object *package_location(Thread *t, Package *p) {
    char buf[512];
    if (!is_system_package(p)) return NULL;
    if (p->location) return string_from_symbol(t, p->location);
    snprintf(buf, sizeof buf, "jrt:/%s", p->module->name->bytes);
    return string_from_cstr(t, buf);
}

JVM_EXPORT jstring JVM_GetSystemPackage(JNIEnv *env, jstring name) {
    IN_JAVA Thread *t = native_enter(env);
    Package *p = loader_package(BOOT_LOADER, string_to_symbol_slashes(handle_get(name)), false);
    return p ? handle_local(t, package_location(t, p)) : NULL;
}

typedef struct NameSet {
    CF_VEC(Symbol *) names;
    bool failed;
} NameSet;

static void add_package(Class *c, void *arg) {
    NameSet *s = arg;
    if (!jvm_is_instance_class(c) || !c->package || !is_system_package(c->package)) return;
    for (u4 i = 0; i < s->names.len; i++)
        if (s->names.data[i] == c->package->name) return;
    s->failed |= !cf_vec_push(&s->names, c->package->name);
}

static void collect_packages(void *set) { loader_visit_initiated(BOOT_LOADER, add_package, set); }

JVM_EXPORT jobjectArray JVM_GetSystemPackages(JNIEnv *env) {
    IN_JAVA Thread *t = native_enter(env);
    NameSet set = {0};
    safepoint_run("system packages", collect_packages, &set);
    if (set.failed) throw_no_memory(t);
    Object *a = set.failed ? NULL : class_new_array(t, JC(String), (int32_t)set.names.len);
    for (u4 i = 0; a && i < set.names.len; i++) jvm_array_put(&a, (int32_t)i, string_from_symbol_dots(t, set.names.data[i]));
    cf_vec_free(&set.names);
    return handle_local(t, a);
}
