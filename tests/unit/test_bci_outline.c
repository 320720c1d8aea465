/* SPDX-License-Identifier: Apache-2.0 */
/* test_bci_outline - methods that edits make too long; what moves, what stays, and why. roundtrip/outline.sh runs results. */
#include <stdlib.h>

#include "plan/bci_rules.h"

static int failures;
#define CHECK(x) ((x) ? (void)0 : (failures++, printf("%s:%d: %s\n", __func__, __LINE__, #x), (void)0))

static uint8_t *bytes;
static CfError err;

/* ---- classes ---- */

static BciClass *fresh(unsigned major, unsigned access, unsigned flags, uint32_t limit) {
    CfArena a;
    CfWriter w;
    cf_arena_init(&a, "test", 0);
    cf_w_init(&w);
    CfClass *k = cf_class_new(&a, major, access, CF_STR("A"), CF_STR("java/lang/Object"));
    CHECK(cf_write(k, &w, NULL) == CF_OK);
    cf_arena_free(&a);
    bytes = w.data;
    cf_err_clear(&err);
    BciClass *c = bci_open(w.data, w.len, &(BciOptions){.flags = flags | BCI_VERIFY_RESULT}, &err);
    c->code_limit = limit;
    return c;
}

/* The class as written, opened again; NULL with `err` set. */
static BciClass *written(BciClass *c) {
    uint8_t *out = NULL;
    size_t n;
    BciClass *again = NULL;
    if (bci_write(c, NULL, NULL, &out, &n, &err) == CF_OK) again = bci_open(out, n, NULL, &err);
    bci_close(c);
    free(bytes);
    bytes = out;
    return again;
}

static void drop(BciClass *c) {
    bci_close(c);
    free(bytes);
    bytes = NULL;
}

static void call(BciPos at, const char *name, const char *desc) { bci_invoke(at, CF_OP_INVOKESTATIC, "p/P", name, desc); }

/* n times p.P.use(k): six bytes each. */
static void uses(BciPos at, int n) {
    for (int k = 0; k < n; k++) {
        bci_int(at, 1000 + k % 20000);
        call(at, "use", "(I)V");
    }
}

static BciCode *method(BciClass *c, unsigned access, const char *name, const char *desc) {
    return bci_code(bci_add_method(c, access, name, desc));
}

static BciMethod *part(BciClass *c, int k) {
    int n = 0;
    for (int i = 0; c && i < bci_method_count(c); i++)
        if (strstr(bci_method_name(bci_method(c, i)), "$outlined$") && n++ == k) return bci_method(c, i);
    return NULL;
}
static int parts(BciClass *c) {
    int n = 0;
    while (part(c, n)) n++;
    return n;
}
static uint32_t length(BciMethod *m) { return bci_code_length(bci_code(m)); }
static BciInsn *find(BciMethod *m, unsigned op) { return bci_find_op(bci_first_insn(bci_code(m)), op); }

/* ---- the limit of the class file ---- */

static BciClass *too_long(unsigned flags) {
    BciClass *c = fresh(61, 0, flags, BCI_MAX_CODE);
    BciCode *code = method(c, CF_ACC_PUBLIC, "f", "(I)V");
    BciPos at = bci_end(code);
    uses(at, 11000);
    bci_return(at);
    return c;
}

static void refused_without_the_option(void) {
    CHECK(!written(too_long(0)));
    CHECK(err.code == CF_ERR_LIMIT && strstr(err.text, "would be 66001 bytes; the limit is 65535") &&
          !strstr(err.text, "outline"));
}

static void one_part_is_enough(void) {
    BciClass *c = too_long(BCI_OUTLINE);
    BciMethod *m = bci_find_method(c, "f", NULL);
    uint8_t *out = NULL;
    size_t n;
    CHECK(bci_write(c, NULL, NULL, &out, &n, &err) == CF_OK && bci_outlined(m) == 1);
    free(out);
    drop(c);
    c = written(too_long(BCI_OUTLINE));
    m = bci_find_method(c, "f", "(I)V");
    CHECK(parts(c) == 1 && length(m) <= 65535 && length(m) > 64000);
    BciMethod *p = part(c, 0);
    CHECK(!strcmp(bci_method_name(p), "f$outlined$0"));
    CHECK(bci_method_access(p) == (CF_ACC_PRIVATE | CF_ACC_STATIC | CF_ACC_SYNTHETIC));
    CHECK(length(p) + length(m) == 66001 + 3 + 1); /* a call, a return */
    drop(c);
}

