/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builder: arrays, fields, objects and types.
 *
 * KNOWN     Which bytecode is read next, and which bodies, is decided by what is known of values while it is read; what the phases behind find out comes too
 *           late for that.  Of the fields of an object that this code makes, a value is known
 *             - behind a store to it, or, of one that nothing was stored to, behind the making: as long as blocks follow each other with one
 *               way into each, and nothing comes between that may write fields of objects that it does not know (Opt.unknown_writes: calls, stores to
 *               others, heads of loops);
 *             - for good, if nobody can assign the field again (FIELD_TRUSTED_FINAL: what lambdas captured, records), and its only store comes
 *               behind the making on all ways: then all that can name the object otherwise comes later.
 *           Fields of constants have what they have (constants.c).
 * CAPTURED  What a lambda captured stays, in others, too: such a LOAD is plain if the constructor does nothing but store its arguments, so that nobody
 *           reads before.
 */
#include "jit/opt/opt_build.h"
#include "lang/javaclasses.h"
#include "heap/records.h"
#include "jit/constants.h"
#include "object/class.h"
#include "object/field.h"
#include "load/loader.h"
#include "object/version.h"
#include "quick/quick.h"

/* --- accesses --- */

Ref build_load(Build *b, OptType type, MemKind kind, Ref base, int64_t k, Ref after) {
    Ref r = opt_new(b->o, OPT_LOAD, type);
    Node *n = opt_node(b->o, r);
    n->kind = (u1)kind;
    n->in[0] = base;
    n->k = k;
    n->after = after;
    opt_insert_end(b->o, b->cur, r);
    return r;
}

/* Each has one field, which its constructor writes and does not read. */
static bool is_box(const Class *k) {
    return k == JC(Integer) || k == JC(Long) || k == JC(Character) || k == JC(Short) || k == JC(Byte) || k == JC(Double) ||
           k == JC(Float) || k == JC(Boolean);
}

/* Final fields of which it is known that nobody reads them before they are written, nor writes them again. */
static bool never_changes(const Build *b, Ref object, const Class *k, u4 offset) {
    if (opt_node(b->o, object)->op == OPT_NEW) return false; /* the constructor may be part of this code */
    if (k == JC(String)) return offset == (u4)jc_off.String_value || offset == (u4)jc_off.String_coder;
    return is_box(k);
}

/* --- fields that are known --- */

enum { MOST_WAYS = 16, MOST_WAYS_DEPTH = 4 };
#define ALL_ZERO UINT32_MAX

typedef struct KnownField {
    struct KnownField *next;
    Ref object;
    u4 offset; /* ALL_ZERO: of each that has no row of its own */
    Ref value; /* 0: not known */
    bool lasts;
    BlockRef block; /* where it was stored */
    u4 writes;      /* Opt.unknown_writes then */
} KnownField;

static KnownField *find_known(const Build *b, Ref object, u4 offset) {
    KnownField *f = b->o->known_fields;
    while (f && (f->object != object || f->offset != offset)) f = f->next;
    return f;
}

/* Whoever runs `from` comes to `to`, and nobody else. */
static bool is_straight(const Opt *o, BlockRef from, BlockRef to) {
    for (; to != from; to = opt_block(o, to)->preds[0])
        if (opt_block(o, to)->n_preds != 1 || opt_block(o, opt_block(o, to)->preds[0])->n_succs != 1) return false;
    return true;
}

/* Every way to `to` is one from `from`, with no other in between. */
static bool leads_to(const Opt *o, BlockRef from, BlockRef to) {
    while (to != from && opt_block(o, to)->n_preds == 1) to = opt_block(o, to)->preds[0];
    return to == from;
}

static void note_field(Build *b, Ref object, u4 offset, Ref value, bool lasts) {
    KnownField *f = find_known(b, object, offset);
    bool again = f;
    if (!f && !(f = opt_alloc(b->o, sizeof *f))) return;
    if (!again) *f = (KnownField){.next = b->o->known_fields, .object = object, .offset = offset};
    if (!again) b->o->known_fields = f;
    f->value = value;
    f->lasts = lasts && !again && is_straight(b->o, opt_node(b->o, object)->block, b->cur);
    f->block = b->cur;
    f->writes = b->o->unknown_writes;
}

