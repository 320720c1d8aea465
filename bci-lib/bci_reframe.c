/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_reframe.c - StackMapTable and max_stack of a Code attribute by data flow over its bytes.
 *
 * TERMS
 *   join   a pc where flow can meet: branch target, handler, or start of dead code; that is, where
 *          the attribute has a frame. States are kept at joins only.
 *   hint   the frame that the attribute had at a join before (shifted by the splice).
 *   type   a CfType; the payload of OBJECT is a number of the names of this class.
 *
 * METHOD. Joins are taken in code order; a running frame is stepped through the code from a join to
 * the next end of flow. What flows into a join is merged; a join that changed is taken again. All
 * effects come from tables by opcode and, for members, from a memo by pool index, so that a
 * descriptor is read once per class.
 *
 * Where two different classes meet, the hint's class is taken: by induction each computed type is
 * the hint's or one that verified against it. Where the hint has nothing usable nobody can use the
 * value, and it becomes TOP. So no class is ever asked for. Hints are decoded only in methods where
 * such a merge occurs, or that have dead code, which keeps the frame it had.
 *
 * A method without a table has no joins and needs none; its max_stack stays as it is.
 *
 * The editor's own flow (bci_frames.c) differs in that it must cope with edits that made hints
 * wrong, with new locals in old frames and with dead code that has none; methods that need that
 * are answered with BCI_FAR.
 */
#include "bci_rules.h"

#include <stdlib.h>

typedef struct Join {
    uint32_t pc;
    uint16_t depth;
    bool reached, dirty;
    CfType *state;              /* max_locals locals, then the stack */
    const CfType *hint;         /* same layout, NULL = not decoded or none */
    uint16_t hint_depth;
} Join;

typedef struct Reframe {
    BciApply *a;
    BciTypesMemo *m;
    CfArena *arena;
    BciBody b;
    const uint8_t *map, *map_end;       /* old StackMapTable content */
    const uint8_t *map_attr;
    CfType *loc, *stk;
    CfType *first;              /* locals at the start of the method */
    uint32_t nfirst, depth, max_depth, nlocals, room;
    Join *joins;
    uint32_t njoins, lowest;
    uint16_t *join_at;          /* pc -> 1 + number, 0 = none */
    uint8_t *border;            /* pc -> the set of covering rows changes; NULL without rows */
    uint16_t *live;             /* rows covering the running pc, in table order */
    uint32_t nlive;
    bool due, hints_read, fell_off;
    BciFit fit;
} Reframe;

static bool stop(Reframe *r, BciFit fit)
{
    if (r->fit == BCI_FITS)
        r->fit = fit;
    return false;
}

/* ---- names and pool ---- */

static const uint8_t *entry(const Reframe *r, unsigned i)
{
    static const uint8_t none[8];
    const BciView *v = &r->a->v;
    if (i < v->npool)
        return v->at[i] ? v->p + v->at[i] : none;
    const BciScratch *s = r->a->s;
    i -= v->npool;
    return i < s->nadded ? s->pool.p + s->added[i] : none;
}

static CfStr utf8(const Reframe *r, unsigned i)
{
    const uint8_t *p = entry(r, i);
    return p[0] == CF_CONST_UTF8 ? (CfStr){(const char *)p + 3, cf_get_u2(p + 1)}
                                 : (CfStr){NULL, 0};
}

static bool grow_names(BciTypesMemo *m)
{
    if (m->nnames < m->cap_names)
        return true;
    uint32_t n = m->cap_names ? m->cap_names * 2 : 256;
    BciTypeName *v = realloc(m->names, n * sizeof *v);
    if (v)
        m->names = v;
    uint64_t *slots = v ? calloc(2 * n, sizeof *slots) : NULL;
    if (!slots)
        return false;
    for (uint32_t k = 0; k < m->nnames; k++) {
        uint32_t h = v[k].hash;
        while (slots[h & (2 * n - 1)])
            h++;
        slots[h & (2 * n - 1)] = (uint64_t)m->epoch << 32 | k;
    }
    free(m->slots);
    m->slots = slots;
    m->cap_names = n;
    return true;
}

static uint32_t name_hash(CfStr s)
{
    uint32_t h = s.len;
    const char *p = s.p, *end = p + s.len;
    for (; end - p >= 8; p += 8) {
        uint64_t w;
        memcpy(&w, p, 8);
        w = (w ^ h) * 0x9E3779B97F4A7C15u;
        h = (uint32_t)(w >> 32);
    }
    for (; p < end; p++)
        h = (h ^ (uint8_t)*p) * 0x01000193u;
    return h ^ h >> 15;
}

/* The type of a class or array name; its bytes must stay until the class is done. */
static CfType object(Reframe *r, CfStr s)
{
    BciTypesMemo *m = r->m;
    if (!grow_names(m)) {
        stop(r, BCI_NO_MEMORY);
        return CF_T_TOP;
    }
    uint32_t hash = name_hash(s), mask = 2 * m->cap_names - 1, h = hash;
    uint64_t k;
    while ((k = m->slots[h & mask]) >> 32 == m->epoch) {
        const BciTypeName *n = &m->names[(uint32_t)k];
        if (n->hash == hash && cf_str_eq(n->name, s))
            return cf_type_make(CF_T_OBJECT, (uint32_t)k);
        h++;
    }
    const BciBuf *added = &r->a->s->pool;
    if (added->p && (const uint8_t *)s.p >= added->p && (const uint8_t *)s.p < added->p + added->len &&
        !(s.p = cf_arena_copy(&m->arena, s.p, s.len))) {    /* additions may move */
        stop(r, BCI_NO_MEMORY);
        return CF_T_TOP;
    }
    m->names[m->nnames] = (BciTypeName){s, hash, 0, CF_T_TOP, CF_T_TOP};
    m->slots[h & mask] = (uint64_t)m->epoch << 32 | m->nnames++;
    return cf_type_make(CF_T_OBJECT, m->nnames - 1);
}

/* The type of a name that is asked for often; *kept is TOP until then. */
static CfType fixed(Reframe *r, CfType *kept, CfStr name)
{
    return *kept != CF_T_TOP ? *kept : (*kept = object(r, name));
}

