/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The optimising compiler: its form of a method.
 *
 * TERMS  A Node is an instruction and its result, at most one.  A Block is a list of nodes; the last one ends it.  Phis come first.  Every value is
 *        assigned once (SSA): a use names its node by number (Ref), 0 is none.  Nodes and blocks are never freed before the compilation ends.
 *        A State says what the interpreter's frames would have at a point: cells of locals and operands of the root and of each body,
 *        and objects that those name but that have not been made.  GUARDs, LEAVE and what STOPS have one; until opt_escape is
 *        done also stores of references and RETURN.
 *
 * CELLS  As in the base compiler (head of base_inline.c): numbered from the first operand of the root; locals of the root are not among them, they
 *        are below the frame.  A LONG or DOUBLE is in the first of its two cells, the second is 0, and has nothing.
 *
 * ORDER  Within a block nodes run in the order of the list.  Between nodes that read, write, guard or stop the order matters:
 *          - a guard leaves as if the bytecode at state had not begun: no write may move over it to in front of it, nor behind it;
 *          - what relies on a guard that is no input (an access behind NOT_NULL, an element behind IN_BOUNDS, DIV behind NOT_ZERO, INSTANCE_OF and CLASS
 *            behind NOT_NULL) names it in `after`; it may move up to there, not above.  A guard that is left out because another one, which dominates
 *            it, says the same is replaced by it in every `after`, and one that a branch says by a HERE behind that.  One that is left out for
 *            another reason leaves 0 and `pinned` in those that named it: they stay in their block.
 *
 * MEMORY Two accesses may touch the same word only if both are LOAD/STORE with the same k, kinds of the same width and the same `what`, whatever the objects
 *        (k of static fields is an address and in[0] is 0, k of others an offset, and `what` is the class that declares the field: one of that class and
 *        one of another are never the same word, for no object has two fields at one offset), and both or neither of type REF; or both are ELEMENTs of the
 *        same width and type.  A load of 8 or 16 bits behind a store of such has the stored value as NARROW makes it.  OPT_STOPS, FENCE
 *        and FRESH touch all too, but a POLL changes nothing that was read: other threads' plain writes need not be seen there.  LENGTH and
 *        CLASS read what never changes.
 *
 * LOOPS  Block.state of a loop's head says what the frames have at its start; it counts as a use until opt_loops is done, which takes it away.  With
 *        the phis of the head replaced by their inputs from outside it is the state for what moves in front of the loop, whose exit
 *        is EXIT_REDO: the interpreter goes on at the head.
 */
#ifndef GRAFT_JIT_OPT_IR_H
#define GRAFT_JIT_OPT_IR_H

#include "cf_arena.h"
#include "jit/jit_int.h"

typedef u4 Ref;
typedef u4 BlockRef; /* from 1; 0: none.  1 is the entry */

typedef enum OptOp {
#define OP(name, inputs, does) OPT_##name,
    OP(NONE, 0, 0)
#include "jit/opt/opt_ops.def"
#undef OP
        N_OPT_OPS
} OptOp;

enum { OPT_UNSEEN = 1, OPT_LEAVES = 2 }; /* kind of what takes and gives back a monitor: who can look in between (opt_locks.c) */
typedef enum OptBits {
    BITS_SET,
    BITS_LEADING,
    BITS_TRAILING,
    BITS_SWAPPED
} OptBits; /* how many are set; zeros above, below them; bytes turned round */
enum { OPT_READS = 1, OPT_WRITES = 2, OPT_GUARD = 4, OPT_STOPS = 8, OPT_ENDS = 16, OPT_FIXED = 32 };

typedef struct OptOpInfo {
    const char *name;
    u1 inputs, does;
} OptOpInfo;
extern const OptOpInfo opt_ops[];

typedef enum OptType { OT_NONE, OT_INT, OT_LONG, OT_FLOAT, OT_DOUBLE, OT_REF, OT_VECTOR } OptType;

