/* SPDX-License-Identifier: Apache-2.0 */
/* trc_weave.c - the helper class and the probes; design in trc_weave.h and trc_tree.h. */
#include "trc_weave.h"

#include <stdlib.h>
#include <string.h>

#include "helper_class.h"

#define LINK_DESC "(IILjava/lang/Class;)[Ljava/lang/Object;"
#define HIDDEN_DESC "([B)[B"
#define LEFT_DESC "(I)V"
#define RECORD_DESC "(IJJ[Ljava/lang/Object;Ljava/lang/Object;I)V"
#define UNSAFE "jdk/internal/misc/Unsafe"
#define UNSAFE_DESC "L" UNSAFE ";"

/* `locals`: kinds of the variables behind the parameters, whose slots follow in this order */
static BciPos add_static(BciClass *c, const char *name, const char *desc, const char *locals) {
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC, name, desc));
    for (; *locals; locals++) bci_new_local(code, *locals);
    return bci_end(code);
}

/* ---- the helper's methods ------------------------------------------------------------------------ */

/* Texts of code, see helper_class.h. Comments tell what is in the locals. */

/* static long make(int key 0, long parent 1): a new node (3), not yet in the order of keys; 0: no memory is left */
static const char make[] = "U aconst_null bump node_size getAndAddLong lstore.3 "
                           "lload.3 limit lcmp ifle.room "
                           "U aconst_null lost lconst_1 getAndAddLong pop2 lconst_0 lreturn "
                           "room: [3+key] iload.0 putInt "
                           "[3+parent] lload.1 putLong "
                           "[3+thread] [1+thread] getLong putLong "
                           "[3+next] [1+first] getLong putLong "
                           "U storeFence [1+first] lload.3 putLong lload.3 lreturn";

/* static long find(int key 0, long parent 1): the child, made if there is none. 3: the link to it, 5: node, 7: its key */
static const char find[] = "lload.1 root ladd lstore.3 "
                           "loop: [3] getLong lstore.5 lload.5 lconst_0 lcmp ifeq.none "
                           "[5+key] getInt istore.7 iload.7 iload.0 if_icmpne.step lload.5 lreturn "
                           "step: lload.5 iload.0 iload.7 if_icmplt.less right goto.sum less: left "
                           "sum: ladd lstore.3 goto.loop "
                           "none: iload.0 lload.1 make lstore.5 [3] lload.5 putLong lload.5 lreturn";

/* static long enter(int key 0): the node (5), or 0. 1: the thread's tree, 3: the node that is current there */
static const char enter_find[] = "U currentThread TID getLong lstore.1 lload.1 most_threads lcmp ifge.none "
                                 "U aconst_null threads lload.1 int.3 lshl ladd getLong lstore.1 "
                                 "lload.1 lconst_0 lcmp ifeq.none ";
/* ... where there are virtual threads; 3: the tree, 1: the number of the thread */
static const char enter_find_virtual[] = "U currentThread TID getLong lstore.1 "
                                         "U aconst_null threads lload.1 last_thread land int.3 lshl ladd getLong lstore.3 "
                                         "lload.3 lconst_0 lcmp ifeq.new [3+tid] getLong lload.1 lcmp ifeq.known "
                                         "new: lload.1 adopt lstore.3 lload.3 lconst_0 lcmp ifeq.none "
                                         "known: lload.3 lstore.1 ";

