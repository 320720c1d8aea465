/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Initialisers of new fields.
 *
 * A class that is initialised does not run its new <clinit>, and living objects do not run the new constructor.  What those
 * would have stored into new fields is found by data flow and run alone:
 *
 *   piece   bytecode [start, end) of <clinit> or of a constructor behind its call of super(): begins with an empty
 *           operand stack, ends behind the store to a new field, which empties it.  A jump into it comes
 *           from inside; one out of it goes to its end.  So it is a statement that is always executed, wherever
 *           control came from.
 *   pure    (constructors) it uses no local but `this` and calls only the class library and call sites
 *
 * Pieces that use locals (of <clinit>: any), store to fields that are not new, return, are covered by a handler, or switch
 * are not taken: the field stays 0.  So is a field whose constructors disagree.
 *
 * The pieces of a kind are put together to one VM-made method, with the names <clinit> and <init> because those may
 * store to final fields.  That of the statics runs once, that of the objects for each object that lived in the pause.
 * A piece of a constructor that is `this.f = constant` with no code before it is no code: the constant becomes the group's initial value.
 *
 * An enum's $VALUES counts as new when constants come or go.  The pieces up to it run first, of all enums, and the constants get their
 * numbers (reshape_enum.c) before the other pieces may use them.  Constants of static finals (ConstantValue) that changed are stored as well.
 */
#include "log/log.h"
#include "jit/jit.h"
#include "redefine/reshape.h"
#include "shape/shape.h"
#include "cf_kinds.h"

#include <stdlib.h>

/* --- one method looked at --- */

typedef struct Flow {
    const ClassVersion *v;
    const Method *m;
    int16_t *depth; /* per bci, before the instruction; -1: not reached or no instruction */
    u1 *taken;      /* per bci: part of a piece */
} Flow;

static CfKindsResult find_depths(Flow *f) {
    const Method *m = f->m;
    CfArena arena;
    CfKinds k;

    for (u4 i = 0; i < m->code_len; i++) f->depth[i] = -1;
    cf_arena_init(&arena, "initialiser", 0);
    CfKindsResult r = cf_kinds_init(&k, f->v->cf, m->cf, m->cf_code, CF_KINDS_ALL | CF_KINDS_BLOCKS, 0, &arena);
    for (u4 pc = 0, len; r == CF_KINDS_OK && pc < m->code_len; pc += len) {
        len = cf_insn_length(m->cf_code->code, m->code_len, pc);
        if (cf_kinds_go(&k, pc)) f->depth[pc] = (int16_t)k.cur.depth;
    }
    cf_arena_free(&arena);
    return r;
}

static bool flow_init(Flow *f, const ClassVersion *v, const Method *m) {
    *f = (Flow){v, m, malloc((m->code_len + 1u) * sizeof(int16_t)), calloc(m->code_len + 1u, 1)};
    return f->depth && f->taken;
}

/* The nearest place at or before pc where the stack is empty. */
static u4 statement_at(const Flow *f, u4 pc) {
    while (pc > 0 && f->depth[pc] != 0) pc--;
    return pc;
}

typedef struct Piece {
    u4 start, end;
} Piece;

/* Does the jump leave the piece whole?  It may have to begin earlier for that. */
static bool admit_jump(const Flow *f, Piece *p, u4 from, int32_t to) {
    bool inside = from >= p->start && from < p->end;
    if (inside) return to >= (int32_t)p->start && to <= (int32_t)p->end;
    if (from >= p->end) return to >= (int32_t)p->end || to < 0;
    if (to <= (int32_t)p->start) return true;
    if (to > (int32_t)p->end) return false; /* over all of it: something decides whether it runs */
    p->start = statement_at(f, from);
    return true;
}

static bool admit_jumps(const Flow *f, Piece *p) {
    const Method *m = f->m;
    CfInsn in;
    u4 start;

    do {
        start = p->start;
        for (u4 pc = 0; pc < m->code_len && cf_insn(m->code, m->code_len, pc, &in); pc += in.len) {
            u4 flags = cf_op_info[in.op].flags;
            if (flags & CF_OF_BRANCH && !admit_jump(f, p, pc, in.target)) return false;
            for (u4 k = 0; flags & CF_OF_SWITCH && k <= in.cases; k++)
                if (!admit_jump(f, p, pc, k < in.cases ? cf_switch_target(&in, k) : in.target)) return false;
        }
    } while (p->start != start);
    for (u4 i = 0; i < m->n_handlers; i++)
        if (m->handlers[i].start < p->end && m->handlers[i].end > p->start) return false;
    return true;
}

