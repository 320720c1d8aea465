/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of enum constants.
 *
 * The order of $VALUES counts: when constants come, go or change their order, each gets the ordinal that it has there.  What
 * knows constants by number then follows in the same pause:
 *
 *   java.lang.Class   its caches of constants are emptied
 *   EnumMap           gets an array of values in the new order
 *   EnumSet           likewise: a long of bits (RegularEnumSet) or an array of them (JumboEnumSet)
 *   switches          reshape_switch.c
 *
 * A map or set names the constants that it was made for, in their order (its universe); so it tells itself what its numbers mean.
 * Constants that are no more drop out of it.  New arrays are allocated before the constants are made, as many of a
 * length as there are maps and sets, and some more: other threads see new constants with old numbers around them until the pause.
 *
 * A RegularEnumSet cannot hold a 65th constant, nor become a JumboEnumSet: code that runs knows which of both it has.  So an enum
 * does not grow beyond that while it has such sets.
 *
 * Iterators over maps and sets, their entries, and a method of theirs that is running and has read a number go on with the old
 * ones.  What Java code keeps sorted by its own means (TreeMap, PriorityQueue) is not touched.
 */
#include "log/log.h"
#include "redefine/reshape.h"
#include "heap/heap_upcall.h"
#include "load/loader.h"

#include <stdlib.h>

enum { REGULAR_LIMIT = 64 };

/* --- constants of a class file --- */

static u4 count_constants(const CfClass *cf, const CfClass *other) {
    u4 n = 0;
    for (u4 i = 0; i < cf->field_count; i++) {
        bool found = !other;
        if (!(cf->fields[i].access & 0x4000)) continue; /* ACC_ENUM */
        for (u4 k = 0; !found && k < other->field_count; k++)
            found = cf_str_eq(cf_utf8(cf, cf->fields[i].name), cf_utf8(other, other->fields[k].name));
        n += found;
    }
    return n;
}

bool reshape_constants_differ(const ClassVersion *a, const ClassVersion *b) {
    u4 n = count_constants(a->cf, NULL);
    if (!(b->cf->access & 0x4000)) return false;
    if (n != count_constants(b->cf, NULL) || n != count_constants(a->cf, b->cf)) return true;
    for (u4 i = 0, k = 0; i < a->cf->field_count && k < b->cf->field_count; i++, k++) { /* order */
        while (i < a->cf->field_count && !(a->cf->fields[i].access & 0x4000)) i++;
        while (k < b->cf->field_count && !(b->cf->fields[k].access & 0x4000)) k++;
        if (i == a->cf->field_count || k == b->cf->field_count) break;
        if (!cf_str_eq(cf_utf8(a->cf, a->cf->fields[i].name), cf_utf8(b->cf, b->cf->fields[k].name))) return true;
    }
    return false;
}

/* --- maps and sets of java.util --- */

typedef struct EnumUser {
    Class *c; /* NULL: not loaded, so there are no objects */
    u4 type, universe, content, size;
} EnumUser;

typedef struct EnumUsers {
    EnumUser map, regular, jumbo;
} EnumUsers;

static bool find_offset(const Class *c, const char *name, u4 *at) {
    const Field *f = NULL;
    for (; c && !f && name; c = c->super) f = class_find_named_field(c, name);
    if (f) *at = f->offset;
    return f || !name;
}

static EnumUser find_user(const char *cls, const char *type, const char *universe, const char *content, const char *size) {
    EnumUser u = {.c = loader_find_loaded(BOOT_LOADER, symbol_of(cls))};
    if (u.c && !(find_offset(u.c, type, &u.type) && find_offset(u.c, universe, &u.universe) &&
                 find_offset(u.c, content, &u.content) && find_offset(u.c, size, &u.size)))
        u.c = NULL;
    return u;
}

static EnumUsers find_users(void) {
    return (EnumUsers){find_user("java/util/EnumMap", "keyType", "keyUniverse", "vals", "size"),
                       find_user("java/util/RegularEnumSet", "elementType", "universe", "elements", NULL),
                       find_user("java/util/JumboEnumSet", "elementType", "universe", "elements", "size")};
}

static bool is_user(const EnumUser *u, const Class *c) { return u->c && class_is_subtype((Class *)c, u->c); }

static const EnumUser *user_of(const EnumUsers *all, const Object *o) {
    const Class *c = obj_class(o);
    if (class_is_array(c)) return NULL;
    return is_user(&all->map, c)       ? &all->map
           : is_user(&all->regular, c) ? &all->regular
           : is_user(&all->jumbo, c)   ? &all->jumbo
                                       : NULL;
}

static Class *enum_of(const EnumUser *u, const Object *o) {
    const Object *type = ref_load(o, u->type);
    return type ? mirror_class(type) : NULL;
}

/* --- sets that cannot grow --- */

typedef struct SmallSets {
    EnumUsers users;
    const Class *e;
    bool found;
} SmallSets;

static bool find_small(Object *o, void *arg) {
    SmallSets *s = arg;
    return !(s->found = obj_class(o) == s->users.regular.c && enum_of(&s->users.regular, o) == s->e);
}

