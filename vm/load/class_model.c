/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the class-file model to the VM's records: ClassVersion with its pool
 * cells and methods, and the fields of a class.
 *
 * A version's tables (pool state, cells, symbols, methods) live in the arena
 * of its model and die with it; nothing is allocated per constant.  Names in
 * the pool are interned on first use (link/pool.c) except those of members,
 * which are needed at once.  Fields belong to the Class, not to the version
 * (object/field.h), so they have their own block.
 *
 * Annotations that mean something to the VM are honoured only in classes of
 * the boot and platform loaders and in hidden classes that asked for it
 * (CF_VM_ANNOTATIONS); elsewhere they are ordinary annotations.
 */
#include "exec/exec.h"
#include "jit/jit.h"
#include "load/load_int.h"
#include "link/link_int.h"
#include "object/class.h"
#include "object/field.h"

#include <stdlib.h>

static Symbol *intern(const CfClass *cf, u2 index) {
    CfStr s = cf_utf8(cf, index);
    return symbol_intern(s.p ? s.p : "", s.len);
}

/* Most often it is `guess`, if there is one. */
static Symbol *intern_like(const CfClass *cf, u2 index, Symbol *guess) {
    CfStr s = cf_utf8(cf, index);
    return guess && guess->len == s.len && memcmp(guess->bytes, s.p, s.len) == 0 ? guess : intern(cf, index);
}

/* --- annotations --- */

typedef struct AnnotationRow {
    const char *name; /* behind "Ljdk/internal/" */
    u4 method_flag, field_flag;
} AnnotationRow;

static const AnnotationRow annotation_rows[] = {
    {"reflect/CallerSensitive;", MF_CALLER_SENSITIVE, 0}, {"vm/annotation/Hidden;", MF_HIDDEN, 0},
    {"vm/annotation/ForceInline;", MF_FORCE_INLINE, 0},   {"vm/annotation/Stable;", 0, FIELD_STABLE},
    {"vm/annotation/Contended;", 0, FIELD_CONTENDED},     {"misc/ScopedMemoryAccess$Scoped;", MF_SCOPED, 0},
};

static void scan_annotations(const CfClass *cf, const CfAttrs *attrs, u4 *method_flags, u4 *field_flags) {
    static const char prefix[] = "Ljdk/internal/";
    const CfAttr *a = cf_attr(attrs, CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS);

    if (!a) return;
    CfReader r = cf_reader(a->data, a->len);
    CfAnnotation annotation;
    for (u4 n = cf_r_u2(&r); n > 0 && cf_annotation_read(&r, &annotation); n--) {
        CfStr type = cf_utf8(cf, annotation.type);
        size_t plen = sizeof prefix - 1;
        if (type.len > plen && memcmp(type.p, prefix, plen) == 0) {
            CfStr rest = {type.p + plen, (u4)(type.len - plen)};
            for (size_t i = 0; i < ARRAY_LEN(annotation_rows); i++)
                if (cf_str_is(rest, annotation_rows[i].name)) {
                    *method_flags |= annotation_rows[i].method_flag;
                    *field_flags |= annotation_rows[i].field_flag;
                }
        }
    }
}

/* --- methods --- */

static void method_shape(Method *m) {
    CfDescIter params = cf_desc_start(symbol_str(m->desc));
    CfStr type;
    m->arg_slots = !method_is_static(m);
    while (cf_desc_next(&params, &type)) m->arg_slots += cf_desc_slots(type);
    m->ret_type = params.ret.len ? (u1)type_of_desc_char(params.ret.p[0]) : T_VOID;
}