/* --- which fields --- */

/* What a put instruction stores to counts as new: a field that is not kept, or $VALUES. */
static const Field *new_field(const Change *ch, const ClassVersion *v, u2 idx, bool is_static) {
    CfStr owner, name, desc;
    if (!cf_member_ref(v->cf, idx, &owner, &name, &desc) || !cf_str_eq(owner, v->cf->name)) return NULL;
    for (u4 i = 0; i < v->cf->field_count; i++) {
        const Field *f = &ch->shape->fields[i];
        if (!!(f->access & ACC_STATIC) != is_static || !cf_str_eq(name, symbol_str(f->name)) ||
            !cf_str_eq(desc, symbol_str(f->desc)))
            continue;
        if (offset_is_outside(f->offset) && ch->shape->n_groups) {
            for (u4 g = 0; g < ch->shape->n_groups; g++)
                if ((ch->shape->groups[g] ^ f->offset) >> 12 == 0) return f;
        }
        if (is_static && reshape_names_values(name) && reshape_constants_differ(ch->base, v)) return f;
        return NULL;
    }
    return NULL;
}

/* --- pieces --- */

typedef struct Collect {
    const Change *ch;
    Flow *f;
    bool is_static;
    u4 from; /* behind super() */
    Piece *pieces;
    u4 n;
} Collect;

static bool is_library_call(const ClassVersion *v, u2 idx) {
    CfStr owner, name, desc;
    return cf_member_ref(v->cf, idx, &owner, &name, &desc) && cf_str_starts(owner, "java/");
}

static bool admit_insn(const Collect *c, const CfInsn *in) {
    const ClassVersion *v = c->f->v;
    u4 flags = cf_op_info[in->op].flags;
    if (flags & (CF_OF_STORE | CF_OF_SWITCH | CF_OF_RETURN | CF_OF_MONITOR | CF_OF_JSR | CF_OF_RET)) return false;
    if (in->op == CF_OP_IINC) return false;
    if (flags & CF_OF_LOAD) return !c->is_static && in->op == CF_OP_ALOAD_0;
    if (in->op == CF_OP_PUTSTATIC) return new_field(c->ch, v, in->index, true) != NULL;
    if (in->op == CF_OP_PUTFIELD) return !c->is_static && new_field(c->ch, v, in->index, false) != NULL;
    if (flags & CF_OF_INVOKE && !c->is_static && in->op != CF_OP_INVOKEDYNAMIC) return is_library_call(v, in->index);
    return true;
}

static bool admit_code(const Collect *c, const Piece *p) {
    const Method *m = c->f->m;
    CfInsn in;
    for (u4 pc = p->start; pc < p->end; pc += in.len)
        if (!cf_insn(m->code, m->code_len, pc, &in) || c->f->taken[pc] || !admit_insn(c, &in)) return false;
    return true;
}

/* The piece that ends with the put instruction at pc. */
static bool find_piece(const Collect *c, u4 pc, u4 len, Piece *out) {
    *out = (Piece){statement_at(c->f, pc), pc + len};
    if (c->f->depth[pc] <= 0) return false;
    return admit_jumps(c->f, out) && out->start >= c->from && admit_code(c, out);
}

static void collect(Collect *c) {
    const Method *m = c->f->m;
    u1 put = c->is_static ? CF_OP_PUTSTATIC : CF_OP_PUTFIELD;
    CfInsn in;
    Piece p;

    for (u4 pc = c->from; pc < m->code_len && cf_insn(m->code, m->code_len, pc, &in); pc += in.len) {
        if (in.op != put || !new_field(c->ch, c->f->v, in.index, c->is_static)) continue;
        if (pc + in.len < m->code_len && c->f->depth[pc + in.len] > 0) continue; /* a = b = ...: the piece is longer */
        if (!find_piece(c, pc, in.len, &p)) continue;
        memset(c->f->taken + p.start, 1, p.end - p.start);
        c->pieces[c->n++] = p;
    }
}

/* --- constructors --- */