static CfType of_desc(Reframe *r, CfStr d)
{
    switch (d.len ? d.p[0] : 0) {
    case 'B': case 'C': case 'I': case 'S': case 'Z': return CF_T_INT;
    case 'F': return CF_T_FLOAT;
    case 'J': return CF_T_LONG;
    case 'D': return CF_T_DOUBLE;
    case 'L': return d.len > 2 ? object(r, (CfStr){d.p + 1, d.len - 2}) : CF_T_TOP;
    case '[': return object(r, d);
    default: return CF_T_TOP;
    }
}

static BciPoolMemo *memo(Reframe *r, unsigned i, BciPoolMemo *spare)
{
    if (i < r->m->npool)
        return &r->m->pool[i];
    memset(spare, 0, sizeof *spare);
    return spare;
}

static CfType of_class(Reframe *r, unsigned i)
{
    BciPoolMemo spare, *m = memo(r, i, &spare);
    if (m->known)
        return m->type;
    const uint8_t *p = entry(r, i);
    CfStr n = p[0] == CF_CONST_CLASS ? utf8(r, cf_get_u2(p + 1)) : (CfStr){NULL, 0};
    if (n.len == 0) {
        stop(r, BCI_MALFORMED);
        return CF_T_TOP;
    }
    CfType t = object(r, n);
    if (t != CF_T_TOP && !r->m->names[cf_type_data(t)].index)
        r->m->names[cf_type_data(t)].index = (uint16_t)i;
    m->known = true;
    return m->type = t;
}

/* Slots of the arguments, and the type of result or field, of a member or dynamic entry. */
static const BciPoolMemo *member(Reframe *r, unsigned i, BciPoolMemo *spare)
{
    BciPoolMemo *m = memo(r, i, spare);
    if (m->known)
        return m;
    const uint8_t *p = entry(r, i);
    unsigned tag = p[0];
    bool ok = (tag >= CF_CONST_FIELDREF && tag <= CF_CONST_INTERFACEMETHODREF) ||
              tag == CF_CONST_INVOKEDYNAMIC || tag == CF_CONST_DYNAMIC;
    const uint8_t *nat = ok ? entry(r, cf_get_u2(p + 3)) : p;
    if (!ok || nat[0] != CF_CONST_NAMEANDTYPE) {
        stop(r, BCI_MALFORMED);
        return NULL;
    }
    CfStr name = utf8(r, cf_get_u2(nat + 1)), desc = utf8(r, cf_get_u2(nat + 3));
    if (desc.len && desc.p[0] == '(') {
        int args = cf_desc_arg_slots(desc, NULL);
        if (args < 0) {
            stop(r, BCI_MALFORMED);
            return NULL;
        }
        m->args = (uint16_t)args;
        desc = cf_desc_result(desc);
        m->init = cf_str_is(name, "<init>");
    }
    m->type = of_desc(r, desc);
    if (m->init) {
        const uint8_t *cls = entry(r, cf_get_u2(p + 1));
        m->type = cls[0] == CF_CONST_CLASS ? of_class(r, cf_get_u2(p + 1)) : CF_T_TOP;
    }
    m->known = true;
    return m;
}

static CfType component(Reframe *r, CfType array)
{
    if (cf_type_kind(array) != CF_T_OBJECT)
        return array == CF_T_NULL ? CF_T_NULL : CF_T_TOP;
    BciTypeName *n = &r->m->names[cf_type_data(array)];
    if (n->component == CF_T_TOP && n->name.len > 1 && n->name.p[0] == '[') {
        CfType t = of_desc(r, (CfStr){n->name.p + 1, n->name.len - 1});
        r->m->names[cf_type_data(array)].component = t;
        return t;
    }
    return n->component;
}

static CfType array_of(Reframe *r, CfType t)
{
    if (cf_type_kind(t) != CF_T_OBJECT)
        return CF_T_TOP;
    BciTypeName n = r->m->names[cf_type_data(t)];
    if (n.array != CF_T_TOP)
        return n.array;
    bool wrap = n.name.p[0] != '[';
    uint32_t len = n.name.len + (wrap ? 3 : 1);
    char *p = cf_arena_alloc(&r->m->arena, len);
    if (!p) {
        stop(r, BCI_NO_MEMORY);
        return CF_T_TOP;
    }
    p[0] = '[';
    p[1] = 'L';
    memcpy(p + 1 + wrap, n.name.p, n.name.len);
    if (wrap)
        p[len - 1] = ';';
    CfType made = object(r, (CfStr){p, len});
    r->m->names[cf_type_data(t)].array = made;
    return made;
}

/* Class index of an OBJECT type; added if there is none. */
static unsigned class_index(Reframe *r, CfType t)
{
    BciTypeName *n = &r->m->names[cf_type_data(t)];
    if (n->index)
        return n->index;
    if (!r->m->classes_read) {
        r->m->classes_read = true;
        for (unsigned i = 1; i < r->a->v.npool; i++)
            if (entry(r, i)[0] == CF_CONST_CLASS)
                of_class(r, i);
        return class_index(r, t);
    }
    unsigned index = bci_add_class(r->a, n->name);
    if (!index)
        stop(r, bci_no_index(r->a));
    return n->index = (uint16_t)index;
}

/* ---- hints ---- */

static const uint8_t *read_hint_types(Reframe *r, const uint8_t *p, CfType *v, uint32_t *at,
                                      uint32_t room, uint32_t n)
{
    static const uint8_t kinds[] = {CF_T_TOP,  CF_T_INT,  CF_T_FLOAT,       CF_T_DOUBLE,
                                    CF_T_LONG, CF_T_NULL, CF_T_UNINIT_THIS, CF_T_OBJECT,
                                    CF_T_UNINIT};
    for (; n; n--) {
        if (p >= r->map_end || *p > 8 || (*p > 6 && r->map_end - p < 3) || *at + 2 > room)
            return NULL;
        unsigned tag = *p++;
        CfType t = kinds[tag];
        if (tag == CF_VTAG_OBJECT)
            t = of_class(r, cf_get_u2(p));
        else if (tag == CF_VTAG_UNINIT)
            t = cf_type_make(CF_T_UNINIT, cf_get_u2(p));
        p += tag > 6 ? 2 : 0;
        v[(*at)++] = t;
        if (t == CF_T_LONG || t == CF_T_DOUBLE)
            v[(*at)++] = t + 1;
    }
    return p;
}

