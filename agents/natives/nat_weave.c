/* SPDX-License-Identifier: Apache-2.0 */
/* nat_weave.c - the probe in java.lang.Void and the wrappers; design in nat_weave.h. */
#include "nat_weave.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define PROBE NAT_PROBE_CLASS
#define UNSAFE "jdk/internal/misc/Unsafe"

/* ---- what is left alone ------------------------------------------------------------------------ */

static const struct Left {
    const char *class_name, *method;
} left_alone[] = {
    {"java/lang/invoke/MethodHandle", NULL},
    {"java/lang/invoke/VarHandle", NULL},
    {UNSAFE, NULL},
    {"java/lang/System", "nanoTime"},
    /* one more frame is another answer */
    {"jdk/internal/reflect/Reflection", "getCallerClass"},
    {"java/lang/Throwable", "fillInStackTrace"},
    {"java/lang/SecurityManager", "getClassContext"},
    {"java/lang/StackStreamFactory$AbstractStackWalker", NULL},
    {"java/security/AccessController", NULL},
    {"java/util/ResourceBundle", "getClassContext"},
    {"jdk/internal/misc/VM", "latestUserDefinedLoader0"},
};

static bool is_left_alone(const char *class_name, const char *method) {
    if (method && (*method == '<' || !strcmp(method, "registerNatives") || !strcmp(method, "initIDs"))) return true;
    for (size_t i = 0; i < sizeof left_alone / sizeof *left_alone; i++) {
        const struct Left *l = &left_alone[i];
        if (!strcmp(l->class_name, class_name) && (!l->method || (method && !strcmp(l->method, method)))) return true;
    }
    return false;
}

bool nat_may_touch(const char *class_name) { return !is_left_alone(class_name, NULL); }

/* ---- the probe --------------------------------------------------------------------------------- */

/* Unsafe.getUnsafe().getAndAddLong(null, [record +] offset, n): `n` is emitted by the caller in between. */
static void begin_add(BciPos p, size_t offset) {
    bci_invoke(p, CF_OP_INVOKESTATIC, UNSAFE, "getUnsafe", "()L" UNSAFE ";");
    bci_op(p, CF_OP_ACONST_NULL);
    bci_load(p, 'J', 0);
    if (offset) {
        bci_long(p, (int64_t)offset);
        bci_op(p, CF_OP_LADD);
    }
}
static void end_add(BciPos p) {
    bci_invoke(p, CF_OP_INVOKEVIRTUAL, UNSAFE, "getAndAddLong", "(Ljava/lang/Object;JJ)J");
    bci_op(p, CF_OP_POP2);
}
static void nano_time(BciPos p) { bci_invoke(p, CF_OP_INVOKESTATIC, "java/lang/System", "nanoTime", "()J"); }

/* static long graft$enter(long record): one more call; the time, or 0 while nothing is timed */
static void add_enter(BciClass *c) {
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_SYNTHETIC, "graft$enter", "(J)J"));
    BciPos p = bci_end(code);
    BciLabel *untimed = bci_new_label(code);
    begin_add(p, offsetof(NatRecord, calls));
    bci_op(p, CF_OP_LCONST_1);
    end_add(p);
    bci_field(p, CF_OP_GETSTATIC, PROBE, NAT_TIMING_FIELD, "Z");
    bci_jump(p, CF_OP_IFEQ, untimed);
    nano_time(p);
    bci_op(p, CF_OP_LRETURN);
    bci_place(p, untimed);
    bci_op(p, CF_OP_LCONST_0);
    bci_op(p, CF_OP_LRETURN);
}

static void add_elapsed(BciPos p, BciCode *code) {
    BciLabel *untimed = bci_new_label(code);
    bci_load(p, 'J', 2);
    bci_op(p, CF_OP_LCONST_0);
    bci_op(p, CF_OP_LCMP);
    bci_jump(p, CF_OP_IFEQ, untimed);
    begin_add(p, offsetof(NatRecord, nanos));
    nano_time(p);
    bci_load(p, 'J', 2);
    bci_op(p, CF_OP_LSUB);
    end_add(p);
    bci_place(p, untimed);
}

/* static void graft$leave(long record, long start, long bytes) */
static void add_leave(BciClass *c) {
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_SYNTHETIC, "graft$leave", "(JJJ)V"));
    BciPos p = bci_end(code);
    BciLabel *none = bci_new_label(code);
    add_elapsed(p, code);
    bci_load(p, 'J', 4);
    bci_op(p, CF_OP_LCONST_0);
    bci_op(p, CF_OP_LCMP);
    bci_jump(p, CF_OP_IFEQ, none);
    begin_add(p, offsetof(NatRecord, bytes));
    bci_load(p, 'J', 4);
    end_add(p);
    bci_place(p, none);
    bci_op(p, CF_OP_RETURN);
}

/* static void graft$fail(long record, long start) */
static void add_fail(BciClass *c) {
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_SYNTHETIC, "graft$fail", "(JJ)V"));
    BciPos p = bci_end(code);
    add_elapsed(p, code);
    begin_add(p, offsetof(NatRecord, failed));
    bci_op(p, CF_OP_LCONST_1);
    end_add(p);
    bci_op(p, CF_OP_RETURN);
}

static const struct {
    const char *desc;
    int shift;
} arrays[] = {{"[Z", 0}, {"[B", 0}, {"[C", 1}, {"[S", 1}, {"[I", 2}, {"[F", 2}, {"[J", 3}, {"[D", 3}};

