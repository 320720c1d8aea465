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

enum { V_R, V_EXC, V_T1, V_T2, V_TN, V_TE, V_ECJ_R = 8, V_ECJ_T = 24 }; /* ecj: up to 15 resources */
enum { ECJ_MAX = 15, L_END = 0, L_THROW = 16, L_SUPP = 32, L_SUPP_END = 48 };

static void add_suppressed(CovMatch *m) {
    cov_m_invoke(m, CF_OP_INVOKEVIRTUAL, "java/lang/Throwable", "addSuppressed", "(Ljava/lang/Throwable;)V");
}

static bool throwable_handler(const CovCode *c, const CovTry *t) {
    return t->type && cf_str_is(cf_class_name(c->cls, t->type), "java/lang/Throwable");
}

typedef bool (*CloseShape)(CovMatch *m, int form, unsigned ctx);

/* Looks upwards from the handler for the normal-path close and leaves out both parts. */
static bool ignore_both(CovFilterOut *o, CovMatch *m, uint32_t handler, uint32_t end, CloseShape close, int form) {
    uint32_t at = handler;
    for (;; at--) {
        cov_m_start(m, at);
        if (close(m, form, V_TN)) break;
        if (at == 0) return false;
    }
    uint32_t last = m->pos - 1;
    if (m->pos < o->code->ninsns && o->code->insns[m->pos].op == CF_OP_GOTO) last = m->pos;
    cov_f_ignore(o, at, last);
    cov_f_ignore(o, handler, end);
    return true;
}

/* ---- javac 11 and later --------------------------------------------------------------------- */

static bool close_javac11(CovMatch *m, int null_check, unsigned ctx) {
    if (null_check) {
        cov_m_var(m, CF_OP_ALOAD, V_R);
        cov_m_op(m, CF_OP_IFNULL);
    }
    cov_m_close(m, V_R);
    return m->ok;
}

static void match_javac11(CovFilterOut *o, uint32_t handler, int null_check) {
    CovMatch m;
    cov_m_clear(&m, o->code);
    cov_m_start(&m, handler);
    cov_m_var(&m, CF_OP_ASTORE, V_EXC);
    close_javac11(&m, null_check, 0);
    cov_m_op(&m, CF_OP_GOTO);
    cov_m_var(&m, CF_OP_ASTORE, V_T1);
    cov_m_var(&m, CF_OP_ALOAD, V_EXC);
    cov_m_var(&m, CF_OP_ALOAD, V_T1);
    add_suppressed(&m);
    cov_m_var(&m, CF_OP_ALOAD, V_EXC);
    cov_m_op(&m, CF_OP_ATHROW);
    if (m.ok) ignore_both(o, &m, handler, m.pos - 1, close_javac11, null_check);
}

/* ---- javac 7 to 9 ------------------------------------------------------------------------------ */

enum { FORM_HELPER, FORM_FULL, FORM_NO_NULL_CHECK, FORM_HELPER_NULL_CHECK, FORMS };

static bool close_javac(CovMatch *m, int form, unsigned ctx) {
    if (form == FORM_FULL || form == FORM_HELPER_NULL_CHECK) {
        cov_m_var(m, CF_OP_ALOAD, V_R);
        cov_m_op(m, CF_OP_IFNULL);
    }
    cov_m_var(m, CF_OP_ALOAD, V_EXC);
    if (form == FORM_HELPER || form == FORM_HELPER_NULL_CHECK) {
        cov_m_var(m, CF_OP_ALOAD, V_R);
        cov_m_invoke(m, CF_OP_INVOKESTATIC, NULL, "$closeResource", "(Ljava/lang/Throwable;Ljava/lang/AutoCloseable;)V");
        return m->ok;
    }
    cov_m_op(m, CF_OP_IFNULL);
    cov_m_close(m, V_R);
    cov_m_op(m, CF_OP_GOTO);
    cov_m_var(m, CF_OP_ASTORE, ctx);
    cov_m_var(m, CF_OP_ALOAD, V_EXC);
    cov_m_var(m, CF_OP_ALOAD, ctx);
    add_suppressed(m);
    cov_m_op(m, CF_OP_GOTO);
    cov_m_close(m, V_R);
    return m->ok;
}

static bool match_javac(CovFilterOut *o, uint32_t handler, int form) {
    CovMatch m;
    cov_m_clear(&m, o->code);
    cov_m_start(&m, handler);
    cov_m_var(&m, CF_OP_ASTORE, V_T1);
    cov_m_var(&m, CF_OP_ALOAD, V_T1);
    cov_m_var(&m, CF_OP_ASTORE, V_EXC);
    cov_m_var(&m, CF_OP_ALOAD, V_T1);
    cov_m_op(&m, CF_OP_ATHROW);
    cov_m_var(&m, CF_OP_ASTORE, V_T2);
    close_javac(&m, form, V_TE);
    cov_m_var(&m, CF_OP_ALOAD, V_T2);
    cov_m_op(&m, CF_OP_ATHROW);
    return m.ok && ignore_both(o, &m, handler, m.pos - 1, close_javac, form);
}

/* ---- ecj ----------------------------------------------------------------------------------------- */