Refusal reshape_look_at_sets(Change *ch) {
    SmallSets s = {.users = find_users(), .e = ch->klass};
    if (!ch->shape || !ch->shape->is_enum || !s.users.regular.c || count_constants(ch->fresh->cf, NULL) <= REGULAR_LIMIT)
        return REFUSED_NOT;
    heap_walk(find_small, &s);
    if (!s.found) return REFUSED_NOT;
    ch->shape->heap_objects = true;
    return reshape_refuse_for(ch, REASON_SMALL_SETS, s.users.regular.c);
}

/* --- new arrays --- */

typedef struct Pool {
    jobject arrays; /* Object[] of them; NULL: none */
    u4 wanted, used;
} Pool;

typedef struct EnumRow {
    Class *c;
    Pool vals, bits;
} EnumRow;

struct Renumbering {
    EnumUsers users;
    EnumRow *rows;
    u4 n, missed;
};

bool reshape_is_renumbered(const Change *ch) { return ch->shape && ch->shape->is_enum && class_is_initialized(ch->klass); }

static EnumRow *row_of(Renumbering *r, const Class *c) {
    for (u4 i = 0; c && i < r->n; i++)
        if (r->rows[i].c == c) return &r->rows[i];
    return NULL;
}

static bool count_user(Object *o, void *arg) {
    Renumbering *r = arg;
    const EnumUser *u = user_of(&r->users, o);
    EnumRow *row = u ? row_of(r, enum_of(u, o)) : NULL;
    if (row && u == &r->users.map) row->vals.wanted++;
    if (row && u == &r->users.jumbo) row->bits.wanted++;
    return true;
}

static void count_users(void *renumbering) {
    Renumbering *r = renumbering;
    for (u4 i = 0; i < r->n; i++) r->rows[i].vals.wanted = r->rows[i].bits.wanted = 0;
    heap_walk(count_user, r);
}

static const char *const values_names[] = {"$VALUES", "ENUM$VALUES"}; /* javac's, ecj's */

bool reshape_names_values(CfStr field) {
    for (u4 i = 0; i < ARRAY_LEN(values_names); i++)
        if (cf_str_is(field, values_names[i])) return true;
    return false;
}

Object *reshape_enum_values(const Class *e) {
    const Field *f = NULL;
    for (u4 i = 0; !f && i < ARRAY_LEN(values_names); i++) f = class_find_named_field(e, values_names[i]);
    return f && f->access & ACC_STATIC ? field_ref(e->mirror, f->offset) : NULL;
}

/* As far as there is memory. */
static void fill_pool(Thread *t, Pool *p, Class *array, int32_t len) {
    u4 n = 2 * p->wanted + 256; /* threads go on making them */
    Object *all = class_new_array(t, JC(Object), (int32_t)n), *one;
    if (p->arrays) handle_delete_local(t, p->arrays);
    p->arrays = all ? handle_local(t, all) : NULL;
    for (u4 i = 0; all && i < n && (one = heap_alloc_array(t, array, len)); i++)
        array_set_ref(handle_get(p->arrays), (int32_t)i, one);
    t->exception = NULL;
}

static void fill_pools(Thread *t, Renumbering *r) {
    Class *objects = class_array_of(t, JC(Object));
    t->exception = NULL;
    for (u4 i = 0; i < r->n; i++) {
        EnumRow *row = &r->rows[i];
        int32_t n = (int32_t)count_constants(row->c->version->cf, NULL);
        if (r->users.map.c && objects) fill_pool(t, &row->vals, objects, n);
        if (r->users.jumbo.c) fill_pool(t, &row->bits, primitive_array_classes[T_LONG], (n + 63) / 64);
    }
}

Renumbering *reshape_renumbering(Thread *t, const Change *changes, u4 n) {
    bool any = false;
    for (u4 i = 0; i < n; i++) any |= reshape_is_renumbered(&changes[i]);
    Renumbering *r = any ? calloc(1, sizeof *r) : NULL;
    if (!r || !(r->rows = calloc(n + 1u, sizeof *r->rows))) return free(r), NULL;
    for (u4 i = 0; i < n; i++)
        if (reshape_is_renumbered(&changes[i])) r->rows[r->n++].c = changes[i].klass;
    if (find_users().map.c || find_users().jumbo.c) heap_gc(t, "class redefinition"); /* no arrays for dead ones */
    reshape_refill(t, r);
    return r;
}

void reshape_refill(Thread *t, Renumbering *r) {
    r->users = find_users();
    safepoint_run("maps and sets of enums", count_users, r);
    fill_pools(t, r);
}

void reshape_renumbered(Thread *t, Renumbering *r) {
    if (!r) return;
    if (r->missed && log_on(LOG_REDEFINE))
        log_print(LOG_REDEFINE, "%u maps and sets of enums keep the numbers they had", r->missed);
    for (u4 i = 0; i < r->n; i++) {
        if (r->rows[i].vals.arrays) handle_delete_local(t, r->rows[i].vals.arrays);
        if (r->rows[i].bits.arrays) handle_delete_local(t, r->rows[i].bits.arrays);
    }
    free(r->rows);
    free(r);
}

