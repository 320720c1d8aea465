/* SPDX-License-Identifier: Apache-2.0 */
/* bci_rules.h - a sealed plan and the state of its application to one class. */
#ifndef BCI_RULES_H
#define BCI_RULES_H

#include "bci_plan.h"
#include "weave/bci_weave.h"

/* What may be asked for as a value: VALUE(NAME, word, type, where), type: I J A as is, R = string,
 * ? = decided by the method; where: mask of points, 0 = all. The word of values with a number ends
 * in '#', of those with a text in ':'. */
typedef enum BciValueKind {
#define VALUE(NAME, word, type, where) BCI_V_##NAME,
#include "bci_values.def"
#undef VALUE
    BCI_V_COUNT
} BciValueKind;

typedef struct BciValue {
    BciValueKind kind;
    int32_t n;      /* PARAM, ARG, INT */
    uint32_t konst; /* STR: plan constant */
    CfStr want;     /* descriptor of the callee's parameter */
} BciValue;

typedef struct BciGlob { /* class, method, descriptor, annotation; NULL = any */
    const char *cls, *name, *desc, *ann;
} BciGlob;

typedef enum BciActKind { BCI_DO_CALL, BCI_DO_COUNT, BCI_DO_REDIRECT, BCI_DO_NATIVES } BciActKind;

typedef struct BciAct {
    BciActKind kind;
    BciWhere where;
    const char *text, *values_text;     /* as given; callee, array, target or prefix */
    bool itf, has_site, wide, in_array; /* wide: counts in longs */
    BciGlob site;
    BciValue *values;
    uint32_t nvalues;
    uint32_t konst;    /* plan constant of the callee or the array field */
    bool operands;     /* needs what is on the stack at the point */
    bool only_operand; /* and that is the first value and used once */
    bool elapsed, uses_this, uses_params, uses_line;
} BciAct;

struct BciRule {
    BciPlan *plan;
    BciRule *next;
    BciGlob *select, *except;
    uint32_t nselect, nexcept, cap_select, cap_except;
    BciAct *acts;
    uint32_t nacts, cap_acts;
    uint32_t points; /* mask */
    bool natives;
};

/* Constants the plan may need, added to a class when first used there. */
typedef struct BciConst {
    uint8_t tag;
    uint32_t a, b; /* plan constants; Utf8: length in a */
    const char *text;
} BciConst;

struct BciPlan {
    unsigned flags;
    uint32_t code_limit; /* longer code is outlined; BCI_MAX_CODE, less in tests */
    bool sealed;
    char *wrong;
    CfArena arena;
    BciRule *rules, *last;
    CF_VEC(BciConst) consts;
    uint32_t throwable, map_name, nano, boxes[8], object;
    uint32_t op_points[256]; /* points at which an opcode stands */
    char wrong_text[256];
};

enum { BCI_BOX_LETTERS = 8 };
extern const char bci_box_letters[BCI_BOX_LETTERS + 1];

/* ---- frames over bytes (bci_reframe.c) ---- */

typedef struct BciClassEntry {
    uint16_t index, len; /* of its name */
} BciClassEntry;

typedef struct BciTypesMemo { /* what the constant pool of the class in hand means */
    bool ready;
    CfConst none;
    CfClass cls;  /* its name and version, no more */
    uint32_t cap; /* entries that are remembered */
    CfTypes types;
    CfFlow method;          /* of the one that is done; large, so not on the stack */
    BciClassEntry *classes; /* all of the first `nscanned` of the pool, in its order */
    uint32_t nclasses, nscanned;
    CfArena arena, flow; /* flow: of the method in hand */
    CfWriter map;
} BciTypesMemo;
void bci_types_init(BciTypesMemo *m);
void bci_types_free(BciTypesMemo *m);

/* ---- one class being changed ---- */

typedef struct BciMemo { /* constants added to this class beyond the plan's */
    uint64_t key;        /* its two operands */
    uint16_t index;
    uint8_t tag;
} BciMemo;

typedef struct BciRedo {
    int method;
    uint32_t sites;            /* number of its first place */
    size_t numbers;            /* where in BciScratch.numbers the caller's answers for it begin */
    uint32_t old_len, new_len; /* bytes of its code; new_len 0: not known yet */
} BciRedo;

struct BciScratch {
    CfWriter at, kinds, body, pool, marks, lines, wrapped, tmp, uninit;
    CfWriter numbers; /* answers of BciRequest.id for methods that are done again */
    BciWeave w;
    CfArena arena;
    BciTypesMemo types;
    uint32_t *added; /* offsets in pool of the added entries */
    uint32_t nadded, cap_added;
    uint32_t *konst; /* plan constant -> pool index in this class, 0 = not there */
    uint32_t cap_konst;
    BciMemo *memo;
    uint32_t nmemo, cap_memo;
    BciRedo *redo; /* methods for the editor */
    uint32_t nredo, cap_redo;
    BciRule **active; /* rules that select the class, then those of one method */
    uint32_t nactive, cap_active;
    char *class_name;
    size_t cap_name;
    char why[200]; /* of BCI_BAD_VALUE */
};