/* `like`: the method that stood there in an older version of the class, or NULL. */
static void method_fill(ClassVersion *v, Method *m, const CfMember *cm, u4 index, const Method *like) {
    Class *c = v->klass;
    u4 unused = 0;

    m->access = declared_access(cm->access, &cm->attrs);
    m->index = m->slot = index;
    m->holder = c;
    m->version = v;
    m->cf = cm;
    m->name = intern_like(v->cf, cm->name, like ? like->name : NULL);
    m->desc = intern_like(v->cf, cm->desc, like ? like->desc : NULL);
    m->vtable_index = m->itable_index = -1;
    m->entry = jit_bridge;
    m->kind = method_is_native(m) ? MK_NATIVE : method_is_abstract(m) ? MK_ABSTRACT : MK_BYTECODE;
    if (m->name->bytes[0] == '<') {
        if (symbol_eq(m->name, "<init>")) m->flags |= MF_INIT;
        else if (symbol_eq(m->name, "<clinit>") && symbol_eq(m->desc, "()V") && method_is_static(m)) m->flags |= MF_CLINIT;
        /* before version 51 the flags of <clinit> are ignored, JVMS 2.9.2 */
        else if (symbol_eq(m->name, "<clinit>") && v->major < 51) {
            m->flags |= MF_CLINIT;
            m->access = ACC_STATIC;
        }
    }
    if (c->flags & CF_VM_ANNOTATIONS) scan_annotations(v->cf, &cm->attrs, &m->flags, &unused);
    method_shape(m);
}

/* Interface methods that are dispatched get their number inside the interface. */
static void number_interface_methods(Class *c, ClassVersion *v) {
    int32_t n = 0;
    if (!class_is_interface(c)) return;
    for (u4 i = 0; i < v->n_methods; i++) {
        Method *m = &v->methods[i];
        if (!(m->access & (ACC_STATIC | ACC_PRIVATE)) && !(m->flags & (MF_INIT | MF_CLINIT))) m->itable_index = n++;
    }
}

