/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_flow.h - what holds at a place of a method: graph, liveness, frames, stack depth. Reads lists; changes them
 * only by deleting dead code.
 */
#ifndef BCI_FLOW_H
#define BCI_FLOW_H

#include "cf_map_form.h"
#include "edit/bci_edit.h"

/* ---- bci_analysis.c ---- */

typedef struct BciAccess { /* of a local variable by an instruction */
    uint32_t slot, slots;
    char kind; /* I J F D A */
    bool reads, writes;
} BciAccess;
bool bci_access(const BciInsn *i, BciAccess *out);

uint32_t bci_live_words(const BciLiveness *l);
/* Shows, from the last instruction of block `b` to the first, the slots that are live in front of it:
 * those of `live` and those of `thrown`, which handlers need. BciInsn.offset is not asked. */
typedef void (*BciSeeLive)(void *ctx, const BciInsn *i, const uint64_t *live, const uint64_t *thrown);
void bci_live_sets(const BciLiveness *l, uint32_t b, BciSeeLive see, void *ctx);

/* ---- bci_balance.c ---- */

/* Slots that an instruction other than a branch takes from the stack and puts there. False if it
 * is not known: a bad constant, a branch, an instruction that ends the flow. */
bool bci_slots(const BciCode *code, const BciInsn *i, uint32_t *pops, uint32_t *pushes);
/* Of a piece whose labels are marked HERE: a label to which a branch in it goes. */
static inline bool bci_is_join(const BciInsn *i) { return i->mark & BCI_M_HERE && ((const BciLabel *)i)->is_target; }
/* New locals that hold a value wherever the method is once the code at its entry has run; `wanted` by other pieces. */
enum { BCI_MAX_HELD = 32 };
typedef struct BciHeld {
    struct {
        uint32_t slot;
        char kind; /* I J F D A, 2 = second slot of J or D */
        bool wanted;
    } v[BCI_MAX_HELD];
    uint32_t n;
} BciHeld;
/* Does the piece from `from` up to `to`, whose labels are marked HERE, leave stack and old locals as it found them? Then
 * *growth is the most slots that it needs above the stack that it finds, *below how many it looks at
 * of those that it finds: the caller knows whether there are as many. A piece at the entry (`entry`) sets *held to what it
 * holds at its end; others mark what they want of that. */
bool bci_neutral(const BciCode *code, const BciInsn *from, const BciInsn *to, BciHeld *held, bool entry, uint32_t *growth,
                 uint32_t *below);

/* ---- bci_origin.c ---- */

/* Do frames of the input name values on the stack, and may these stand in other slots now? `kept`: frames
 * with another number of slots will not be taken as they are. */
bool bci_wants_origins(const BciCode *code, bool kept);
/* By pc of the input: the slot from which on the results of the instruction there stand. NULL if memory
 * is exhausted. */
BciOrigin *bci_result_slots(const BciCode *code, CfArena *a);
/* Behind `i`, with the depth there. Stack operations of inserted code move what they find. */
void bci_step_origins(const BciCode *code, const BciOrigin *results, const BciInsn *i, BciOrigin *origin, uint32_t depth);
BciOrigin bci_meet_origins(BciOrigin a, BciOrigin b);

/* ---- bci_uses.c ---- */

/* Does `i` want a class where the frame in front of it has Object? `all`: also where it may be an
 * interface. *wanted is its name. */
bool bci_use_lacks(const BciCode *code, const CfTypes *t, const CfFrame *fr, const BciInsn *i, bool all, CfStr *wanted);

/* ---- bci_frames.c ---- */

#ifdef GRAFT_DEBUG
/* Do the frames of the input hold, with no other place needing one but new labels, in the list as it stands, or in
 * the input (as if nothing had been inserted)? By data flow; true too if memory is exhausted. */
bool bci_frames_hold(BciCode *code, bool of_input, uint32_t *max_stack);
#endif
/* The frame in front of `i`, in `a`; as bci_state. */
bool bci_frame_at(BciCode *code, BciInsn *i, CfArena *a, CfFrame *out);
/* Shows the frame in front of each instruction that has one, in the order of the list. */
typedef void (*BciSeeFrame)(void *ctx, BciInsn *i, const CfFrame *fr);
bool bci_each_frame(BciCode *code, BciSeeFrame see, void *ctx);
/* Sets M_UNINIT and M_INIT in a constructor. */
bool bci_mark_init(BciCode *code);
/* Layout and frames of the list as it stands: sets `length`, `max_stack` and all offsets. */
CfErrCode bci_settle(BciCode *code);

/* ---- bci_straight.c ---- */

/* Walks over the input of one method, see the head of the file. */
typedef struct BciStraight {
    const BciCode *code;
    CfArena *scratch;
    const CfAttr *map; /* StackMapTable of the input, or NULL */
    CfMapIter frames, type_frames;
    CfMapFrame frame, type_frame; /* next ones, if `more` */
    bool more, more_types;
    uint32_t at, depth; /* slots on the stack in front of `at`, if not `lost` */
    bool lost;
    bool changed; /* a local may have another type than in the last frame */
    bool seen;    /* there has been a frame */
    bool typed, bad_types;
    uint32_t types_at;
    CfFlow flow;
    CfFrame mapped, types; /* last frame of the table; what holds in front of `types_at` */
    CfFrame base, next;    /* the frame that the next one is told by; that one */
} BciStraight;

void bci_straight_start(BciStraight *b, const BciCode *code, CfArena *scratch);
/* Sets `depth`, `lost` and `changed` for the place. */
void bci_straight_go(BciStraight *b, uint32_t pc, bool at_label);
/* The types there, until the next call; NULL if they cannot be told. */
const CfFrame *bci_straight_types(BciStraight *b, uint32_t pc, bool at_label);
/* They become a frame of the table. */
void bci_straight_set_frame(BciStraight *b);
/* After that, if b->more_types: the next frame of the input, which stands at b->type_frame.pc. NULL if it is malformed. */
const CfFrame *bci_straight_next_frame(BciStraight *b);
/* May `i` change the type of a local? */
bool bci_changes_locals(const BciInsn *i);

#endif
