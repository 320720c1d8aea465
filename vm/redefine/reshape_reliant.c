/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that relies on superclasses that go away.
 *
 * Every class that mentions a class which loses a superclass, or a subclass of that, is verified again against the hierarchy to
 * come (why: reshape_supers.c).  To find them takes a look at the constant pools of all classes, and there may be many.  So:
 *
 *   names     of the affected classes, and a list of all classes with code: a short pause
 *   look      at the pools, and verification of those that mention a name: while the others run
 *   since     in the pause that installs: versions that have come since then (few), whose pools are looked at now.
 *             If one of them mentions a name, or a new class is affected, there is another round: names, look, pause.
 *             It looks only at what no round has looked at, so that rounds grow short where classes keep being linked;
 *             with a new affected class it looks at everything again
 *
 * A version that was looked at is known by its address: it stays while a list holds its class, and old versions are held.
 */
#include "redefine/reshape.h"
#include "heap/heap_upcall.h"

#include <stdlib.h>

/* --- sets of pointers --- */

static bool is_same(const void *item, const void *key) { return item == key; }
static bool set_has(const CfTable *s, const void *p) { return cf_table_find(s, cf_hash_u64((uintptr_t)p), is_same, p); }
static bool set_add(CfTable *s, void *p) { return set_has(s, p) || cf_table_add(s, cf_hash_u64((uintptr_t)p), p); }

/* --- the look --- */

struct Look {
    const Change *changes;
    u4 n;
    CfTable names; /* Symbols of affected classes */
    u8 lengths[4]; /* of names, modulo 256 */
    u4 longest;
    CfTable seen;    /* versions */
    jobject classes; /* Object[] of mirrors: they must not go meanwhile */
    u4 n_classes;
    bool failed, outdated, relied;
};

static bool has_name(const void *look, const char *p, u4 len) {
    const Look *l = look;
    const Symbol *s;
    if (!(l->lengths[len >> 6 & 3] >> (len & 63) & 1)) return false;
    return (s = symbol_lookup(p, len)) && set_has(&l->names, s);
}

/* As the name of a class or inside a descriptor or signature. */
static bool is_mention(const NameTest *n, const char *p, u4 len) {
    const char *end = p + len;
    if (len <= n->longest && n->is_name(n->arg, p, len)) return true;
    while ((p = memchr(p, 'L', (size_t)(end - p)))) {
        const char *name = ++p, *q = name;
        while (q < end && *q != ';' && *q != '<' && q - name <= n->longest) q++;
        if (q == end) return false; /* nothing behind it ends either */
        if ((*q == ';' || *q == '<') && q - name <= n->longest && n->is_name(n->arg, name, (u4)(q - name))) return true;
    }
    return false;
}

bool version_mentions(const ClassVersion *v, const NameTest *n) {
    for (u4 i = 1; i < v->cf->const_count; i++) {
        const CfConst *k = cf_const(v->cf, i);
        if (k->tag == CF_CONST_UTF8 && is_mention(n, k->utf8, k->len)) return true;
    }
    return false;
}

static bool mentions(const Look *l, const ClassVersion *v) { return version_mentions(v, &(NameTest){has_name, l, l->longest}); }

static bool is_affected(const Look *l, Class *c) {
    for (u4 i = 0; i < l->n; i++)
        if (reshape_loses_supers(&l->changes[i]) && class_is_subtype(c, l->changes[i].klass)) return true;
    return false;
}

/* The boot loader's are not verified and know no others; those that change are verified in their new version. */
static bool has_code(const Look *l, const Class *c) {
    return c->version && c->mirror && c->loader != BOOT_LOADER && atomic_load(&c->state) >= CLASS_LINKED &&
           !change_of(l->changes, l->n, c);
}