/* --- in the pause --- */

/* java.lang.Enum's: the class may have another of that name. */
static const Field *ordinal_field(const Class *e) { return class_find_field_str(e->super, "ordinal", "I"); }

typedef struct Numbers {
    Object *universe, *values; /* as they were, as they are */
    u4 ordinal;                /* offset */
} Numbers;

/* The number that stands for the universe's k-th constant now; -1: it is no more. */
static int32_t number_of(const Numbers *n, int32_t k) {
    Object *constant = k < array_len(n->universe) ? array_ref(n->universe, k) : NULL;
    int32_t now = constant ? OBJ_FIELD(int32_t, constant, n->ordinal) : -1;
    return now >= 0 && now < array_len(n->values) && array_ref(n->values, now) == constant ? now : -1;
}

static Object *take(Pool *p) {
    Object *all = handle_get(p->arrays);
    return all && p->used < (u4)array_len(all) ? array_ref(all, (int32_t)p->used++) : NULL;
}

/* The enum's initialiser may have failed: then it has the constants that it had, and their numbers. */
static bool fits(const Object *now, int32_t len) { return now && array_len(now) == len; }

static bool renumber_map(const EnumUser *u, Object *o, const Numbers *n, Object *now) {
    Object *was = ref_load(o, u->content), *value;
    int32_t size = 0, k;
    if (!was || !fits(now, array_len(n->values))) return !was;
    for (int32_t i = 0; i < array_len(was); i++) {
        if (!(value = array_ref(was, i)) || (k = number_of(n, i)) < 0) continue;
        array_set_ref(now, k, value);
        size++;
    }
    ref_store(o, u->content, now);
    OBJ_FIELD(int32_t, o, u->size) = size;
    return true;
}

static bool renumber_regular(const EnumUser *u, Object *o, const Numbers *n) {
    u8 was = OBJ_FIELD(u8, o, u->content), now = 0;
    for (int32_t i = 0, k; i < REGULAR_LIMIT; i++)
        if (was >> i & 1 && (k = number_of(n, i)) >= 0 && k < REGULAR_LIMIT) now |= (u8)1 << k;
    OBJ_FIELD(u8, o, u->content) = now;
    return true;
}

static bool renumber_jumbo(const EnumUser *u, Object *o, const Numbers *n, Object *now) {
    const Object *was = ref_load(o, u->content);
    int32_t size = 0, k;
    if (!was || !fits(now, (array_len(n->values) + 63) / 64)) return !was;
    for (int32_t i = 0; i < array_len(was) * 64; i++) {
        if (!(OBJ_FIELD(u8, was, ARRAY_BASE + (u4)i / 64 * 8) >> i % 64 & 1) || (k = number_of(n, i)) < 0) continue;
        OBJ_FIELD(u8, now, ARRAY_BASE + (u4)k / 64 * 8) |= (u8)1 << k % 64;
        size++;
    }
    ref_store(o, u->content, now);
    OBJ_FIELD(int32_t, o, u->size) = size;
    return true;
}

static bool renumber_user(Object *o, void *arg) {
    Renumbering *r = arg;
    const EnumUser *u = user_of(&r->users, o);
    EnumRow *row = u ? row_of(r, enum_of(u, o)) : NULL;
    if (!row) return true;
    Numbers n = {ref_load(o, u->universe), reshape_enum_values(row->c), ordinal_field(row->c)->offset};
    if (!n.universe || !n.values) return true; /* its constructor is running */
    bool done = u == &r->users.map       ? renumber_map(u, o, &n, take(&row->vals))
                : u == &r->users.regular ? renumber_regular(u, o, &n)
                                         : renumber_jumbo(u, o, &n, take(&row->bits));
    if (done) ref_store(o, u->universe, n.values);
    else r->missed++;
    return true;
}

static bool has_room(const Pool *p) { return !p->arrays || p->wanted <= (u4)array_len(handle_get(p->arrays)); }

static void renumber(Class *c) {
    reshape_clear_cache(c, "enumConstants", "[Ljava/lang/Object;");
    reshape_clear_cache(c, "enumConstantDirectory", "Ljava/util/Map;");
    const Field *ordinal = ordinal_field(c);
    Object *values = reshape_enum_values(c);
    for (int32_t i = 0; values && i < array_len(values); i++)
        if (array_ref(values, i)) OBJ_FIELD(int32_t, array_ref(values, i), ordinal->offset) = i;
}

bool reshape_renumber(Renumbering *r, const Change *changes, u4 n, bool last) {
    bool room = true;
    if (r) count_users(r);
    for (u4 i = 0; r && i < r->n; i++) room &= has_room(&r->rows[i].vals) && has_room(&r->rows[i].bits);
    if (!room && !last) return false;
    for (u4 i = 0; i < n; i++)
        if (reshape_is_renumbered(&changes[i])) renumber(changes[i].klass);
    if (r) heap_walk(renumber_user, r);
    return true;
}
