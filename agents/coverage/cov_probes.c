/* SPDX-License-Identifier: Apache-2.0 */
/* cov_probes.c - the helper class and the insertion of probes; design in cov_probes.h. */
#include "cov_probes.h"

#include <stdlib.h>

#include "bci.h"
#include "cov_data.h"
#include "helper_class.h"

#define HELPER_PREFIX "java/lang/GraftCoverage"

static void helper_name(uint32_t helper, char *buf, size_t n) { snprintf(buf, n, HELPER_PREFIX "%u", helper); }

bool cov_is_helper(const char *name) { return !strncmp(name, HELPER_PREFIX, sizeof HELPER_PREFIX - 1); }

/* ---- the helper ---------------------------------------------------------------------------- */

static void add_force_inline(BciClass *c, BciMethod *m, bool before_9) {
    uint8_t ann[6];
    cf_put_u2(ann, 1);
    cf_put_u2(ann + 2, bci_cp_utf8(c, before_9 ? "Ljava/lang/invoke/ForceInline;" : "Ljdk/internal/vm/annotation/ForceInline;"));
    cf_put_u2(ann + 4, 0);
    bci_method_attribute(m, "RuntimeVisibleAnnotations", ann, sizeof ann);
}

typedef struct Helper {
    const Agent *agent;
    const uint8_t *middle; /* the counter of probe 0 */
    bool counts;
} Helper;

static void fill_helper(BciClass *c, const char *name, const void *arg) {
    const Helper *h = arg;
    const char *unsafe = agent_unsafe(h->agent);
    char desc[64], get[64];
    snprintf(desc, sizeof desc, "L%s;", unsafe);
    snprintf(get, sizeof get, "()L%s;", unsafe);
    bci_add_field(c, CF_ACC_PRIVATE | CF_ACC_STATIC | CF_ACC_FINAL, "U", desc);
    BciPos init = bci_clinit_entry(c);
    bci_invoke(init, CF_OP_INVOKESTATIC, unsafe, "getUnsafe", get);
    bci_field(init, CF_OP_PUTSTATIC, name, "U", desc);
    BciMethod *hit = bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC, "hit", "(I)V");
    add_force_inline(c, hit, h->agent->version < JVMTI_VERSION_9);
    const AgentWord words[] = {{"U", CF_OP_GETSTATIC, name, "U", desc, 0},
                               {"getAndAddLong", CF_OP_INVOKEVIRTUAL, unsafe, "getAndAddLong", "(Ljava/lang/Object;JJ)J", 0},
                               {"putByte", CF_OP_INVOKEVIRTUAL, unsafe, "putByte", "(Ljava/lang/Object;JB)V", 0},
                               {.word = "middle", .value = (int64_t)(uintptr_t)h->middle},
                               {0}};
    agent_assemble(bci_end(bci_code(hit)), words, "U aconst_null middle iload.0 i2l",
                   h->counts ? "int.3 lshl ladd lconst_1 getAndAddLong pop2 return" : "ladd iconst_1 putByte return", NULL);
}

bool cov_helper_define(const Agent *a, JNIEnv *env, uint32_t helper, uint8_t *base, bool counts, CfError *err) {
    char name[64];
    Helper h = {a, base + (size_t)COV_WINDOW / 2 * (counts ? sizeof(uint64_t) : 1), counts};
    helper_name(helper, name, sizeof name);
    jclass c = agent_define_class(env, name, fill_helper, &h, err);
    if (!c) return false;
    /* Looking the method up initialises the class: no probe ever waits for that. */
    jmethodID hit = (*env)->GetStaticMethodID(env, c, "hit", "(I)V");
    (*env)->DeleteLocalRef(env, c);
    return hit != NULL;
}

static void fill_api(BciClass *c, const char *name, const void *arg) {
    bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_NATIVE, "epoch", "(Ljava/lang/String;)V");
    bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_NATIVE, "test", "(Ljava/lang/Object;II)V");
}

bool cov_api_define(JNIEnv *env, CfError *err) {
    jclass api = agent_define_class(env, HELPER_PREFIX, fill_api, NULL, err);
    if (api) (*env)->DeleteLocalRef(env, api);
    return api != NULL;
}

/* ---- insertion ------------------------------------------------------------------------------- */