/* static long adopt(long tid 0): a tree (6) for the virtual thread that runs, or 0. 2: where it goes, 4: the word of idle trees */
static const char adopt[] =
    "currentThread isVirtual ifeq.none "
    "threads lload.0 last_thread land int.3 lshl ladd lstore.2 [2] getLong lconst_0 lcmp ifne.taken "
    "again: U aconst_null idle getLongVolatile lstore.4 lload.4 address land lstore.6 lload.6 lconst_0 lcmp ifeq.make "
    "U aconst_null idle lload.4 [6+next_idle] getLong lload.4 int.48 lushr lconst_1 ladd int.48 lshl lor compareAndSetLong ifeq.again "
    "goto.have "
    "make: U aconst_null bump thread_size getAndAddLong lstore.6 lload.6 limit lcmp ifgt.full "
    "[6+root.thread] lload.6 putLong [6+most] U aconst_null allowance getLong putLong "
    "list: U aconst_null all getLongVolatile lstore.4 [6+next_all] lload.4 putLong "
    "U aconst_null all lload.4 lload.6 compareAndSetLong ifeq.list "
    "have: [6+current] lload.6 root_node ladd putLong [6+tid] lload.0 putLong "
    "U aconst_null lload.2 lconst_0 lload.6 compareAndSetLong ifeq.give lload.6 lreturn "
    "give: lload.6 makeIdle taken: U aconst_null missed lconst_1 getAndAddLong pop2 none: lconst_0 lreturn "
    "full: U aconst_null lost lconst_1 getAndAddLong pop2 lconst_0 lreturn";

/* static void makeIdle(long tree 0). 2: the word of idle trees */
static const char make_idle[] =
    "again: U aconst_null idle getLongVolatile lstore.2 [0+next_idle] lload.2 address land putLong "
    "U aconst_null idle lload.2 lload.0 lload.2 int.48 lushr lconst_1 ladd int.48 lshl lor compareAndSetLong ifeq.again "
    "return";

/* static void ended(): the virtual thread that runs enters nothing any more. 0: its number, 2: where its tree stands, 4: the tree */
static const char ended[] = "U currentThread TID getLong lstore.0 threads lload.0 last_thread land int.3 lshl ladd lstore.2 "
                            "[2] getLong lstore.4 lload.4 lconst_0 lcmp ifeq.none [4+tid] getLong lload.0 lcmp ifne.none "
                            "[4+current] lload.4 root_node ladd putLong [2] lconst_0 putLong ";
static const char ended_idle[] = "lload.4 makeIdle ";
static const char ended_end[] = "none: return";

/* The time: System.nanoTime, or Perf.highResCounter, which Graft counts in nanoseconds, too, but does not order with what other threads do
 * (os/os_ticks.c): half the cost of a probe. */
static const char *const now[2] = {"nanoTime ", "CLOCK highResCounter "};

/* ... with a budget */
static const char enter_open[] = "U aconst_null states iload.0 inverse imul i2l ladd getByte int.1 iand ifne.none ";
static const char enter_limited[] = "[1+entered] getLong lconst_1 ladd lstore.3 [1+entered] lload.3 putLong "
                                    "lload.3 [1+most] getLong lcmp ifgt.none ";
static const char enter_node[] = "[1+current] getLong lstore.3 "
                                 "[3+last] getLong lstore.5 lload.5 lconst_0 lcmp ifeq.search "
                                 "[5+key] getInt iload.0 if_icmpeq.found "
                                 "search: iload.0 lload.3 find lstore.5 lload.5 lconst_0 lcmp ifeq.none "
                                 "[3+last] lload.5 putLong "
                                 "found: [5+calls] [5+calls] getLong lconst_1 ladd putLong ";
static const char enter_counted[] =
    "counts iload.0 inverse imul i2l int.3 lshl ladd lstore.3 [3] [3] getLong lconst_1 ladd putLong ";
static const char enter_timed[] = "[5+start] ", enter_timed_end[] = "putLong ";
static const char enter_bytes[] = "[5+since] allocatedBytes putLong ";
/* Until it becomes current nothing has happened. */
static const char enter_end[] = "[1+current] lload.5 putLong lload.5 lreturn none: lconst_0 lreturn";

/* static void event(long node 0, long nanos 2, long failed 4): a call above the threshold. 6: the event, 8: the thread's tree */
static const char event[] = "U aconst_null event_count lconst_1 getAndAddLong lstore.6 lload.6 event_max lcmp ifge.full "
                            "events lload.6 event_size lmul ladd lstore.6 "
                            "[0+thread] getLong lstore.8 "
                            "[6+event.node] lload.0 putLong "
                            "[6+event.start] [0+start] getLong putLong "
                            "[6+event.nanos] lload.2 putLong "
                            "[6+event.failed] lload.4 putLong "
                            "[6+event.tid] [8+tid] getLong putLong "
                            "[8+last_event] lload.6 putLong "
                            "full: return";

