/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a native method to a C function (JNI chapter 2, "Resolving Native Method
 * Names").
 *
 * Order of search:
 *   1. VM natives: never seen here, link gave such methods kind MK_VM_NATIVE;
 *   2. classes of the boot loader: libjava by dlsym, short name before long name.  This must come before 3,
 *      because ClassLoader.findNative itself and all it calls are bound here;
 *   3. by the short name libraries of the class's loader (upcall ClassLoader.findNative), then those of agents
 *      (JVM TI 17, "native method linking");
 *   4. the same by the long name, as on the reference: a short name anywhere is meant before a long one;
 *   5. the same under the name without the prefixes that agents announced (SetNativeMethodPrefix).
 * 1 and 2 are tried under both names before 3: the upcall of 3 cannot run while the VM boots, and an agent
 * may wrap the natives of the boot itself (the reference fails there).
 * A name whose mangled form could be read as an escape sequence (a digit 0-3
 * behind an unescaped underscore) is refused instead of being bound wrongly.
 * The address is published with release; binding twice is harmless.
 */
#include "log/log.h"
#include "native/native.h"
#include "native/intrinsic/intrinsic_int.h"

#include "core/hooks.h"
#include "core/options.h"
#include "core/schedule.h"
#include "core/vm.h"
#include "lang/string.h"
#include "native/intrinsic/intrinsic.h"
#include "object/method.h"
#include "object/version.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void *native_libjava, *native_libverify;

/* ---- names ---- */

/* Next UTF-16 unit of modified UTF-8. */
static u4 next_unit(const char **p) {
    u1 first = (u1) * *p;
    u2 unit;
    size_t n = first < 0x80 ? 1 : (first & 0xe0) == 0xc0 ? 2 : 3;
    cf_mutf8_to_utf16(*p, n, &unit);
    *p += n;
    return unit;
}

/* False: the name cannot be mangled without ambiguity. */
static bool mangle(CfWriter *b, const char *text, size_t n) {
    const char *p = text, *end = p + n;
    bool after_underscore = true, ambiguous = false;
    while (p < end) {
        u4 c = next_unit(&p);
        char esc[8];
        bool alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        ambiguous |= alnum && after_underscore && c >= '0' && c <= '3';
        int len = 2;
        if (alnum) len = snprintf(esc, sizeof esc, "%c", (int)c);
        else if (c == '/') len = snprintf(esc, sizeof esc, "_");
        else if (c == '_') memcpy(esc, "_1", 2);
        else if (c == ';') memcpy(esc, "_2", 2);
        else if (c == '[') memcpy(esc, "_3", 2);
        else len = snprintf(esc, sizeof esc, "_0%04x", c);
        after_underscore = c == '/';
        cf_w_bytes(b, esc, (size_t)len);
    }
    return !ambiguous;
}

/* Fills both forms.  False when the name must not be bound by name. */
static bool mangled_names(const Method *m, CfWriter *short_name, CfWriter *long_name) {
    const char *args = m->desc->bytes + 1, *end = method_result(m) - 1;
    cf_w_bytes(short_name, "Java_", 5);
    bool ok = mangle(short_name, m->holder->name->bytes, m->holder->name->len);
    cf_w_u1(short_name, '_');
    ok &= mangle(short_name, m->name->bytes, m->name->len);
    cf_w_bytes(long_name, short_name->data, short_name->len);
    cf_w_bytes(long_name, "__", 2);
    ok &= mangle(long_name, args, (size_t)(end - args));
    cf_w_u1(short_name, 0);
    cf_w_u1(long_name, 0);
    return ok;
}

char *native_method_text(const Method *m) {
    size_t n = m->holder->name->len + m->name->len + (sizeof "boolean, " - 1) * m->desc->len + sizeof "boolean .()";
    char *text = malloc(n);
    if (text) method_external_name(m->holder, m->name, m->desc, text, n);
    return text;
}

static void throw_unsatisfied(Thread *t, const Method *m) {
    char *text = native_method_text(m);
    throw_new(t, EX_UnsatisfiedLinkError, "'%s'", text ? text : m->name->bytes);
    free(text);
}

/* ---- search ---- */

static void *find_in_loader(Thread *t, Class *c, const char *name) {
    Method *m = jc_method(JM_ClassLoader_findNative);
    Object *s = string_from_cstr(t, name);
    if (!s || !m) return NULL;
    Slot args[2] = {{.ref = loader_object(c->loader)}, {.ref = s}}, ret = {0};
    if (!exec_call(t, m, args, &ret)) return NULL;
    return (void *)(intptr_t)ret.j;
}

void *native_find_in_agents(const char *name) {
    for (const VmExtension **e = vm_extensions; *e; e++) {
        void *lib;
        for (int i = 0; (*e)->agent_library && (lib = (*e)->agent_library(i)) != NULL; i++) {
            void *fn = dlsym(lib, name);
            if (fn) return fn;
        }
    }
    return NULL;
}

static void *find_in_libjava(const Method *m, const char *names[2]) {
    void *fn = NULL;
    if (m->holder->loader == BOOT_LOADER && native_libjava)
        for (int i = 0; i < 2 && !fn; i++) fn = dlsym(native_libjava, names[i]);
    return fn;
}
static void *find_by_names(Thread *t, const Method *m, const char *names[2]) {
    void *fn = find_in_libjava(m, names);
    for (int i = 0; i < 2 && !fn && !t->exception; i++) {
        fn = find_in_loader(t, m->holder, names[i]);
        if (!fn && !t->exception) fn = native_find_in_agents(names[i]);
    }
    return fn;
}

/* By the name of m: all libraries, or only the class library's (which calls no Java code). */
static void *find_function(Thread *t, const Method *m, bool everywhere) {
    CfWriter s = {0}, l = {0};
    bool bindable = mangled_names(m, &s, &l);
    const char *names[2] = {(const char *)s.data, (const char *)l.data};
    void *fn = NULL;
    if (s.bad || l.bad) throw_no_memory(t);
    else if (bindable) fn = everywhere ? find_by_names(t, m, names) : find_in_libjava(m, names);
    cf_w_free(&s);
    cf_w_free(&l);
    return fn;
}

/* ---- prefixes ---- */

static const char *prefix_at(int n) {
    for (const VmExtension **e = vm_extensions; *e; e++)
        if ((*e)->native_prefix) return (*e)->native_prefix(n);
    return NULL;
}

/* The method that an agent made of the native that m was: its name is m's without the prefixes, last
 * applied first, where they are there. */
static Method *wrapper_of(const Method *m) {
    const char *name = m->name->bytes;
    int n = 0;
    while (prefix_at(n)) n++;
    while (n-- > 0) {
        const char *p = prefix_at(n);
        size_t len = p ? strlen(p) : 0;
        if (len && strncmp(name, p, len) == 0) name += len;
    }
    Symbol *s = name == m->name->bytes ? NULL : symbol_lookup(name, strlen(name));
    Method *w = s ? class_find_method(m->holder, s, m->desc) : NULL;
    return w && !method_is_native(w) ? w : NULL;
}

/* Of c or of a class above it: who registers for a class may mean what it inherits. */
static Method *find_in_supers(Class *c, const char *name, Symbol *desc) {
    Symbol *s = symbol_lookup(name, strlen(name));
    Method *m = NULL;
    for (; s && c && !m; c = c->super) m = class_find_declared_method(c, s, desc);
    return m;
}

/* For RegisterNatives: name, or as many prefixes before it as lead to a native method. */
static Method *find_registrable(Thread *t, Class *c, const char *name, Symbol *desc) {
    Method *m = find_in_supers(c, name, desc);
    if (m && method_is_native(m)) return m;
    if (!prefix_at(0)) return m;
    char *grown = strdup(name);
    const char *p;
    if (!grown) return throw_no_memory(t), NULL;
    for (int i = 0; (p = prefix_at(i)); i++) {
        char *trial = NULL;
        if (asprintf(&trial, "%s%s", p, grown) < 0) return free(grown), throw_no_memory(t), NULL;
        Method *found = find_in_supers(c, trial, desc);
        free(found ? grown : trial);
        if (found) grown = trial;
        if (found && method_is_native(found)) return free(grown), found; /* else wrapped again */
    }
    free(grown);
    return m;
}

/* ---- binding ---- */

/* The address to bind, after agents had their say. */
static void *ask_agents(Thread *t, Method *m, void *fn) {
    void *replaced = fn;
    HOOK_CALL(NATIVE_BIND, native_bind, t, m, fn, &replaced);
    return replaced;
}

/* Each kind's word first, then the kind: object/method.h.  A thread that calls m meanwhile runs either. */
static void become_vm_native(Method *m, Intrinsic in) {
    __atomic_store_n(&m->vm_native, in.fn, __ATOMIC_RELEASE);
    if (in.leaf) FLAGS_SET(m->flags, MF_LEAF);
    SCHEDULE_POINT(bind_before_kind);
    __atomic_store_n(&m->kind, MK_VM_NATIVE, __ATOMIC_RELEASE);
}

/* Compiled code may call the C function of a native of the VM without looking at the method. */
static void become_native(Method *m, void *fn) {
    bool replaces = m->kind == MK_VM_NATIVE;
    atomic_store_explicit(&m->native_fn, fn, memory_order_release);
    SCHEDULE_POINT(bind_before_kind);
    __atomic_store_n(&m->kind, MK_NATIVE, __ATOMIC_RELEASE);
    if (replaces) exec_native_replaced(m);
}

static void publish(Thread *t, Method *m, void *fn, bool searched) {
    const char *how = searched ? "[Dynamic-linking native method %s.%s ... JNI]" : "[Registering JNI native method %s.%s]";
    if (log_on(LOG_JNI_RESOLVE)) log_print(LOG_JNI_RESOLVE, how, class_text(m->holder).s, m->name->bytes);
    if (m->kind == MK_NATIVE && atomic_load_explicit(&m->native_fn, memory_order_acquire) == fn) return;
    become_native(m, ask_agents(t, m, fn));
}

/* The VM's own C code for a native of the class library; link has bound it long ago unless somebody
 * listens to NativeMethodBind, or m bears a prefix. */
static bool bind_vm_native(Thread *t, Method *m, const Method *named) {
    Intrinsic own = {0};
    if (m->holder->loader == BOOT_LOADER) own = native_intrinsic(named->holder->name, named->name, named->desc);
    if (!own.fn) return false;
    void *fn = hook_on(HOOK_NATIVE_BIND) ? find_function(t, named, false) : NULL;
    if (t->exception) return false;
    void *wanted = fn ? ask_agents(t, m, fn) : NULL;
    if (wanted != fn) atomic_store_explicit(&m->native_fn, wanted, memory_order_release);
    else become_vm_native(m, own);
    return true;
}

static bool bind(Thread *t, Method *m) {
    if (bind_vm_native(t, m, m)) return true;
    void *fn = t->exception ? NULL : find_function(t, m, false);
    Method *w = fn ? NULL : wrapper_of(m);
    if (w) {
        if (bind_vm_native(t, m, w)) return true;
        fn = t->exception ? NULL : find_function(t, w, false);
    }
    if (!fn && !t->exception) fn = find_function(t, m, true);
    if (!fn && w && !t->exception) fn = find_function(t, w, true);
    if (fn) return publish(t, m, fn, true), true;
    if (!t->exception) throw_unsatisfied(t, m);
    return false;
}
/* What a handler of NativeMethodBind leaves pending is thrown by the call, though the method is bound. */
bool native_bind(Thread *t, Method *m) { return bind(t, m) && !t->exception; }

/* ---- registration ---- */

bool native_register(Thread *t, Class *c, const char *name, const char *desc, void *fn) {
    Symbol *n = symbol_lookup(name, strlen(name)), *d = symbol_lookup(desc, strlen(desc));
    if (!class_link(t, c)) return false;
    Method *m = d ? find_registrable(t, c, name, d) : NULL;
    if (t->exception) return false;
    if (!m && (!n || !d)) /* nobody ever used such a name */
        return throw_new(t, EX_NoSuchMethodError, "Method %s.%s%s not found", class_text(c).s, name, desc), false;
    if (!m || !method_is_native(m))
        return throw_new(t, EX_NoSuchMethodError, "Method '%s' %s", method_text(c, n, d).s,
                         m ? "is not declared as native" : "name or signature does not match"),
               false;
    if (!vm.booted && fn && (m->kind == MK_VM_NATIVE || native_intrinsic(m->holder->name, m->name, m->desc).fn)) {
        /* libjava registers JVM_* functions at boot: ours are faster, unless an agent wants its own. */
        void *wanted = ask_agents(t, m, fn);
        if (wanted == fn && m->kind == MK_VM_NATIVE) return true;
        if (wanted == fn) become_vm_native(m, native_intrinsic(m->holder->name, m->name, m->desc));
        else become_native(m, wanted);
        return true;
    }
    if (fn == (void *)unsafe_park_entry) { /* given back */
        become_vm_native(m, native_intrinsic(m->holder->name, m->name, m->desc));
        return true;
    }
    if (!fn && m->kind == MK_VM_NATIVE) return true;
    if (fn) publish(t, m, fn, false); /* of the VM's natives as well: anybody later means it */
    else atomic_store_explicit(&m->native_fn, NULL, memory_order_release);
    return true;
}

void native_unregister_all(Class *c) {
    ClassVersion *v = c->version;
    for (u4 i = 0; v && i < v->n_methods_all; i++)
        if (v->methods[i].kind == MK_NATIVE) atomic_store_explicit(&v->methods[i].native_fn, NULL, memory_order_release);
}

/* ---- the class library's own libraries ---- */

static void *open_core(const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", vm.boot_library_path, name);
    return dlopen(path, RTLD_LAZY);
}

void native_load_core_libraries(void) {
    native_libverify = open_core("libverify.so"); /* optional: old class files only */
    native_libjava = open_core("libjava.so");
    if (!native_libjava) vm_exit_during_init("%s", dlerror());
    typedef jint (*OnLoad)(JavaVM *, void *);
    OnLoad on_load = (OnLoad)dlsym(native_libjava, "JNI_OnLoad");
    if (on_load && vm.java_vm) on_load(vm.java_vm, NULL);
}

void native_init(void) {
    unsafe_faults_init();
    jni_current_table = vm_options.check_jni ? &jni_checked_table : &jni_table;
}
