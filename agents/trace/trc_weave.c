/* SPDX-License-Identifier: Apache-2.0 */
/* trc_weave.c - the helper class and the probes; design in trc_weave.h and trc_tree.h. */
#include "trc_weave.h"

#include <stdlib.h>
#include <string.h>

#include "helper_class.h"
#include "trc_values.h"

#define VALUE_DESC "(JI[Ljava/lang/Object;Ljava/lang/Object;I)V"
#define RECORD_DESC "(IJ[Ljava/lang/Object;Ljava/lang/Object;I)V"
#define UNSAFE "jdk/internal/misc/Unsafe"
#define UNSAFE_DESC "L" UNSAFE ";"
#define AT(member) ((int64_t)offsetof(TrcNode, member))

/* ---- small steps of the helper's code ----------------------------------------------------------- */

static void unsafe(BciPos p) {
    bci_field(p, CF_OP_GETSTATIC, TRC_HELPER, "U", UNSAFE_DESC);
    bci_op(p, CF_OP_ACONST_NULL);
}

/* U, null, local `slot` + offset */
static void address(BciPos p, uint32_t slot, int64_t offset) {
    unsafe(p);
    bci_load(p, 'J', slot);
    if (offset) {
        bci_long(p, offset);
        bci_op(p, CF_OP_LADD);
    }
}
static void constant_address(BciPos p, const void *where) {
    unsafe(p);
    bci_long(p, (int64_t)(uintptr_t)where);
}
static void get(BciPos p, const char *name, const char *desc) { bci_invoke(p, CF_OP_INVOKEVIRTUAL, UNSAFE, name, desc); }
static void get_long(BciPos p) { get(p, "getLong", "(Ljava/lang/Object;J)J"); }
static void put_long(BciPos p) { get(p, "putLong", "(Ljava/lang/Object;JJ)V"); }

static void load_member(BciPos p, uint32_t slot, int64_t offset) {
    address(p, slot, offset);
    get_long(p);
}
static void nano_time(BciPos p) { bci_invoke(p, CF_OP_INVOKESTATIC, "java/lang/System", "nanoTime", "()J"); }
static void jump_long_zero(BciPos p, uint32_t slot, BciLabel *to) {
    bci_load(p, 'J', slot);
    bci_op(p, CF_OP_LCONST_0);
    bci_op(p, CF_OP_LCMP);
    bci_jump(p, CF_OP_IFEQ, to);
}
/* node.member += 1 */
static void increment(BciPos p, uint32_t slot, int64_t offset) {
    address(p, slot, offset);
    load_member(p, slot, offset);
    bci_op(p, CF_OP_LCONST_1);
    bci_op(p, CF_OP_LADD);
    put_long(p);
}
static void return_zero(BciPos p) {
    bci_op(p, CF_OP_LCONST_0);
    bci_op(p, CF_OP_LRETURN);
}
/* `locals`: kinds of the variables behind the parameters, whose slots follow in this order */
static BciPos add_static(BciClass *c, const char *name, const char *desc, const char *locals) {
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC, name, desc));
    for (; *locals; locals++) bci_new_local(code, *locals);
    return bci_end(code);
}

/* ---- the helper's methods ------------------------------------------------------------------------ */