/* static void leave(long node 0), fail(long node 0). 2: the time that passed (timed), 4: the thread's tree */
static const char leave_begin[] = "lload.0 lconst_0 lcmp ifeq.none ";
static const char leave_failed[] = "[0+failed] [0+failed] getLong lconst_1 ladd putLong ";
static const char leave_timed[] = "[0+start] getLong lsub lstore.2 [0+nanos] [0+nanos] getLong lload.2 ladd putLong "
                                  "lload.2 [0+longest] getLong lcmp ifle.shorter [0+longest] lload.2 putLong shorter: ";
static const char leave_bytes[] = "[0+allocated] [0+allocated] getLong allocatedBytes ladd [0+since] getLong lsub putLong ";
static const char leave_event[] = "lload.2 U aconst_null threshold getLong lcmp iflt.fast lload.0 lload.2 ";
static const char leave_event_end[] = " event fast: ";
static const char leave_node[] = "[0+thread] getLong lstore.4 [4+current] [0+parent] getLong putLong ";
static const char leave_watched[] =
    "U aconst_null states [0+key] getInt inverse imul i2l ladd getByte int.2 iand ifeq.none [0+key] getInt tell ";
static const char leave_end[] = "none: return";

/* static void calibrate(int key 0, int n 1): so many calls */
static const char calibrate[] = "loop: iload.1 ifle.end iload.0 enter leave iload.1 iconst_1 isub istore.1 goto.loop end: return";

typedef struct Helper {
    const TrcTree *tree;
    bool times;
} Helper;