static void same_input_same_output(void) {
    uint8_t *out[2] = {NULL, NULL};
    size_t n[2];
    for (int k = 0; k < 2; k++) {
        BciClass *c = too_long(BCI_OUTLINE);
        CHECK(bci_write(c, NULL, NULL, &out[k], &n[k], &err) == CF_OK);
        drop(c);
    }
    CHECK(n[0] == n[1] && !memcmp(out[0], out[1], n[0]));
    free(out[0]);
    free(out[1]);
}

/* ---- shapes, with a lower limit ---- */

/* One array initialiser of 100 elements: the array is on the stack all the time. */
static void array_stays_on_the_stack(void) {
    BciClass *c = fresh(61, 0, BCI_OUTLINE, 300);
    BciCode *code = method(c, CF_ACC_STATIC, "f", "()[I");
    BciPos at = bci_end(code);
    bci_int(at, 100);
    bci_new_array(at, "I");
    for (int k = 0; k < 100; k++) {
        bci_op(at, CF_OP_DUP);
        bci_int(at, k);
        bci_int(at, 7 * k);
        bci_op(at, CF_OP_IASTORE);
    }
    bci_return(at);
    c = written(c);
    BciMethod *m = bci_find_method(c, "f", NULL);
    CHECK(c && parts(c) >= 1 && length(m) <= 300);
    bool copied = false;
    for (BciInsn *i = bci_first_insn(bci_code(m)); i; i = bci_next(i))
        copied |= i->op == CF_OP_DUP && bci_refers_to(bci_code(m), bci_next(i), "A", NULL, "([I)V");
    CHECK(copied);
    drop(c);
}

/* The value of a final field is made in a part; the field is written here. */
static void final_fields(void) {
    for (unsigned major = 52; major <= 53; major++) {
        BciClass *c = fresh(major, 0, BCI_OUTLINE, 200);
        bci_add_field(c, CF_ACC_STATIC | CF_ACC_FINAL, "x", "J");
        BciCode *code = method(c, CF_ACC_STATIC, "<clinit>", "()V");
        BciPos at = bci_end(code);
        uses(at, 30);
        bci_long(at, 5);
        for (int k = 0; k < 60; k++) {
            bci_long(at, k);
            bci_op(at, CF_OP_LADD);
        }
        bci_field(at, CF_OP_PUTSTATIC, "A", "x", "J");
        uses(at, 3);
        bci_return(at);
        c = written(c);
        BciMethod *m = bci_find_method(c, "<clinit>", NULL);
        CHECK(c && length(m) <= 200 && !strncmp(bci_method_name(part(c, 0)), "static$outlined$", 16));
        int moved = 0;
        for (int k = 0; k < parts(c); k++) moved += find(part(c, k), CF_OP_PUTSTATIC) != NULL;
        CHECK(major == 52 || (moved == 0 && find(m, CF_OP_PUTSTATIC)));
        drop(c);
    }
}

/* s = s + i, n times: s is read and written, and read behind. */
static void sums(BciPos at, uint32_t s, uint32_t i, int n) {
    for (int k = 0; k < n; k++) {
        bci_load(at, 'J', s);
        bci_load(at, 'I', i);
        bci_op(at, CF_OP_I2L);
        bci_op(at, CF_OP_LADD);
        bci_store(at, 'J', s);
    }
}

static void a_local_is_the_result(void) {
    BciClass *c = fresh(61, 0, BCI_OUTLINE, 200);
    BciCode *code = method(c, 0, "f", "(IJLjava/lang/String;)J"); /* this, int, long, String */
    BciPos at = bci_end(code);
    sums(at, 2, 1, 60);
    bci_load(at, 'J', 2);
    bci_return(at);
    c = written(c);
    CHECK(parts(c) == 1 && !strcmp(bci_method_desc(part(c, 0)), "(IJ)J"));
    CHECK(find(part(c, 0), CF_OP_LRETURN) && find(bci_find_method(c, "f", NULL), CF_OP_LSTORE_2));
    drop(c);
}