static void note_class(Class *c, void *arg) {
    Look *l = arg;
    if (!c->version) return;
    if (is_affected(l, c) && !set_has(&l->names, c->name)) {
        l->failed |= !set_add(&l->names, c->name);
        cf_table_free(&l->seen);
        l->lengths[c->name->len >> 6 & 3] |= (u8)1 << (c->name->len & 63);
        if (c->name->len > l->longest) l->longest = c->name->len;
    }
    if (!has_code(l, c)) return;
    Object *list = handle_get(l->classes);
    if (l->n_classes < (u4)array_len(list)) array_set_ref(list, (int32_t)l->n_classes, c->mirror);
    l->n_classes++;
}

static void note_classes(void *arg) {
    Look *l = arg;
    l->n_classes = 0;
    loader_visit_all_classes(note_class, l);
}

/* Makes the list; that of the round before keeps its classes until then.  False: no memory. */
static bool list_classes(Thread *t, Look *l) {
    jobject before = l->classes;
    l->classes = NULL;
    bool done = false;
    for (u4 room = 2048; !done && !l->failed; room = l->n_classes + l->n_classes / 8) {
        Object *list = class_new_array(t, JC(Object), (int32_t)room);
        if (!list) break;
        if (l->classes) handle_delete_local(t, l->classes);
        l->classes = handle_local(t, list);
        safepoint_run("class redefinition: classes to look at", note_classes, l);
        done = l->n_classes <= room;
    }
    if (before) handle_delete_local(t, before);
    return done && !l->failed;
}

static Refusal look_at_class(Thread *t, Look *l, const Change *loser, Class *c) {
    ClassVersion *v = c->version;

    if (set_has(&l->seen, v)) return REFUSED_NOT;
    if (!set_add(&l->seen, v)) return REFUSED_OUT_OF_MEMORY;
    if (!mentions(l, v) || version_verify(t, v, NULL)) return REFUSED_NOT;
    if (exception_is(t, EX_OutOfMemoryError)) return REFUSED_OUT_OF_MEMORY;
    l->relied = true;
    return reshape_refuse_for(loser, REASON_RELIED_UPON, c);
}

static Refusal look_at_classes(Thread *t, Look *l, const Change *loser) {
    Refusal why = REFUSED_NOT;

    for (u4 i = 0; i < l->n_classes && !why; i++) {
        thread_poll(t);
        why = look_at_class(t, l, loser, mirror_class(array_ref(handle_get(l->classes), (int32_t)i)));
        t->exception = NULL;
    }
    return why;
}

Refusal reshape_check_code(Thread *t, const Change *changes, u4 n, Look **out) {
    const Change *loser = NULL;

    for (u4 i = 0; i < n; i++)
        if (reshape_loses_supers(&changes[i])) loser = &changes[i];
    if (!loser) return REFUSED_NOT;
    if (!*out) {
        if (!(*out = calloc(1, sizeof **out))) return REFUSED_OUT_OF_MEMORY;
        (*out)->changes = changes;
        (*out)->n = n;
        versions_hold();
    }
    Look *l = *out;
    l->outdated = false;
    return list_classes(t, l) ? look_at_classes(t, l, loser) : REFUSED_OUT_OF_MEMORY;
}

bool reshape_found_reliance(const Look *l) { return l && l->relied; }

void reshape_forget_look(Thread *t, Look *l) {
    if (!l) return;
    if (l->classes) handle_delete_local(t, l->classes);
    cf_table_free(&l->names);
    cf_table_free(&l->seen);
    free(l);
    versions_release();
}

/* --- in the pause --- */

static void look_again(Class *c, void *arg) {
    Look *l = arg;
    if (l->outdated || !c->version) return;
    if (is_affected(l, c) && !set_has(&l->names, c->name)) l->outdated = true;
    else if (has_code(l, c) && !set_has(&l->seen, c->version)) l->outdated = mentions(l, c->version);
}

bool reshape_is_outdated(Look *l) {
    if (l) loader_visit_all_classes(look_again, l);
    return l && l->outdated;
}