#define CALL(name_, desc_) \
    { #name_, CF_OP_INVOKEVIRTUAL, UNSAFE, #name_, desc_, 0 }
#define OWN(name_, desc_) \
    { #name_, CF_OP_INVOKESTATIC, TRC_HELPER, #name_, desc_, 0 }
#define NUMBER(word_, value_) \
    { .word = word_, .value = (int64_t)(value_) }
#define PERF "jdk/internal/perf/Perf"
#define PERF_DESC "L" PERF ";"
#define OFFSET(member) NUMBER(#member, offsetof(TrcNode, member))
#define OF_EVENT(member) NUMBER("event." #member, offsetof(TrcEvent, member))

static void fill_helper(BciClass *c, const char *name, const void *arg) {
    const Helper *h = arg;
    const TrcTree *t = h->tree;
    bool times = h->times;
    const AgentWord words[] = {
        {"U", CF_OP_GETSTATIC, TRC_HELPER, "U", UNSAFE_DESC, 0},
        {"TID", CF_OP_GETSTATIC, TRC_HELPER, "TID", "J", 0},
        CALL(getLong, "(Ljava/lang/Object;J)J"),
        CALL(putLong, "(Ljava/lang/Object;JJ)V"),
        CALL(getInt, "(Ljava/lang/Object;J)I"),
        CALL(putInt, "(Ljava/lang/Object;JI)V"),
        CALL(getAndAddLong, "(Ljava/lang/Object;JJ)J"),
        CALL(storeFence, "()V"),
        {"allocatedBytes", CF_OP_INVOKESTATIC, TRC_ALLOCATION, "bytes", "()J", 0},
        {"getByte", CF_OP_INVOKEVIRTUAL, UNSAFE, "getByte", "(Ljava/lang/Object;J)B", 0},
        {"tell", CF_OP_INVOKESTATIC, TRC_RECORDER, "left", LEFT_DESC, 0},
        {.word = "inverse", .op = CF_OP_SIPUSH, .value = (int32_t)trc_inverse()},
        NUMBER("states", t->states),
        NUMBER("counts", t->counts),
        OWN(make, "(IJ)J"),
        OWN(find, "(IJ)J"),
        OWN(event, "(JJJ)V"),
        OWN(enter, "(I)J"),
        OWN(leave, "(J)V"),
        OWN(adopt, "(J)J"),
        OWN(makeIdle, "(J)V"),
        CALL(getLongVolatile, "(Ljava/lang/Object;J)J"),
        CALL(compareAndSetLong, "(Ljava/lang/Object;JJJ)Z"),
        {"isVirtual", CF_OP_INSTANCEOF, "java/lang/BaseVirtualThread", NULL, NULL, 0},
        {"CLOCK", CF_OP_GETSTATIC, TRC_HELPER, "CLOCK", PERF_DESC, 0},
        {"highResCounter", CF_OP_INVOKEVIRTUAL, PERF, "highResCounter", "()J", 0},
        {"nanoTime", CF_OP_INVOKESTATIC, "java/lang/System", "nanoTime", "()J", 0},
        {"currentThread", CF_OP_INVOKESTATIC, "java/lang/Thread", "currentThread", "()Ljava/lang/Thread;", 0},
        OFFSET(key),
        OFFSET(parent),
        OFFSET(thread),
        OFFSET(root),
        OFFSET(left),
        OFFSET(right),
        OFFSET(first),
        OFFSET(next),
        OFFSET(last),
        OFFSET(calls),
        OFFSET(failed),
        OFFSET(nanos),
        OFFSET(start),
        OFFSET(longest),
        OFFSET(allocated),
        OFFSET(since),
        OF_EVENT(node),
        OF_EVENT(start),
        OF_EVENT(nanos),
        OF_EVENT(failed),
        OF_EVENT(tid),
        NUMBER("current", offsetof(TrcThread, current)),
        NUMBER("tid", offsetof(TrcThread, tid)),
        NUMBER("last_event", offsetof(TrcThread, event)),
        NUMBER("entered", offsetof(TrcThread, entered)),
        NUMBER("most", offsetof(TrcThread, most)),
        NUMBER("node_size", sizeof(TrcNode)),
        NUMBER("event_size", sizeof(TrcEvent)),
        NUMBER("bump", &t->bump),
        NUMBER("limit", t->limit),
        NUMBER("lost", &t->lost),
        NUMBER("threads", t->threads),
        NUMBER("most_threads", TRC_THREADS),
        NUMBER("last_thread", TRC_THREADS - 1),
        NUMBER("idle", &t->idle),
        NUMBER("missed", &t->missed),
        NUMBER("all", &t->all),
        NUMBER("allowance", &t->allowance),
        NUMBER("thread_size", sizeof(TrcThread)),
        NUMBER("address", ((int64_t)1 << 48) - 1),
        NUMBER("next_idle", offsetof(TrcThread, idle)),
        NUMBER("next_all", offsetof(TrcThread, all)),
        NUMBER("root_node", offsetof(TrcThread, root)),
        NUMBER("root.thread", offsetof(TrcThread, root.thread)),
        NUMBER("events", t->events),
        NUMBER("event_count", &t->event_count),
        NUMBER("event_max", t->event_max),
        NUMBER("threshold", &t->threshold),
        {0}};
    bci_add_field(c, CF_ACC_PRIVATE | CF_ACC_STATIC | CF_ACC_FINAL, "U", UNSAFE_DESC);
    bci_add_field(c, CF_ACC_PRIVATE | CF_ACC_STATIC | CF_ACC_FINAL, "TID", "J");
    BciPos p = bci_clinit_entry(c);
    bci_invoke(p, CF_OP_INVOKESTATIC, UNSAFE, "getUnsafe", "()" UNSAFE_DESC);
    bci_field(p, CF_OP_PUTSTATIC, TRC_HELPER, "U", UNSAFE_DESC);
    bci_field(p, CF_OP_GETSTATIC, TRC_HELPER, "U", UNSAFE_DESC);
    bci_ldc_class(p, "java/lang/Thread");
    bci_string(p, "tid");
    bci_invoke(p, CF_OP_INVOKEVIRTUAL, UNSAFE, "objectFieldOffset", "(Ljava/lang/Class;Ljava/lang/String;)J");
    bci_field(p, CF_OP_PUTSTATIC, TRC_HELPER, "TID", "J");
    if (t->counter) {
        bci_add_field(c, CF_ACC_PRIVATE | CF_ACC_STATIC | CF_ACC_FINAL, "CLOCK", PERF_DESC);
        bci_invoke(p, CF_OP_INVOKESTATIC, PERF, "getPerf", "()" PERF_DESC);
        bci_field(p, CF_OP_PUTSTATIC, TRC_HELPER, "CLOCK", PERF_DESC);
    }
    agent_assemble(add_static(c, "make", "(IJ)J", "J"), words, make, NULL);
    agent_assemble(add_static(c, "find", "(IJ)J", "JJI"), words, find, NULL);
    agent_assemble(add_static(c, "enter", "(I)J", "JJJ"), words, t->limited ? enter_open : "",
                   t->virtual ? enter_find_virtual : enter_find, t->limited ? enter_limited : "", enter_node,
                   t->limited ? enter_counted : "", t->bytes ? enter_bytes : "", times ? enter_timed : "",
                   times ? now[t->counter] : "", times ? enter_timed_end : "", enter_end, NULL);
    agent_assemble(add_static(c, "event", "(JJJ)V", "JJ"), words, event, NULL);
    for (int failed = 0; failed < 2; failed++)
        agent_assemble(add_static(c, failed ? "fail" : "leave", "(J)V", "JJ"), words, leave_begin, failed ? leave_failed : "",
                       times ? now[t->counter] : "", times ? leave_timed : "", t->bytes ? leave_bytes : "",
                       times ? leave_event : "", times ? (failed ? "lconst_1" : "lconst_0") : "", times ? leave_event_end : "",
                       leave_node, t->limited ? leave_watched : "", leave_end, NULL);
    if (t->virtual) {
        agent_assemble(add_static(c, "adopt", "(J)J", "JJJ"), words, adopt, NULL);
        agent_assemble(add_static(c, "makeIdle", "(J)V", "J"), words, make_idle, NULL);
        agent_assemble(add_static(c, "ended", "()V", "JJJ"), words, ended, t->separate ? "" : ended_idle, ended_end, NULL);
    }
    agent_assemble(add_static(c, "calibrate", "(II)V", ""), words, calibrate, NULL);
}

jclass trc_helper_define(JNIEnv *env, const TrcTree *t, bool times, CfError *err) {
    Helper h = {t, times};
    jclass helper = agent_define_class(env, TRC_HELPER, fill_helper, &h, err);
    /* Looking a method up initialises the class: no probe ever waits for that. */
    return helper && (*env)->GetStaticMethodID(env, helper, "enter", "(I)J") ? helper : NULL;
}

static jobject module_of(JNIEnv *env, jclass c) {
    jmethodID get_module = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, c), "getModule", "()Ljava/lang/Module;");
    return get_module ? (*env)->CallObjectMethod(env, c, get_module) : NULL;
}