void build_note_made(Build *b, Ref object) { note_field(b, object, ALL_ZERO, 0, false); }

/* What few bits are stored of is narrowed by the store; stored_bit did so for booleans. */
static void note_store(Build *b, const Field *fd, Ref object, Ref value) {
    bool narrow = fd->type == T_BYTE || fd->type == T_CHAR || fd->type == T_SHORT || fd->access & ACC_VOLATILE;
    if (opt_node(b->o, object)->op == OPT_NEW)
        note_field(b, object, fd->offset, narrow ? 0 : value, !narrow && constant_lasts(fd));
    else b->o->unknown_writes++;
}

static bool is_still_known(const Build *b, const KnownField *f) {
    return f->lasts || (f->writes == b->o->unknown_writes && leads_to(b->o, f->block, b->cur));
}

static Ref constant_node(Build *b, const Constant *k) {
    Ref r = build_const(b, opt_type_of((BasicType)k->type), k->k);
    if (k->stable) opt_node(b->o, r)->stable = true;
    return r;
}

static Ref of_constant(Build *b, Ref object, u4 offset) {
    const Node *n = opt_node(b->o, object);
    const Object *o = (const Object *)(uintptr_t)n->k;
    const Field *fd = o && n->klass && !class_is_array(n->klass) ? opt_field_at(n->klass, offset) : NULL;
    Constant k;
    return fd && (constant_field(o, fd, &k) || constant_lasting(o, fd, &k)) ? constant_node(b, &k) : 0;
}

static Ref on_all_ways(Build *b, OptType type, Ref object, u4 offset, u4 depth);

static Ref lasting_value(Build *b, OptType type, Ref object, u4 offset, u4 depth) {
    const Node *n = opt_node(b->o, object);
    Ref r = 0;
    if (n->op == OPT_PHI) return on_all_ways(b, type, object, offset, depth + 1);
    if (n->op == OPT_CONST) r = of_constant(b, object, offset);
    const KnownField *f = n->op == OPT_NEW ? find_known(b, object, offset) : NULL;
    if (f && f->lasts) r = f->value;
    return opt_node(b->o, r)->type == type ? r : 0;
}

/* Of objects that meet: what meets with them.  0: not known of one; at a head ways come that are not there yet. */
static Ref on_all_ways(Build *b, OptType type, Ref object, u4 offset, u4 depth) {
    Ref values[MOST_WAYS] = {0};
    const KnownField *f = find_known(b, object, offset);
    BlockRef at = opt_node(b->o, object)->block;
    u4 n = opt_block(b->o, at)->n_preds;
    bool all = !f && depth <= MOST_WAYS_DEPTH && n <= MOST_WAYS && !opt_block(b->o, at)->state, same = true;
    for (u4 i = 0; all && i < n; i++) {
        Ref x = opt_node(b->o, object)->args[i];
        all = x && (values[i] = lasting_value(b, type, x, offset, depth));
        same &= all && values[i] == values[0];
    }
    if (f) return f->value;
    note_field(b, object, offset, !all ? 0 : same ? values[0] : build_phi(b, at, type, values, n), false);
    return find_known(b, object, offset) ? find_known(b, object, offset)->value : 0;
}

static Ref known_field(Build *b, OptType type, Ref object, u4 offset) {
    u1 op = opt_node(b->o, object)->op;
    if (op == OPT_PHI || op == OPT_CONST) return lasting_value(b, type, object, offset, 0);
    if (op != OPT_NEW) return 0;
    const KnownField *f = find_known(b, object, offset), *zero = f ? NULL : find_known(b, object, ALL_ZERO);
    if (f) return is_still_known(b, f) && opt_node(b->o, f->value)->type == type ? f->value : 0;
    return zero && is_still_known(b, zero) ? opt_const(b->o, type, 0) : 0;
}