static bool ecj_close(CovMatch *m, unsigned r) {
    cov_m_var(m, CF_OP_ALOAD, V_ECJ_R + r);
    cov_m_jump(m, CF_OP_IFNULL, L_END + r);
    m->owner = (CfStr){NULL, 0}; /* resources may have different classes */
    cov_m_close(m, V_ECJ_R + r);
    return m->ok;
}

static bool ecj_close_and_throw(CovMatch *m, unsigned r) {
    cov_m_var(m, CF_OP_ALOAD, V_ECJ_R + r);
    cov_m_jump(m, CF_OP_IFNULL, L_THROW + r);
    m->owner = (CfStr){NULL, 0};
    cov_m_close(m, V_ECJ_R + r);
    cov_m_label(m, L_THROW + r);
    cov_m_var(m, CF_OP_ALOAD, V_EXC);
    cov_m_op(m, CF_OP_ATHROW);
    return m->ok;
}

static bool ecj_suppress(CovMatch *m, unsigned r) {
    cov_m_var(m, CF_OP_ASTORE, V_ECJ_T + r);
    cov_m_var(m, CF_OP_ALOAD, V_EXC);
    cov_m_jump(m, CF_OP_IFNONNULL, L_SUPP + r);
    cov_m_var(m, CF_OP_ALOAD, V_ECJ_T + r);
    cov_m_var(m, CF_OP_ASTORE, V_EXC);
    cov_m_jump(m, CF_OP_GOTO, L_SUPP_END + r);
    cov_m_label(m, L_SUPP + r);
    cov_m_var(m, CF_OP_ALOAD, V_EXC);
    cov_m_var(m, CF_OP_ALOAD, V_ECJ_T + r);
    cov_m_jump(m, CF_OP_IF_ACMPEQ, L_SUPP_END + r);
    cov_m_var(m, CF_OP_ALOAD, V_EXC);
    cov_m_var(m, CF_OP_ALOAD, V_ECJ_T + r);
    add_suppressed(m);
    cov_m_label(m, L_SUPP_END + r);
    return m->ok;
}

static bool ecj_find_normal(CovFilterOut *o, CovMatch *m, uint32_t handler, uint32_t *at) {
    for (uint32_t a = handler;; a--) {
        cov_m_start(m, a);
        if (ecj_close(m, 0)) {
            *at = a;
            return true;
        }
        if (a == 0) return false;
    }
}

static bool match_ecj(CovFilterOut *o, uint32_t handler) {
    CovMatch m;
    uint32_t at, pos;
    cov_m_clear(&m, o->code);
    cov_m_start(&m, handler);
    cov_m_var(&m, CF_OP_ASTORE, V_EXC);
    if (!ecj_close_and_throw(&m, 0)) return false;
    unsigned r = 1;
    for (pos = m.pos; m.ok && r < ECJ_MAX && ecj_close(&m, r); r++, pos = m.pos) {
        cov_m_jump(&m, CF_OP_GOTO, L_END + r);
        ecj_suppress(&m, r);
        ecj_close_and_throw(&m, r);
        if (!m.ok) return false;
    }
    cov_m_start(&m, pos);
    ecj_suppress(&m, ECJ_MAX);
    cov_m_var(&m, CF_OP_ALOAD, V_EXC);
    cov_m_op(&m, CF_OP_ATHROW);
    if (!m.ok) return false;
    uint32_t end = m.pos - 1;
    if (!ecj_find_normal(o, &m, handler, &at) || !cov_m_op(&m, CF_OP_GOTO)) return false;
    cov_f_ignore(o, at, m.pos - 1);
    cov_f_ignore(o, handler, end);
    return true;
}

static void match_ecj_no_flow_out(CovFilterOut *o, uint32_t handler) {
    CovMatch m;
    uint32_t at, pos;
    unsigned r = 0;
    cov_m_clear(&m, o->code);
    cov_m_start(&m, handler);
    cov_m_var(&m, CF_OP_ASTORE, V_EXC);
    for (pos = m.pos; m.ok && r < ECJ_MAX && ecj_close_and_throw(&m, r) && ecj_suppress(&m, r); r++, pos = m.pos)
        ;
    if (r == 0) return;
    cov_m_start(&m, pos);
    cov_m_var(&m, CF_OP_ALOAD, V_EXC);
    cov_m_op(&m, CF_OP_ATHROW);
    if (!m.ok) return;
    uint32_t end = m.pos - 1;
    if (!ecj_find_normal(o, &m, handler, &at)) return;
    for (unsigned k = 1; k < r; k++)
        if (!ecj_close(&m, k)) return;
    cov_f_ignore(o, at, m.pos - 1);
    cov_f_ignore(o, handler, end);
}

void cov_filter_resources(CovFilterOut *o) {
    const CovCode *c = o->code;
    for (uint32_t k = 0; k < c->ntries; k++) {
        uint32_t h = c->tries[k].handler;
        if (throwable_handler(c, &c->tries[k])) {
            match_javac11(o, h, 1);
            match_javac11(o, h, 0);
            for (int form = 0; form < FORMS && !match_javac(o, h, form); form++)
                ;
        } else if (!c->tries[k].type && !match_ecj(o, h)) {
            match_ecj_no_flow_out(o, h);
        }
    }
}