/* java.base may use the class from now on, which is in the unnamed module of the boot loader. */
static bool show_to_base(JNIEnv *env, jvmtiEnv *ti, jclass c) {
    jclass object = (*env)->FindClass(env, "java/lang/Object");
    jobject base = object ? module_of(env, object) : NULL, unnamed = base ? module_of(env, c) : NULL;
    return unnamed && !(*ti)->AddModuleReads(ti, base, unnamed);
}

#define THREADS "com/sun/management/ThreadMXBean"
#define THREADS_DESC "L" THREADS ";"

static void fill_allocation(BciClass *c, const char *name, const void *arg) {
    bci_add_field(c, CF_ACC_PUBLIC | CF_ACC_STATIC, "THREADS", THREADS_DESC);
    BciPos p = add_static(c, "bytes", "()J", "");
    bci_field(p, CF_OP_GETSTATIC, name, "THREADS", THREADS_DESC);
    bci_invoke(p, CF_OP_INVOKEINTERFACE, THREADS, "getCurrentThreadAllocatedBytes", "()J");
    bci_op(p, CF_OP_LRETURN);
}

bool trc_allocation_define(JNIEnv *env, jvmtiEnv *ti, CfError *err) {
    jclass factory = (*env)->FindClass(env, "java/lang/management/ManagementFactory");
    jmethodID get =
        factory ? (*env)->GetStaticMethodID(env, factory, "getThreadMXBean", "()Ljava/lang/management/ThreadMXBean;") : NULL;
    jobject threads = get ? (*env)->CallStaticObjectMethod(env, factory, get) : NULL;
    jclass kind = threads && !(*env)->ExceptionCheck(env) ? (*env)->FindClass(env, THREADS) : NULL;
    jmethodID ask = kind && (*env)->IsInstanceOf(env, threads, kind)
                        ? (*env)->GetMethodID(env, kind, "getCurrentThreadAllocatedBytes", "()J")
                        : NULL;
    if (!ask || (*env)->CallLongMethod(env, threads, ask) < 0 || (*env)->ExceptionCheck(env)) return false;
    jclass made = agent_define_class(env, TRC_ALLOCATION, fill_allocation, NULL, err);
    jfieldID field = made ? (*env)->GetStaticFieldID(env, made, "THREADS", THREADS_DESC) : NULL;
    if (!field) return false;
    (*env)->SetStaticObjectField(env, made, field, threads);
    return show_to_base(env, ti, made);
}