/* Calls Object.<init> and stores its arguments. */
static bool only_stores(const Method *init) {
    CfInsn i;
    u4 at = 0, n = 0;
    for (; at < init->code_len && cf_insn(init->code, init->code_len, at, &i); at += i.len, n++) {
        bool loads = cf_op_info[i.op].flags & CF_OF_LOAD, first = i.op == CF_OP_ALOAD_0;
        bool fits = n == 0       ? first
                    : n == 1     ? i.op == CF_OP_INVOKESPECIAL
                    : n % 3 == 2 ? first || i.op == CF_OP_RETURN
                    : n % 3 == 0 ? loads && !first
                                 : i.op == CF_OP_PUTFIELD;
        if (!fits) return false;
    }
    return at == init->code_len && n >= 3;
}

static bool is_captured(const Class *k, const Field *fd) {
    if (!(k->flags & CF_HIDDEN) || !constant_lasts(fd) || !k->super || k->super->super) return false;
    const Method *init = NULL;
    for (u4 i = 0; i < k->version->n_methods; i++) {
        const Method *m = &k->version->methods[i];
        if (!(m->flags & MF_INIT)) continue;
        if (init) return false;
        init = m;
    }
    return init && only_stores(init);
}

Ref build_load_text(Build *b, Ref string, Ref after) {
    Ref r = build_load(b, OT_REF, MEM_32, string, jc_off.String_value, after);
    opt_node(b->o, r)->what = JC(String);
    opt_node(b->o, r)->not_null = true;
    return r;
}

static void store(Build *b, OptType type, MemKind kind, Ref base, int64_t k, Ref value, Ref after) {
    Node *n = opt_node(b->o, build_add(b, OPT_STORE, OT_NONE));
    n->from = (u1)type;
    n->kind = (u1)kind;
    n->in[0] = base;
    n->in[1] = value;
    n->k = k;
    n->after = after;
}

/* For the node that was added last: what is stored may have to be made in front of it (opt_escape.c). */
static void note_state(Build *b) {
    State *s = build_state(b);
    opt_node(b->o, opt_block(b->o, b->cur)->last)->state = s;
}

static void add_card(Build *b, Ref holder, Ref value) {
    const Node *v = opt_node(b->o, value);
    if (v->op == OPT_CONST && !v->k) return;
    Ref r = build_add(b, OPT_CARD, OT_NONE);
    opt_node(b->o, r)->in[0] = holder;
}

/* --- arrays --- */

typedef struct ElementOf {
    u1 type, kind;
} ElementOf;

static const ElementOf elements[] = {/* in the order of iaload, and of iastore */
                                     {OT_INT, MEM_32}, {OT_LONG, MEM_64}, {OT_FLOAT, MEM_32}, {OT_DOUBLE, MEM_64},
                                     {OT_REF, MEM_32}, {OT_INT, MEM_S8},  {OT_INT, MEM_U16},  {OT_INT, MEM_S16}};

static Ref length_of(Build *b, Ref array) {
    Ref guard = build_not_null(b, array), r = opt_new(b->o, OPT_LENGTH, OT_INT);
    opt_node(b->o, r)->in[0] = array;
    opt_node(b->o, r)->after = guard;
    return build_finish(b, r);
}

static Ref check_index(Build *b, Ref array, Ref index) {
    Ref length = length_of(b, array);
    build_catch(b, EX_ArrayIndexOutOfBoundsException, COND_ABOVE_EQ, OT_INT, index, length);
    return build_guard(b, OPT_IN_BOUNDS, EXIT_INDEX, index, length);
}

static bool constant_in(Build *b) {
    const Node *array = opt_node(b->o, build_top(b, 2)), *index = opt_node(b->o, build_top(b, 1));
    Constant k;
    if (!array->stable || index->op != OPT_CONST) return false;
    if (!constant_element((Object *)(uintptr_t)array->k, index->k, &k)) return false;
    b->depth -= 2;
    build_push_constant(b, &k);
    return true;
}