/* static long make(int key, long parent): a new node, not yet in the order of keys; 0: no memory is left */
static void add_make(BciClass *c, const TrcTree *t) {
    enum { KEY = 0, PARENT = 1, NODE = 3 };
    BciPos p = add_static(c, "make", "(IJ)J", "J");
    BciLabel *room = bci_new_label(p.code);
    constant_address(p, &t->bump);
    bci_long(p, (int64_t)sizeof(TrcNode));
    get(p, "getAndAddLong", "(Ljava/lang/Object;JJ)J");
    bci_store(p, 'J', NODE);
    bci_load(p, 'J', NODE);
    bci_long(p, (int64_t)t->limit);
    bci_op(p, CF_OP_LCMP);
    bci_jump(p, CF_OP_IFLE, room);
    constant_address(p, &t->lost);
    bci_op(p, CF_OP_LCONST_1);
    get(p, "getAndAddLong", "(Ljava/lang/Object;JJ)J");
    bci_op(p, CF_OP_POP2);
    return_zero(p);
    bci_place(p, room);
    address(p, NODE, AT(key));
    bci_load(p, 'I', KEY);
    get(p, "putInt", "(Ljava/lang/Object;JI)V");
    address(p, NODE, AT(parent));
    bci_load(p, 'J', PARENT);
    put_long(p);
    address(p, NODE, AT(thread));
    load_member(p, PARENT, AT(thread));
    put_long(p);
    address(p, NODE, AT(next));
    load_member(p, PARENT, AT(first));
    put_long(p);
    bci_field(p, CF_OP_GETSTATIC, TRC_HELPER, "U", UNSAFE_DESC);
    get(p, "storeFence", "()V");
    address(p, PARENT, AT(first));
    bci_load(p, 'J', NODE);
    put_long(p);
    bci_load(p, 'J', NODE);
    bci_op(p, CF_OP_LRETURN);
}

/* static long find(int key, long parent): the child, made if there is none */
static void add_find(BciClass *c) {
    enum { KEY = 0, PARENT = 1, LINK = 3, NODE = 5, OTHER = 7 };
    BciPos p = add_static(c, "find", "(IJ)J", "JJI");
    BciLabel *loop = bci_new_label(p.code), *none = bci_new_label(p.code), *step = bci_new_label(p.code),
             *left = bci_new_label(p.code);
    bci_load(p, 'J', PARENT);
    bci_long(p, AT(root));
    bci_op(p, CF_OP_LADD);
    bci_store(p, 'J', LINK);
    bci_place(p, loop);
    load_member(p, LINK, 0);
    bci_store(p, 'J', NODE);
    jump_long_zero(p, NODE, none);
    address(p, NODE, AT(key));
    get(p, "getInt", "(Ljava/lang/Object;J)I");
    bci_store(p, 'I', OTHER);
    bci_load(p, 'I', OTHER);
    bci_load(p, 'I', KEY);
    bci_jump(p, CF_OP_IF_ICMPNE, step);
    bci_load(p, 'J', NODE);
    bci_op(p, CF_OP_LRETURN);
    bci_place(p, step);
    bci_load(p, 'J', NODE);
    bci_load(p, 'I', KEY);
    bci_load(p, 'I', OTHER);
    BciLabel *sum = bci_new_label(p.code);
    bci_jump(p, CF_OP_IF_ICMPLT, left);
    bci_long(p, AT(right));
    bci_jump(p, CF_OP_GOTO, sum);
    bci_place(p, left);
    bci_long(p, AT(left));
    bci_place(p, sum);
    bci_op(p, CF_OP_LADD);
    bci_store(p, 'J', LINK);
    bci_jump(p, CF_OP_GOTO, loop);
    bci_place(p, none);
    bci_load(p, 'I', KEY);
    bci_load(p, 'J', PARENT);
    bci_invoke(p, CF_OP_INVOKESTATIC, TRC_HELPER, "make", "(IJ)J");
    bci_store(p, 'J', NODE);
    address(p, LINK, 0);
    bci_load(p, 'J', NODE);
    put_long(p);
    bci_load(p, 'J', NODE);
    bci_op(p, CF_OP_LRETURN);
}

/* Leaves the address of the current thread's tree in local `slot`, or goes to `none`. */
static void load_thread(BciPos p, const TrcTree *t, uint32_t slot, BciLabel *none) {
    bci_field(p, CF_OP_GETSTATIC, TRC_HELPER, "U", UNSAFE_DESC);
    bci_invoke(p, CF_OP_INVOKESTATIC, "java/lang/Thread", "currentThread", "()Ljava/lang/Thread;");
    bci_field(p, CF_OP_GETSTATIC, TRC_HELPER, "TID", "J");
    get_long(p);
    bci_store(p, 'J', slot);
    bci_load(p, 'J', slot);
    bci_long(p, TRC_THREADS);
    bci_op(p, CF_OP_LCMP);
    bci_jump(p, CF_OP_IFGE, none);
    unsafe(p);
    bci_long(p, (int64_t)(uintptr_t)t->threads);
    bci_load(p, 'J', slot);
    bci_int(p, 3);
    bci_op(p, CF_OP_LSHL);
    bci_op(p, CF_OP_LADD);
    get_long(p);
    bci_store(p, 'J', slot);
    jump_long_zero(p, slot, none);
}