static void fill_recorder(BciClass *c, const char *name, const void *arg) {
    bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_NATIVE, "record", RECORD_DESC);
    bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_NATIVE, "link", LINK_DESC);
    bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_NATIVE, "hidden", HIDDEN_DESC);
    bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_NATIVE, "left", LEFT_DESC);
}

bool trc_recorder_define(JNIEnv *env, jvmtiEnv *ti, const TrcRecorder *r, CfError *err) {
    jclass recorder = agent_define_class(env, TRC_RECORDER, fill_recorder, NULL, err);
    JNINativeMethod natives[] = {{"record", RECORD_DESC, (void *)r->record},
                                 {"link", LINK_DESC, (void *)r->link},
                                 {"hidden", HIDDEN_DESC, (void *)r->hidden},
                                 {"left", LEFT_DESC, (void *)r->left}};
    if (!recorder || (*env)->RegisterNatives(env, recorder, natives, sizeof natives / sizeof *natives)) return false;
    return show_to_base(env, ti, recorder);
}

/* ---- probes -------------------------------------------------------------------------------------- */

enum { MOST_PROBES = 8 }; /* of one method */

typedef struct Probes { /* of one method */
    BciMethod *m;
    uint32_t key, node; /* node: local variable */
    const TrcUse *uses[MOST_PROBES];
    int nuses;
    uint32_t start, result; /* local variables, with uses */
    uint32_t given[256];    /* those that hold the receiver and the parameters as they were given, in their order */
    const char *returns;
} Probes;

static bool is_ref(const char *desc) { return *desc == 'L' || *desc == '['; }

static void put_default(BciPos p, const char *desc) {
    if (is_ref(desc)) bci_op(p, CF_OP_ACONST_NULL);
    else if (*desc == 'J') bci_op(p, CF_OP_LCONST_0);
    else if (*desc == 'F') bci_op(p, CF_OP_FCONST_0);
    else if (*desc == 'D') bci_op(p, CF_OP_DCONST_0);
    else bci_op(p, CF_OP_ICONST_0);
}

/* Receiver, parameters, start, exception, result. The one of the latter two that there is is in `result`. */
static void emit_exits(BciPos p, const Probes *m, bool threw) {
    const char *desc;
    bool is_static = bci_method_access(m->m) & CF_ACC_STATIC;
    for (int u = 0; u < m->nuses; u++) {
        unsigned k = 0;
        if (!is_static) bci_load(p, 'A', m->given[k++]);
        for (unsigned i = 0; bci_param_slot(m->m, i, &desc) >= 0; i++) bci_load(p, *desc, m->given[k++]);
        bci_load(p, 'J', m->start);
        if (threw) bci_load(p, 'A', m->result);
        else bci_op(p, CF_OP_ACONST_NULL);
        if (threw && *m->returns != 'V') put_default(p, m->returns);
        else if (*m->returns != 'V') bci_load(p, *m->returns, m->result);
        bci_invoke(p, CF_OP_INVOKESTATIC, m->uses[u]->class_name, "exit", m->uses[u]->exit_desc);
    }
}