static uint32_t entry_state(Reframe *r, CfType *v)
{
    BciApply *a = r->a;
    uint32_t n = 0;
    for (uint32_t k = 0; k < r->nlocals; k++)
        v[k] = CF_T_TOP;
    if (!a->is_static && r->nlocals)
        v[n++] = a->is_init ? (CfType)CF_T_UNINIT_THIS : of_class(r, a->v.this_class);
    CfDescIter it = cf_desc_start(a->desc_text);
    CfStr t;
    while (cf_desc_next(&it, &t)) {
        unsigned k = cf_desc_slots(t);
        if (n + k > r->nlocals) {
            stop(r, BCI_MALFORMED);
            return n;
        }
        v[n] = of_desc(r, t);
        if (k == 2)
            v[n + 1] = v[n] + 1;
        n += k;
    }
    return n;
}

/* Applies one frame to (v, *nl); returns behind it, and its stack in v + nlocals. */
static const uint8_t *read_hint(Reframe *r, const uint8_t *p, unsigned type, CfType *v,
                                uint32_t *nl, uint32_t *depth)
{
    uint32_t nstack = 0;
    *depth = 0;
    if (type >= 64 && type < 128)
        nstack = 1;
    else if (type == 247)
        nstack = 1;
    else if (type >= 248 && type < 251)
        for (unsigned k = 251 - type; k && *nl; k--) {
            CfType last = v[--*nl];
            if ((last == CF_T_LONG2 || last == CF_T_DOUBLE2) && *nl)
                v[--*nl] = CF_T_TOP;
            v[*nl] = CF_T_TOP;
        }
    else if (type > 251 && type < 255)
        p = read_hint_types(r, p, v, nl, r->nlocals + 1, type - 251);
    else if (type == 255) {
        if (r->map_end - p < 2)
            return NULL;
        *nl = 0;
        p = read_hint_types(r, p + 2, v, nl, r->nlocals + 1, cf_get_u2(p));
        if (!p || r->map_end - p < 2)
            return NULL;
        nstack = cf_get_u2(p);
        p += 2;
    }
    for (uint32_t k = *nl; p && k < r->nlocals; k++)
        v[k] = CF_T_TOP;
    return p ? read_hint_types(r, p, v + r->nlocals + 1, depth, r->room + 1, nstack) : NULL;
}

/* Decodes all frames of the attribute as it was. */
static bool read_hints(Reframe *r)
{
    r->hints_read = true;
    if (!r->map)
        return true;
    size_t words = (size_t)r->nlocals + r->room + 4;
    CfType *v = cf_arena_alloc(r->arena, words * sizeof *v);
    if (!v)
        return stop(r, BCI_NO_MEMORY);
    const uint8_t *p = r->map;
    uint32_t nl = r->nfirst, depth = 0, n = cf_get_u2(p);
    memcpy(v, r->first, r->nlocals * sizeof *v);
    int64_t pc = -1;
    p += 2;
    for (; n; n--) {
        if (p >= r->map_end)
            return stop(r, BCI_MALFORMED);
        unsigned type = *p++;
        uint32_t delta = type & 63;
        if (type >= 128) {
            if (r->map_end - p < 2)
                return stop(r, BCI_MALFORMED);
            delta = cf_get_u2(p);
            p += 2;
        }
        pc += 1 + (int64_t)delta;
        if (!(p = read_hint(r, p, type, v, &nl, &depth)))
            return stop(r, BCI_MALFORMED);
        uint32_t k = pc < r->b.code_len ? r->join_at[pc] : 0;
        if (!k)
            continue;
        CfType *copy = cf_arena_alloc(r->arena, (r->nlocals + depth + 1) * sizeof *copy);
        if (!copy)
            return stop(r, BCI_NO_MEMORY);
        memcpy(copy, v, r->nlocals * sizeof *v);
        memcpy(copy + r->nlocals, v + r->nlocals + 1, depth * sizeof *v);
        r->joins[k - 1].hint = copy;
        r->joins[k - 1].hint_depth = (uint16_t)depth;
    }
    return true;
}

/* ---- merging ---- */

static CfType merge_slow(Reframe *r, Join *j, CfType a, CfType b, uint32_t slot)
{
    CfTypeKind ka = cf_type_kind(a), kb = cf_type_kind(b);
    if (ka == CF_T_NULL && kb == CF_T_OBJECT)
        return b;
    if (kb == CF_T_NULL && ka == CF_T_OBJECT)
        return a;
    if (ka != CF_T_OBJECT || kb != CF_T_OBJECT)
        return CF_T_TOP;
    if (!r->hints_read && !read_hints(r))
        return CF_T_TOP;
    bool there = j->hint && (slot < r->nlocals || slot - r->nlocals < j->hint_depth);
    CfType h = there ? j->hint[slot] : CF_T_TOP;
    return cf_type_kind(h) == CF_T_OBJECT ? h : CF_T_TOP;
}

static bool arrive(Reframe *r, uint32_t k, const CfType *stack, uint32_t depth)
{
    Join *j = &r->joins[k];
    uint32_t n = r->nlocals;
    if (!j->reached) {
        if (!j->state && !(j->state = cf_arena_alloc(r->arena, (n + depth + 1) * sizeof(CfType))))
            return stop(r, BCI_NO_MEMORY);
        memcpy(j->state, r->loc, n * sizeof(CfType));
        memcpy(j->state + n, stack, depth * sizeof(CfType));
        j->depth = (uint16_t)depth;
        j->reached = j->dirty = true;
    } else {
        if (j->depth != depth)
            return stop(r, BCI_MALFORMED);
        CfType *to = j->state;
        bool changed = false;
        for (uint32_t i = 0; i < n; i++)
            if (to[i] != r->loc[i]) {
                CfType t = merge_slow(r, j, to[i], r->loc[i], i);
                changed |= t != to[i];
                to[i] = t;
            }
        for (uint32_t i = 0; i < depth; i++)
            if (to[n + i] != stack[i]) {
                CfType t = merge_slow(r, j, to[n + i], stack[i], n + i);
                changed |= t != to[n + i];
                to[n + i] = t;
            }
        j->dirty |= changed;
    }
    if (j->dirty && k < r->lowest)
        r->lowest = k;
    return r->fit == BCI_FITS;
}