/* static long enter(int key): the node, or 0 */
static void add_enter(BciClass *c, const TrcTree *t, bool times) {
    enum { KEY = 0, THREAD = 1, CURRENT = 3, NODE = 5 };
    BciPos p = add_static(c, "enter", "(I)J", "JJJ");
    BciLabel *none = bci_new_label(p.code), *search = bci_new_label(p.code), *found = bci_new_label(p.code);
    load_thread(p, t, THREAD, none);
    load_member(p, THREAD, (int64_t)offsetof(TrcThread, current));
    bci_store(p, 'J', CURRENT);
    load_member(p, CURRENT, AT(last));
    bci_store(p, 'J', NODE);
    jump_long_zero(p, NODE, search);
    address(p, NODE, AT(key));
    get(p, "getInt", "(Ljava/lang/Object;J)I");
    bci_load(p, 'I', KEY);
    bci_jump(p, CF_OP_IF_ICMPEQ, found);
    bci_place(p, search);
    bci_load(p, 'I', KEY);
    bci_load(p, 'J', CURRENT);
    bci_invoke(p, CF_OP_INVOKESTATIC, TRC_HELPER, "find", "(IJ)J");
    bci_store(p, 'J', NODE);
    jump_long_zero(p, NODE, none);
    address(p, CURRENT, AT(last));
    bci_load(p, 'J', NODE);
    put_long(p);
    bci_place(p, found);
    increment(p, NODE, AT(calls));
    if (times) {
        address(p, NODE, AT(start));
        nano_time(p);
        put_long(p);
    }
    address(p, THREAD, (int64_t)offsetof(TrcThread, current)); /* last: until here nothing has happened */
    bci_load(p, 'J', NODE);
    put_long(p);
    bci_load(p, 'J', NODE);
    bci_op(p, CF_OP_LRETURN);
    bci_place(p, none);
    return_zero(p);
}

/* static void event(long node, long nanos): a call above the threshold */
static void add_event(BciClass *c, const TrcTree *t) {
    enum { NODE = 0, NANOS = 2, EVENT = 4, THREAD = 6 };
    BciPos p = add_static(c, "event", "(JJ)V", "JJ");
    BciLabel *full = bci_new_label(p.code);
    constant_address(p, &t->event_count);
    bci_op(p, CF_OP_LCONST_1);
    get(p, "getAndAddLong", "(Ljava/lang/Object;JJ)J");
    bci_store(p, 'J', EVENT);
    bci_load(p, 'J', EVENT);
    bci_long(p, t->event_max);
    bci_op(p, CF_OP_LCMP);
    bci_jump(p, CF_OP_IFGE, full);
    bci_long(p, (int64_t)(uintptr_t)t->events);
    bci_load(p, 'J', EVENT);
    bci_long(p, (int64_t)sizeof(TrcEvent));
    bci_op(p, CF_OP_LMUL);
    bci_op(p, CF_OP_LADD);
    bci_store(p, 'J', EVENT);
    load_member(p, NODE, AT(thread));
    bci_store(p, 'J', THREAD);
    address(p, EVENT, (int64_t)offsetof(TrcEvent, node));
    bci_load(p, 'J', NODE);
    put_long(p);
    address(p, EVENT, (int64_t)offsetof(TrcEvent, start));
    load_member(p, NODE, AT(start));
    put_long(p);
    address(p, EVENT, (int64_t)offsetof(TrcEvent, nanos));
    bci_load(p, 'J', NANOS);
    put_long(p);
    address(p, EVENT, (int64_t)offsetof(TrcEvent, tid));
    load_member(p, THREAD, (int64_t)offsetof(TrcThread, tid));
    put_long(p);
    bci_place(p, full);
    bci_op(p, CF_OP_RETURN);
}

