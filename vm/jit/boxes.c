/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boxes: Integer.valueOf, and that of Long, Short, Byte and Character, as one operation (OPT_BOX).
 *
 * BOX    An object with one field, the value, which never changes.  That of a value in the class library's cache is the object there, at
 *        value - low; others are new.  So who has the value has all of it, but for its identity: two boxes of one value are one object if
 *        it is in the cache, and two if it is not.
 * ASKED  What valueOf does is known here, not read from its bytecode; so the bytecode is asked whether it is that of the class library: the same
 *        instructions in the same order, whatever the pool numbers them.  Who changes it (an agent that counts calls) gets an ordinary method.
 *        Code with a box has the bodies of valueOf and the constructor, to those who retire code because of breakpoints, watches and redefinition.
 * CACHES are known from the first question on, once they are there: static final fields, of which Integer's has as many as
 *        -XX:AutoBoxCacheMax says.  They keep their objects for good, so addresses of these may be in code, which pins them; nothing else
 *        here may name one, since who only names it does not keep it where it is (heap/compact.c, C1).
 */
#include "jit/boxes.h"
#include "heap/heap.h"
#include "heap/records.h"
#include "jit/constants.h"
#include "lang/javaclasses.h"
#include "link/link.h"
#include "load/loader.h"
#include "object/class.h"
#include <string.h>

typedef struct Known {
    u4 klass; /* in jc_class */
    u1 type;
    int64_t low;
    const char *ops, *desc, *init, *cache, *array; /* ops: of valueOf */
} Known;

static const Known known[] = {
    {JC_Integer, T_INT, -128,
     "iload_0 bipush if_icmplt iload_0 getstatic if_icmpgt getstatic iload_0 sipush iadd aaload areturn "
     "new dup iload_0 invokespecial areturn",
     "(I)Ljava/lang/Integer;", "(I)V", "java/lang/Integer$IntegerCache", "[Ljava/lang/Integer;"},
    {JC_Long, T_LONG, -128,
     "sipush istore_2 lload_0 ldc2_w lcmp iflt lload_0 ldc2_w lcmp ifgt getstatic lload_0 l2i sipush iadd aaload areturn "
     "new dup lload_0 invokespecial areturn",
     "(J)Ljava/lang/Long;", "(J)V", "java/lang/Long$LongCache", "[Ljava/lang/Long;"},
    {JC_Short, T_SHORT, -128,
     "sipush istore_1 iload_0 istore_2 iload_2 bipush if_icmplt iload_2 bipush if_icmpgt getstatic iload_2 sipush iadd aaload "
     "areturn new dup iload_0 invokespecial areturn",
     "(S)Ljava/lang/Short;", "(S)V", "java/lang/Short$ShortCache", "[Ljava/lang/Short;"},
    {JC_Byte, T_BYTE, -128, "sipush istore_1 getstatic iload_0 sipush iadd aaload areturn", "(B)Ljava/lang/Byte;", "(B)V",
     "java/lang/Byte$ByteCache", "[Ljava/lang/Byte;"},
    {JC_Character, T_CHAR, 0, "iload_0 bipush if_icmpgt getstatic iload_0 aaload areturn new dup iload_0 invokespecial areturn",
     "(C)Ljava/lang/Character;", "(C)V", "java/lang/Character$CharacterCache", "[Ljava/lang/Character;"},
};

static Box boxes[ARRAY_LEN(known)];
static _Atomic(bool) is_there[ARRAY_LEN(known)];

/* Words of names, one for each instruction. */
static bool has_ops(const Method *m, const char *ops) {
    CfInsn i;
    u4 at = 0;
    for (; *ops && at < m->code_len && cf_insn(m->code, m->code_len, at, &i); at += i.len) {
        size_t n = strcspn(ops, " ");
        const char *name = cf_op_info[i.op].name;
        if (strlen(name) != n || memcmp(name, ops, n) != 0) return false;
        ops += n + (ops[n] == ' ');
    }
    return !*ops && at == m->code_len;
}

static bool is_init(const Method *m, u1 type) {
    return has_ops(m, type == T_LONG ? "aload_0 invokespecial aload_0 lload_1 putfield return"
                                     : "aload_0 invokespecial aload_0 iload_1 putfield return");
}