/* What an object of a class, or an array of some length, has in it.  A slot that has not been stored to is 0. */
typedef struct OptSlot {
    u4 offset;
    u1 kind, type; /* MemKind as stores have it; OptType */
    bool stable;   /* a field that is stored to once */
} OptSlot;
enum { LAYOUT_BOX = -2 }; /* what valueOf gives: its identity may be that of another one */
typedef struct OptLayout {
    const struct OptLayout *next;
    const Class *klass;
    int32_t length; /* of an array; else -1, or LAYOUT_BOX */
    u4 n;
    OptSlot slots[];
} OptLayout;

/* An object that is not there (opt_escape.c): made from this if the State is, in the interpreter. */
typedef struct StateObject {
    struct StateObject *next;
    Ref name; /* VIRTUAL: what cells, and values of such objects, have in its place */
    const OptLayout *layout;
    Ref values[]; /* by slot */
} StateObject;

/* The frame of one method: the root (scope 0) or a body.  `outer` is the caller's at the call, its arguments being the body's first locals. */
typedef struct State {
    const struct State *outer;
    const struct OptScope *scope;
    StateObject *objects; /* of the innermost: those that any of the frames needs */
    u4 bci, depth;        /* depth: operand cells, of outer states with the arguments */
    u4 n_locals, n_stack; /* in cells: max_locals, then operands; of outer states without the arguments */
    Ref cells[];
} State;

/* A body, or the root. */
typedef struct OptScope {
    const struct OptScope *outer;
    Method *method;
    u4 number;               /* 0: the root */
    u4 call_bci, call_depth; /* as CodeScope has it */
    u4 locals;               /* cell of its first local; root: none */
    u4 floor;                /* cell of its first operand */
    u4 level;
    enum { MONITOR_OWN, MONITOR_LEFT, MONITOR_JOINED } monitor; /* of a synchronized body: it is taken; left out; opt_locks.c */
    struct OptScope *all;
} OptScope;

typedef struct OptCall {
    enum { CALL_KNOWN, CALL_VTABLE, CALL_INTERFACE, CALL_LINK } kind;
    Method *method;   /* KNOWN: the callee; INTERFACE: the interface method; LINK: the linker, whom it calls its operands tell */
    u4 vtable_index;  /* VTABLE */
    u4 n_args;        /* cells; the receiver, if any, is the first and was checked */
    u4 bytes, pushed; /* of the instruction; cells of the result */
    bool fp;          /* the result */
    bool catches;     /* a CAUGHT is behind it */
    bool looks;       /* now and then at the receiver, since nothing is known of it: sites.c */
    bool many;        /* INTERFACE: classes of receivers were met, more than a site remembers */
    SiteCache *site;  /* INTERFACE, or who looks */
    const void *fn;   /* of a QUICK */
} OptCall;

typedef struct Node {
    u1 op, type, from, kind; /* from: OptType of operands where it differs; kind: MemKind or Cond */
    u1 exit; /* ExitKind of a guard, LEAVE; EXIT_AT: NEW, NEW_ARRAY and BOX in front of another instruction than theirs */
    bool pinned, not_null; /* not_null: a reference that never is */
    bool dead, stable;     /* stable: a CONST array whose elements stay once not null; a STORE, SET_ELEMENT: the only one there */
    bool plain;            /* PEEK, POKE: others have no order with it; LOAD: its place never changes */
    bool of_array;         /* POKE: of an array's elements */
    u2 n_args;             /* of a guard, LEAVE: cells that the bytecode pops (exit_info) */
    BlockRef block;
    Ref next, prev;
    Ref in[4];
    Ref after;
    Ref *args; /* PHI: as many as the block has predecessors, in their order */
    int64_t k;
    union {
        Class *what;
        Method *method;
        OptCall *call;
        int32_t *keys;
    };
    const Class *klass; /* REF: exactly that one, or NULL; NEW_ARRAY: the array's */
    State *state;
    u4 pos; /* for passes: position, number, mark */
    u4 extra;
} Node;