static void add_elapsed(BciPos p, const TrcTree *t, uint32_t node, uint32_t nanos) {
    nano_time(p);
    load_member(p, node, AT(start));
    bci_op(p, CF_OP_LSUB);
    bci_store(p, 'J', nanos);
    address(p, node, AT(nanos));
    load_member(p, node, AT(nanos));
    bci_load(p, 'J', nanos);
    bci_op(p, CF_OP_LADD);
    put_long(p);
    if (!t->events) return;
    BciLabel *fast = bci_new_label(p.code);
    bci_load(p, 'J', nanos);
    bci_long(p, t->threshold);
    bci_op(p, CF_OP_LCMP);
    bci_jump(p, CF_OP_IFLT, fast);
    bci_load(p, 'J', node);
    bci_load(p, 'J', nanos);
    bci_invoke(p, CF_OP_INVOKESTATIC, TRC_HELPER, "event", "(JJ)V");
    bci_place(p, fast);
}

/* static void leave(long node), fail(long node) */
static void add_leave(BciClass *c, const TrcTree *t, bool times, bool failed) {
    enum { NODE = 0, NANOS = 2 };
    const uint32_t thread = times ? 4 : 2;
    BciPos p = add_static(c, failed ? "fail" : "leave", "(J)V", times ? "JJ" : "J");
    BciLabel *none = bci_new_label(p.code);
    jump_long_zero(p, NODE, none);
    if (failed) increment(p, NODE, AT(failed));
    if (times) add_elapsed(p, t, NODE, NANOS);
    load_member(p, NODE, AT(thread));
    bci_store(p, 'J', thread);
    address(p, thread, (int64_t)offsetof(TrcThread, current));
    load_member(p, NODE, AT(parent));
    put_long(p);
    bci_place(p, none);
    bci_op(p, CF_OP_RETURN);
}

/* static void value(long start, int key, Object[] args, Object result, int end) */
static void add_value(BciClass *c, const TrcTree *t) {
    enum { START = 0, KEY = 2, ARGS = 3, RESULT = 4, END = 5, NANOS = 6 };
    BciPos p = add_static(c, "value", VALUE_DESC, "J");
    BciLabel *fast = bci_new_label(p.code);
    nano_time(p);
    bci_load(p, 'J', START);
    bci_op(p, CF_OP_LSUB);
    bci_store(p, 'J', NANOS);
    bci_load(p, 'J', NANOS);
    constant_address(p, &t->values_over);
    get_long(p);
    bci_op(p, CF_OP_LCMP);
    bci_jump(p, CF_OP_IFLT, fast);
    bci_load(p, 'I', KEY);
    bci_load(p, 'J', NANOS);
    bci_load(p, 'A', ARGS);
    bci_load(p, 'A', RESULT);
    bci_load(p, 'I', END);
    bci_invoke(p, CF_OP_INVOKESTATIC, TRC_RECORDER, "record", RECORD_DESC);
    bci_place(p, fast);
    bci_op(p, CF_OP_RETURN);
}

typedef struct Helper {
    const TrcTree *tree;
    bool times;
} Helper;