static bool is_plain(const Method *m) {
    u1 kind = __atomic_load_n(&m->kind, __ATOMIC_ACQUIRE);
    return kind == MK_BYTECODE && !m->next_version && !(m->flags & (MF_HAS_BREAKPOINT | MF_OBSOLETE));
}

static const Field *value_of(const Class *k) { return class_find_named_field(k, "value"); }

static bool read_cache(const Known *w, Box *x) {
    Symbol *name = symbol_lookup(w->cache, strlen(w->cache));
    Class *c = name ? loader_find_loaded(BOOT_LOADER, name) : NULL;
    const Field *f = c ? class_find_field_str(c, "cache", w->array) : NULL;
    Object *cache = f && constant_stays(f) ? ref_load(c->mirror, f->offset) : NULL;
    if (!cache) return false;
    x->cache_class = c;
    x->cache_offset = f->offset;
    x->n = (u4)array_len(cache);
    return x->n > 0;
}

static bool fill(const Known *w, Box *x) {
    *x = (Box){.klass = jc_class[w->klass], .type = w->type, .low = w->low};
    x->offset = value_of(x->klass)->offset;
    return read_cache(w, x);
}

static const Known *known_by(const Method *m) {
    for (u4 i = 0; i < ARRAY_LEN(known); i++)
        if (jc_class[known[i].klass] == m->holder)
            return strcmp(m->name->bytes, "valueOf") == 0 && strcmp(m->desc->bytes, known[i].desc) == 0 ? &known[i] : NULL;
    return NULL;
}

static bool may_be_read(const Class *k) {
    const Field *f = value_of(k);
    return !(f->flags & (FIELD_ACCESS_WATCH | FIELD_MODIFY_WATCH)) && !offset_is_outside(f->offset) && !k->reshaped;
}

const Box *box_made_by(const Method *m) {
    const Known *w = known_by(m);
    if (!w || !is_plain(m) || !has_ops(m, w->ops) || !may_be_read(m->holder)) return NULL;
    Method *init = class_find_method_str(m->holder, "<init>", w->init);
    if (!init || !is_plain(init) || !is_init(init, w->type)) return NULL;
    Box *x = &boxes[w - known];
    if (!atomic_load_explicit(&is_there[w - known], memory_order_acquire)) {
        Box found;
        if (!fill(w, &found)) return NULL;
        found.init = init;
        *x = found; /* whoever else does it writes the same */
        atomic_store_explicit(&is_there[w - known], true, memory_order_release);
    }
    return init == x->init ? x : NULL;
}

const Box *box_of(const Class *k) {
    for (u4 i = 0; i < ARRAY_LEN(known); i++)
        if (jc_class[known[i].klass] == k) return atomic_load_explicit(&is_there[i], memory_order_acquire) ? &boxes[i] : NULL;
    return NULL;
}

Object *box_cache(const Box *x) { return ref_load(x->cache_class->mirror, x->cache_offset); }

bool box_is_cached(const Box *x, int64_t value) { return (u8)value - (u8)x->low < x->n; }

Object *box_cached(const Box *x, int64_t value) {
    return box_is_cached(x, value) ? array_ref(box_cache(x), (int32_t)(value - x->low)) : NULL;
}

/* As the constructor leaves it. */
static void set_value(Object *o, const Box *x, int64_t value) {
    switch (x->type) {
    case T_LONG: OBJ_FIELD(int64_t, o, x->offset) = value; return;
    case T_INT: OBJ_FIELD(int32_t, o, x->offset) = (int32_t)value; return;
    case T_BYTE: OBJ_FIELD(int8_t, o, x->offset) = (int8_t)value; return;
    default: OBJ_FIELD(u2, o, x->offset) = (u2)value; return;
    }
}

int64_t box_number(const Box *x, u8 value) {
    switch (x->type) {
    case T_LONG: return (int64_t)value;
    case T_INT: return (int32_t)value;
    case T_BYTE: return (int8_t)value;
    case T_SHORT: return (int16_t)value;
    default: return (u2)value;
    }
}

Object *box_make(Thread *t, const Box *x, int64_t value) {
    value = box_number(x, (u8)value);
    Object *o = box_cached(x, value);
    if (o) return o;
    if ((o = heap_alloc_object(t, x->klass))) set_value(o, x, value);
    return o;
}