/* A reference of the type k can only be to that: a final class, or an array of such, or of numbers.  Who makes another of it throws away what mentions it. */
static bool has_no_subtypes(const Class *k) {
    const Class *of = class_is_array(k) ? class_element(k) : k;
    return class_is_primitive(of) || (of->access & ACC_FINAL && !(of->access & ACC_INTERFACE));
}

/* What an array has. */
static const Class *exact_element(const Class *array) {
    const Class *k = array ? array->component : NULL;
    return k && !class_is_primitive(k) && has_no_subtypes(k) ? k : NULL;
}

static void load_element(Build *b, ElementOf e) {
    if (e.type == OT_REF && constant_in(b)) return;
    Ref array = build_top(b, 2), index = build_top(b, 1), guard = check_index(b, array, index);
    Ref r = opt_new(b->o, OPT_ELEMENT, (OptType)e.type);
    Node *n = opt_node(b->o, r);
    n->kind = e.kind;
    n->in[0] = array;
    n->in[1] = index;
    n->after = guard;
    n->klass = e.type == OT_REF ? exact_element(opt_node(b->o, array)->klass) : NULL;
    opt_insert_end(b->o, b->cur, r);
    b->depth -= 2;
    build_push(b, r);
}

static bool is_bit(const Build *b, Ref r) {
    const Node *n = opt_node(b->o, r);
    return n->op == OPT_INSTANCE_OF || (n->op == OPT_CONST && (n->k == 0 || n->k == 1)) ||
           (n->op == OPT_NARROW && n->kind == MEM_U8);
}

/* Arrays of boolean keep one bit (JVMS 6.5.bastore): a mask says which it is, 1 or -1, so that there is no branch, and nothing
 * to do in a loop that stores into one array.  T_BYTE is above T_BOOLEAN. */
static Ref bit_or_byte(Build *b, Ref array, Ref value, Ref guard) {
    const Class *k = opt_node(b->o, array)->klass;
    if (is_bit(b, value) || (k && k->elem_type != T_BOOLEAN)) return value;
    Ref one = build_const(b, OT_INT, 1);
    if (k) return build_pure(b, OPT_AND, OT_INT, value, one);
    Ref klass = opt_new(b->o, OPT_CLASS, OT_LONG);
    opt_node(b->o, klass)->in[0] = array;
    opt_node(b->o, klass)->after = guard;
    klass = build_finish(b, klass);
    Ref type = build_load(b, OT_INT, MEM_U8, klass, offsetof(Class, elem_type), 0);
    Ref sign = build_pure(b, OPT_SUB, OT_INT, build_const(b, OT_INT, T_BOOLEAN), type);
    sign = build_pure(b, OPT_SHR, OT_INT, sign, build_const(b, OT_INT, 31));
    return build_pure(b, OPT_AND, OT_INT, value, build_pure(b, OPT_OR, OT_INT, sign, one));
}

static void store_element(Build *b, u1 op) {
    ElementOf e = op == CF_OP_BASTORE ? (ElementOf){OT_INT, MEM_U8} : elements[op - CF_OP_IASTORE];
    u4 n = opt_is_wide((OptType)e.type) ? 2 : 1;
    Ref value = build_top(b, n), index = build_top(b, n + 1), array = build_top(b, n + 2), guard = check_index(b, array, index);
    if (e.kind == MEM_S16) e.kind = MEM_U16;
    if (e.type == OT_REF) {
        const Node *v = opt_node(b->o, value);
        if (v->op != OPT_CONST || v->k) build_guard(b, OPT_MAY_HOLD, EXIT_REDO, array, value);
    } else if (op == CF_OP_BASTORE) {
        value = bit_or_byte(b, array, value, guard);
    }
    Node *s = opt_node(b->o, build_add(b, OPT_SET_ELEMENT, OT_NONE));
    s->from = e.type;
    s->kind = e.kind;
    s->in[0] = array;
    s->in[1] = index;
    s->in[2] = value;
    s->after = guard;
    if (e.type == OT_REF) note_state(b);
    if (e.type == OT_REF) add_card(b, array, value);
    b->depth -= n + 2;
}