/* static long graft$size(T[] a): bytes of the elements, 0 for null */
static void add_size(BciClass *c, const char *array, int shift) {
    char desc[8];
    snprintf(desc, sizeof desc, "(%s)J", array);
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_SYNTHETIC, "graft$size", desc));
    BciPos p = bci_end(code);
    BciLabel *null = bci_new_label(code);
    bci_load(p, 'A', 0);
    bci_jump(p, CF_OP_IFNULL, null);
    bci_load(p, 'A', 0);
    bci_op(p, CF_OP_ARRAYLENGTH);
    bci_op(p, CF_OP_I2L);
    bci_int(p, shift);
    bci_op(p, CF_OP_LSHL);
    bci_op(p, CF_OP_LRETURN);
    bci_place(p, null);
    bci_op(p, CF_OP_LCONST_0);
    bci_op(p, CF_OP_LRETURN);
}

static void add_probe(BciClass *c) {
    bci_add_field(c, CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_SYNTHETIC, NAT_TIMING_FIELD, "Z");
    add_enter(c);
    add_leave(c);
    add_fail(c);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) add_size(c, arrays[i].desc, arrays[i].shift);
}

/* ---- the wrapper ------------------------------------------------------------------------------- */

typedef struct Wrapper {
    BciMethod *method;
    int64_t record;
    uint32_t start; /* local that holds the time of entry */
    bool sizes;
} Wrapper;

/* Leaves the bytes of all primitive-array parameters on the stack. */
static void push_sizes(BciPos p, const Wrapper *w) {
    const char *desc;
    bci_op(p, CF_OP_LCONST_0);
    if (!w->sizes) return;
    for (unsigned n = 0;; n++) {
        int slot = bci_param_slot(w->method, n, &desc);
        if (slot < 0) return;
        for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
            char of[8];
            if (strncmp(desc, arrays[i].desc, 2)) continue;
            snprintf(of, sizeof of, "(%s)J", arrays[i].desc);
            bci_load(p, 'A', (uint32_t)slot);
            bci_invoke(p, CF_OP_INVOKESTATIC, PROBE, "graft$size", of);
            bci_op(p, CF_OP_LADD);
        }
    }
}

static void emit_leave(BciPos p, BciInsn *site, void *arg) {
    const Wrapper *w = arg;
    (void)site;
    bci_long(p, w->record);
    bci_load(p, 'J', w->start);
    push_sizes(p, w);
    bci_invoke(p, CF_OP_INVOKESTATIC, PROBE, "graft$leave", "(JJJ)V");
}

static void emit_fail(BciPos p, BciInsn *site, void *arg) {
    const Wrapper *w = arg;
    (void)site;
    bci_long(p, w->record);
    bci_load(p, 'J', w->start);
    bci_invoke(p, CF_OP_INVOKESTATIC, PROBE, "graft$fail", "(JJ)V");
}

static bool wrap(BciMethod *native, const NatRecord *record, bool sizes) {
    BciMethod *m = bci_wrap_native(native, NAT_PREFIX);
    if (!m) return false;
    BciCode *code = bci_code(m);
    Wrapper w = {m, (int64_t)(uintptr_t)record, bci_new_local(code, 'J'), sizes};
    BciPos entry = bci_entry(code);
    bci_long(entry, w.record);
    bci_invoke(entry, CF_OP_INVOKESTATIC, PROBE, "graft$enter", "(J)J");
    bci_store(entry, 'J', w.start);
    bci_each_return(code, emit_leave, &w);
    bci_on_throw(code, emit_fail, &w);
    return true;
}

/* ---- a class ----------------------------------------------------------------------------------- */

static bool has_natives(const uint8_t *bytes, size_t len, const NatRequest *r, CfError *err, bool *probe) {
    CfArena arena;
    CfClass *c;
    CfParseOptions any = {.any_version = true};
    bool found = false, registers = false;
    cf_arena_init(&arena, "natives", 1 << 14);
    if (cf_parse(&c, bytes, len, &arena, &any, err) == CF_OK) {
        *probe = cf_str_eq(c->name, cf_str(PROBE));
        for (unsigned i = 0; i < c->method_count; i++) {
            const CfMember *m = &c->methods[i];
            if (!(m->access & CF_ACC_NATIVE)) continue;
            found = true;
            registers |= cf_str_eq(cf_utf8(c, m->name), cf_str("registerNatives"));
        }
    }
    cf_arena_free(&arena);
    return *probe || (found && (r->registered || !registers));
}

static unsigned wrap_all(BciClass *c, const NatRequest *r) {
    const char *owner = bci_class_name(c);
    unsigned wrapped = 0;
    for (int i = 0, n = bci_method_count(c); i < n; i++) { /* the wrappers come behind n */
        BciMethod *m = bci_method(c, i);
        const char *name = bci_method_name(m), *desc = bci_method_desc(m);
        if (!(bci_method_access(m) & CF_ACC_NATIVE) || is_left_alone(owner, name) || !r->wanted(r->ctx, owner, name, desc))
            continue;
        const NatRecord *record = r->record(r->ctx, owner, name, desc);
        wrapped += record && wrap(m, record, r->sizes);
    }
    return wrapped;
}

NatOutcome nat_weave(const NatRequest *r, const uint8_t *bytes, size_t len, uint8_t **out, size_t *out_len, CfError *err) {
    bool probe = false;
    if (!has_natives(bytes, len, r, err, &probe)) return NAT_UNTOUCHED;
    BciClass *c = bci_open(bytes, len, NULL, err);
    if (!c) return NAT_FAILED;
    if (probe) add_probe(c);
    NatOutcome result = NAT_UNTOUCHED;
    if (wrap_all(c, r) || probe) result = bci_write(c, r->alloc, r->ctx, out, out_len, err) == CF_OK ? NAT_DONE : NAT_FAILED;
    bci_close(c);
    return result;
}