static bool branch_to(Reframe *r, int64_t pc)
{
    if (pc < 0 || pc >= r->b.code_len || !r->join_at[pc])
        return stop(r, BCI_MALFORMED);
    return arrive(r, r->join_at[pc] - 1u, r->stk, r->depth);
}

static bool into_handlers(Reframe *r)
{
    for (uint32_t k = 0; k < r->nlive; k++) {
        const uint8_t *row = r->b.rows + 8 * (size_t)r->live[k];
        unsigned type = cf_get_u2(row + 6);
        CfType caught = type ? of_class(r, type) : fixed(r, &r->m->throwable, CF_STR("java/lang/Throwable"));
        if (!arrive(r, r->join_at[cf_get_u2(row + 4)] - 1u, &caught, 1))
            return false;
    }
    r->due = false;
    return true;
}

static void set_live(Reframe *r, uint32_t pc)
{
    r->nlive = 0;
    for (uint32_t k = 0; k < r->b.nrows; k++) {
        const uint8_t *row = r->b.rows + 8 * (size_t)k;
        if (cf_get_u2(row) <= pc && pc < cf_get_u2(row + 2))
            r->live[r->nlive++] = (uint16_t)k;
    }
    r->due = true;
}

/* ---- instructions ---- */

#define NEED(n)                                  \
    do {                                         \
        if (r->depth < (n))                      \
            return stop(r, BCI_MALFORMED);       \
        r->depth -= (n);                         \
    } while (0)
#define ROOM(n)                                  \
    do {                                         \
        if (r->depth + (n) > r->room)            \
            return stop(r, BCI_MALFORMED);       \
    } while (0)
#define PUSH(t) (r->stk[r->depth++] = (t))

static bool push_type(Reframe *r, CfType t)
{
    ROOM(2u);
    PUSH(t);
    if (t == CF_T_LONG || t == CF_T_DOUBLE)
        PUSH(t + 1);
    return true;
}

static bool store(Reframe *r, uint32_t slot, CfType t)
{
    bool two = t == CF_T_LONG || t == CF_T_DOUBLE;
    if (slot + two >= r->nlocals)
        return stop(r, BCI_MALFORMED);
    CfType *v = r->loc, old = v[slot];
    if (old == CF_T_LONG2 || old == CF_T_DOUBLE2)
        v[slot - 1] = CF_T_TOP;
    CfType last = v[slot + two];
    if ((last == CF_T_LONG || last == CF_T_DOUBLE) && slot + two + 1 < r->nlocals)
        v[slot + two + 1] = CF_T_TOP;
    v[slot] = t;
    if (two)
        v[slot + 1] = t + 1;
    r->due = true;
    return true;
}

static bool do_store(Reframe *r, uint32_t slot, char kind)
{
    CfType t;
    switch (kind) {
    case 'J': case 'D':
        NEED(2u);
        return store(r, slot, kind == 'J' ? CF_T_LONG : CF_T_DOUBLE);
    default:
        NEED(1u);
        t = r->stk[r->depth];
        if (t == CF_T_LONG2 || t == CF_T_DOUBLE2)
            return stop(r, BCI_MALFORMED);      /* there may be no slot in front */
        return store(r, slot, t);
    }
}

static bool do_aload(Reframe *r, uint32_t slot)
{
    ROOM(1u);
    if (slot >= r->nlocals)
        return stop(r, BCI_MALFORMED);
    PUSH(r->loc[slot]);
    return true;
}

static bool do_ldc(Reframe *r, unsigned index)
{
    BciPoolMemo spare;
    const BciPoolMemo *m;
    switch (entry(r, index)[0]) {
    case CF_CONST_INTEGER: return push_type(r, CF_T_INT);
    case CF_CONST_FLOAT: return push_type(r, CF_T_FLOAT);
    case CF_CONST_LONG: return push_type(r, CF_T_LONG);
    case CF_CONST_DOUBLE: return push_type(r, CF_T_DOUBLE);
    case CF_CONST_STRING: return push_type(r, fixed(r, &r->m->string, CF_STR("java/lang/String")));
    case CF_CONST_CLASS: return push_type(r, object(r, CF_STR("java/lang/Class")));
    case CF_CONST_METHODTYPE:
        return push_type(r, object(r, CF_STR("java/lang/invoke/MethodType")));
    case CF_CONST_METHODHANDLE:
        return push_type(r, object(r, CF_STR("java/lang/invoke/MethodHandle")));
    case CF_CONST_DYNAMIC: m = member(r, index, &spare); return m && push_type(r, m->type);
    default: return stop(r, BCI_MALFORMED);
    }
}

static void initialise(Reframe *r, CfType old, CfType now)
{
    for (uint32_t k = 0; k < r->nlocals; k++)
        if (r->loc[k] == old)
            r->loc[k] = now;
    for (uint32_t k = 0; k < r->depth; k++)
        if (r->stk[k] == old)
            r->stk[k] = now;
}

static bool do_invoke(Reframe *r, unsigned op, unsigned index)
{
    BciPoolMemo spare;
    const BciPoolMemo *m = member(r, index, &spare);
    if (!m)
        return false;
    NEED(m->args);
    if (op != CF_OP_INVOKESTATIC && op != CF_OP_INVOKEDYNAMIC) {
        NEED(1u);
        if (m->init && op == CF_OP_INVOKESPECIAL) {
            CfType obj = r->stk[r->depth];
            if (obj == CF_T_UNINIT_THIS)
                initialise(r, obj, of_class(r, r->a->v.this_class));
            else if (cf_type_kind(obj) == CF_T_UNINIT)
                initialise(r, obj, m->type);
            r->due = true;
            return !r->nlive || into_handlers(r);
        }
    }
    return m->type == CF_T_TOP || m->init || push_type(r, m->type);
}