/* Where the constructor goes on after super(); 0: it calls this(), or one cannot tell. */
static u4 behind_super(const ClassVersion *v, const Method *m) {
    CfInsn in;
    CfStr owner, name, desc;
    int made = 0;
    for (u4 pc = 0; pc < m->code_len && cf_insn(m->code, m->code_len, pc, &in); pc += in.len) {
        if (in.op == CF_OP_NEW) made++;
        if (in.op != CF_OP_INVOKESPECIAL || !cf_member_ref(v->cf, in.index, &owner, &name, &desc) || !cf_str_is(name, "<init>"))
            continue;
        if (made-- > 0) continue;
        return cf_str_eq(owner, v->cf->name) ? 0 : pc + in.len;
    }
    return 0;
}

/* Every constructor that calls super() has the piece. */
static bool all_have(const ClassVersion *v, const Method *m, const Piece *p) {
    u4 len = p->end - p->start;
    for (u4 i = 0; i < v->n_methods; i++) {
        const Method *k = &v->methods[i];
        u4 at = k->flags & MF_INIT && k != m ? behind_super(v, k) : 0;
        bool found = !at;
        for (; !found && at + len <= k->code_len; at++) found = memcmp(k->code + at, m->code + p->start, len) == 0;
        if (!found) return false;
    }
    return true;
}

/* aload_0; constant; putfield: the initial value of the group. */
static bool take_constant(Thread *t, const Change *ch, const Method *m, const Piece *p) {
    ClassVersion *v = ch->fresh;
    CfInsn load, value, put;
    BasicType type;
    Slot s = {.raw = 0};

    if (!cf_insn(m->code, m->code_len, p->start, &load) || load.op != CF_OP_ALOAD_0) return false;
    if (!cf_insn(m->code, m->code_len, p->start + load.len, &value)) return false;
    if (!cf_insn(m->code, m->code_len, value.pc + value.len, &put) || put.op != CF_OP_PUTFIELD || put.pc + put.len != p->end)
        return false;
    const Field *f = new_field(ch, v, put.index, false);
    if (value.op >= CF_OP_ICONST_M1 && value.op <= CF_OP_ICONST_5) s.i = value.imm;
    else if (value.op == CF_OP_BIPUSH || value.op == CF_OP_SIPUSH) s.i = value.imm;
    else if (value.op == CF_OP_LCONST_0 || value.op == CF_OP_LCONST_1) s.j = value.op - CF_OP_LCONST_0;
    else if (value.op >= CF_OP_FCONST_0 && value.op <= CF_OP_FCONST_2) s.f = (float)(value.op - CF_OP_FCONST_0);
    else if (value.op == CF_OP_DCONST_0 || value.op == CF_OP_DCONST_1) s.d = value.op - CF_OP_DCONST_0;
    else if (value.op == CF_OP_LDC || value.op == CF_OP_LDC_W || value.op == CF_OP_LDC2_W) {
        unsigned tag = cf_tag(v->cf, value.index);
        if (tag != CF_CONST_STRING && (tag < CF_CONST_INTEGER || tag > CF_CONST_DOUBLE)) return false;
        if (!resolve_constant(t, v, value.index, &s, &type)) return t->exception = NULL, false;
    } else return false;
    Object *initial = record_initial(f->offset);
    u4 at = record_offset(f->offset);
    return cell_store(f, initial, at, s), true;
}

/* --- the VM-made method --- */

/* False: no memory. */
static bool make_method(ClassVersion *v, const Method *like, const Piece *pieces, u4 n, bool is_static) {
    u4 len = 1, at = 0;
    for (u4 i = 0; i < n; i++) len += pieces[i].end - pieces[i].start;
    u1 *code = cf_arena_alloc(v->arena, len);
    if (!code) return false;
    for (u4 i = 0; i < n; at += pieces[i].end - pieces[i].start, i++)
        memcpy(code + at, like->code + pieces[i].start, pieces[i].end - pieces[i].start);
    code[at] = CF_OP_RETURN;
    Method *m = &v->methods[v->n_methods_all];
    *m = (Method){.kind = MK_BYTECODE,
                  .ret_type = T_VOID,
                  .access = is_static ? ACC_STATIC | ACC_SYNTHETIC : ACC_PRIVATE | ACC_SYNTHETIC,
                  .flags = (is_static ? MF_CLINIT : MF_INIT) | MF_OVERPASS,
                  .arg_slots = !is_static,
                  .max_locals = !is_static,
                  .max_stack = like->max_stack,
                  .entry = jit_bridge,
                  .code = code,
                  .code_len = len,
                  .index = v->n_methods_all,
                  .slot = UINT32_MAX,
                  .holder = v->klass,
                  .version = v,
                  .name = like->name,
                  .desc = symbol_of("()V"),
                  .vtable_index = -1,
                  .itable_index = -1};
    v->n_methods_all++;
    return true;
}

