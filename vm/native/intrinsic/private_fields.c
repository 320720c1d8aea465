/* SPDX-License-Identifier: Apache-2.0 */
#include "native/intrinsic/private_fields.h"
#include "heap/records.h"
#include "link/link.h"
#include "object/field.h"

static const Field *field_named(const Class *c, const char *name) {
    const Field *f = NULL;
    for (; c && !f; c = c->super) f = class_find_named_field(c, name);
    return f;
}

/* A class that is redefined has another version, so it is looked for again.  The version is written last. */
static bool find(PrivateField *f, const Object *o, const char *name) {
    const Class *c = obj_class(o);
    if (LIKELY(__atomic_load_n(&f->seen, __ATOMIC_ACQUIRE) == c->version)) return true;
    const Field *fd = field_named(c, name);
    if (!fd || offset_is_outside(fd->offset)) return false;
    f->offset = (u4)fd->offset;
    f->holder = fd->holder->mirror;
    __atomic_store_n(&f->seen, c->version, __ATOMIC_RELEASE);
    return true;
}

Object *private_ref(PrivateField *f, const Object *o, const char *name) {
    return find(f, o, name) ? ref_load(o, f->offset) : NULL;
}
Object *private_static(PrivateField *f, const Object *o, const char *name) {
    return find(f, o, name) ? ref_load(f->holder, f->offset) : NULL;
}
int32_t *private_int(PrivateField *f, const Object *o, const char *name) {
    return find(f, o, name) ? (int32_t *)((u1 *)o + f->offset) : NULL;
}