static void fill_helper(BciClass *c, const char *name, const void *arg) {
    const Helper *h = arg;
    const TrcTree *t = h->tree;
    bool times = h->times;
    (void)name;
    bci_add_field(c, CF_ACC_PRIVATE | CF_ACC_STATIC | CF_ACC_FINAL, "U", UNSAFE_DESC);
    bci_add_field(c, CF_ACC_PRIVATE | CF_ACC_STATIC | CF_ACC_FINAL, "TID", "J");
    BciPos p = bci_clinit_entry(c);
    bci_invoke(p, CF_OP_INVOKESTATIC, UNSAFE, "getUnsafe", "()" UNSAFE_DESC);
    bci_field(p, CF_OP_PUTSTATIC, TRC_HELPER, "U", UNSAFE_DESC);
    bci_field(p, CF_OP_GETSTATIC, TRC_HELPER, "U", UNSAFE_DESC);
    bci_ldc_class(p, "java/lang/Thread");
    bci_string(p, "tid");
    get(p, "objectFieldOffset", "(Ljava/lang/Class;Ljava/lang/String;)J");
    bci_field(p, CF_OP_PUTSTATIC, TRC_HELPER, "TID", "J");
    add_make(c, t);
    add_find(c);
    add_enter(c, t, times);
    if (t->events) add_event(c, t);
    add_leave(c, t, times, false);
    add_leave(c, t, times, true);
    add_value(c, t);
}

bool trc_helper_define(JNIEnv *env, const TrcTree *t, bool times, CfError *err) {
    Helper h = {t, times};
    jclass helper = agent_define_class(env, TRC_HELPER, fill_helper, &h, err);
    /* Looking a method up initialises the class: no probe ever waits for that. */
    return helper && (*env)->GetStaticMethodID(env, helper, "enter", "(I)J");
}

static jobject module_of(JNIEnv *env, jclass c) {
    jmethodID get_module = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, c), "getModule", "()Ljava/lang/Module;");
    return get_module ? (*env)->CallObjectMethod(env, c, get_module) : NULL;
}

static void fill_recorder(BciClass *c, const char *name, const void *arg) {
    (void)name, (void)arg;
    bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_NATIVE, "record", RECORD_DESC);
}

bool trc_recorder_define(JNIEnv *env, jvmtiEnv *ti, TrcRecord record, CfError *err) {
    jclass recorder = agent_define_class(env, TRC_RECORDER, fill_recorder, NULL, err);
    JNINativeMethod native = {"record", RECORD_DESC, (void *)record};
    jclass object = recorder ? (*env)->FindClass(env, "java/lang/Object") : NULL;
    if (!object || (*env)->RegisterNatives(env, recorder, &native, 1)) return false;
    jobject base = module_of(env, object), unnamed = base ? module_of(env, recorder) : NULL;
    return unnamed && !(*ti)->AddModuleReads(ti, base, unnamed);
}

/* ---- probes -------------------------------------------------------------------------------------- */

typedef struct Probes { /* of one method */
    uint32_t key, node; /* node: local variable */
    bool values;
    uint32_t start, args, result; /* local variables, with values */
    const char *returns;
} Probes;

/* The result is in its variable, or there is none. */
static void emit_value(BciPos p, const Probes *m, TrcEnd end) {
    bci_load(p, 'J', m->start);
    bci_int(p, (int32_t)m->key);
    bci_load(p, 'A', m->args);
    if (end == TRC_VOID) bci_op(p, CF_OP_ACONST_NULL);
    else bci_load(p, 'A', m->result);
    bci_int(p, end);
    bci_invoke(p, CF_OP_INVOKESTATIC, TRC_HELPER, "value", VALUE_DESC);
}

static void box(BciPos p, const char *desc) {
    if (*desc != 'L' && *desc != '[') bci_box(p, desc);
}

static void emit_leave(BciPos p, BciInsn *site, void *arg) {
    const Probes *m = arg;
    (void)site;
    bci_load(p, 'J', m->node);
    bci_invoke(p, CF_OP_INVOKESTATIC, TRC_HELPER, "leave", "(J)V");
    if (!m->values) return;
    if (*m->returns != 'V') {
        bci_dup_value(p, m->returns);
        box(p, m->returns);
        bci_store(p, 'A', m->result);
    }
    emit_value(p, m, *m->returns == 'V' ? TRC_VOID : TRC_RETURNED);
}
static void emit_fail(BciPos p, BciInsn *site, void *arg) {
    const Probes *m = arg;
    (void)site;
    bci_load(p, 'J', m->node);
    bci_invoke(p, CF_OP_INVOKESTATIC, TRC_HELPER, "fail", "(J)V");
    if (!m->values) return;
    bci_op(p, CF_OP_DUP);
    bci_store(p, 'A', m->result);
    emit_value(p, m, TRC_THREW);
}
static void emit_enter(BciPos p, const Probes *m) {
    bci_int(p, (int32_t)m->key);
    bci_invoke(p, CF_OP_INVOKESTATIC, TRC_HELPER, "enter", "(I)J");
    bci_store(p, 'J', m->node);
}