static bool do_new(Reframe *r, uint32_t pc, unsigned index)
{
    CfType made = cf_type_make(CF_T_UNINIT, pc);
    (void)index;
    for (uint32_t k = 0; k < r->nlocals; k++)
        if (r->loc[k] == made)
            r->loc[k] = CF_T_TOP, r->due = true;
    ROOM(1u);
    PUSH(made);
    return true;
}

static bool do_shuffle(Reframe *r, unsigned op)
{
    CfType *s = r->stk, *top;
    unsigned n = op == CF_OP_POP || op == CF_OP_DUP ? 1
               : op == CF_OP_DUP_X2 || op == CF_OP_DUP2_X1 ? 3 : op == CF_OP_DUP2_X2 ? 4 : 2;
    if (r->depth < n)
        return stop(r, BCI_MALFORMED);
    ROOM(2u);
    top = s + r->depth;
    CfType a = top[-1], b = n > 1 ? top[-2] : 0, c = n > 2 ? top[-3] : 0, d = n > 3 ? top[-4] : 0;
    switch (op) {
    case CF_OP_POP: r->depth -= 1; break;
    case CF_OP_POP2: r->depth -= 2; break;
    case CF_OP_DUP: PUSH(a); break;
    case CF_OP_DUP_X1: top[-2] = a, top[-1] = b, PUSH(a); break;
    case CF_OP_DUP_X2: top[-3] = a, top[-2] = c, top[-1] = b, PUSH(a); break;
    case CF_OP_DUP2: PUSH(b), PUSH(a); break;
    case CF_OP_DUP2_X1: top[-3] = b, top[-2] = a, top[-1] = c, PUSH(b), PUSH(a); break;
    case CF_OP_DUP2_X2: top[-4] = b, top[-3] = a, top[-2] = d, top[-1] = c, PUSH(b), PUSH(a); break;
    default: top[-2] = a, top[-1] = b;
    }
    return true;
}

static bool do_switch(Reframe *r, uint32_t pc)
{
    CfInsn i;
    NEED(1u);
    if (!cf_insn(r->b.code, r->b.code_len, pc, &i) || !branch_to(r, i.target))
        return false;
    for (uint32_t k = 0; k < i.cases; k++)
        if (!branch_to(r, cf_switch_target(&i, k)))
            return false;
    return true;
}

static bool do_newarray(Reframe *r, unsigned type)
{
    static const char *const names[] = {"[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"};
    NEED(1u);
    return push_type(r, object(r, cf_str(names[(type - 4) & 7])));
}

enum { FALLS = 1, ENDS = 2 };

/* Opcodes that the table does not describe. 0 = stop. */
static int special(Reframe *r, uint32_t pc, unsigned op)
{
    const uint8_t *p = r->b.code + pc;
    BciPoolMemo spare;
    const BciPoolMemo *m;
    switch (op) {
    case CF_OP_LDC: return do_ldc(r, p[1]);
    case CF_OP_LDC_W: case CF_OP_LDC2_W: return do_ldc(r, cf_get_u2(p + 1));
    case CF_OP_ALOAD: return do_aload(r, p[1]);
    case CF_OP_ALOAD_0: case CF_OP_ALOAD_1: case CF_OP_ALOAD_2: case CF_OP_ALOAD_3:
        return do_aload(r, op - CF_OP_ALOAD_0);
    case CF_OP_ISTORE: case CF_OP_FSTORE: case CF_OP_ASTORE: return do_store(r, p[1], 'I');
    case CF_OP_LSTORE: return do_store(r, p[1], 'J');
    case CF_OP_DSTORE: return do_store(r, p[1], 'D');
    case CF_OP_ISTORE_0: case CF_OP_ISTORE_1: case CF_OP_ISTORE_2: case CF_OP_ISTORE_3:
        return do_store(r, op - CF_OP_ISTORE_0, 'I');
    case CF_OP_LSTORE_0: case CF_OP_LSTORE_1: case CF_OP_LSTORE_2: case CF_OP_LSTORE_3:
        return do_store(r, op - CF_OP_LSTORE_0, 'J');
    case CF_OP_FSTORE_0: case CF_OP_FSTORE_1: case CF_OP_FSTORE_2: case CF_OP_FSTORE_3:
        return do_store(r, op - CF_OP_FSTORE_0, 'I');
    case CF_OP_DSTORE_0: case CF_OP_DSTORE_1: case CF_OP_DSTORE_2: case CF_OP_DSTORE_3:
        return do_store(r, op - CF_OP_DSTORE_0, 'D');
    case CF_OP_ASTORE_0: case CF_OP_ASTORE_1: case CF_OP_ASTORE_2: case CF_OP_ASTORE_3:
        return do_store(r, op - CF_OP_ASTORE_0, 'I');
    case CF_OP_AALOAD: {
        NEED(2u);
        CfType t = component(r, r->stk[r->depth]);
        PUSH(t);
        return FALLS;
    }
    case CF_OP_GETSTATIC: return (m = member(r, cf_get_u2(p + 1), &spare)) && push_type(r, m->type);
    case CF_OP_GETFIELD:
        NEED(1u);
        return (m = member(r, cf_get_u2(p + 1), &spare)) && push_type(r, m->type);
    case CF_OP_PUTSTATIC: case CF_OP_PUTFIELD:
        if (!(m = member(r, cf_get_u2(p + 1), &spare)))
            return 0;
        NEED((op == CF_OP_PUTFIELD) + (m->type == CF_T_LONG || m->type == CF_T_DOUBLE ? 2u : 1u));
        return FALLS;
    case CF_OP_INVOKEVIRTUAL: case CF_OP_INVOKESPECIAL: case CF_OP_INVOKESTATIC:
    case CF_OP_INVOKEINTERFACE: case CF_OP_INVOKEDYNAMIC:
        return do_invoke(r, op, cf_get_u2(p + 1));
    case CF_OP_NEW: return do_new(r, pc, cf_get_u2(p + 1));
    case CF_OP_NEWARRAY: return do_newarray(r, p[1]);
    case CF_OP_ANEWARRAY: {
        NEED(1u);
        CfType t = of_class(r, cf_get_u2(p + 1));
        return r->fit == BCI_FITS && push_type(r, array_of(r, t));
    }
    case CF_OP_MULTIANEWARRAY:
        NEED(p[3]);
        return push_type(r, of_class(r, cf_get_u2(p + 1)));
    case CF_OP_CHECKCAST:
        NEED(1u);
        return push_type(r, of_class(r, cf_get_u2(p + 1)));
    case CF_OP_POP: case CF_OP_POP2: case CF_OP_DUP: case CF_OP_DUP_X1: case CF_OP_DUP_X2:
    case CF_OP_DUP2: case CF_OP_DUP2_X1: case CF_OP_DUP2_X2: case CF_OP_SWAP:
        return do_shuffle(r, op);
    case CF_OP_GOTO: return branch_to(r, (int64_t)pc + cf_get_s2(p + 1)) ? ENDS : 0;
    case CF_OP_GOTO_W: return branch_to(r, (int64_t)pc + cf_get_s4(p + 1)) ? ENDS : 0;
    case CF_OP_TABLESWITCH: case CF_OP_LOOKUPSWITCH: return do_switch(r, pc) ? ENDS : 0;
    case CF_OP_WIDE:
        switch (p[1]) {
        case CF_OP_ALOAD: return do_aload(r, cf_get_u2(p + 2));
        case CF_OP_ISTORE: case CF_OP_FSTORE: case CF_OP_ASTORE:
            return do_store(r, cf_get_u2(p + 2), 'I');
        case CF_OP_LSTORE: return do_store(r, cf_get_u2(p + 2), 'J');
        case CF_OP_DSTORE: return do_store(r, cf_get_u2(p + 2), 'D');
        case CF_OP_IINC: return FALLS;
        case CF_OP_ILOAD: return push_type(r, CF_T_INT);
        case CF_OP_FLOAD: return push_type(r, CF_T_FLOAT);
        case CF_OP_LLOAD: return push_type(r, CF_T_LONG);
        case CF_OP_DLOAD: return push_type(r, CF_T_DOUBLE);
        default: return stop(r, BCI_FAR);
        }
    default: return stop(r, BCI_FAR);       /* jsr, ret */
    }
}

