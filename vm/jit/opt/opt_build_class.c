/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builder: what java.lang.Class answers of classes that are known only when the code runs, as nodes; reflection asks it at each access.
 *
 * WORD     The class of a mirror is a word in it that never changes, and the mirror that getClass() loaded from a class leads back to that.
 * SUBTYPE  Two classes that are one, or a class that stands in the other one's row of superclasses (Class.display), are decided here; the rest
 *          (interfaces, arrays, deep classes, and most answers that are no) is the C function's (class_is_subtype).  What a mismatch in the row means
 *          depends on what the class is; a match means the same for all, so nothing else is asked first.
 * CHANGES  Redefinition may change modifiers, superclasses and depths, in a pause: all but the word is loaded as any field is.
 */
#include "jit/opt/opt_build.h"
#include "native/intrinsic/intrinsic_int.h"
#include "lang/javaclasses.h"
#include "object/class.h"
#include "object/method.h"
#include "object/version.h"

/* --- words of classes --- */

static Ref klass_of(Build *b, Ref mirror, Ref guard) {
    const Node *n = opt_node(b->o, mirror);
    if (n->op == OPT_CONST && n->k && n->klass == JC(Class)) /* no other class's, behind a cast that never passes */
        return build_const(b, OT_LONG, (int64_t)(uintptr_t)mirror_class((const Object *)(uintptr_t)n->k));
    if (n->op == OPT_LOAD && n->kind == MEM_64 && n->k == offsetof(Class, mirror)) return n->in[0];
    Ref r = build_load(b, OT_LONG, MEM_64, mirror, mirror_class_offset, guard);
    opt_node(b->o, r)->plain = true;
    opt_node(b->o, r)->what = JC(Class);
    return r;
}

static Ref word(Build *b, OptType type, MemKind kind, Ref klass, size_t offset) {
    return build_load(b, type, kind, klass, (int64_t)offset, 0);
}

static Ref class_of(Build *b, Ref object) {
    Ref r = opt_new(b->o, OPT_CLASS, OT_LONG);
    opt_node(b->o, r)->in[0] = object;
    opt_node(b->o, r)->pinned = true; /* a branch says that it is not null */
    return build_finish(b, r);
}

/* --- answers --- */

/* Bit `bit` of a number. */
static Ref bit_of(Build *b, Ref x, u4 mask) {
    Ref shifted = build_pure(b, OPT_USHR, OT_INT, x, build_int(b, __builtin_ctz(mask)));
    return build_pure(b, OPT_AND, OT_INT, shifted, build_int(b, 1));
}

/* Once somebody asked it stands in the class's version (class_modifiers), with the sign; arrays and primitive types have none. */
static void modifiers(Build *b, Method *m) {
    BlockRef to[2], none;
    Ways w = {0};
    Ref klass = klass_of(b, build_top(b, 1), b->checked), zero = build_int(b, 0);
    Ref odd = build_pure(b, OPT_AND, OT_INT, word(b, OT_INT, MEM_32, klass, offsetof(Class, flags)),
                         build_int(b, CF_ARRAY | CF_PRIMITIVE));
    build_fork(b, COND_EQ, OT_INT, odd, zero, to);
    none = to[1];
    b->cur = to[0];
    Ref version = word(b, OT_LONG, MEM_64, klass, offsetof(Class, version));
    Ref known = word(b, OT_INT, MEM_32, version, offsetof(ClassVersion, modifiers));
    opt_node(b->o, version)->pinned = opt_node(b->o, known)->pinned = true;
    build_fork(b, COND_LT, OT_INT, known, zero, to);
    b->cur = to[0];
    build_arrive(b, &w, build_pure(b, OPT_AND, OT_INT, known, build_int(b, INT32_MAX)));
    b->cur = none;
    BlockRef ask = build_meet(b);
    b->cur = to[1];
    build_go(b, ask);
    b->cur = ask;
    build_ask_c(b, &w, m, true);
}

/* Interfaces, arrays, primitive types and Object have their own answers. */
static void superclass(Build *b, Method *m) {
    Ref klass = klass_of(b, build_top(b, 1), b->checked), zero = build_int(b, 0);
    Ref odd = build_pure(b, OPT_AND, OT_INT, word(b, OT_INT, MEM_32, klass, offsetof(Class, flags)),
                         build_int(b, CF_ARRAY | CF_PRIMITIVE));
    Ref interface =
        build_pure(b, OPT_AND, OT_INT, word(b, OT_INT, MEM_U16, klass, offsetof(Class, access)), build_int(b, ACC_INTERFACE));
    Ref super = word(b, OT_LONG, MEM_64, klass, offsetof(Class, super)), args[2];
    BlockRef to[2], rest;
    build_fork(b, COND_EQ, OT_INT, build_pure(b, OPT_OR, OT_INT, odd, interface), zero, to);
    rest = to[1];
    b->cur = to[0];
    build_fork(b, COND_NE, OT_LONG, super, build_const(b, OT_LONG, 0), to);
    b->cur = rest;
    rest = build_meet(b);
    b->cur = to[1];
    build_go(b, rest);
    b->cur = to[0];
    args[0] = word(b, OT_REF, MEM_64, super, offsetof(Class, mirror));
    opt_node(b->o, args[0])->pinned = true;
    BlockRef meet = build_meet(b);
    b->cur = rest;
    opt_block(b->o, rest)->seldom = true;
    args[1] = build_quick_result(b, m);
    build_go(b, meet);
    b->cur = meet;
    build_answer(b, m, build_phi(b, meet, OT_REF, args, 2));
}