bool build_array_op(Build *b) {
    u1 op = b->insn.op;
    if (op >= CF_OP_IALOAD && op <= CF_OP_SALOAD) return load_element(b, elements[op - CF_OP_IALOAD]), true;
    if (op >= CF_OP_IASTORE && op <= CF_OP_SASTORE) return store_element(b, op), true;
    if (op != CF_OP_ARRAYLENGTH) return false;
    Ref r = length_of(b, build_top(b, 1));
    b->depth--;
    build_push(b, r);
    return true;
}

/* --- fields --- */

static const Field *field_of(const Build *b) { return b->m->version->pool[b->insn.index].field; }
static bool is_static_op(const Build *b) { return b->insn.op == CF_OP_GETSTATIC || b->insn.op == CF_OP_PUTSTATIC; }

static MemKind kind_of(BasicType t) {
    switch (t) {
    case T_BYTE:
    case T_BOOLEAN: return MEM_S8;
    case T_CHAR: return MEM_U16;
    case T_SHORT: return MEM_S16;
    case T_LONG:
    case T_DOUBLE: return MEM_64;
    default: return MEM_32;
    }
}

static MemKind kind_of_store(BasicType t) {
    MemKind k = kind_of(t);
    return k == MEM_S8 ? MEM_U8 : k == MEM_S16 ? MEM_U16 : k;
}

/* Statics are addresses: mirrors never move. */
static int64_t where(const Field *fd) {
    if (!(fd->access & ACC_STATIC)) return (int64_t)fd->offset;
    return (int64_t)(uintptr_t)fd->holder->mirror + (int64_t)fd->offset;
}

void build_push_constant(Build *b, const Constant *k) { build_push(b, constant_node(b, k)); }

/* What a handle is bound to was there when it was made, null, too; of others' final fields null may say that they are set later. */
static bool is_bound_null(const Object *from, const Field *fd) {
    const Class *super = fd->holder->super;
    if (!super || !super->loader->is_boot || strcmp(super->name->bytes, "java/lang/invoke/BoundMethodHandle") != 0) return false;
    bool plainly = fd->access & ACC_FINAL && fd->type == T_OBJECT && !(fd->flags & (FIELD_ACCESS_WATCH | FIELD_MODIFY_WATCH));
    return plainly && !offset_is_outside(fd->offset) && !ref_load(from, fd->offset);
}

/* Of a constant object. */
static bool constant_of(Build *b, const Field *fd) {
    const Node *o = opt_node(b->o, build_top(b, 1));
    const Object *from = o->op == OPT_CONST ? (const Object *)(uintptr_t)o->k : NULL;
    Constant k = {.type = T_OBJECT};
    if (!from || (!constant_field(from, fd, &k) && !is_bound_null(from, fd))) return false;
    b->depth--;
    build_push_constant(b, &k);
    return true;
}

static Ref load_field(Build *b, const Field *fd, Ref o, Ref guard) {
    BasicType t = (BasicType)fd->type;
    Ref r = build_load(b, opt_type_of(t), kind_of(t), o, where(fd), guard);
    if (t == T_ARRAY || t == T_OBJECT) opt_node(b->o, r)->klass = build_exact((CfStr){fd->desc->bytes, fd->desc->len});
    return r;
}

static void read_static(Build *b, const Field *fd) {
    Ref r = load_field(b, fd, 0, 0);
    if (fd->access & ACC_VOLATILE) build_add(b, OPT_FRESH, OT_NONE);
    build_push(b, r);
}

static Ref read_instance(Build *b, const Field *fd, Ref o, Ref guard, bool plain) {
    bool orders = fd->access & ACC_VOLATILE;
    Ref known = orders ? 0 : known_field(b, opt_type_of((BasicType)fd->type), o, fd->offset);
    if (known) return known;
    Ref r = load_field(b, fd, o, guard);
    opt_node(b->o, r)->what = fd->holder;
    opt_node(b->o, r)->plain = plain;
    if (orders) build_add(b, OPT_FRESH, OT_NONE);
    return r;
}