static bool stores_values(const ClassVersion *v, const Method *m, const Piece *p) {
    CfStr owner, name, desc;
    CfInsn in;
    u4 last = p->start;
    for (u4 pc = p->start; pc < p->end && cf_insn(m->code, m->code_len, pc, &in); pc += in.len) last = pc;
    return cf_insn(m->code, m->code_len, last, &in) && in.op == CF_OP_PUTSTATIC &&
           cf_member_ref(v->cf, in.index, &owner, &name, &desc) && reshape_names_values(name);
}

/* Of an enum whose constants change two: the constants are numbered before anything else may use them.  False: no memory. */
static bool make_methods(Change *ch, const Method *m, const Piece *pieces, u4 n, bool is_static) {
    u4 first = n;
    for (u4 i = 0; is_static && ch->shape->is_enum && i < n; i++)
        if (stores_values(ch->fresh, m, &pieces[i])) first = i + 1;
    if (!make_method(ch->fresh, m, pieces, first, is_static)) return false;
    return first == n || make_method(ch->fresh, m, pieces + first, n - first, is_static);
}

/* False: no memory. */
static bool prepare_one(Thread *t, Change *ch, const Method *m, bool is_static) {
    Flow f = {0};
    Collect c = {ch, &f, is_static, is_static ? 0 : behind_super(ch->fresh, m), calloc(m->code_len + 1u, sizeof(Piece)), 0};
    bool ok = c.pieces && flow_init(&f, ch->fresh, m);
    CfKindsResult told = ok ? find_depths(&f) : CF_KINDS_NO_MEMORY;
    if (told == CF_KINDS_OK) collect(&c);
    ok = told != CF_KINDS_NO_MEMORY;
    u4 n = 0;
    for (u4 i = 0; i < c.n; i++) {
        if (!is_static && !all_have(ch->fresh, m, &c.pieces[i])) continue;
        if (!is_static && !n && take_constant(t, ch, m, &c.pieces[i])) continue; /* nothing ran before it */
        c.pieces[n++] = c.pieces[i];
    }
    if (n) ok = make_methods(ch, m, c.pieces, n, is_static);
    if (n && !is_static) ch->shape->initialises = true;
    free(f.depth);
    free(f.taken);
    free(c.pieces);
    return ok;
}

bool reshape_prepare_init(Thread *t, Change *ch) {
    ClassVersion *v = ch->fresh;
    bool ok = true;
    ch->shape->is_enum = reshape_constants_differ(ch->base, v);
    for (u4 i = 0; i < v->n_methods && ok; i++)
        if (v->methods[i].flags & MF_CLINIT && v->methods[i].kind == MK_BYTECODE) ok = prepare_one(t, ch, &v->methods[i], true);
    for (u4 i = 0; ch->shape->outside && i < v->n_methods; i++)
        if (v->methods[i].flags & MF_INIT && behind_super(v, &v->methods[i]))
            return ok && prepare_one(t, ch, &v->methods[i], false);
    return ok;
}

/* --- the objects that live in the pause --- */

typedef struct Living {
    Class *c;
    Object *array; /* NULL: count */
    u4 n;
} Living;

static bool note_living(Object *o, void *arg) {
    Living *l = arg;
    Class *c = obj_class(o);
    if (c->flags & CF_ARRAY || !class_is_subtype(c, l->c)) return true;
    if (l->array && l->n < (u4)array_len(l->array)) array_set_ref(l->array, (int32_t)l->n, o);
    l->n++;
    return true;
}
static void count_living(void *arg) { heap_walk(note_living, arg); }

bool reshape_make_room(Thread *t, Change *ch) {
    Living l = {.c = ch->klass, .n = ch->n_living};
    if (!(ch->shape && ch->shape->initialises) && !reshape_has_object_hook(ch)) return true;
    if (!ch->living) safepoint_run("count objects", count_living, &l);
    Object *a = class_new_array(t, JC(Object), (int32_t)(l.n + l.n / 8 + 256));
    if (!a) return false;
    if (ch->living) handle_delete_local(t, ch->living);
    ch->living = handle_local(t, a);
    return true;
}