static void emit_leave(BciPos p, BciInsn *site, void *arg) {
    Probes *m = arg;
    bci_load(p, 'J', m->node);
    bci_invoke(p, CF_OP_INVOKESTATIC, TRC_HELPER, "leave", "(J)V");
    if (!m->nuses) return;
    if (*m->returns != 'V') {
        bci_dup_value(p, m->returns);
        bci_store(p, *m->returns, m->result);
    }
    emit_exits(p, m, false);
}
static void emit_fail(BciPos p, BciInsn *site, void *arg) {
    Probes *m = arg;
    bci_load(p, 'J', m->node);
    bci_invoke(p, CF_OP_INVOKESTATIC, TRC_HELPER, "fail", "(J)V");
    if (!m->nuses) return;
    m->result = bci_new_local(p.code, 'A');
    bci_op(p, CF_OP_DUP);
    bci_store(p, 'A', m->result);
    emit_exits(p, m, true);
}
static void emit_enter(BciPos p, const Probes *m) {
    bci_int(p, (int32_t)m->key);
    bci_invoke(p, CF_OP_INVOKESTATIC, TRC_HELPER, "enter", "(I)J");
    bci_store(p, 'J', m->node);
}

static bool is_stored(BciCode *code, uint32_t slot) {
    for (BciInsn *i = bci_first_insn(code); i; i = bci_next(i))
        if (((cf_op_info[i->op].flags & CF_OF_STORE) || i->op == CF_OP_IINC) &&
            (i->index == slot || (i->index + 1u == slot && (i->op == CF_OP_LSTORE || i->op == CF_OP_DSTORE))))
            return true;
    return false;
}

/* A parameter that the method writes is kept in a variable of its own. */
static uint32_t keep(BciCode *code, BciPos entry, char kind, uint32_t slot) {
    if (!is_stored(code, slot)) return slot;
    uint32_t copy = bci_new_local(code, kind);
    bci_load(entry, kind, slot);
    bci_store(entry, kind, copy);
    return copy;
}

static void begin_uses(BciMethod *m, BciCode *code, BciPos entry, Probes *probes) {
    const char *desc;
    int slot;
    unsigned k = 0;
    bool is_static = bci_method_access(m) & CF_ACC_STATIC, init = !strcmp(bci_method_name(m), "<init>");
    if (!is_static) probes->given[k++] = init ? 0 : keep(code, entry, 'A', 0);
    for (unsigned i = 0; (slot = bci_param_slot(m, i, &desc)) >= 0; i++)
        probes->given[k++] = keep(code, entry, *desc, (uint32_t)slot);
    probes->start = bci_new_local(code, 'J');
    if (*probes->returns != 'V') probes->result = bci_new_local(code, *probes->returns);
    bci_invoke(entry, CF_OP_INVOKESTATIC, "java/lang/System", "nanoTime", "()J");
    bci_store(entry, 'J', probes->start);
}

static void instrument(BciMethod *m, BciCode *code, Probes *probes) {
    BciPos entry = bci_entry(code);
    bool initialises = false;
    probes->m = m;
    probes->node = bci_new_local(code, 'J');
    probes->returns = bci_return_desc(m);
    if (probes->nuses) begin_uses(m, code, entry, probes);
    if (!strcmp(bci_method_name(m), "<init>"))
        for (BciInsn *i = bci_first_insn(code); i; i = bci_next(i)) {
            if (!bci_is_init_call(code, i)) continue;
            if (!initialises) {
                bci_op(entry, CF_OP_LCONST_0);
                bci_store(entry, 'J', probes->node);
            }
            initialises = true;
            emit_enter(bci_after(code, i), probes);
        }
    if (!initialises) emit_enter(entry, probes);
    bci_each_return(code, emit_leave, probes);
    bci_on_throw(code, emit_fail, probes);
}