/* Is `sub` one of `super`?  cur is where it is not known yet. */
static void decide_subtype(Build *b, Ways *w, Ref sub, Ref super) {
    build_decide(b, w, COND_EQ, OT_LONG, sub, super, 1);
    BlockRef to[2], deep;
    Ref depth = word(b, OT_INT, MEM_U16, super, offsetof(Class, depth));
    build_fork(b, COND_BELOW, OT_INT, depth, build_int(b, DISPLAY_DEPTH), to);
    deep = to[1];
    b->cur = to[0];
    Ref at = build_pure(b, OPT_SHL, OT_LONG, build_convert(b, OT_LONG, OT_INT, depth), build_int(b, 3));
    Ref row = word(b, OT_LONG, MEM_64, build_pure(b, OPT_ADD, OT_LONG, sub, at), offsetof(Class, display));
    opt_node(b->o, row)->pinned = true;
    build_decide(b, w, COND_EQ, OT_LONG, row, super, 1);
    BlockRef rest = build_meet(b);
    b->cur = deep;
    build_go(b, rest);
    b->cur = rest;
}

static void is_assignable(Build *b, Method *m) {
    Ref super = build_top(b, 2), sub = build_top(b, 1), guard = 0;
    Ways w = {0};
    if (!opt_node(b->o, sub)->not_null) guard = build_guard(b, OPT_NOT_NULL, EXIT_REDO, sub, 0);
    super = klass_of(b, super, b->checked);
    decide_subtype(b, &w, klass_of(b, sub, guard), super);
    build_ask_c(b, &w, m, true);
}

static void is_instance(Build *b, Method *m) {
    Ref super = build_top(b, 2), object = build_top(b, 1);
    Ways w = {0};
    build_decide(b, &w, COND_EQ, OT_REF, object, build_const(b, OT_REF, 0), 0);
    super = klass_of(b, super, b->checked);
    decide_subtype(b, &w, class_of(b, object), super);
    build_ask_c(b, &w, m, true);
}

/* What is no instance by its row of superclasses goes to the C function, and from there, if it is none at all, to the method. */
static bool cast(Build *b, Method *m) {
    Ref super = build_top(b, 2), object = build_top(b, 1);
    Ways w = {0};
    build_state(b);
    build_decide(b, &w, COND_EQ, OT_REF, object, build_const(b, OT_REF, 0), 1);
    super = klass_of(b, super, b->checked);
    decide_subtype(b, &w, class_of(b, object), super);
    opt_block(b->o, b->cur)->seldom = true;
    u4 depth = b->depth;
    if (!build_quick(b, m)) return false;
    if (b->cur) build_go(b, w.meet);
    b->cur = w.meet;
    b->depth = depth;
    build_answer(b, m, object);
    return true;
}

bool build_class(Build *b, Method *m) {
    static const struct {
        VmNative fn;
        u4 flag;
    } flags[] = {{class_is_array_n, CF_ARRAY}, {class_is_primitive_n, CF_PRIMITIVE}, {class_is_hidden_n, CF_HIDDEN}};
    VmNative fn = m->vm_native;
    if (__atomic_load_n(&m->kind, __ATOMIC_ACQUIRE) == MK_LEAF_QUICK) return m->quick == class_cast_n && cast(b, m);
    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        if (fn != flags[i].fn) continue;
        Ref all = word(b, OT_INT, MEM_32, klass_of(b, build_top(b, 1), b->checked), offsetof(Class, flags));
        return build_answer(b, m, bit_of(b, all, flags[i].flag)), true;
    }
    if (fn == class_is_interface_n) {
        Ref access = word(b, OT_INT, MEM_U16, klass_of(b, build_top(b, 1), b->checked), offsetof(Class, access));
        return build_answer(b, m, bit_of(b, access, ACC_INTERFACE)), true;
    }
    if (fn == class_get_superclass) return superclass(b, m), true;
    if (fn == class_get_modifiers) return modifiers(b, m), true;
    if (fn == class_is_assignable_from) return is_assignable(b, m), true;
    if (fn == class_is_instance) return is_instance(b, m), true;
    return false;
}