/* Two locals change all the time, in a loop: no part has one result. */
static void two_results_stay(void) {
    BciClass *c = fresh(61, 0, BCI_OUTLINE, BCI_MAX_CODE);
    BciCode *code = method(c, CF_ACC_STATIC, "f", "(II)I");
    BciPos at = bci_end(code);
    BciLabel *again = bci_label_here(at);
    for (int k = 0; k < 12000; k++) {
        bci_load(at, 'I', 0);
        bci_load(at, 'I', 1);
        bci_op(at, CF_OP_DUP);
        bci_op(at, CF_OP_IADD);
        bci_store(at, 'I', 0);
        bci_op(at, CF_OP_POP);
        bci_iinc(at, 1, 1);
    }
    bci_load(at, 'I', 0);
    bci_jump(at, CF_OP_IFNE, again);
    bci_load(at, 'I', 1);
    bci_return(at);
    CHECK(!written(c));
    CHECK(err.code == CF_ERR_LIMIT && strstr(err.text, "would be 108011 bytes; the limit is 65535; nothing can be outlined: "));
    drop(NULL);
}

static void returns_and_throws(void) {
    BciClass *c = fresh(61, 0, BCI_OUTLINE, 150);
    BciCode *code = method(c, CF_ACC_STATIC, "f", "(I)I");
    BciPos at = bci_end(code);
    BciLabel *other = bci_new_label(code), *out = bci_new_label(code);
    bci_load(at, 'I', 0);
    bci_jump(at, CF_OP_IFEQ, other);
    uses(at, 40); /* returns from here */
    bci_int(at, 1);
    bci_return(at);
    bci_place(at, other);
    bci_load(at, 'I', 0);
    bci_jump(at, CF_OP_IFLT, out);
    uses(at, 40); /* throws */
    bci_new_object(at, "java/lang/Error");
    bci_invoke(at, CF_OP_INVOKESPECIAL, "java/lang/Error", "<init>", "()V");
    bci_op(at, CF_OP_ATHROW);
    bci_place(at, out);
    bci_int(at, 2);
    bci_return(at);
    c = written(c);
    CHECK(c && parts(c) >= 2 && length(bci_find_method(c, "f", NULL)) <= 150);
    drop(c);
}

/* The rows of a try statement move with it; one around it covers the call. */
static void handlers(void) {
    BciClass *c = fresh(61, 0, BCI_OUTLINE, 150);
    BciCode *code = method(c, CF_ACC_STATIC, "f", "()V");
    BciPos at = bci_end(code);
    BciLabel *from = bci_label_here(at), *in = bci_new_label(code), *next = bci_new_label(code);
    call(at, "first", "()V");
    BciLabel *inner = bci_label_here(at);
    uses(at, 40);
    BciLabel *inner_end = bci_label_here(at);
    bci_jump(at, CF_OP_GOTO, next);
    bci_place(at, in);
    bci_op(at, CF_OP_POP);
    call(at, "caught", "()V");
    bci_place(at, next);
    call(at, "last", "()V");
    BciLabel *to = bci_label_here(at);
    bci_return(at);
    BciLabel *all = bci_label_here(at);
    bci_op(at, CF_OP_ATHROW);
    bci_add_try(code, inner, inner_end, in, "java/lang/RuntimeException", false);
    bci_add_try(code, from, to, all, NULL, false);
    c = written(c);
    BciMethod *m = bci_find_method(c, "f", NULL);
    CHECK(c && length(m) <= 150 && parts(c) == 1);
    const CfClass *k = bci_model(c);
    uint32_t in_old = bci_try_count(bci_code(m)), in_part = bci_try_count(bci_code(part(c, 0)));
    CHECK(k && in_old + in_part == 2 && bci_try(bci_code(m), in_old - 1)->type == 0);
    drop(c);
}

/* A local that a handler outside reads is not written in a part. */
static void what_handlers_read_stays(void) {
    BciClass *c = fresh(61, 0, BCI_OUTLINE, BCI_MAX_CODE);
    BciCode *code = method(c, CF_ACC_STATIC, "f", "(I)I");
    BciPos at = bci_end(code);
    BciLabel *from = bci_label_here(at);
    for (int k = 0; k < 17000; k++) {
        bci_iinc(at, 0, 1);
        bci_op(at, CF_OP_NOP);
    }
    BciLabel *to = bci_label_here(at);
    bci_int(at, 0);
    bci_return(at);
    BciLabel *h = bci_label_here(at);
    bci_op(at, CF_OP_POP);
    bci_load(at, 'I', 0);
    bci_return(at);
    bci_add_try(code, from, to, h, NULL, false);
    CHECK(!written(c));
    CHECK(strstr(err.text, "nothing can be outlined: exception handlers are partly outside"));
    drop(NULL);
}