bool reshape_find_living(Change *ch) {
    Living l = {.c = ch->klass};
    if (!ch->living) return true;
    l.array = handle_get(ch->living);
    heap_walk(note_living, &l);
    ch->n_living = l.n;
    return l.n <= (u4)array_len(l.array);
}

/* --- after the pause --- */

/* The skip-th of this kind. */
static Method *made_method(ClassVersion *v, u4 flag, u4 skip) {
    for (u4 i = v->n_methods; i < v->n_methods_all; i++)
        if (v->methods[i].flags & flag && !skip--) return &v->methods[i];
    return NULL;
}

static void run(Thread *t, Method *m, Object *self) {
    Slot arg = {.ref = self};
    if (exec_call(t, m, &arg, NULL)) return;
    Object *ex = exception_take(t);
    if (log_on(LOG_REDEFINE))
        log_print(LOG_REDEFINE, "an initialiser of a new field of %s has thrown %s", m->holder->name->bytes,
                  class_text(obj_class(ex)).s);
}

static u2 constant_of(const CfClass *cf, CfStr name, CfStr desc) {
    for (u4 i = 0; i < cf->field_count; i++)
        if (cf_str_eq(cf_utf8(cf, cf->fields[i].name), name) && cf_str_eq(cf_utf8(cf, cf->fields[i].desc), desc))
            return cf_attr_index(cf_attr(&cf->fields[i].attrs, CF_ATTR_CONSTANT_VALUE));
    return 0;
}

static void store(Thread *t, const Field *f, Object *o, Slot v) {
    u4 at = f->offset;
    if (offset_is_outside(at)) {
        if (!(o = record_to_write(t, o, at))) return;
        at = record_offset(at);
    }
    cell_store(f, o, at, v);
}

bool reshape_compare_constants(Change *ch) {
    const CfClass *a = ch->base->cf, *b = ch->fresh->cf;
    for (u4 i = 0; i < b->field_count; i++) {
        CfStr name = cf_utf8(b, b->fields[i].name), desc = cf_utf8(b, b->fields[i].desc);
        u2 now = cf_attr_index(cf_attr(&b->fields[i].attrs, CF_ATTR_CONSTANT_VALUE)), was = constant_of(a, name, desc);
        if (!now || !was || !(b->fields[i].access & ACC_STATIC) || constants_mean_the_same(a, was, b, now)) continue;
        if (!ch->constants && !(ch->constants = calloc(b->field_count, sizeof *ch->constants))) return false;
        ch->constants[ch->n_constants++] = (ConstantChange){symbol_intern(name.p, name.len), symbol_intern(desc.p, desc.len)};
    }
    return true;
}

void reshape_clear_cache(Class *c, const char *field, const char *desc) {
    Field *f = class_find_field_str(JC(Class), field, desc);
    if (f && c->mirror) ref_store_volatile(c->mirror, f->offset, NULL);
}

void reshape_store_constants(Thread *t, Change *ch) {
    Class *c = ch->klass;
    reshape_clear_cache(c, "genericInfo", "Lsun/reflect/generics/repository/ClassRepository;");
    reshape_clear_cache(c, "annotationType", "Lsun/reflect/annotation/AnnotationType;");
    for (u4 i = 0; i < ch->n_constants; i++) {
        Field *f = class_find_declared_field(c, ch->constants[i].name, ch->constants[i].desc);
        u2 index = f && f->access & ACC_STATIC && f->cf ? cf_attr_index(cf_attr(&f->cf->attrs, CF_ATTR_CONSTANT_VALUE)) : 0;
        Slot v = {.raw = 0};
        if (index && class_constant(t, c->version, f, index, &v)) store(t, f, c->mirror, v);
        t->exception = NULL;
    }
}

void reshape_init_constants(Thread *t, Change *ch) {
    Method *constants = made_method(ch->klass->version, MF_CLINIT, 0);
    if (reshape_is_renumbered(ch) && constants) run(t, constants, NULL);
}

void reshape_init(Thread *t, Change *ch) {
    Class *c = ch->klass;
    Method *statics = made_method(c->version, MF_CLINIT, ch->shape->is_enum), *objects = made_method(c->version, MF_INIT, 0);

    if (!class_is_initialized(c)) return;
    if (statics) run(t, statics, NULL);
    for (u4 i = 0; ch->living && objects && i < ch->n_living; i++) run(t, objects, array_ref(handle_get(ch->living), (int32_t)i));
}
