/* SPDX-License-Identifier: Apache-2.0 */
/* nat_weave.c - the probe in java.lang.Void and the wrappers; design in nat_weave.h. */
#include "nat_weave.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "helper_class.h"
#include "native_method.h"

#define PROBE NAT_PROBE_CLASS

static bool is_left_alone(const char *class_name, const char *method) {
    return agent_native_left_alone(class_name, method) ||
           (method && !strcmp(class_name, PROBE) && !strcmp(method, NAT_TOLD_METHOD));
}

bool nat_may_touch(const char *class_name) { return !is_left_alone(class_name, NULL); }

/* ---- the probe --------------------------------------------------------------------------------- */

/* Texts of code, see helper_class.h. Additions are Unsafe.getUnsafe().getAndAddLong(null, record + member, n). */

/* static long graft$enter(long record): one more call; the time, or 0 while nothing is timed */
static const char enter[] = "[0+calls] lconst_1 getAndAddLong pop2 "
                            "timing ifeq.untimed nanoTime lreturn untimed: lconst_0 lreturn";

static const char elapsed[] = "lload.2 lconst_0 lcmp ifeq.untimed [0+nanos] nanoTime lload.2 lsub getAndAddLong pop2 untimed: ";

/* static void graft$leave(long record, long start, long bytes) */
static const char leave[] = "lload.4 lconst_0 lcmp ifeq.none [0+bytes] lload.4 getAndAddLong pop2 none: return";

/* static void graft$fail(long record, long start) */
static const char fail[] = "[0+failed] lconst_1 getAndAddLong pop2 return";

/* static long graft$size(T[] a): bytes of the elements, 0 for null */
static const char size[] = "aload.0 ifnull.null aload.0 arraylength i2l shift lshl lreturn null: lconst_0 lreturn";

static const char *const elements[] = {"ZB", "CS", "IF", "JD"}; /* by the logarithm of their size */

/* Which class is Unsafe, and a function that gives its object. */
typedef struct Unsafe {
    const char *name;
    char get[64];
} Unsafe;

static void add_method(BciClass *c, const Unsafe *unsafe, const char *name, const char *desc, const char *begin, const char *text,
                       int shift) {
    const AgentWord words[] = {
        {"U", CF_OP_INVOKESTATIC, unsafe->name, "getUnsafe", unsafe->get, 0},
        {"getAndAddLong", CF_OP_INVOKEVIRTUAL, unsafe->name, "getAndAddLong", "(Ljava/lang/Object;JJ)J", 0},
        {"nanoTime", CF_OP_INVOKESTATIC, "java/lang/System", "nanoTime", "()J", 0},
        {"timing", CF_OP_GETSTATIC, PROBE, NAT_TIMING_FIELD, "Z", 0},
        {.word = "calls", .value = offsetof(NatRecord, calls)},
        {.word = "failed", .value = offsetof(NatRecord, failed)},
        {.word = "nanos", .value = offsetof(NatRecord, nanos)},
        {.word = "bytes", .value = offsetof(NatRecord, bytes)},
        {.word = "shift", .op = CF_OP_SIPUSH, .value = shift},
        {0}};
    BciMethod *m = bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_SYNTHETIC, name, desc);
    agent_assemble(bci_end(bci_code(m)), words, begin, text, NULL);
}

static void add_probe(BciClass *c, const char *unsafe_name) {
    char desc[8];
    Unsafe unsafe = {.name = unsafe_name};
    snprintf(unsafe.get, sizeof unsafe.get, "()L%s;", unsafe_name);
    bci_add_field(c, CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_SYNTHETIC, NAT_TIMING_FIELD, "Z");
    bci_add_field(c, CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_SYNTHETIC, NAT_TELLING_FIELD, "Z");
    bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_SYNTHETIC | CF_ACC_NATIVE, NAT_TOLD_METHOD, NAT_TOLD_DESC);
    add_method(c, &unsafe, "graft$enter", "(J)J", "", enter, 0);
    add_method(c, &unsafe, "graft$leave", "(JJJ)V", elapsed, leave, 0);
    add_method(c, &unsafe, "graft$fail", "(JJ)V", elapsed, fail, 0);
    for (int shift = 0; shift < 4; shift++)
        for (const char *e = elements[shift]; *e; e++) {
            snprintf(desc, sizeof desc, "([%c)J", *e);
            add_method(c, &unsafe, "graft$size", desc, "", size, shift);
        }
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
    char of[8];
    int slot;
    bci_op(p, CF_OP_LCONST_0);
    for (unsigned n = 0; w->sizes && (slot = bci_param_slot(w->method, n, &desc)) >= 0; n++) {
        if (desc[0] != '[' || desc[1] == '[' || desc[1] == 'L') continue;
        snprintf(of, sizeof of, "([%c)J", desc[1]);
        bci_load(p, 'A', (uint32_t)slot);
        bci_invoke(p, CF_OP_INVOKESTATIC, PROBE, "graft$size", of);
        bci_op(p, CF_OP_LADD);
    }
}

