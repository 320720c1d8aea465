/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects that are constants of compiled code: both compilers read from them while compiling.
 *
 * TERMS  Constants are the appendix of a call site, values of static final fields, and what is read from constants:
 *
 *        static final VarHandle X          getstatic in a class that is initialised, of objects of any class; of arrays in optimised code only
 *        X.vform, ad.mode, mh.member ...   final fields of classes of java.lang.invoke ("trusted": its code never assigns them again)
 *        form.memberName_table[mode]       elements of @Stable arrays, once they are not null
 *
 *        So the guards that java.lang.invoke puts in front of a target (VarHandleGuards, invokeExact_MT, forms of LambdaForms) are bodies
 *        whose branches are decided while compiling, and at their end linkTo* or invokeBasic with a constant: the target is
 *        called directly, or is a body in turn.  A virtual or interface call on a constant receiver is a call of the method that its class has.
 *
 * CHANGE Two final fields are assigned again: MethodHandle.form (a form made for one handle does what the general one does, so
 *        code may keep to either) and CallSite.target (it may not).  Neither is read here, but by invokeBasic, which takes the method of
 *        the form.  Java code cannot assign static final fields by reflection; who does so by Unsafe or JNI finds, as with the reference, code that goes
 *        on with the value there was.  Class files before version 53 may assign one in any method of its class: before the first such put all code
 *        goes, and the field is no constant any more (FIELD_PUT_LATE).  Redefinition with new shapes may assign them ($migrate): it throws all code
 *        away, and from the first one on static fields are no constants any more.
 *
 * LIFE   Addresses in code are no roots.  An appendix lives as long as the version that has the call site; a value of a static
 *        final field is noted in the field's class (Class.folded, visited with its static fields in every collection), so code of another class does not keep a loader; what is
 *        read from constants lives with them, and stays where it is: the collector looks at all constants of code, and of its records, that may be
 *        an address in the heap (CodeBlob.words, upcall_code_words).  Looking at every four bytes of code instead found objects by chance, enough to be
 *        in the way of every large array.  Methods found so are noted like bodies (CodeBlob.inlined): who redefines, retires or unloads
 *        one throws this code away.  When a class goes, frames that run such code leave it at the pause, in
 *        which all cells were in memory.
 */
#include "jit/constants.h"
#include "heap/records.h"
#include "invoke/invoke.h"
#include "lang/javaclasses.h"
#include "load/loader.h"
#include "object/class.h"
#include <stdlib.h>
#include <string.h>

bool constant_is_own(const Class *k) { return k->loader->is_boot && strncmp(k->name->bytes, "java/lang/invoke/", 17) == 0; }

bool constant_is_glue(const Method *m) {
    if (m->flags & MF_FORCE_INLINE && m->holder->loader->is_boot) return true;
    return (m->flags & MF_HIDDEN || m->holder->flags & CF_HIDDEN) && constant_is_own(m->holder);
}

bool constant_is_asked_for(const Method *m) {
    return m->arg_slots == 1 && constant_is_own(m->holder) && strcmp(m->name->bytes, "isCompileConstant") == 0;
}

bool constant_is_profile(const Method *m) {
    return m->arg_slots == 2 && constant_is_own(m->holder) && strcmp(m->name->bytes, "profileBoolean") == 0;
}

bool constant_is_counting(const Object *handle) {
    const Class *k = obj_class(handle);
    if (!k->loader->is_boot || strcmp(k->name->bytes, "java/lang/invoke/MethodHandleImpl$CountingWrapper") != 0) return false;
    for (u4 i = 0; i < k->n_fields; i++)
        if (strcmp(k->fields[i].name->bytes, "isCounting") == 0) return OBJ_FIELD(u1, handle, k->fields[i].offset);
    return false;
}

/* --- fields and elements --- */

static bool is_read_plainly(const Field *fd) {
    return !(fd->flags & (FIELD_ACCESS_WATCH | FIELD_MODIFY_WATCH | FIELD_PUT_LATE)) && !offset_is_outside(fd->offset);
}

static bool is_trusted(const Field *fd) {
    if (!(fd->access & ACC_FINAL) || !constant_is_own(fd->holder) || !is_read_plainly(fd)) return false;
    return fd->holder != JC(CallSite) && !(fd->holder == JC(MethodHandle) && fd->offset == jc_off.MethodHandle_form);
}

static int64_t read_number(BasicType t, const u1 *at) {
    switch (t) {
    case T_BOOLEAN:
    case T_BYTE: return *(const int8_t *)at;
    case T_CHAR: return *(const u2 *)at;
    case T_SHORT: return *(const int16_t *)at;
    case T_FLOAT: return (int64_t) * (const u4 *)at;
    case T_LONG:
    case T_DOUBLE: return *(const int64_t *)at;
    default: return *(const int32_t *)at;
    }
}

static bool is_reference(u1 type) { return type == T_OBJECT || type == T_ARRAY; }

static bool read_field(const Object *from, const Field *fd, Constant *c) {
    *c = (Constant){.type = fd->type, .stable = fd->type == T_ARRAY && fd->flags & FIELD_STABLE};
    if (is_reference(fd->type)) c->k = (int64_t)(uintptr_t)ref_load(from, fd->offset);
    else c->k = read_number((BasicType)fd->type, (const u1 *)from + fd->offset);
    return c->k || !is_reference(fd->type);
}