/* Parameters as they are at the entry. */
static void emit_arguments(BciPos p, BciMethod *m, const Probes *probes) {
    const char *desc;
    int slot, n = 0;
    while (bci_param_slot(m, (unsigned)n, &desc) >= 0) n++;
    nano_time(p);
    bci_store(p, 'J', probes->start);
    bci_int(p, n);
    bci_new_array(p, "Ljava/lang/Object;");
    for (int i = 0; i < n && (slot = bci_param_slot(m, (unsigned)i, &desc)) >= 0; i++) {
        bci_op(p, CF_OP_DUP);
        bci_int(p, i);
        bci_load(p, *desc, (uint32_t)slot);
        box(p, desc);
        bci_op(p, CF_OP_AASTORE);
    }
    bci_store(p, 'A', probes->args);
}

static void instrument(BciMethod *m, BciCode *code, uint32_t key, bool values) {
    Probes probes = {.key = key, .node = bci_new_local(code, 'J'), .values = values, .returns = bci_return_desc(m)};
    BciPos entry = bci_entry(code);
    bool initialises = false;
    if (values) {
        probes.start = bci_new_local(code, 'J');
        probes.args = bci_new_local(code, 'A');
        probes.result = bci_new_local(code, 'A');
        emit_arguments(entry, m, &probes);
    }
    if (!strcmp(bci_method_name(m), "<init>"))
        for (BciInsn *i = bci_first_insn(code); i; i = bci_next(i)) {
            if (!bci_is_init_call(code, i)) continue;
            if (!initialises) {
                bci_op(entry, CF_OP_LCONST_0);
                bci_store(entry, 'J', probes.node);
            }
            initialises = true;
            emit_enter(bci_after(code, i), &probes);
        }
    if (!initialises) emit_enter(entry, &probes);
    bci_each_return(code, emit_leave, &probes);
    bci_on_throw(code, emit_fail, &probes);
}

TrcOutcome trc_weave(const TrcRequest *r, const uint8_t *bytes, size_t len, uint8_t **out, size_t *out_len, unsigned *skipped,
                     CfError *err) {
    BciOptions options = {.flags = BCI_SKIP_FAILED};
    TrcOutcome result = TRC_UNTOUCHED;
    BciClass *c = bci_open(bytes, len, &options, err);
    *skipped = 0;
    if (!c) return TRC_FAILED;
    const char *owner = bci_class_name(c);
    int n = bci_method_count(c);
    for (int i = 0; i < n; i++) {
        BciMethod *m = bci_method(c, i);
        const char *name = bci_method_name(m), *desc = bci_method_desc(m);
        uint32_t key;
        if ((bci_method_access(m) & (CF_ACC_NATIVE | CF_ACC_ABSTRACT)) ||
            !r->wanted(r->ctx, owner, bci_model(c), name, &bci_model(c)->methods[i]))
            continue;
        BciCode *code = bci_code(m);
        if (code && bci_code_length(code) >= r->min_size && r->key(r->ctx, owner, name, desc, &key))
            instrument(m, code, key, r->valued(r->ctx, owner, name));
    }
    if (bci_changed(c)) result = bci_write(c, r->alloc, r->ctx, out, out_len, err) == CF_OK ? TRC_DONE : TRC_FAILED;
    for (int i = 0; i < n; i++) *skipped += bci_method_error(bci_method(c, i), NULL) != CF_OK;
    bci_close(c);
    return result;
}
