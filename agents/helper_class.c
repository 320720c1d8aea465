/* SPDX-License-Identifier: Apache-2.0 */
/* helper_class.c - the classes that probes call. */
#include "helper_class.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *agent_unsafe(const Agent *a) { return a->version < JVMTI_VERSION_9 ? "sun/misc/Unsafe" : "jdk/internal/misc/Unsafe"; }

/* A class without members: what bci_open needs to start from. */
static bool empty_class(CfWriter *w, const char *name) {
    CfArena arena;
    cf_arena_init(&arena, "helper", 0);
    CfClass *c = cf_class_new(&arena, 52, CF_ACC_PUBLIC | CF_ACC_FINAL | CF_ACC_SUPER | CF_ACC_SYNTHETIC, cf_str(name),
                              CF_STR("java/lang/Object"));
    bool ok = c && cf_write(c, w, NULL) == CF_OK;
    cf_arena_free(&arena);
    return ok;
}

/* ---- texts of code --------------------------------------------------------------------------- */

enum { MOST_PLACES = 16 };

typedef struct Assembler {
    BciPos p;
    const AgentWord *words;
    struct Place {
        const char *name;
        size_t n;
        BciLabel *label;
    } places[MOST_PLACES];
    int nplaces;
} Assembler;

static bool is_word(const char *text, size_t n, const char *word) { return strlen(word) == n && !memcmp(text, word, n); }

static BciLabel *place_of(Assembler *a, const char *name, size_t n) {
    for (int i = 0; i < a->nplaces; i++)
        if (a->places[i].n == n && !memcmp(a->places[i].name, name, n)) return a->places[i].label;
    if (a->nplaces == MOST_PLACES) return NULL;
    struct Place made = {name, n, bci_new_label(a->p.code)};
    a->places[a->nplaces++] = made;
    return made.label;
}

static const AgentWord *find_word(const AgentWord *w, const char *text, size_t n) {
    while (w->word && !is_word(text, n, w->word)) w++;
    return w->word ? w : NULL;
}

static void put_word(BciPos p, const AgentWord *w) {
    if (!w->op) bci_long(p, w->value);
    else if (w->op == CF_OP_SIPUSH) bci_int(p, (int32_t)w->value);
    else if (w->op == CF_OP_CHECKCAST || w->op == CF_OP_INSTANCEOF) bci_type(p, w->op, w->owner);
    else if (cf_op_info[w->op].flags & CF_OF_FIELD) bci_field(p, w->op, w->owner, w->name, w->desc);
    else bci_invoke(p, w->op, w->owner, w->name, w->desc);
}

static void put_insn(Assembler *a, const char *text, size_t n) {
    const char *dot = memchr(text, '.', n), *operand = dot ? dot + 1 : "";
    size_t len = dot ? (size_t)(dot - text) : n;
    unsigned op = 0;
    while (op < 256 && !(cf_op_info[op].name && is_word(text, len, cf_op_info[op].name))) op++;
    uint32_t flags = op < 256 && dot ? cf_op_info[op].flags : 0;
    char kind = *text == 'l' ? 'J' : (char)(*text - 'a' + 'A');
    if (is_word(text, len, "int")) bci_int(a->p, atoi(operand));
    else if (flags & CF_OF_LOAD) bci_load(a->p, kind, (uint32_t)atoi(operand));
    else if (flags & CF_OF_STORE) bci_store(a->p, kind, (uint32_t)atoi(operand));
    else if (flags & CF_OF_BRANCH) bci_jump(a->p, op, place_of(a, operand, n - len - 1));
    else bci_op(a->p, op);
}

/* "[3+member]" */
static void put_address(Assembler *a, const char *text, size_t n) {
    const char *plus = memchr(text, '+', n);
    const AgentWord *base = find_word(a->words, "U", 1);
    const AgentWord *member = plus ? find_word(a->words, plus + 1, n - (size_t)(plus + 1 - text) - 1) : NULL;
    if (base) put_word(a->p, base);
    bci_op(a->p, CF_OP_ACONST_NULL);
    bci_load(a->p, 'J', (uint32_t)atoi(text + 1));
    if (plus && !member) bci_op(a->p, BCI_LABEL_NODE); /* an error: no such word */
    if (!member || !member->value) return;
    put_word(a->p, member);
    bci_op(a->p, CF_OP_LADD);
}

void agent_assemble(BciPos p, const AgentWord *words, ...) {
    Assembler a = {.p = p, .words = words};
    va_list texts;
    va_start(texts, words);
    for (const char *t; (t = va_arg(texts, const char *));)
        for (size_t n; t += strspn(t, " "), (n = strcspn(t, " ")); t += n) {
            const AgentWord *w = find_word(words, t, n);
            if (w) put_word(p, w);
            else if (*t == '[') put_address(&a, t, n);
            else if (t[n - 1] == ':') bci_place(p, place_of(&a, t, n - 1));
            else put_insn(&a, t, n);
        }
    va_end(texts);
}

/* ---- definition ------------------------------------------------------------------------------- */

jclass agent_define_class(JNIEnv *env, const char *name, AgentFill fill, const void *arg, CfError *err) {
    uint8_t *bytes = NULL;
    size_t len = 0;
    CfWriter w = {0};
    BciClass *c = empty_class(&w, name) ? bci_open(w.data, w.len, NULL, err) : NULL;
    if (c) {
        fill(c, name, arg);
        if (bci_write(c, NULL, NULL, &bytes, &len, err) != CF_OK) bytes = NULL;
        bci_close(c);
    }
    cf_w_free(&w);
    jclass made = bytes ? (*env)->DefineClass(env, name, NULL, (const jbyte *)bytes, (jsize)len) : NULL;
    free(bytes);
    return made;
}