Ref build_read_field(Build *b, const Field *fd, Ref o, Ref guard) {
    bool plain = opt_node(b->o, o)->op != OPT_NEW && (is_box(fd->holder) || is_captured(fd->holder, fd));
    return read_instance(b, fd, o, guard, plain);
}

Ref build_load_field(Build *b, Ref object, const Class *k, u4 offset, Ref guard) {
    return read_instance(b, opt_field_at(k, offset), object, guard, never_changes(b, object, k, offset));
}

static void get_field(Build *b, const Field *fd) {
    bool fixed = is_static_op(b);
    if (!fixed && constant_of(b, fd)) return;
    if (fixed) return read_static(b, fd);
    Ref o = build_top(b, 1), r = build_read_field(b, fd, o, build_not_null(b, o));
    b->depth--;
    build_push(b, r);
}

static Ref stored_bit(Build *b, Ref value) {
    if (is_bit(b, value)) return value;
    return build_pure(b, OPT_AND, OT_INT, value, build_const(b, OT_INT, 1));
}

void build_write_field(Build *b, const Field *fd, Ref o, Ref value, Ref guard) {
    BasicType t = (BasicType)fd->type;
    if (o) note_store(b, fd, o, value);
    store(b, opt_type_of(t), kind_of_store(t), o, where(fd), value, guard);
    Node *n = opt_node(b->o, opt_block(b->o, b->cur)->last);
    if (o) n->what = fd->holder;
    if (o) n->stable = constant_lasts(fd);
    if (opt_type_of(t) != OT_REF) return;
    note_state(b);
    add_card(b, o ? o : build_const(b, OT_REF, (int64_t)(uintptr_t)fd->holder->mirror), value);
}

static void put_field(Build *b, const Field *fd) {
    bool fixed = is_static_op(b);
    u4 n = opt_is_wide(opt_type_of((BasicType)fd->type)) ? 2 : 1;
    Ref value = build_top(b, n), o = fixed ? 0 : build_top(b, n + 1), guard = fixed ? 0 : build_not_null(b, o);
    if (fd->type == T_BOOLEAN) value = stored_bit(b, value);
    build_write_field(b, fd, o, value, guard);
    if (fd->access & ACC_VOLATILE) build_add(b, OPT_FENCE, OT_NONE);
    b->depth -= n + !fixed;
}

const Field *build_known_field(const Build *b, Ref o, int64_t offset, OptType type, MemKind kind) {
    const Class *k = opt_node(b->o, o)->klass;
    const Field *fd = k && !class_is_array(k) ? opt_field_at(k, (u4)offset) : NULL;
    if (!fd || fd->access & ACC_VOLATILE || offset_is_outside(fd->offset)) return NULL;
    return opt_type_of((BasicType)fd->type) == type && kind_of((BasicType)fd->type) == kind ? fd : NULL;
}

/* One that has run: its field is resolved.  What qcode has in its place depends on the field alone. */
static bool is_field_op(const Build *b) {
    return b->insn.op >= CF_OP_GETSTATIC && b->insn.op <= CF_OP_PUTFIELD && b->quick != b->insn.op;
}

/* The array that values() copies: of the compiler's making, nobody else sees it. */
static bool is_enum_values(const Field *fd) {
    enum { OWN = ACC_PRIVATE | ACC_FINAL | ACC_SYNTHETIC };
    return fd->holder->access & ACC_ENUM && (fd->access & OWN) == OWN && fd->type == T_ARRAY;
}

static void push_static(Build *b, const Field *fd, Constant k) {
    k.stable |= is_enum_values(fd);
    build_push_constant(b, &k);
}

