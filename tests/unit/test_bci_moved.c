/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_bci_moved - an edit moves values of the input to other stack slots than its frames say: the frame at the join
 * names the classes of the values that are there. And what is told where nobody knows what values that meet have in common.
 */
#include "edited_class.h"

static const char *common(void *ctx, const char *a, const char *b) { return "a/N"; }

/* `b` if local 0 is not 0, else `c`: where the two meet. */
static void choose(BciPos at) {
    BciLabel *other = bci_new_label(at.code), *join = bci_new_label(at.code);
    bci_load(at, 'I', 0);
    bci_jump(at, CF_OP_IFEQ, other);
    bci_load(at, 'A', 1);
    bci_jump(at, CF_OP_GOTO, join);
    bci_place(at, other);
    bci_load(at, 'A', 2);
    bci_place(at, join);
}

/* static Object f(int n, a.B b, a.C c) { return new a.H("s", n != 0 ? b : c); }: at the join H H String N. */
static uint8_t *sample(size_t *n) {
    CfError err;
    uint8_t *out = NULL;
    BciTypes types = {NULL, common};
    BciOptions opt = {.types = &types};
    CfWriter w = empty_class(61);
    cf_err_clear(&err);
    BciClass *c = bci_open(w.data, w.len, &opt, &err);
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_STATIC, "f", "(ILa/B;La/C;)Ljava/lang/Object;"));
    BciPos at = bci_end(code);
    bci_new_object(at, "a/H");
    bci_string(at, "s");
    choose(at);
    bci_invoke(at, CF_OP_INVOKESPECIAL, "a/H", "<init>", "(Ljava/lang/String;La/N;)V");
    bci_return(at);
    CHECK(bci_write(c, NULL, NULL, &out, n, &err) == CF_OK);
    bci_close(c);
    cf_w_free(&w);
    return out;
}

static BciInsn *call_of(BciCode *code) { return bci_find_op(bci_first_insn(code), CF_OP_INVOKESPECIAL); }

static void without_new(BciCode *code) {
    BciInsn *made = bci_find_op(bci_first_insn(code), CF_OP_NEW);
    bci_delete_range(code, made, bci_next(made));
}

/* new H(s, x) becomes F.make(s, x): the values stand two slots lower. */
static void factory(BciCode *code) {
    without_new(code);
    bci_invoke(bci_replace(code, call_of(code)), CF_OP_INVOKESTATIC, "a/F", "make", "(Ljava/lang/String;La/N;)La/H;");
}
/* ... and F.make(t, s, x) with a value under them, a copy of which is taken away by inserted code. */
static void factory_with_more(BciCode *code) {
    without_new(code);
    bci_load(bci_entry(code), 'A', 2);
    bci_op(bci_entry(code), CF_OP_DUP);
    bci_op(bci_entry(code), CF_OP_POP);
    bci_invoke(bci_replace(code, call_of(code)), CF_OP_INVOKESTATIC, "a/F", "make", "(La/C;Ljava/lang/String;La/N;)La/H;");
}
/* As many slots as before, but other values in them: s x u v. */
static void same_depth(BciCode *code) {
    without_new(code);
    BciInsn *arms[] = {bci_find_op(bci_first_insn(code), CF_OP_ALOAD_1), bci_find_op(bci_first_insn(code), CF_OP_ALOAD_2)};
    for (int k = 0; k < 2; k++) {
        BciPos at = bci_after(code, arms[k]);
        bci_string(at, "u");
        bci_load(at, 'A', 1);
    }
    bci_invoke(bci_replace(code, call_of(code)), CF_OP_INVOKESTATIC, "a/F", "make",
               "(Ljava/lang/String;La/N;Ljava/lang/String;La/B;)La/H;");
}
/* Inserted code puts the two values in the other order in each arm: x s. */
static void swapped(BciCode *code) {
    without_new(code);
    bci_op(bci_after(code, bci_find_op(bci_first_insn(code), CF_OP_ALOAD_1)), CF_OP_SWAP);
    bci_op(bci_after(code, bci_find_op(bci_first_insn(code), CF_OP_ALOAD_2)), CF_OP_SWAP);
    bci_invoke(bci_replace(code, call_of(code)), CF_OP_INVOKESTATIC, "a/F", "make", "(La/N;Ljava/lang/String;)La/H;");
}
/* One arm's value is made by inserted code: what the frame says of the other one counts. */
static void one_arm_replaced(BciCode *code) {
    factory(code);
    bci_invoke(bci_replace(code, bci_find_op(bci_first_insn(code), CF_OP_ALOAD_2)), CF_OP_INVOKESTATIC, "a/F", "other",
               "()La/D;");
}