static bool jumps_back(const CovCode *c) {
    for (uint32_t i = 0; i < c->ninsns; i++) {
        const CovInsn *in = &c->insns[i];
        if (in->target <= i) return true;
        for (uint32_t k = 0; k < in->ntargets; k++)
            if (c->targets[in->targets + k] <= i) return true;
    }
    for (uint32_t t = 0; t < c->ntries; t++)
        if (c->tries[t].handler < c->tries[t].start) return true;
    return false;
}

bool cov_count_probes(const uint8_t *bytes, size_t len, CfArena *scratch, uint32_t *n, bool *loops, CfError *err) {
    CfClass *c;
    CfParseOptions any = {.any_version = true};
    *n = 0;
    *loops = false;
    if (cf_parse(&c, bytes, len, scratch, &any, err) != CF_OK) return false;
    if (cov_filter_class(c)) return true;
    CovMethods it = {.cls = c, .arena = scratch};
    while (cov_methods_next(&it)) *loops |= jumps_back(&it.code);
    *n = it.total;
    *loops |= it.skipped > 0; /* not looked at */
    return true;
}

static BciInsn *insn_of(BciCode *code, const CovCode *cov, uint32_t n) { return bci_insn_at(code, cov->insns[n].pc); }

static BciPos probe_position(BciCode *code, const CovCode *cov, const CovProbe *p) {
    BciInsn *at = insn_of(code, cov, p->insn);
    if (!at) return (BciPos){NULL, NULL};
    switch (p->kind) {
    case COV_PROBE_EXIT: return bci_before(code, at);
    case COV_PROBE_FALL:
        /* A conditional branch's fall-through is the way behind it. */
        return bci_after(code, at);
    case COV_PROBE_JUMP:
        if (cov->insns[p->insn].op == CF_OP_GOTO) return bci_before(code, at);
        break;
    case COV_PROBE_CASE: break;
    }
    return bci_on_edge(code, at, bci_label_of(code, insn_of(code, cov, p->target)));
}

static bool is_passed(const CovPlacing *p, uint32_t n) { return p->passed && __atomic_load_n(&p->passed[n], __ATOMIC_RELAXED); }

/* `first`: the method's among the class's probes. Number of probes inserted. */
static uint32_t insert_probes(BciMethod *m, const CovCode *cov, const CovPlacing *placing, uint32_t first) {
    char helper[64];
    uint32_t inserted = 0;
    BciCode *code = NULL;
    helper_name(placing->helper + placing->first / COV_WINDOW, helper, sizeof helper);
    for (uint32_t i = 0; i < cov->nprobes; i++) {
        if (is_passed(placing, first + i) || (!code && !(code = bci_code(m)))) continue;
        BciPos at = probe_position(code, cov, &cov->probes[i]);
        bci_int(at, (int32_t)((placing->first + first + i) % COV_WINDOW) - COV_WINDOW / 2);
        inserted++;
        bci_invoke(at, CF_OP_INVOKESTATIC, helper, "hit", "(I)V");
    }
    return inserted;
}

CovInstrument cov_instrument(const uint8_t *bytes, size_t len, const CovPlacing *placing, void *(*alloc)(void *, size_t),
                             void *ctx, CfArena *scratch, uint8_t **out, size_t *out_len, uint32_t *skipped, CfError *err) {
    BciOptions opt = {.frames = BCI_FRAMES_KEEP, .flags = BCI_SKIP_FAILED};
    CovInstrument rc = COV_INSTR_NOTHING;
    BciClass *c = bci_open(bytes, len, &opt, err);
    if (!c) return COV_INSTR_FAILED;
    CovMethods it = {.cls = bci_model(c), .arena = scratch};
    uint32_t inserted = 0;
    while (cov_methods_next(&it)) {
        BciMethod *m = bci_method(c, (int)(it.method - it.cls->methods));
        inserted += insert_probes(m, &it.code, placing, it.first);
    }
    if (inserted) rc = bci_write(c, alloc, ctx, out, out_len, err) == CF_OK ? COV_INSTR_DONE : COV_INSTR_FAILED;
    for (int i = 0; rc == COV_INSTR_DONE && i < bci_method_count(c); i++)
        *skipped += bci_method_error(bci_method(c, i), NULL) != CF_OK;
    bci_close(c);
    return rc;
}