static int by_name(const void *a, const void *b) {
    const Method *x = *(Method *const *)a, *y = *(Method *const *)b;
    if (x->name != y->name) return x->name < y->name ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* By name, like those of an older version when all names are the same. */
static void sort_methods(ClassVersion *v, const ClassVersion *like) {
    u4 n = v->n_methods, same = 0;

    while (like && like->n_methods == n && same < n && v->methods[same].name == like->methods[same].name) same++;
    for (u4 i = 0; i < n; i++) v->sorted_methods[i] = &v->methods[same == n && like ? like->sorted_methods[i]->index : i];
    if (!like || same < n) qsort(v->sorted_methods, n, sizeof *v->sorted_methods, by_name);
}

static bool methods_new(ClassVersion *v) {
    const CfClass *cf = v->cf;
    const ClassVersion *like = v->klass->version; /* none while the class is being defined */
    u4 n = cf->method_count;

    v->n_methods = v->n_methods_all = (u2)n;
    v->methods = CF_NEW_ARRAY(v->arena, Method, n + 3); /* three more: redefine/reshape_init.c */
    v->sorted_methods = CF_NEW_ARRAY(v->arena, Method *, n);
    if (!v->methods || !v->sorted_methods) return false;
    for (u4 i = 0; i < n; i++) {
        method_fill(v, &v->methods[i], &cf->methods[i], i, like && i < like->n_methods ? &like->methods[i] : NULL);
    }
    sort_methods(v, like);
    number_interface_methods(v->klass, v);
    return true;
}

ClassVersion *class_version_new(Class *c, CfClass *cf, struct CfArena *arena, const u1 *bytes, u4 len, bool bytes_owned) {
    ClassVersion *v = calloc(1, sizeof *v);
    u4 n = cf->const_count;

    if (!v) return NULL;
    v->klass = c;
    v->cf = cf;
    v->arena = arena;
    v->bytes = bytes;
    v->bytes_len = len;
    v->major = cf->major;
    v->minor = cf->minor;
    v->pool_count = (u2)n;
    v->pool_state = CF_NEW_ARRAY(arena, _Atomic u1, n);
    v->pool = CF_NEW_ARRAY(arena, PoolCell, n);
    v->pool_syms = CF_NEW_ARRAY(arena, Symbol *, n);
    bool ok = v->pool_state && v->pool && v->pool_syms && methods_new(v);
    if (!ok || (verify_loader(c->loader) && !inner_classes_circular(cf, &v->circular_inner))) return free(v), NULL;
    v->bytes_owned = bytes_owned;
    return v;
}

void class_version_free(ClassVersion *v) {
    if (!v) return;
    exec_version_free(v);
    for (u4 i = 0; i < v->method_cells.len; i++) free(v->pool[v->method_cells.data[i]].method);
    cf_vec_free(&v->method_cells);
    call_sites_forget(v);
    for (u4 i = 0; i < v->n_call_sites; i++) free(v->call_sites[i]);
    free(v->call_sites);
    cf_vec_free(&v->ref_cells);
    for (u4 i = 0; i < v->retired.len; i++) free(v->retired.data[i]);
    cf_vec_free(&v->retired);
    if (v->bytes_owned) free((void *)v->bytes);
    class_bytes_free(v->cached_bytes);
    class_bytes_free(v->before);
    cf_arena_free(v->arena);
    free(v->arena);
    free(v);
}

/* --- fields --- */

void class_field_fill(Class *c, Field *f, const CfClass *cf, u4 index) {
    const CfMember *cm = &cf->fields[index];
    u4 flags = 0, unused = 0;

    f->holder = c;
    f->name = intern(cf, cm->name);
    f->desc = intern(cf, cm->desc);
    f->access = declared_access(cm->access, &cm->attrs);
    f->index = (u2)index;
    f->slot = index;
    f->type = (u1)type_of_desc_char(f->desc->bytes[0]);
    f->cf = cm;
    if (c->flags & CF_VM_ANNOTATIONS) scan_annotations(cf, &cm->attrs, &unused, &flags);
    if ((f->access & ACC_FINAL) && (f->access & ACC_STATIC || c->flags & CF_TRUSTED_FINALS)) flags |= FIELD_TRUSTED_FINAL;
    f->flags = (u1)flags;
}

/* Fields that the VM adds to classes of the library; shape/layout.c places them. */
typedef struct InjectedRow {
    const char *cls, *name, *desc;
} InjectedRow;
static const InjectedRow injected_rows[] = {
    {"java/lang/Class", "klass", "J"},
    {"java/lang/ClassLoader", "loader_data", "J"},
    {"java/lang/Module", "module_entry", "J"},
    {"java/lang/invoke/ResolvedMethodName", "vmholder", "Ljava/lang/Class;"},
    {"java/lang/invoke/ResolvedMethodName", "vmtarget", "J"},
    {"java/lang/invoke/MemberName", "vmindex", "J"},
};

static u4 count_injected(const Class *c) {
    u4 n = 0;
    if (c->loader != BOOT_LOADER || c->name->bytes[0] != 'j') return 0;
    for (size_t i = 0; i < ARRAY_LEN(injected_rows); i++) n += symbol_eq(c->name, injected_rows[i].cls);
    return n;
}

static void add_injected(Class *c) {
    for (size_t i = 0; i < ARRAY_LEN(injected_rows); i++) {
        const InjectedRow *r = &injected_rows[i];
        if (!symbol_eq(c->name, r->cls)) continue;
        Field *f = &c->fields[c->n_fields_all];
        *f = (Field){.holder = c,
                     .name = symbol_of(r->name),
                     .desc = symbol_of(r->desc),
                     .index = c->n_fields_all,
                     .type = (u1)type_of_desc_char(r->desc[0]),
                     .flags = FIELD_INJECTED};
        c->n_fields_all++;
    }
}

bool class_fields_new(Class *c) {
    const CfClass *cf = c->version->cf;
    u4 injected = count_injected(c);

    c->fields = calloc((size_t)cf->field_count + injected + 1, sizeof *c->fields);
    if (!c->fields) return false;
    for (u4 i = 0; i < cf->field_count; i++) class_field_fill(c, &c->fields[i], cf, i);
    c->n_fields = c->n_fields_all = cf->field_count;
    if (injected) add_injected(c);
    return true;
}

/* --- flags that follow from members and supers --- */

bool method_is_empty(const ClassVersion *v, const Method *m) {
    CfCode code;
    return m->cf && cf_code(v->cf, m->cf, NULL, &code, NULL) == CF_OK && code.code && code.code_len == 1 &&
           code.code[0] == CF_OP_RETURN;
}

static void derive_finalizable(Class *c) {
    static Symbol *finalize, *desc;

    if (!finalize) {
        desc = symbol_of("()V");
        finalize = symbol_of("finalize");
    }
    if (c->super) c->flags |= c->super->flags & (CF_FINALIZABLE | CF_OUTSIDE);
    if (class_is_interface(c) || !c->super) return;
    Method *m = class_find_declared_method(c, finalize, desc);
    if (!m || m->access & (ACC_STATIC | ACC_PRIVATE)) return;
    if (method_is_empty(c->version, m)) c->flags &= ~(u4)CF_FINALIZABLE;
    else c->flags |= CF_FINALIZABLE;
}

static void derive_well_known(Class *c) {
    typedef struct Row {
        const char *name;
        u4 flag;
    } Row;
    static const Row rows[] = {
        {"java/lang/Class", CF_MIRROR},
        {"java/lang/ClassLoader", CF_LOADER},
        {"java/lang/Throwable", CF_THROWABLE},
        {"java/lang/ref/Reference", CF_REFERENCE},
        {"jdk/internal/reflect/MagicAccessorImpl", CF_MAGIC},
        {"java/lang/invoke/MethodHandle", CF_IS_MH_HOLDER},
        {"java/lang/invoke/VarHandle", CF_IS_MH_HOLDER},
    };
    typedef struct RefRow {
        const char *name;
        RefKind kind;
    } RefRow;
    static const RefRow refs[] = {
        {"java/lang/ref/SoftReference", REF_SOFT},
        {"java/lang/ref/WeakReference", REF_WEAK},
        {"java/lang/ref/FinalReference", REF_FINAL},
        {"java/lang/ref/PhantomReference", REF_PHANTOM},
    };

    if (c->super) {
        c->flags |= c->super->flags & (CF_REFERENCE | CF_LOADER | CF_MAGIC | CF_THROWABLE);
        c->ref_kind = c->super->ref_kind;
    }
    if (c->loader != BOOT_LOADER || c->name->bytes[0] != 'j') return;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (symbol_eq(c->name, rows[i].name)) c->flags |= rows[i].flag;
    for (size_t i = 0; i < ARRAY_LEN(refs); i++)
        if (symbol_eq(c->name, refs[i].name)) c->ref_kind = (u1)refs[i].kind;
}

bool class_declares_default(const Class *c) {
    for (u4 i = 0; i < c->version->n_methods; i++)
        if (!(c->version->methods[i].access & (ACC_ABSTRACT | ACC_STATIC))) return true;
    return false;
}

void class_derive_flags(Class *c) {
    derive_finalizable(c);
    derive_well_known(c);
    if (class_is_interface(c) && class_declares_default(c)) c->flags |= CF_HAS_DEFAULTS;
    for (u4 i = 0; i < c->n_interfaces; i++) c->flags |= c->interfaces[i]->flags & CF_HAS_DEFAULTS;
    if (c->super) c->flags |= c->super->flags & CF_HAS_DEFAULTS;
    if (c->access & (ACC_INTERFACE | ACC_ABSTRACT) || c->flags & (CF_MIRROR | CF_FINALIZABLE)) c->flags |= CF_NEVER_ALLOC_FAST;
    for (u4 i = 0; i < c->version->n_methods; i++) {
        Method *m = &c->version->methods[i];
        if ((m->access & (ACC_FINAL | ACC_PRIVATE | ACC_STATIC)) == ACC_FINAL) c->flags |= CF_HAS_FINALS;
        if (m->flags & MF_INIT && !c->super) m->flags |= MF_OBJECT_INIT;
    }
}
