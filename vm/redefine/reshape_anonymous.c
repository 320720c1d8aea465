/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Anonymous classes that exchange numbers.
 *
 * Compilers number anonymous classes in the order of the source.  When one is inserted, removed or moved, T$1 in the new class
 * files is another class than T$1 here, and objects of T$1 would go on with another body.  Who gets other
 * supertypes is refused for that (reshape.c); classes of equal supertypes are known by their code:
 *
 *   token       an instruction with what its operand means; numbers behind a $ do not count.  What only moves values is
 *               left out, and so are constructors: those of anonymous classes are alike
 *   likeness    of two versions: 2 * common tokens / all tokens, each as often as it occurs
 *   exchanged   what the new T$2 says is like what T$1 said until now, and clearly less like what T$2 said; and what the new
 *               T$1 says is clearly less like it
 *   moved up    what the new T$1 says is like what T$2 says, and the new T knows no T$2 any more
 *
 * What is not found: a class that is put before the last one, whose old body then is in a file that nobody has loaded.
 * Following the numbers instead of refusing would take class files with other names in them, now and at every later load.
 */
#include "redefine/reshape.h"

#include <stdlib.h>

enum { ALIKE = 80, CLEARLY = 20 }; /* per cent */

typedef struct Tokens {
    u8 *v; /* sorted */
    u4 n;
} Tokens;

/* --- tokens --- */

static u8 mix(u8 h, u8 x) {
    h = (h ^ x) * 0xff51afd7ed558ccdull;
    return h ^ h >> 32;
}

static u8 hash_text(u8 h, CfStr s) {
    for (u4 i = 0; i < s.len; i++) {
        h = mix(h, (u1)s.p[i]);
        while (s.p[i] == '$' && i + 1 < s.len && s.p[i + 1] >= '0' && s.p[i + 1] <= '9') {
            do i++;
            while (i + 1 < s.len && s.p[i + 1] >= '0' && s.p[i + 1] <= '9');
        }
    }
    return mix(h, s.len ? 1 : 0);
}

static u8 hash_constant(u8 h, const CfClass *cf, u2 index) {
    const CfConst *k = cf_const(cf, index);
    CfStr owner, name, desc;

    h = mix(h, k->tag);
    switch (k->tag) {
    case CF_CONST_INTEGER:
    case CF_CONST_FLOAT: return mix(h, (u4)k->i);
    case CF_CONST_LONG:
    case CF_CONST_DOUBLE: return mix(h, (u8)k->j);
    case CF_CONST_CLASS:
    case CF_CONST_STRING:
    case CF_CONST_METHODTYPE: return hash_text(h, cf_utf8(cf, k->a));
    case CF_CONST_FIELDREF:
    case CF_CONST_METHODREF:
    case CF_CONST_INTERFACEMETHODREF:
        if (!cf_member_ref(cf, index, &owner, &name, &desc)) return h;
        return hash_text(hash_text(hash_text(h, owner), name), desc);
    case CF_CONST_DYNAMIC:
    case CF_CONST_INVOKEDYNAMIC: k = cf_const(cf, k->b); return hash_text(hash_text(h, cf_utf8(cf, k->a)), cf_utf8(cf, k->b));
    default: return h;
    }
}

static u8 token(const CfClass *cf, const CfInsn *in) {
    u8 h = mix(0x9e3779b97f4a7c15ull, in->op == CF_OP_LDC_W ? CF_OP_LDC : in->op);
    u4 flags = cf_op_info[in->op].flags;
    if (flags & CF_OF_CP) return hash_constant(h, cf, in->index);
    if (flags & (CF_OF_BRANCH | CF_OF_SWITCH)) return h;
    return mix(mix(h, in->index), (u8)(int64_t)in->imm);
}

static int by_value(const void *a, const void *b) {
    u8 x = *(const u8 *)a, y = *(const u8 *)b;
    return x < y ? -1 : x > y;
}

/* False: no memory. */
static bool read_tokens(const ClassVersion *v, Tokens *out) {
    size_t most = 1;
    CfInsn in;

    for (u4 i = 0; i < v->n_methods; i++) most += v->methods[i].code_len;
    *out = (Tokens){malloc(most * sizeof(u8)), 0};
    if (!out->v) return false;
    for (u4 i = 0; i < v->n_methods; i++) {
        const Method *m = &v->methods[i];
        if (m->flags & MF_INIT) continue;
        for (u4 pc = 0; pc < m->code_len && cf_insn(m->code, m->code_len, pc, &in); pc += in.len)
            if (!(cf_op_info[in.op].flags & (CF_OF_LOAD | CF_OF_STORE | CF_OF_STACK | CF_OF_RETURN)))
                out->v[out->n++] = token(v->cf, &in);
    }
    qsort(out->v, out->n, sizeof *out->v, by_value);
    return true;
}