typedef struct Block {
    Ref first, last;
    BlockRef *preds, *succs;
    u4 n_preds, cap_preds, n_succs, cap_succs;
    /* opt_cfg.c */
    u4 order;      /* in reverse postorder, from 1; 0: not reachable */
    BlockRef idom; /* 0: entry */
    u4 tree; /* number in the tree of dominators, from 1; behind it stand those of the `below` blocks below it; 0: not reachable */
    u4 below;
    BlockRef loop; /* head of the innermost loop it is in, or 0 */
    u4 loop_depth;
    bool loop_head;
    bool rare;    /* leads to a LEAVE only */
    bool whole;   /* the head of a loop that is not taken apart any more */
    bool seldom;  /* the builder knows that another way is taken nearly always; it does not dominate what comes behind it */
    State *state; /* of a loop's head, or NULL */
    /* builder */
    u4 bci;
    const OptScope *scope;
    /* for passes */
    u4 mark;
    void *info;
} Block;

typedef struct Opt {
    Method *root;
    bool is_loop; /* code that frames enter at the head of a loop, `start`, with no operands */
    u4 start;
    bool yields;       /* gives up if somebody waits for this thread; opt.h */
    bool modest;       /* constructors are bodies like others (opt_build_call.c), and frames get no objects of their own */
    bool scalar;       /* no vectors; opt_vector.c */
    bool wide;         /* they have 32 bytes */
    bool handlers;     /* exceptions may lead to handlers; opt_build_handler.c */
    bool has_handlers; /* one may */
    CfArena arena;
    bool no_memory;
    const char *why;         /* refused */
    struct OptField *places; /* which fields the sets of words have (opt_place) */
    Node *nodes;             /* from 1 */
    u4 n_nodes, cap_nodes;
    Block *blocks; /* from 1 */
    u4 n_blocks, cap_blocks;
    BlockRef *order; /* blocks in reverse postorder: order[0] is the entry; opt_order */
    u4 n_order;
    OptScope *scopes;                /* all, the newest first; the root is the last */
    u4 n_scopes;                     /* without the root */
    u4 max_cells;                    /* operand cells of the root and of all bodies with their frames */
    struct KnownField *known_fields; /* builder: opt_build_object.c */
    u4 n_casts;
    u4 unknown_writes; /* how many nodes so far may have written fields of any object, or are heads of loops */
    Method **inlined;
    u4 n_inlined, inlined_bytes, n_trusts;
    CodeTrust *trusts;
    SiteCache *sites;
} Opt;

/* --- opt_ir.c --- */
static inline Node *opt_node(const Opt *o, Ref r) { return &o->nodes[r]; }
static inline Block *opt_block(const Opt *o, BlockRef b) { return &o->blocks[b]; }
static inline u1 opt_does(const Node *n) { return opt_ops[n->op].does; }
static inline bool opt_is_const(const Opt *o, Ref r) { return o->nodes[r].op == OPT_CONST; }
/* Of an address in an instruction: k of PEEK and POKE. */
static inline bool opt_is_displacement(int64_t k) { return k == (int32_t)k; }
static inline bool opt_is_zero(const Opt *o, Ref r) { return opt_is_const(o, r) && !o->nodes[r].k; }
bool opt_init(Opt *o, Method *root); /* false: no memory.  The arena is the caller's to free */
/* All give 0, and set no_memory, if there is none; node 0 may be read and written then. Pointers to nodes and blocks are good until the next one is made. */
Ref opt_new(Opt *o, OptOp op, OptType type);                /* in no block */
Ref opt_append(Opt *o, BlockRef b, OptOp op, OptType type); /* at its end */
void opt_insert_before(Opt *o, Ref at, Ref n);              /* n, in no block, in front of `at` */
void opt_insert_end(Opt *o, BlockRef b, Ref n);             /* in front of what ends it, or at the end */
void opt_insert_phi(Opt *o, BlockRef b, Ref n);             /* at its start */
void opt_unlink(Opt *o, Ref n);                             /* out of its block; dead */
Ref opt_const(Opt *o, OptType type, int64_t k);             /* in the entry block, behind PARAMs; each once */
BlockRef opt_new_block(Opt *o);
void opt_edge(Opt *o, BlockRef from, BlockRef to); /* the next of from's successors; to's phis get no input */
void *opt_alloc(Opt *o, size_t bytes);             /* zeroed */
State *opt_copy_state(Opt *o, const State *s);     /* with the outer ones */
/* Calls visit for every use in n: inputs, after (if `with_after`), cells of its states (if `with_state`); it may change them.  States are shared by
 * nodes: who wants to change that of one alone copies it. */