/* From the table: pops, pushes, branches. */
static inline __attribute__((always_inline)) int plain(Reframe *r, uint32_t pc, unsigned op, BciEffect e)
{
    NEED((uint32_t)e.pops);
    if (e.push != CF_T_TOP) {
        ROOM(2u);
        PUSH(e.push);
        if (e.push == CF_T_LONG || e.push == CF_T_DOUBLE)
            PUSH(e.push + 1u);
    }
    if (e.branch)
        return branch_to(r, (int64_t)pc + cf_get_s2(r->b.code + pc + 1));
    return e.ends ? ENDS : FALLS;
}

/* Steps from join k on until flow ends or reaches another join. */
static bool run(Reframe *r, uint32_t pc)
{
    const BciEffect *effects = r->m->effects;
    const uint8_t *code = r->b.code;
    if (r->border)
        set_live(r, pc);
    while (pc < r->b.code_len) {
        if (r->nlive && r->due && !into_handlers(r))
            return false;
        unsigned op = code[pc];
        BciEffect e = effects[op];
        int next = e.special ? special(r, pc, op) : plain(r, pc, op, e);
        if (!next || r->fit != BCI_FITS)
            return false;
        if (r->depth > r->max_depth)
            r->max_depth = r->depth;
        if (next == ENDS)
            return true;
        pc += e.len ? e.len : cf_insn_length(code, r->b.code_len, pc);
        if (pc >= r->b.code_len)        /* perhaps in the middle of an instruction */
            break;
        if (r->join_at[pc])
            return arrive(r, r->join_at[pc] - 1u, r->stk, r->depth);
        if (r->border && r->border[pc])
            set_live(r, pc);
    }
    return stop(r, BCI_MALFORMED);
}

static bool run_join(Reframe *r, uint32_t k)
{
    Join *j = &r->joins[k];
    j->dirty = false;
    memcpy(r->loc, j->state, r->nlocals * sizeof(CfType));
    memcpy(r->stk, j->state + r->nlocals, j->depth * sizeof(CfType));
    r->depth = j->depth;
    if (r->depth > r->max_depth)
        r->max_depth = r->depth;
    return run(r, j->pc);
}

static bool drain(Reframe *r)
{
    while (r->lowest < r->njoins) {
        uint32_t k = r->lowest++;
        if (r->joins[k].dirty && !run_join(r, k))
            return false;
    }
    return true;
}

/* Dead code keeps the frame it had. */
static bool seed_dead(Reframe *r)
{
    for (uint32_t k = 0; k < r->njoins; k++) {
        Join *j = &r->joins[k];
        if (j->reached)
            continue;
        if (!r->hints_read && !read_hints(r))
            return false;
        if (!j->hint)
            return stop(r, BCI_FAR);
        memcpy(r->loc, j->hint, r->nlocals * sizeof(CfType));
        if (j->hint_depth > r->room)
            return stop(r, BCI_MALFORMED);
        if (!arrive(r, k, j->hint + r->nlocals, j->hint_depth) || !drain(r))
            return false;
    }
    return true;
}

/* ---- joins ---- */

static bool hint_types(Reframe *r, const uint8_t **p, uint32_t n)
{
    const uint8_t *q = *p;
    for (; n; n--) {
        if (q >= r->map_end || *q > CF_VTAG_UNINIT)
            return stop(r, BCI_MALFORMED);
        q += *q >= CF_VTAG_OBJECT ? 3 : 1;
    }
    *p = q;
    return q <= r->map_end || stop(r, BCI_MALFORMED);
}