typedef struct BciApply {
    const BciPlan *plan;
    BciScratch *s;
    const BciRequest *req;
    BciResult *res;
    const uint8_t *in;
    size_t nin;
    BciView v;      /* of `in`, or of s->wrapped */
    uint32_t npool; /* with additions */
    bool pool_full; /* for the method in hand */
    uint32_t sites;
    const uint8_t *numbers;    /* the next answer of BciRequest.id that is known; NULL: it is asked */
    const uint8_t *class_anns; /* attributes of the class */
    /* the method in hand */
    int method;
    unsigned access, name, desc;
    CfStr name_text, desc_text, ret;
    bool is_static, is_init;
    BciRule **rules; /* those that select the method */
    uint32_t nrules;
    uint32_t points;
    uint32_t old_len, new_len; /* bytes of its code */
    uint8_t *lost;             /* by slot of `this` and the parameters: does not hold it everywhere (bci_params.c) */
    bool copies;               /* references to new objects lie under constructors' arguments */
    uint32_t init_end;         /* constructor: `this` is initialised from here on (straight line) */
    const uint8_t *uninit;     /* or by pc: 1 = not initialised, 2 = the initialising call */
} BciApply;

/* All acts of the active rules for a point. */
#define BCI_EACH_ACT(a, act) \
    for (uint32_t r_ = 0; r_ < (a)->nrules; r_++) \
        for (const BciAct *act = (a)->rules[r_]->acts, *end_ = act ? act + (a)->rules[r_]->nacts : NULL; act < end_; act++)

/* bci_plan.c */
bool bci_glob(const char *pattern, CfStr s, bool slashes);
/* A value as in a value list, but for texts and constants, of which it is the word alone. */
void bci_value_word(const BciValue *v, char *buf, size_t n);
bool bci_rule_selects_class(const BciRule *r, CfStr name);
/* bci_apply.c */
/* Index of a plan constant in the class. 0: the pool is full, or memory exhausted; bci_pool_fit tells. */
unsigned bci_use(BciApply *a, uint32_t konst);
/* Index of an entry with these operands; `text` for Utf8. */
unsigned bci_add_entry(BciApply *a, unsigned tag, uint32_t x, uint32_t y, CfStr text);
/* `fit`, unless the constant pool did not take all that was added. */
static inline BciFit bci_pool_fit(const BciApply *a, BciFit fit) {
    return a->s->pool.bad ? BCI_NO_MEMORY : a->pool_full ? BCI_NO_POOL : fit;
}
/* What an index of 0 means. */
static inline BciFit bci_no_index(const BciApply *a) { return a->s->pool.bad ? BCI_NO_MEMORY : BCI_NO_POOL; }
/* bci_marks.c */
/* What begins at a pc: bits of BciScratch.marks. SEEN is for one loop over the targets of a branch; OBJECT: the
 * frame has a java/lang/Object on the stack (only if there are acts at handlers). */
enum { BCI_HAS_LINE = 1, BCI_HAS_BLOCK = 2, BCI_HAS_HANDLER = 4, BCI_SEEN_HERE = 8, BCI_HAS_OBJECT = 16 };
/* Fills BciScratch.marks and, if `lines`, BciScratch.lines; false if memory is exhausted. */
bool bci_read_marks(BciApply *a, bool lines);
/* bci_ctor.c */
/* Sets a->init_end; false if no straight line leads from the entry to the call that initialises `this`. */
bool bci_find_init(BciApply *a, const BciBody *b);
/* bci_params.c */
/* Parameter n and its slot; a NULL text if there is none. */
CfStr bci_param(const BciApply *a, int32_t n, uint32_t *slot);
/* The local in which the value is that the slot (or BCI_KEPT_TIME) had at the entry. */
uint32_t bci_passed_in(const BciWeave *w, uint32_t slot);
/* Decides what is kept from the entry on, for acts behind it. */
BciFit bci_keep_passed(BciApply *a);
/* Locals at pc 0; with `stable` only those that are not lost, the others are TOP. */
BciFit bci_entry_types(BciApply *a, bool stable, BciVType **out, uint32_t *count);
/* bci_points.c */
/* Fills a->s->w with what the active rules want in the body. */
BciFit bci_gather(BciApply *a, const BciBody *b);
/* bci_reframe.c */
/* Frames of a spliced Code attribute at out->p + at from data flow. BCI_FAR: the editor can. */
BciFit bci_reframe(BciApply *a, CfWriter *out, size_t at);

#endif