typedef void (*OptUseVisitor)(Opt *o, Ref user, Ref *use, void *arg);
void opt_visit_uses(Opt *o, Ref n, bool with_after, bool with_state, OptUseVisitor visit, void *arg);
void opt_visit_state(Opt *o, State *s, OptUseVisitor visit, void *arg); /* user 0; s may be NULL */
/* Every use of nodes r with to[r] != 0 becomes to[r], to the end of such chains; also in states and `after`.  to has n_nodes entries. */
void opt_replace(Opt *o, Ref *to);
const Field *opt_field_at(const Class *k, u4 offset); /* the instance field of k, or a class above it; or NULL */
void opt_dump(const Opt *o, FILE *out, const char *title);
/* NULL: all that the heads of opt_ir.h and opt_ops.def say holds; or what does not (static text).  Debug build and tests. */
const char *opt_check(Opt *o);

/* --- opt_cfg.c --- */
/* Order, dominators, loops; takes blocks that nothing leads to out of predecessors and phis.  To be called again when blocks or edges changed. */
void opt_order(Opt *o);
void opt_cut_edge(Opt *o, BlockRef from, u4 succ); /* from's end is the caller's to change; opt_order is to be called */
bool opt_dominates(const Opt *o, BlockRef a, BlockRef b);
bool opt_is_in_loop(const Opt *o, BlockRef b, BlockRef head);
BlockRef opt_loop_around(const Opt *o, BlockRef head); /* 0: none */
/* A head that has one predecessor outside, which leads to it alone, and one inside, which does, too. */
typedef struct OptLoopEnds {
    BlockRef before, latch;
    u4 outside, inside; /* which predecessors they are */
} OptLoopEnds;
bool opt_loop_ends(const Opt *o, BlockRef head, OptLoopEnds *ends);
void opt_make_jump(Opt *o, Ref end, u4 succ); /* the block's end, a branch, goes to its nth successor alone; as opt_cut_edge */
/* No edge leads from a block with several successors to one with several predecessors; a loop's head has exactly one predecessor from outside (a block of
 * its own with one successor) and one from inside. */
void opt_split_edges(Opt *o);

/* --- passes.  Each leaves a form for which opt_check finds nothing --- */
/* opt_fold.c: what n, complete, in no block or just appended, is equal to: itself, an input, a constant.  May change n into a simpler one.  Who
 * gets another takes n out.  A guard that holds whenever its inputs are there is OPT_ALWAYS: nodes that would name it in `after` name none. */
#define OPT_ALWAYS 0xffffffffu
Ref opt_fold(Opt *o, Ref n);
int opt_decide(const Opt *o, Ref n);  /* IF, FIF, INSTANCE_OF, guards: 1: it holds; 0: it does not; -1: not known by its inputs */
int opt_goes_to(const Opt *o, Ref n); /* IF, FIF, SWITCH, in a block that has its successors: the only one it goes to, or -1 */

/* --- opt_build.c --- */
bool opt_build(Opt *o); /* false: why, or no_memory */

/* --- opt_regs.c, opt_emit.c --- */
CodeBlob *opt_emit(Opt *o);      /* registers, code, blob; NULL: why, or no_memory */
extern const char opt_unroomy[]; /* a why: opt_vector.c */
extern const char opt_unseen[];  /* a why: opt_home.c, COLLECTIONS */

#endif