static void locks(void) {
    for (int whole = 0; whole < 2; whole++) {
        BciClass *c = fresh(61, 0, BCI_OUTLINE, 200);
        BciCode *code = method(c, 0, "f", "()V");
        BciPos at = bci_end(code);
        if (whole) call(at, "first", "()V");
        bci_load(at, 'A', 0);
        bci_op(at, CF_OP_MONITORENTER);
        BciLabel *from = bci_label_here(at), *next = bci_new_label(code);
        uses(at, whole ? 25 : 60);
        bci_load(at, 'A', 0);
        bci_op(at, CF_OP_MONITOREXIT);
        BciLabel *to = bci_label_here(at);
        bci_jump(at, CF_OP_GOTO, next);
        BciLabel *h = bci_label_here(at);
        bci_load(at, 'A', 0);
        bci_op(at, CF_OP_MONITOREXIT);
        BciLabel *h_end = bci_label_here(at);
        bci_op(at, CF_OP_ATHROW);
        bci_place(at, next);
        if (whole) call(at, "last", "()V");
        bci_return(at);
        bci_add_try(code, from, to, h, NULL, false);
        bci_add_try(code, h, h_end, h, NULL, false);
        c->code_limit = whole ? 120 : 200;
        c = written(c);
        CHECK(c && parts(c) >= 1);
        for (int k = 0; k < parts(c); k++) {
            BciMethod *p = part(c, k);
            CHECK(!find(p, CF_OP_MONITORENTER) == !find(p, CF_OP_MONITOREXIT));
        }
        CHECK(!find(bci_find_method(c, "f", NULL), CF_OP_MONITORENTER) ==
              !find(bci_find_method(c, "f", NULL), CF_OP_MONITOREXIT));
        drop(c);
    }
}

static void constructors(void) {
    BciClass *c = fresh(61, 0, BCI_OUTLINE, 300);
    BciCode *code = method(c, 0, "<init>", "()V");
    BciPos at = bci_end(code);
    uses(at, 30);
    bci_load(at, 'A', 0);
    bci_invoke(at, CF_OP_INVOKESPECIAL, "java/lang/Object", "<init>", "()V");
    bci_load(at, 'A', 0);
    bci_invoke(at, CF_OP_INVOKESPECIAL, "java/lang/Object", "hashCode", "()I");
    bci_op(at, CF_OP_POP);
    uses(at, 60);
    bci_return(at);
    c = written(c);
    CHECK(c && parts(c) == 1 && !strncmp(bci_method_name(part(c, 0)), "new$outlined$", 13));
    BciInsn *i = find(bci_find_method(c, "<init>", NULL), CF_OP_INVOKESPECIAL);
    CHECK(i && i->pc == 30 * 6 + 1); /* what is in front of super() is where it was */
    drop(c);
}

/* What asks for the class, or the classes, of its callers is asked by the method itself. */
static void callers_stay(void) {
    static const struct {
        unsigned op;
        const char *owner, *name, *desc;
    } calls[] = {
        {CF_OP_INVOKESTATIC, "jdk/internal/reflect/Reflection", "getCallerClass", "()Ljava/lang/Class;"},
        {CF_OP_INVOKESTATIC, "sun/reflect/Reflection", "getCallerClass", "(I)Ljava/lang/Class;"},
        {CF_OP_INVOKEVIRTUAL, "java/lang/StackWalker", "getCallerClass", "()Ljava/lang/Class;"},
        {CF_OP_INVOKEVIRTUAL, "a/Manager", "getClassContext", "()[Ljava/lang/Class;"},
    };
    for (int n = 0; n < 4; n++) {
        BciClass *c = fresh(61, 0, BCI_OUTLINE, 140);
        BciCode *code = method(c, CF_ACC_STATIC, "f", "()V");
        BciPos at = bci_end(code);
        uses(at, 22);
        if (calls[n].op == CF_OP_INVOKEVIRTUAL) bci_op(at, CF_OP_ACONST_NULL);
        else if (calls[n].desc[1] == 'I') bci_op(at, CF_OP_ICONST_2);
        bci_invoke(at, calls[n].op, calls[n].owner, calls[n].name, calls[n].desc);
        bci_op(at, CF_OP_POP);
        uses(at, 22);
        bci_return(at);
        c = written(c);
        CHECK(c && parts(c) >= 1);
        for (int k = 0; k < parts(c); k++) CHECK(!find(part(c, k), CF_OP_POP));
        drop(c);
    }
}

