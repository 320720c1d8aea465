/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_filter_twr.c - what compilers make of try-with-resources.
 *
 * Each compiler generation has its own shape for closing the resource after an exception; the
 * handler identifies the shape, then the close on the normal path, which stands somewhere before it,
 * is looked for with the same resource variable. Both are left out.
 *   javac 11 and later   handler Throwable: [r == null]; close; addSuppressed; throw
 *   javac 7 to 9         handler Throwable stores primaryExc; catch-any closes in one of four forms
 *   ecj                  catch-any, nested per resource
 */
#include "cov_filter.h"

static bool throwable_handler(const CovCode *c, const CovTry *t) {
    return t->type && cf_str_is(cf_class_name(c->cls, t->type), "java/lang/Throwable");
}

/* The cursor goes upwards from the handler until it stands behind `close`; *at is its beginning. */
static bool find_close(CovMatch *m, uint32_t handler, const char *close, uint32_t *at) {
    m->level = 0;
    for (*at = handler;; --*at) {
        m->pos = *at;
        if (cov_match(m, close)) return true;
        if (*at == 0) return false;
    }
}

/* Looks for the close on the normal path and leaves out both parts: that, and the handler in front of the cursor. */
static bool ignore_both(CovFilterOut *o, CovMatch *m, uint32_t handler, const char *close) {
    uint32_t at, end = m->pos - 1;
    if (!find_close(m, handler, close, &at)) return false;
    uint32_t last = m->pos - 1;
    if (m->pos < o->code->ninsns && o->code->insns[m->pos].op == CF_OP_GOTO) last = m->pos;
    cov_f_ignore(o, at, last);
    cov_f_ignore(o, handler, end);
    return true;
}

/* ---- javac: r the resource, e the primary exception ------------------------------------------- */

static void match_javac11(CovFilterOut *o, uint32_t handler, const char *close) {
    CovMatch m;
    cov_m_begin(&m, o->code, handler);
    if (cov_match(&m, "astore:e") && cov_match(&m, close) &&
        cov_match(&m, "goto astore:t aload:e aload:t addSuppressed aload:e athrow"))
        ignore_both(o, &m, handler, close);
}

#define CLOSE_IN_PLACE "aload:e ifnull close:r goto astore:x aload:e aload:x addSuppressed goto close:r"
#define CLOSE_BY_HELPER "aload:e aload:r closeResource"
static const char *const javac_forms[] = {CLOSE_BY_HELPER, "aload:r ifnull " CLOSE_IN_PLACE, CLOSE_IN_PLACE,
                                          "aload:r ifnull " CLOSE_BY_HELPER};
enum { FORMS = sizeof javac_forms / sizeof *javac_forms };

static bool match_javac(CovFilterOut *o, uint32_t handler, const char *close) {
    CovMatch m;
    cov_m_begin(&m, o->code, handler);
    if (!cov_match(&m, "astore:t aload:t astore:e aload:t athrow astore:u") || !cov_match(&m, close) ||
        !cov_match(&m, "aload:u athrow"))
        return false;
    m.vars[cov_m_name('x', 0)] = -1; /* another variable on the normal path */
    return ignore_both(o, &m, handler, close);
}

/* ---- ecj: up to 15 resources, each with variables and targets of its own ------------------------ */

enum { ECJ_MAX = COV_MATCH_LEVELS - 1 };
#define ECJ_CLOSE "aload:r* ifnull:n* close_any:r*"
#define ECJ_CLOSE_AND_THROW "aload:r* ifnull:w* close_any:r* :w* aload:e athrow"
#define ECJ_SUPPRESS \
    "astore:t* aload:e ifnonnull:s* aload:t* astore:e goto:p* :s* aload:e aload:t* if_acmpeq:p* aload:e aload:t* addSuppressed :p*"

static bool match_ecj(CovFilterOut *o, uint32_t handler) {
    CovMatch m;
    uint32_t at, pos;
    cov_m_begin(&m, o->code, handler);
    if (!cov_match(&m, "astore:e " ECJ_CLOSE_AND_THROW)) return false;
    pos = m.pos;
    for (m.level = 1; m.level < ECJ_MAX && cov_match(&m, ECJ_CLOSE); m.level++, pos = m.pos)
        if (!cov_match(&m, "goto:n* " ECJ_SUPPRESS " " ECJ_CLOSE_AND_THROW)) return false;
    m.pos = pos;
    m.level = ECJ_MAX;
    if (!cov_match(&m, ECJ_SUPPRESS " aload:e athrow")) return false;
    uint32_t end = m.pos - 1;
    if (!find_close(&m, handler, ECJ_CLOSE, &at) || !cov_match(&m, "goto")) return false;
    cov_f_ignore(o, at, m.pos - 1);
    cov_f_ignore(o, handler, end);
    return true;
}

static void match_ecj_no_flow_out(CovFilterOut *o, uint32_t handler) {
    CovMatch m;
    uint32_t at, pos;
    cov_m_begin(&m, o->code, handler);
    if (!cov_match(&m, "astore:e")) return;
    for (pos = m.pos; m.level < ECJ_MAX && cov_match(&m, ECJ_CLOSE_AND_THROW " " ECJ_SUPPRESS); m.level++) pos = m.pos;
    unsigned resources = m.level;
    m.pos = pos;
    if (!resources || !cov_match(&m, "aload:e athrow")) return;
    uint32_t end = m.pos - 1;
    if (!find_close(&m, handler, ECJ_CLOSE, &at)) return;
    for (m.level = 1; m.level < resources; m.level++)
        if (!cov_match(&m, ECJ_CLOSE)) return;
    cov_f_ignore(o, at, m.pos - 1);
    cov_f_ignore(o, handler, end);
}

void cov_filter_resources(CovFilterOut *o) {
    const CovCode *c = o->code;
    for (uint32_t k = 0; k < c->ntries; k++) {
        uint32_t h = c->tries[k].handler;
        if (throwable_handler(c, &c->tries[k])) {
            match_javac11(o, h, "aload:r ifnull close:r");
            match_javac11(o, h, "close:r");
            for (int form = 0; form < FORMS && !match_javac(o, h, javac_forms[form]); form++) {}
        } else if (!c->tries[k].type && !match_ecj(o, h)) {
            match_ecj_no_flow_out(o, h);
        }
    }
}