/* Steps over the frame of this type at *p. */
static bool skip_frame(Reframe *r, unsigned type, const uint8_t **p)
{
    if (type < 64 || (type >= 248 && type <= 251))
        return true;
    if (type < 128 || type == 247)
        return hint_types(r, p, 1);
    if (type < 255)
        return hint_types(r, p, type - 251);
    if (r->map_end - *p < 2)
        return stop(r, BCI_MALFORMED);
    uint32_t n = cf_get_u2(*p);
    *p += 2;
    if (!hint_types(r, p, n) || r->map_end - *p < 2)
        return stop(r, BCI_MALFORMED);
    n = cf_get_u2(*p);
    *p += 2;
    return hint_types(r, p, n);
}

/* In valid code each target, each handler and each start of dead code has a frame, so the frames
 * tell the joins. A branch elsewhere is found when it is taken. */
static bool find_joins(Reframe *r)
{
    const uint8_t *p = r->map;
    uint32_t n = cf_get_u2(p);
    int64_t pc = -1;
    p += 2;
    r->joins = cf_arena_alloc(r->arena, (n + 1u) * sizeof *r->joins);
    if (!r->joins)
        return stop(r, BCI_NO_MEMORY);
    for (uint32_t k = 0; k < n; k++) {
        if (p >= r->map_end)
            return stop(r, BCI_MALFORMED);
        unsigned type = *p++;
        uint32_t delta = type & 63;
        if (type >= 128) {
            if (type < 247 || r->map_end - p < 2)
                return stop(r, BCI_MALFORMED);
            delta = cf_get_u2(p);
            p += 2;
        }
        pc += 1 + (int64_t)delta;
        if (pc >= r->b.code_len || !skip_frame(r, type, &p))
            return stop(r, BCI_MALFORMED);
        r->joins[k] = (Join){.pc = (uint32_t)pc};
        r->join_at[pc] = (uint16_t)(k + 1);
    }
    r->njoins = r->lowest = n;
    for (uint32_t k = 0; k < r->b.nrows; k++) {
        const uint8_t *row = r->b.rows + 8 * (size_t)k;
        uint32_t start = cf_get_u2(row), end = cf_get_u2(row + 2), h = cf_get_u2(row + 4);
        if (start >= end || end > r->b.code_len || h >= r->b.code_len || !r->join_at[h])
            return stop(r, BCI_MALFORMED);
        r->border[start] = 1;
        if (end < r->b.code_len)
            r->border[end] = 1;
    }
    return true;
}

/* ---- writing ---- */

/* Without unusable ones at the end. */
static uint32_t compact(const CfType *v, uint32_t n, CfType *out)
{
    while (n && v[n - 1] == CF_T_TOP)
        n--;
    return cf_types_compact(v, n, out);
}

static void put_type(Reframe *r, BciBuf *w, CfType t)
{
    CfTypeKind k = cf_type_kind(t);
    bci_put1(w, cf_type_tag(t));
    if (k == CF_T_OBJECT || k == CF_T_UNINIT)
        bci_put2(w, k == CF_T_OBJECT ? class_index(r, t) : cf_type_data(t));
}

static void put_types(Reframe *r, BciBuf *w, const CfType *v, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        put_type(r, w, v[k]);
}

static void put_frame(Reframe *r, BciBuf *w, uint32_t delta, int form, const CfType *v, uint32_t n,
                      const CfType *stack, uint32_t ns)
{
    uint8_t head[5];
    bci_put(w, head, cf_map_head(head, form, ns, delta, n));
    uint32_t skip = form == CF_MAP_FULL ? 0 : form > 0 ? n - (uint32_t)form : n;
    put_types(r, w, v + skip, n - skip);
    if (form == CF_MAP_FULL)
        bci_put2(w, ns);
    put_types(r, w, stack, ns);
}

static bool write_map(Reframe *r, BciBuf *w, uint32_t *count)
{
    CfType *bufs = cf_arena_alloc(r->arena, (2 * (size_t)r->nlocals + r->room + 3) * sizeof *bufs);
    if (!bufs)
        return stop(r, BCI_NO_MEMORY);
    CfType *prev = bufs, *cur = prev + r->nlocals, *stack = cur + r->nlocals;
    uint32_t np = compact(r->first, r->nlocals, prev);
    int64_t last = -1;
    w->len = 0;
    bci_put2(w, 0);
    *count = 0;
    for (uint32_t k = 0; k < r->njoins && r->fit == BCI_FITS; k++) {
        const Join *j = &r->joins[k];
        if (!j->reached)
            continue;
        uint32_t n = compact(j->state, r->nlocals, cur);
        uint32_t ns = cf_types_compact(j->state + r->nlocals, j->depth, stack);
        int form = cf_map_form(prev, np, cur, n, ns);
        put_frame(r, w, (uint32_t)(j->pc - last - 1), form, cur, n, stack, ns);
        last = j->pc;
        CfType *t = prev;
        prev = cur, cur = t, np = n;
        ++*count;
    }
    if (w->bad)
        return stop(r, BCI_NO_MEMORY);
    cf_put_u2(w->p, *count);
    return r->fit == BCI_FITS;
}

/* Puts the new table in the place of the old one in out[at..]. */
static bool replace_map(Reframe *r, BciBuf *out, size_t at, const BciBuf *w, uint32_t count)
{
    size_t old_at = r->map_attr ? (size_t)(r->map_attr - out->p) : out->len;
    size_t old_len = r->map_attr ? (size_t)(r->map_end - r->map_attr) : 0;
    size_t new_len = count ? 6 + w->len : 0;
    size_t count_at = (size_t)(r->b.attrs - 2 - out->p);
    unsigned name = r->map_attr ? cf_get_u2(r->map_attr)
                                : count ? bci_use(r->a, r->a->plan->map_name) : 0;
    if (count && !name)
        return stop(r, bci_no_index(r->a));
    if (new_len > old_len && !bci_room(out, new_len - old_len))
        return stop(r, BCI_NO_MEMORY);
    uint8_t *p = out->p + old_at;
    memmove(p + new_len, p + old_len, out->len - old_at - old_len);
    if (count) {
        cf_put_u2(p, name);
        cf_put_u4(p + 2, (uint32_t)w->len);
        memcpy(p + 6, w->p, w->len);
    }
    out->len += new_len - old_len;
    cf_put_u2(out->p + count_at, r->b.nattrs + (count != 0) - (r->map_attr != NULL));
    cf_put_u4(out->p + at + 2, (uint32_t)(out->len - at - 6));
    cf_put_u2(out->p + at + 6, r->max_depth);
    return true;
}