/* Per cent; negative: no memory. */
static int likeness(const ClassVersion *a, const ClassVersion *b) {
    Tokens x = {0}, y = {0};
    bool ok = read_tokens(a, &x) && read_tokens(b, &y);
    u4 common = 0, all = x.n + y.n;

    for (u4 i = 0, k = 0; ok && i < x.n && k < y.n;) {
        if (x.v[i] == y.v[k]) common++, i++, k++;
        else if (x.v[i] < y.v[k]) i++;
        else k++;
    }
    free(x.v);
    free(y.v);
    return !ok ? -1 : all ? (int)(200 * (u8)common / all) : 100;
}

/* --- who is who --- */

/* As javac names them: the length of the part before $number, or 0. */
static u4 outer_length(const Symbol *name) {
    u4 n = name->len;
    while (n > 0 && name->bytes[n - 1] >= '0' && name->bytes[n - 1] <= '9') n--;
    return n < name->len && n > 1 && name->bytes[n - 1] == '$' ? n - 1 : 0;
}

bool reshape_is_anonymous(const Class *c) { return outer_length(c->name) != 0; }

static bool are_siblings(const Class *a, const Class *b) {
    u4 n = outer_length(a->name);
    if (a == b || !n || n != outer_length(b->name) || a->loader != b->loader || memcmp(a->name->bytes, b->name->bytes, n) != 0)
        return false;
    return !reshape_hierarchy_differs(a, b->super, b->interfaces, b->n_interfaces);
}

static bool is_changed(const Change *ch) {
    if (ch->shape || ch->fresh->n_methods != ch->base->n_methods) return true;
    for (u4 i = 0; i < ch->fresh->n_methods; i++)
        if (!ch->same[i]) return true;
    return false;
}

static Refusal refuse(const Change *ch, const Class *other) {
    Refusal why = reshape_refuse_for(ch, REASON_ANONYMOUS, other);
    return ch->shape ? why : REFUSED_UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED;
}

static Refusal look_for_exchange(const Change *ch, int own, const Change *changes, u4 n) {
    for (u4 i = 0; i < n; i++) {
        const Change *d = &changes[i];
        if (!are_siblings(ch->klass, d->klass) || !is_changed(d)) continue;
        int moved = likeness(ch->base, d->fresh), stays = likeness(d->base, d->fresh);
        if (moved < 0 || stays < 0) return REFUSED_OUT_OF_MEMORY;
        if (moved >= ALIKE && moved >= own + CLEARLY && moved >= stays + CLEARLY) return refuse(ch, d->klass);
    }
    return REFUSED_NOT;
}

static bool names_class(const CfClass *cf, const Symbol *name) {
    for (u4 i = 1; i < cf->const_count; i++)
        if (cf_tag(cf, i) == CF_CONST_CLASS && cf_str_eq(cf_class_name(cf, (u2)i), symbol_str(name))) return true;
    return false;
}

static const Change *change_of_outer(const Class *c, const Change *changes, u4 n) {
    u4 len = outer_length(c->name);
    for (u4 i = 0; i < n; i++) {
        const Symbol *name = changes[i].klass->name;
        if (changes[i].klass->loader == c->loader && name->len == len && memcmp(name->bytes, c->name->bytes, len) == 0)
            return &changes[i];
    }
    return NULL;
}

static Refusal look_for_gap(const Change *ch, int own, const Change *outer) {
    const CfClass *cf = outer->base->cf;
    for (u4 i = 1; i < cf->const_count; i++) {
        if (cf_tag(cf, i) != CF_CONST_CLASS) continue;
        CfStr text = cf_class_name(cf, (u2)i);
        Symbol *name = text.p ? symbol_lookup(text.p, text.len) : NULL;
        Class *d = name && outer_length(name) ? loader_find_loaded(ch->klass->loader, name) : NULL;
        if (!d || !d->version || !are_siblings(ch->klass, d) || names_class(outer->fresh->cf, name)) continue;
        int moved = likeness(d->version, ch->fresh);
        if (moved < 0) return REFUSED_OUT_OF_MEMORY;
        if (moved >= ALIKE && moved >= own + CLEARLY) return refuse(ch, d);
    }
    return REFUSED_NOT;
}

Refusal reshape_check_anonymous(const Change *changes, u4 n) {
    Refusal why = REFUSED_NOT;
    for (u4 i = 0; i < n && !why; i++) {
        const Change *ch = &changes[i], *outer;
        if (ch->undoes || !reshape_is_anonymous(ch->klass) || !is_changed(ch)) continue;
        int own = likeness(ch->base, ch->fresh);
        if (own < 0) return REFUSED_OUT_OF_MEMORY;
        why = look_for_exchange(ch, own, changes, n);
        outer = why ? NULL : change_of_outer(ch->klass, changes, n);
        if (outer) why = look_for_gap(ch, own, outer);
    }
    return why;
}