static void check(const char *what, void (*edit)(BciCode *), const char *const *want, uint32_t depth) {
    for (int frames = BCI_FRAMES_KEEP; frames <= BCI_FRAMES_REBUILD; frames++) {
        size_t n, out_n;
        uint8_t *in = sample(&n), *out = NULL;
        CfError err;
        BciState s;
        cf_err_clear(&err);
        BciOptions opt = {.frames = (BciFrames)frames, .flags = BCI_VERIFY_RESULT};
        BciClass *c = bci_open(in, n, &opt, &err);
        edit(bci_code(bci_find_method(c, "f", NULL)));
        if (bci_write(c, NULL, NULL, &out, &out_n, &err) != CF_OK) printf("%s: %s\n", what, err.text);
        CHECK(out);
        bci_close(c);
        c = out ? bci_open(out, out_n, NULL, &err) : NULL;
        BciCode *code = c ? bci_code(bci_find_method(c, "f", NULL)) : NULL;
        BciInsn *call = bci_find_op(bci_find_op(bci_first_insn(code), CF_OP_GOTO), CF_OP_INVOKESTATIC);
        while (call && bci_refers_to(code, call, NULL, "other", NULL)) call = bci_find_op(bci_next(call), CF_OP_INVOKESTATIC);
        CHECK(bci_state(code, call, &s) && s.depth == depth);
        for (uint32_t k = 0; k < depth && k < s.depth; k++)
            if (s.stack[k].kind != 'A' || strcmp(s.stack[k].name, want[k])) {
                printf("%s, frames %d, slot %u: %c %s instead of %s\n", what, frames, k, s.stack[k].kind, s.stack[k].name,
                       want[k]);
                cf_test_failed++;
            }
        bci_close(c);
        free(out);
        free(in);
    }
}
/* Two classes meet in a local or on the stack, in code without frames; then it is used, or not. */
typedef enum Use { UNUSED, RECEIVER, ARGUMENT, RESULT, VALUE, OBJECT } Use;

static void two_classes(BciCode *code, Use use) {
    BciPos at = bci_end(code);
    choose(at);
    switch (use) {
    case UNUSED: bci_op(at, CF_OP_POP); break;
    case RECEIVER: bci_invoke(at, CF_OP_INVOKEVIRTUAL, "a/N", "m", "()V"); break;
    case ARGUMENT:
        bci_op(at, CF_OP_LCONST_0);
        bci_invoke(at, CF_OP_INVOKESTATIC, "a/F", "take", "(La/N;J)V");
        break;
    case VALUE: bci_field(at, CF_OP_PUTSTATIC, "a/F", "n", "La/N;"); break;
    case OBJECT: bci_invoke(at, CF_OP_INVOKESTATIC, "a/F", "take", "(Ljava/lang/Object;)V"); break;
    case RESULT: break;
    }
    if (use != RESULT) bci_op(at, CF_OP_ACONST_NULL);
    bci_return(at);
}

/* The method is written in a class of version 49, then copied into one of version 52; or written there at once, where
 * parameters, results and fields may be of an interface. */
static void unknown_classes(Use use, bool copied, bool known, bool good) {
    CfWriter w[2] = {empty_class(49), empty_class(52)};
    CfError err;
    uint8_t *old = NULL, *out = NULL;
    size_t n, out_n;
    BciTypes types = {NULL, common};
    BciOptions opt = {.types = known ? &types : NULL, .flags = BCI_VERIFY_RESULT};
    cf_err_clear(&err);
    BciClass *from = bci_open(w[0].data, w[0].len, NULL, &err), *to = bci_open(w[1].data, w[1].len, &opt, &err);
    BciMethod *m = bci_add_method(copied ? from : to, CF_ACC_STATIC, "f", "(ILa/B;La/C;)La/N;");
    two_classes(bci_code(m), use);
    CHECK(bci_write(from, NULL, NULL, &old, &n, &err) == CF_OK);
    if (copied) m = bci_copy_method(to, m, NULL);
    CfErrCode rc = bci_write(to, NULL, NULL, &out, &out_n, &err);
    if ((rc == CF_OK) != good || (!good && (!strstr(err.text, "wants a/N") || !strstr(err.text, "give BciTypes")))) {
        printf("use %d, copied %d, known %d: %s\n", use, copied, known, rc == CF_OK ? "written" : err.text);
        cf_test_failed++;
    }
    bci_close(to);
    bci_close(from);
    free(out);
    free(old);
    for (int k = 0; k < 2; k++) cf_w_free(&w[k]);
}

#define CHECK_EDIT(edit, ...) \
    check(#edit, edit, (const char *const[]){__VA_ARGS__}, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))

int main(void) {
    CHECK_EDIT(factory, "java/lang/String", "a/N");
    CHECK_EDIT(factory_with_more, "a/C", "java/lang/String", "a/N");
    CHECK_EDIT(same_depth, "java/lang/String", "a/N", "java/lang/String", "a/B");
    CHECK_EDIT(swapped, "a/N", "java/lang/String");
    CHECK_EDIT(one_arm_replaced, "java/lang/String", "a/N");
    for (Use use = UNUSED; use <= OBJECT; use++)
        for (int copied = 0; copied < 2; copied++) {
            bool asks = use == RECEIVER || (copied && use != UNUSED && use != OBJECT);
            unknown_classes(use, copied, false, !asks);
            unknown_classes(use, copied, true, true);
        }
    return cf_test_end();
}