/* ---- all ---- */

static bool begin(Reframe *r, BciApply *a)
{
    BciTypesMemo *m = r->m;
    if (!m->ready) {
        uint32_t n = a->v.npool + 64;
        if (n > m->cap_pool) {
            BciPoolMemo *p = realloc(m->pool, 2 * n * sizeof *p);
            if (!p)
                return false;
            m->pool = p;
            m->cap_pool = 2 * n;
        }
        memset(m->pool, 0, n * sizeof *m->pool);
        m->npool = n;
        m->nnames = 0;
        m->string = m->throwable = CF_T_TOP;
        m->classes_read = false;
        if (++m->epoch == 0 && m->slots)
            memset(m->slots, 0, 2 * m->cap_names * sizeof *m->slots), m->epoch = 1;
        cf_arena_reset(&m->arena);
        m->ready = true;
    }
    size_t len = r->b.code_len;
    r->loc = cf_arena_alloc(r->arena, (r->nlocals + 2) * sizeof(CfType));
    r->first = cf_arena_alloc(r->arena, (r->nlocals + 1) * sizeof(CfType));
    r->stk = cf_arena_alloc(r->arena, (r->room + 2) * sizeof(CfType));
    r->join_at = cf_arena_calloc(r->arena, len + 1, sizeof *r->join_at);
    if (r->b.nrows) {
        r->border = cf_arena_calloc(r->arena, len + 1, 1);
        r->live = cf_arena_alloc(r->arena, r->b.nrows * sizeof *r->live);
    }
    return r->loc && r->first && r->stk && r->join_at && (!r->b.nrows || (r->border && r->live));
}

static void find_map(Reframe *r)
{
    const uint8_t *p = r->b.attrs;
    for (unsigned k = 0; k < r->b.nattrs; k++, p += 6 + cf_get_u4(p + 2)) {
        unsigned name = cf_get_u2(p);
        bool map = name < r->a->v.npool ? bci_view_kind(&r->a->v, name) == CF_ATTR_STACK_MAP_TABLE
                                        : cf_str_is(utf8(r, name), "StackMapTable");
        if (map && cf_get_u4(p + 2) >= 2) {
            r->map_attr = p;
            r->map = p + 6;
            r->map_end = r->map + cf_get_u4(p + 2);
        }
    }
}

BciFit bci_reframe(BciApply *a, BciBuf *out, size_t at)
{
    Reframe r = {.a = a, .m = &a->s->types, .arena = &a->s->flow, .fit = BCI_FITS};
    cf_arena_reset(r.arena);
    if (a->v.major < 50)
        return BCI_FITS;
    if (!bci_view_body(out->p + at, out->p + out->len, &r.b))
        return BCI_MALFORMED;
    r.nlocals = r.b.max_locals;
    r.room = r.b.max_stack + 2;
    find_map(&r);
    if (!r.map)
        return BCI_FITS;        /* no joins; or version 50 for the old verifier */
    if (!begin(&r, a))
        return BCI_NO_MEMORY;
    if (!find_joins(&r))
        return r.fit;
    r.nfirst = entry_state(&r, r.first);
    memcpy(r.loc, r.first, r.nlocals * sizeof *r.loc);
    uint32_t count;
    bool start_is_join = r.join_at[0] != 0;
    if (r.fit != BCI_FITS || !(start_is_join ? arrive(&r, 0, r.stk, 0) : run(&r, 0)) ||
        !drain(&r) || !seed_dead(&r) || !write_map(&r, &a->s->map, &count) ||
        !replace_map(&r, out, at, &a->s->map, count))
        return r.fit;
    return BCI_FITS;
}

void bci_types_init(BciTypesMemo *m)
{
    cf_arena_init(&m->arena, "bci-types", 0);
    for (unsigned op = 0; op < 256; op++) {
        const CfOpInfo *o = &cf_op_info[op];
        BciEffect *e = &m->effects[op];
        *e = (BciEffect){.len = o->length, .special = true};
        if (o->format == CF_FMT_BAD || !o->pops)
            continue;
        e->ends = (o->flags & CF_OF_END) != 0;
        e->branch = (o->flags & CF_OF_BRANCH) && (o->flags & CF_OF_COND);
        bool simple = !strpbrk(o->pops, "VOR12PUQT") && !strpbrk(o->pushes, "VKUPQTE12RA") &&
                      strlen(o->pushes) < 2 && !(o->flags & (CF_OF_STORE | CF_OF_SWITCH | CF_OF_WIDE)) &&
                      !(o->flags & CF_OF_BRANCH && !e->branch) && o->length;
        if (op == CF_OP_IINC || ((o->flags & CF_OF_LOAD) && *o->pushes != 'A'))
            simple = true;
        if (!simple || op == CF_OP_JSR || op == CF_OP_RET)
            continue;
        e->special = false;
        for (const char *p = op == CF_OP_IINC ? "" : o->pops; *p; p++)
            e->pops += *p == 'J' || *p == 'D' ? 2 : 1;
        switch (*o->pushes) {
        case 'I': e->push = CF_T_INT; break;
        case 'F': e->push = CF_T_FLOAT; break;
        case 'J': e->push = CF_T_LONG; break;
        case 'D': e->push = CF_T_DOUBLE; break;
        case 'N': e->push = CF_T_NULL; break;
        default: e->push = CF_T_TOP;
        }
    }
}

void bci_types_free(BciTypesMemo *m)
{
    free(m->names);
    free(m->slots);
    free(m->pool);
    cf_arena_free(&m->arena);
}