bool build_field_op(Build *b) {
    if (!is_field_op(b)) return false;
    const Field *fd = field_of(b);
    Constant k;
    bool watched = fd->flags & (FIELD_ACCESS_WATCH | FIELD_MODIFY_WATCH);
    if (watched || offset_is_outside(fd->offset)) build_refuse(b, "watched field or one that came later");
    else if (b->insn.op == CF_OP_GETSTATIC && constant_static_any(fd, &k)) push_static(b, fd, k);
    else if (b->insn.op == CF_OP_GETFIELD || b->insn.op == CF_OP_GETSTATIC) get_field(b, fd);
    else put_field(b, fd);
    return true;
}

/* --- objects and types --- */

static Class *class_at(const Build *b) { return *build_cell(b); }

static void new_object(Build *b) {
    Class *k = class_at(b);
    State *s = build_state(b);
    Ref r = build_add(b, OPT_NEW, OT_REF);
    Node *n = opt_node(b->o, r);
    n->what = k;
    n->klass = k;
    n->not_null = true;
    n->state = s;
    build_note_made(b, r);
    build_push(b, r);
}

static void new_array(Build *b, Class *component) {
    const Class *k = component->flags & CF_PRIMITIVE ? primitive_array_classes[component->elem_type]
                                                     : atomic_load_explicit(&component->array_class, memory_order_acquire);
    if (!k) return build_leave(b, EXIT_UNQUICK);
    State *s = build_state(b);
    Ref length = build_pop(b, false), r = build_add(b, OPT_NEW_ARRAY, OT_REF);
    Node *n = opt_node(b->o, r);
    n->in[0] = length;
    n->what = component;
    n->klass = k;
    n->not_null = true;
    n->state = s;
    n->n_args = 1;
    build_push(b, r);
}

static void new_arrays(Build *b) {
    State *s = build_state(b);
    Ref r = build_add(b, OPT_NEW_ARRAYS, OT_REF);
    Node *n = opt_node(b->o, r);
    n->not_null = true;
    n->state = s;
    n->n_args = (u2)b->pops;
    n->klass = build_exact(cf_class_name(b->m->version->cf, b->insn.index));
    b->depth -= b->pops;
    build_push(b, r);
}

static void check_cast(Build *b) {
    Ref o = build_top(b, 1);
    build_catch_cast(b, o, class_at(b));
    Ref r = build_guard(b, OPT_IS_A, EXIT_CAST, o, 0);
    opt_node(b->o, r)->what = class_at(b);
    if (has_no_subtypes(class_at(b)) && !opt_node(b->o, o)->klass) build_is_exactly(b, class_at(b));
}

static void test_type(Build *b) {
    Ref o = build_pop(b, false), r = opt_new(b->o, OPT_INSTANCE_OF, OT_INT);
    opt_node(b->o, r)->in[0] = o;
    opt_node(b->o, r)->what = class_at(b);
    build_push(b, build_finish(b, r));
}

/* Null passes casts and tests without resolution: a site that has seen nothing else is not quick. */
static void unquick_type_op(Build *b) {
    Ref o = build_top(b, 1), null = build_const(b, OT_REF, 0), r = build_guard(b, OPT_HOLDS, EXIT_UNQUICK, o, null);
    opt_node(b->o, r)->kind = COND_EQ;
    opt_node(b->o, r)->from = OT_REF;
    build_pop(b, false);
    build_push(b, b->insn.op == CF_OP_CHECKCAST ? null : build_const(b, OT_INT, 0));
}

bool build_type_op(Build *b) {
    switch (b->quick) {
    case Q_NEW_Q:
    case Q_NEW_SLOW: new_object(b); return true;
    case CF_OP_NEWARRAY: new_array(b, primitive_classes[b->insn.imm]); return true;
    case Q_ANEWARRAY_Q: new_array(b, class_at(b)); return true;
    case CF_OP_MULTIANEWARRAY: new_arrays(b); return true;
    case Q_CHECKCAST_Q: check_cast(b); return true;
    case Q_INSTANCEOF_Q: test_type(b); return true;
    case CF_OP_CHECKCAST:
    case CF_OP_INSTANCEOF: unquick_type_op(b); return true;
    default: return false;
    }
}