/* java.util.Optional and its like: private, assigned by the constructors alone. */
static bool is_of_optional(const Class *k) {
    static const char prefix[] = "java/util/Optional";
    return k->loader->is_boot && strncmp(k->name->bytes, prefix, sizeof prefix - 1) == 0;
}

bool constant_lasts(const Field *fd) {
    if (fd->access & ACC_STATIC || !(fd->access & ACC_FINAL) || !is_read_plainly(fd)) return false;
    return fd->flags & FIELD_TRUSTED_FINAL || is_of_optional(fd->holder);
}

bool constant_lasting(const Object *from, const Field *fd, Constant *c) {
    if (!constant_lasts(fd) || atomic_load_explicit(&reshape_epoch, memory_order_relaxed)) return false;
    return read_field(from, fd, c) || is_reference(fd->type);
}

bool constant_field(const Object *from, const Field *fd, Constant *c) { return is_trusted(fd) && read_field(from, fd, c); }

static bool keep(Class *k, Object *o) {
    for (u4 i = 0; i < k->n_folded; i++)
        if (k->folded[i] == o) return true;
    Object **more = realloc(k->folded, (k->n_folded + 1) * sizeof *more);
    if (!more) return false;
    k->folded = more;
    more[k->n_folded++] = o;
    return true;
}

/* System.in, out and err are assigned again by its natives. */
bool constant_stays(const Field *fd) {
    return fd->access & ACC_FINAL && class_is_initialized(fd->holder) && is_read_plainly(fd) && fd->holder != JC(System) &&
           !atomic_load_explicit(&reshape_epoch, memory_order_relaxed);
}

bool constant_static_any(const Field *fd, Constant *c) {
    if (!constant_stays(fd) || !read_field(fd->holder->mirror, fd, c)) return false;
    return !is_reference(fd->type) || keep(fd->holder, (Object *)(uintptr_t)c->k);
}

bool constant_static(const Field *fd, Constant *c) { return fd->type != T_ARRAY && constant_static_any(fd, c); }

bool constant_element(const Object *stable, int64_t index, Constant *c) {
    if ((u4)index >= (u4)array_len(stable)) return false;
    *c = (Constant){.type = T_OBJECT, .k = (int64_t)(uintptr_t)array_ref(stable, (int32_t)index)};
    return c->k;
}

/* --- calls --- */

static bool can_be_called(const Method *m) { return m && m->kind != MK_ABSTRACT && m->kind != MK_CONFLICT; }

Method *constant_virtual(const Object *receiver, u4 n, u4 index) {
    const Class *k = obj_class(receiver);
    Method *m = index < k->vtable_len ? k->vtable[index] : NULL;
    return can_be_called(m) && m->arg_slots == n ? m : NULL;
}

Method *constant_interface(const Object *receiver, u4 n, const Method *im) {
    bool by_table = class_is_interface(im->holder) && im->itable_index >= 0;
    Method **methods = by_table ? class_itable_methods(obj_class(receiver), im->holder) : NULL;
    Method *m = methods ? methods[im->itable_index] : NULL;
    return can_be_called(m) && m->access & ACC_PUBLIC && m->arg_slots == n ? m : NULL;
}

/* --- invokeBasic, linkTo* --- */

static Method *named_target(MethodKind kind, Object *o, bool *named) {
    *named = kind != MK_INVOKE_BASIC;
    if (!*named) return obj_instanceof(o, JC(MethodHandle)) ? mh_form_target(o) : NULL;
    return kind != MK_LINK_NATIVE && obj_class(o) == JC(MemberName) ? mh_member_target(o) : NULL;
}

/* -2: it is not known here how the target is chosen. */
static int64_t place_of_target(MethodKind kind, const Method *m, const Object *name) {
    switch (kind) {
    case MK_INVOKE_BASIC:
    case MK_LINK_STATIC: return method_is_static(m) ? -1 : -2;
    case MK_LINK_SPECIAL: return method_is_static(m) ? -2 : -1;
    case MK_LINK_VIRTUAL: {
        if (method_is_static(m) || atomic_load_explicit(&reshape_epoch, memory_order_relaxed)) return -2;
        int64_t i = JGET_LONG(name, MemberName, vmindex);
        return i >= 0 && i < m->holder->vtable_len ? i : -1;
    }
    default: return -2;
    }
}

bool constant_target(const ResolvedMethod *rm, Object *o, ConstantTarget *t) {
    MethodKind kind = rm->method->kind;
    Method *m = t->method = named_target(kind, o, &t->named);
    if (!can_be_called(m) || (m->kind >= MK_INVOKE_BASIC && m->kind <= MK_LINK_NATIVE)) return false;
    t->place = place_of_target(kind, m, o);
    return t->place != -2 && m->arg_slots == rm->arg_slots - (u4)t->named;
}

/* --- what code names --- */

bool constants_keep(const Asm *a, CodeBlob *b) {
    u4 n = 0;
    for (u4 i = 0; i < a->n_constants; i++) n += heap_has_word(a->constants[i]);
    if (n && !(b->words = malloc(n * sizeof *b->words))) return false;
    for (u4 i = 0; n && i < a->n_constants; i++)
        if (heap_has_word(a->constants[i])) b->words[b->n_words++] = a->constants[i];
    return true;
}