static void interfaces(void) {
    for (unsigned major = 51; major <= 52; major++) {
        BciClass *c = fresh(major, CF_ACC_INTERFACE | CF_ACC_ABSTRACT, BCI_OUTLINE, BCI_MAX_CODE);
        BciCode *code = method(c, CF_ACC_STATIC | (major > 51 ? CF_ACC_PUBLIC : 0), "<clinit>", "()V");
        BciPos at = bci_end(code);
        uses(at, 11000);
        bci_return(at);
        c = written(c);
        if (major == 51) {
            CHECK(!c && strstr(err.text, "interfaces have no private methods in class versions below 52"));
        } else {
            BciInsn *i = NULL;
            for (i = c ? bci_first_insn(bci_code(bci_find_method(c, "<clinit>", NULL))) : NULL; i; i = bci_next(i))
                if (bci_refers_to(bci_code(bci_find_method(c, "<clinit>", NULL)), i, "A", NULL, NULL)) break;
            CHECK(i && bci_cp_tag_at(c, i->index) == CF_CONST_INTERFACEMETHODREF);
        }
        drop(c);
    }
}

/* ---- tables ---- */

static void lines_and_variables(void) {
    BciClass *c = fresh(61, 0, BCI_OUTLINE, 150);
    BciCode *code = method(c, CF_ACC_STATIC, "f", "(J)V");
    BciPos at = bci_end(code);
    BciLabel *l = bci_label_here(at);
    bci_add_line(code, l, 10);
    BciLabel *all = l;
    call(at, "first", "()V");
    uint32_t x = bci_new_local(code, 'I');
    bci_add_line(code, bci_label_here(at), 11);
    bci_int(at, 3);
    bci_store(at, 'I', x);
    BciLabel *scope = bci_label_here(at);
    for (int k = 0; k < 40; k++) {
        bci_add_line(code, bci_label_here(at), (unsigned)(20 + k));
        bci_load(at, 'J', 0);
        bci_load(at, 'I', x);
        call(at, "use", "(JI)V");
    }
    BciLabel *end = bci_label_here(at);
    bci_add_line(code, end, 99);
    call(at, "last", "()V");
    bci_return(at);
    bci_add_var(code, all, bci_as_label(bci_last(code)), "arg", "J", 0);
    bci_add_var(code, scope, end, "x", "I", x);
    c = written(c);
    CHECK(parts(c) == 1);
    BciCode *old = bci_code(bci_find_method(c, "f", NULL)), *new = bci_code(part(c, 0));
    /* Each line is where its code is; the last one is behind the call. */
    unsigned seen = 0;
    for (BciInsn *i = bci_first_insn(new); i; i = bci_next(i))
        seen += i->op == CF_OP_INVOKESTATIC && i->line >= 20 && i->line < 60;
    for (BciInsn *i = bci_first_insn(old); i; i = bci_next(i)) {
        const char *owner, *name, *desc;
        if (i->op != CF_OP_INVOKESTATIC || !bci_cp_member_at(c, i->index, &owner, &name, &desc)) continue;
        seen += !strcmp(name, "use");
        CHECK(strcmp(name, "last") || i->line == 99);
        CHECK(strcmp(name, "first") || i->line == 10);
    }
    CHECK(seen == 40);
    bool arg = false;
    for (uint32_t k = 0; k < bci_var_count(new); k++) arg |= !strcmp(bci_var(new, k)->name, "arg") && bci_var(new, k)->slot == 0;
    CHECK(arg && bci_line_count(new) >= 2);
    drop(c);
}

/* ---- plans ---- */

