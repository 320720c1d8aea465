/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binding of javaclasses.def to the running class library.  Instance offsets
 * are bound as soon as all rows are loaded (mirrors need them); static offsets
 * and methods after the mirrors exist.  A row that does not fit the image is a
 * fatal start-up error that names it: wrong offsets would corrupt objects.
 */
#include "lang/javaclasses.h"
#include "core/vm.h"
#include "link/link.h"
#include "load/loader.h"
#include "invoke/invoke.h"
#include "object/access.h"
#include "object/field.h"

Class *jc_class[JC_COUNT];
JcOffsets jc_off;
static MethodID *jc_methods[JM_COUNT];

typedef struct ClassRow {
    const char *name;
    bool required;
} ClassRow;
static const ClassRow class_rows[] = {
#define CLASS(id, name, required) [JC_##id] = {name, required},
#include "lang/javaclasses.def"
};

typedef struct FieldRow {
    JcClass holder;
    bool is_static;
    const char *name, *desc;
    u4 *cell;
} FieldRow;
static const FieldRow field_rows[] = {
#define FIELD(c, f, d) {JC_##c, false, #f, d, &jc_off.c##_##f},
#define SFIELD(c, f, d) {JC_##c, true, #f, d, &jc_off.c##_##f},
#include "lang/javaclasses.def"
};

typedef struct MethodRow {
    JcClass holder;
    const char *name, *desc;
} MethodRow;
static const MethodRow method_rows[] = {
#define METHOD(id, c, n, d) [JM_##id] = {JC_##c, n, d},
#include "lang/javaclasses.def"
};

Method *jc_method(JcMethod m) { return atomic_load_explicit(&jc_methods[m]->method, memory_order_acquire); }

static void bind_fields(bool statics) {
    for (size_t i = 0; i < ARRAY_LEN(field_rows); i++) {
        const FieldRow *r = &field_rows[i];
        if (r->is_static != statics || !jc_class[r->holder]) continue;
        Field *f = class_find_declared_field(jc_class[r->holder], symbol_of(r->name), symbol_of(r->desc));
        if (!f || !!(f->access & ACC_STATIC) != statics)
            vm_exit_during_init("class library does not fit: no field %s.%s of type %s", class_rows[r->holder].name, r->name,
                                r->desc);
        *r->cell = f->offset;
    }
}

bool javaclasses_load(Thread *t) {
    for (int i = 0; i < JC_COUNT; i++) {
        jc_class[i] = load_boot_class(t, class_rows[i].name);
        if (jc_class[i]) continue;
        if (t->exception) exception_print(t, exception_take(t));
        if (class_rows[i].required) vm_exit_during_init("class library does not fit: class %s is missing", class_rows[i].name);
    }
    bind_fields(false);
    return true;
}

bool javaclasses_bind(Thread *t) {
    bind_fields(true);
    for (int i = 0; i < JM_COUNT; i++) {
        const MethodRow *r = &method_rows[i];
        if (!jc_class[r->holder]) continue;
        Method *m = class_find_declared_method(jc_class[r->holder], symbol_of(r->name), symbol_of(r->desc));
        if (!m)
            vm_exit_during_init("class library does not fit: no method %s.%s%s", class_rows[r->holder].name, r->name, r->desc);
        jc_methods[i] = method_id(m);
    }
    return true;
}