static void emit_leave(BciPos p, BciInsn *site, void *arg) {
    const Wrapper *w = arg;
    bci_long(p, w->record);
    bci_load(p, 'J', w->start);
    push_sizes(p, w);
    bci_invoke(p, CF_OP_INVOKESTATIC, PROBE, "graft$leave", "(JJJ)V");
}

static void emit_fail(BciPos p, BciInsn *site, void *arg) {
    const Wrapper *w = arg;
    bci_long(p, w->record);
    bci_load(p, 'J', w->start);
    bci_invoke(p, CF_OP_INVOKESTATIC, PROBE, "graft$fail", "(JJ)V");
}

/* The arguments, boxed, to the agent. */
static void tell(BciPos p, const Wrapper *w) {
    BciLabel *silent = bci_new_label(p.code);
    const char *desc;
    int slot, n = 0;
    while (bci_param_slot(w->method, (unsigned)n, &desc) >= 0) n++;
    bci_field(p, CF_OP_GETSTATIC, PROBE, NAT_TELLING_FIELD, "Z");
    bci_jump(p, CF_OP_IFEQ, silent);
    bci_long(p, w->record);
    bci_int(p, n);
    bci_new_array(p, "Ljava/lang/Object;");
    for (int i = 0; i < n; i++) {
        slot = bci_param_slot(w->method, (unsigned)i, &desc);
        bci_op(p, CF_OP_DUP);
        bci_int(p, i);
        bci_load(p, desc[0], (uint32_t)slot);
        if (desc[0] != 'L' && desc[0] != '[') bci_box(p, desc);
        bci_op(p, CF_OP_AASTORE);
    }
    bci_invoke(p, CF_OP_INVOKESTATIC, PROBE, NAT_TOLD_METHOD, NAT_TOLD_DESC);
    bci_place(p, silent);
}

static bool wrap(BciMethod *native, const NatRecord *record, bool sizes, bool told) {
    BciMethod *m = bci_wrap_native(native, NAT_PREFIX);
    if (!m) return false;
    BciCode *code = bci_code(m);
    Wrapper w = {m, (int64_t)(uintptr_t)record, bci_new_local(code, 'J'), sizes};
    BciPos entry = bci_entry(code);
    if (told) tell(entry, &w);
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
    bool found = false;
    cf_arena_init(&arena, "natives", 1 << 14);
    if (cf_parse(&c, bytes, len, &arena, &any, err) == CF_OK) {
        *probe = cf_str_eq(c->name, cf_str(PROBE));
        for (unsigned i = 0; i < c->method_count; i++) found |= (c->methods[i].access & CF_ACC_NATIVE) != 0;
        found &= r->registered || !agent_registers_natives(c);
    }
    cf_arena_free(&arena);
    return *probe || found;
}

static unsigned wrap_all(BciClass *c, const NatRequest *r) {
    const char *owner = bci_class_name(c);
    unsigned wrapped = 0;
    for (int i = 0, n = bci_method_count(c); i < n; i++) { /* the wrappers come behind n */
        BciMethod *m = bci_method(c, i);
        const char *name = bci_method_name(m), *desc = bci_method_desc(m);
        if (!(bci_method_access(m) & CF_ACC_NATIVE) || is_left_alone(owner, name) || !r->wanted(r->ctx, owner, name, desc))
            continue;
        if (!r->intrinsic && agent_is_intrinsic(bci_model(c), &bci_model(c)->methods[i])) continue;
        const NatRecord *record = r->record(r->ctx, owner, name, desc);
        wrapped += record && wrap(m, record, r->sizes, r->told(r->ctx, owner, name, desc));
    }
    return wrapped;
}

NatOutcome nat_weave(const NatRequest *r, const uint8_t *bytes, size_t len, uint8_t **out, size_t *out_len, CfError *err) {
    bool probe = false;
    if (!has_natives(bytes, len, r, err, &probe)) return NAT_UNTOUCHED;
    BciClass *c = bci_open(bytes, len, NULL, err);
    if (!c) return NAT_FAILED;
    if (probe) add_probe(c, r->unsafe);
    NatOutcome result = NAT_UNTOUCHED;
    if (wrap_all(c, r) || probe) result = bci_write(c, r->alloc, r->ctx, out, out_len, err) == CF_OK ? NAT_DONE : NAT_FAILED;
    bci_close(c);
    return result;
}