static uint8_t *class_of(int n, size_t *len) {
    BciClass *c = fresh(61, 0, 0, BCI_MAX_CODE);
    uint8_t *out = NULL;
    BciPos at = bci_end(method(c, CF_ACC_STATIC, "f", "()V"));
    uses(at, n);
    bci_return(at);
    CHECK(bci_write(c, NULL, NULL, &out, len, &err) == CF_OK);
    drop(c);
    return out;
}

static BciOutcome apply(unsigned flags, BciResult *res) {
    BciPlan *p = bci_plan_new(flags);
    BciScratch *s = bci_scratch_new();
    size_t n;
    uint8_t *in = class_of(10922, &n); /* 65,533 bytes */
    bci_call(bci_rule(p, "**"), BCI_ENTRY, NULL, "p/P.enter(I)V", "method");
    CHECK(!bci_plan_seal(p));
    BciOutcome o = bci_apply(p, s, in, n, NULL, res);
    free(in);
    bci_scratch_free(s);
    bci_plan_free(p);
    return o;
}

static void plans(void) {
    static BciResult res;
    CHECK(apply(0, &res) == BCI_SKIPPED && res.nskipped == 1 && res.noutlined == 0);
    CHECK(!strcmp(res.skipped[0].why, "code would be 65537 bytes, 2 over the limit; 2 would fit"));
    free(res.bytes);
    CHECK(apply(BCI_PLAN_OUTLINE, &res) == BCI_CHANGED && res.nskipped == 0 && res.methods == 1);
    CHECK(res.noutlined == 1 && res.outlined[0].method == 0 && res.outlined[0].parts == 1);
    BciClass *c = bci_open(res.bytes, res.len, NULL, &err);
    CHECK(parts(c) == 1 && length(bci_find_method(c, "f", NULL)) <= 65535);
    bci_close(c);
    free(res.bytes);
}

/* The editor puts what comes behind a call behind it also if the call itself is replaced. */
static void replaced_calls(void) {
    static BciResult res;
    BciPlan *p = bci_plan_new(BCI_PLAN_OUTLINE);
    BciScratch *s = bci_scratch_new();
    size_t n;
    uint8_t *in = class_of(30, &n);
    BciRule *r = bci_rule(p, "**");
    bci_redirect(r, "p/P.use(I)V", "p/P.other");
    bci_call(r, BCI_CALL_AFTER, "p/P.use(I)V", "p/P.after()V", NULL);
    CHECK(!bci_plan_seal(p));
    p->code_limit = 150;
    CHECK(bci_apply(p, s, in, n, NULL, &res) == BCI_CHANGED && res.noutlined == 1);
    BciClass *c = bci_open(res.bytes, res.len, NULL, &err);
    unsigned after = 0;
    for (int k = 0; k < bci_method_count(c); k++) {
        BciCode *code = bci_code(bci_method(c, k));
        for (BciInsn *i = bci_first_insn(code); i; i = bci_next(i))
            if (bci_refers_to(code, i, "p/P", "after", NULL)) {
                CHECK(bci_refers_to(code, bci_prev(i), "p/P", "other", NULL));
                after++;
            }
    }
    CHECK(after == 30);
    bci_close(c);
    free(res.bytes);
    free(in);
    bci_scratch_free(s);
    bci_plan_free(p);
}

static void plans_without_new_members(void) {
    BciPlan *p = bci_plan_new(BCI_PLAN_OUTLINE | BCI_PLAN_NO_SCHEMA);
    bci_call(bci_rule(p, "**"), BCI_ENTRY, NULL, "p/P.enter()V", NULL);
    const char *wrong = bci_plan_seal(p);
    CHECK(wrong && !strcmp(wrong, "outlining adds methods: not possible with BCI_PLAN_NO_SCHEMA"));
    bci_plan_free(p);
}

int main(void) {
    refused_without_the_option();
    one_part_is_enough();
    same_input_same_output();
    array_stays_on_the_stack();
    final_fields();
    a_local_is_the_result();
    two_results_stay();
    returns_and_throws();
    handlers();
    what_handlers_read_stays();
    locks();
    constructors();
    callers_stay();
    interfaces();
    lines_and_variables();
    plans();
    replaced_calls();
    plans_without_new_members();
    printf("%d failures\n", failures);
    return failures != 0;
}