/* What a probe would stand in: the method, or the Java method in front of a native one. NULL: none may. */
static BciMethod *body_of(const TrcRequest *r, BciClass *c, int i, bool wanted) {
    BciMethod *m = bci_method(c, i);
    unsigned access = bci_method_access(m);
    if (access & CF_ACC_ABSTRACT) return NULL;
    if (!(access & CF_ACC_NATIVE)) return wanted ? m : NULL;
    if (!r->wrap(r->occasion, bci_model(c), bci_class_name(c), bci_method_name(m), &bci_model(c)->methods[i], wanted))
        return NULL;
    return bci_wrap_native(m, TRC_PREFIX);
}

static void weave_method(const TrcRequest *r, BciClass *c, int i) {
    const char *owner = bci_class_name(c), *name = bci_method_name(bci_method(c, i)), *desc = bci_method_desc(bci_method(c, i));
    bool native = bci_method_access(bci_method(c, i)) & CF_ACC_NATIVE;
    bool wanted = r->wanted(r->ctx, owner, bci_model(c), name, &bci_model(c)->methods[i]);
    Probes probes = {.nuses = 0};
    BciMethod *m = body_of(r, c, i, wanted);
    BciCode *code = m && wanted && r->occasion->probes ? bci_code(m) : NULL;
    if (!code || (!native && bci_code_length(code) < r->min_size) || !r->key(r->ctx, owner, name, desc, &probes.key)) return;
    TrcTarget t = {owner, name, desc, bci_model(c), bci_method_access(m) & CF_ACC_STATIC, probes.key};
    probes.nuses = r->uses(r->ctx, &t, probes.uses, MOST_PROBES);
    instrument(m, code, &probes);
}

static void emit_ended(BciPos p, BciInsn *site, void *unused) { bci_invoke(p, CF_OP_INVOKESTATIC, TRC_HELPER, "ended", "()V"); }

/* Virtual threads tell when they end. */
static void tell_ends(BciClass *c) {
    bool bound = !strcmp(bci_class_name(c), TRC_BOUND_THREAD);
    for (int k = 0, n = bci_method_count(c); k < n; k++) {
        BciMethod *m = bci_method(c, k);
        if (strcmp(bci_method_name(m), "run") || strcmp(bci_method_desc(m), bound ? "()V" : "(Ljava/lang/Runnable;)V")) continue;
        bci_each_return(bci_code(m), emit_ended, NULL);
        bci_on_throw(bci_code(m), emit_ended, NULL);
    }
}

/* Whoever reads the field `bytes` gets what the agent makes of them. */
static void hand_over_hidden(BciClass *c) {
    for (int k = 0, n = bci_method_count(c); k < n; k++) {
        BciCode *code = strcmp(bci_method_name(bci_method(c, k)), "defineClass") ? NULL : bci_code(bci_method(c, k));
        for (BciInsn *i = code ? bci_first_insn(code) : NULL; i; i = bci_next(i))
            if (i->op == CF_OP_GETFIELD && bci_refers_to(code, i, TRC_DEFINER, "bytes", "[B"))
                bci_invoke(bci_after(code, i), CF_OP_INVOKESTATIC, TRC_RECORDER, "hidden", HIDDEN_DESC);
    }
}

TrcOutcome trc_weave(const TrcRequest *r, const uint8_t *bytes, size_t len, uint8_t **out, size_t *out_len, unsigned *skipped,
                     CfError *err) {
    BciOptions options = {.flags = BCI_SKIP_FAILED};
    TrcOutcome result = TRC_UNTOUCHED;
    BciClass *c = bci_open(bytes, len, &options, err);
    *skipped = 0;
    if (!c) return TRC_FAILED;
    int n = bci_method_count(c); /* the Java methods in front of natives come behind n */
    for (int i = 0; i < n; i++) weave_method(r, c, i);
    if (r->occasion->hidden) hand_over_hidden(c);
    if (r->occasion->ends) tell_ends(c);
    if (bci_changed(c)) result = bci_write(c, r->alloc, r->ctx, out, out_len, err) == CF_OK ? TRC_DONE : TRC_FAILED;
    for (int i = 0, all = bci_method_count(c); i < all; i++) *skipped += bci_method_error(bci_method(c, i), NULL) != CF_OK;
    bci_close(c);
    return result;
}
