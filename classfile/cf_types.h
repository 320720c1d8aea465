/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_types.h - verification types, frames, and what each opcode does to a frame (JVMS
 * 4.10.1.2-4.10.1.9).
 *
 * One implementation for everybody who must know types at a pc: the verifier (strict), the
 * rewriting library that computes frames (not strict), and a VM that wants to know which slots
 * hold references.
 *
 * TERMS
 *   CfType   one 32-bit word: kind in the low 4 bits, payload above: for OBJECT a name number of
 *            the CfTypes that made it, for UNINIT the pc of its `new`. Two types of one CfTypes
 *            are the same type iff the words are equal.
 *   CfTypes  per class: interns class names and remembers the type of each pool index. Lives in
 *            an arena; not thread-safe.
 *   CfFrame  locals and operand stack, ONE ENTRY PER SLOT: a long is LONG, LONG2; a double is
 *            DOUBLE, DOUBLE2. All max_locals entries always exist, unused ones are TOP.
 *   CfFlow   per method: limits, return type, the error of a failed step.
 *
 * USE (data flow of one method)
 *     CfTypes t;  CfFlow f;  CfFrame fr;
 *     cf_types_init(&t, c, arena, oracle);
 *     cf_flow_init(&f, &t, method, &code, strict);
 *     cf_frame_init(&f, &fr);                       // room for this method
 *     cf_frame_entry(&f, &fr);                      // frame at pc 0 from the descriptor
 *     while (cf_insn(code.code, code.code_len, pc, &i)) {
 *         if (!cf_step(&f, &i, &fr)) break;         // f.error tells why
 *         // targets, handlers, fall-through are the caller's (cf_dataflow.h): cf_type_merge, cf_frame_matches
 *     }
 *
 * STRICT (verifier): every popped value is checked against what the opcode wants, asking the
 * oracle; pool entries are checked; constructor and protected-access rules apply. NOT STRICT: code
 * is believed to be right; the only failures are stack underflow/overflow, bad local or pool
 * indices and memory; types are computed, never compared. jsr and ret are refused when strict;
 * otherwise jsr pushes RETADDR and ret has no effect.
 */
#ifndef CF_TYPES_H
#define CF_TYPES_H

#include "classfile.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t CfType;

typedef enum CfTypeKind {
    CF_T_TOP,
    CF_T_INT,
    CF_T_FLOAT,
    CF_T_LONG,
    CF_T_LONG2,
    CF_T_DOUBLE,
    CF_T_DOUBLE2,
    CF_T_NULL,
    CF_T_UNINIT_THIS,
    CF_T_OBJECT, /* class, interface or array; payload: name number */
    CF_T_UNINIT, /* payload: pc of new */
    CF_T_RETADDR,
    /* Only as what is wanted, never in a frame: */
    CF_T_WANT_REF, /* object, array, null or uninitialised object */
    CF_T_WANT_ONE, /* any one-slot value */
    CF_T_WANT_TWO, /* first or second slot of a two-slot value */
    CF_T_WANT_TWO_2ND
} CfTypeKind;

static inline CfTypeKind cf_type_kind(CfType t) { return (CfTypeKind)(t & 15); }
static inline uint32_t cf_type_data(CfType t) { return t >> 4; }
static inline CfType cf_type_make(CfTypeKind kind, uint32_t data) { return data << 4 | kind; }
/* ------------------------------------------------------------------------ types of a class */

/* What a field, method, dynamic entry or constant of the pool takes and gives. */
typedef struct CfMemberType {
    CfType type;                              /* of the field, or result; TOP for void, of a constructor its class */
    uint16_t args;                            /* slots of the arguments */
    uint16_t known : 1, method : 1, init : 1; /* method: it has arguments; init: it is called <init> */
  uint16_t slots : 2;                         /* of what is pushed */
    uint16_t ops : 11;                        /* which instructions may refer to it (cf_step.c) */
} CfMemberType;

/* Types with a fixed name, made when asked for: few classes need them. */
typedef enum CfFixed { CF_FIXED_THROWABLE, CF_FIXED_STRING, CF_FIXED_CLASS, CF_FIXED_TYPE, CF_FIXED_HANDLE, CF_FIXED_N } CfFixed;

typedef struct CfTypeName {
    const char *p;
    uint32_t len;
    uint16_t index; /* a Class entry of the pool with that name that was asked for; 0: none was */
} CfTypeName;

typedef struct CfTypes {
    const CfClass *cls;
    const CfHierarchy *h; /* may be NULL: every answer is "no", merges give Object */
    CfArena *arena;
    CF_VEC(CfTypeName) names; /* by name number */
    CfTable index;
    CfType *by_const;        /* pool index -> type, TOP = not asked yet */
    CfMemberType *by_member; /* pool index -> what cf_step asks of members when not strict */
    uint32_t const_count;    /* size of both */
    CfType object, this_type, fixed[CF_FIXED_N];
    CfConst (*entry)(void *ctx, unsigned index); /* instead of the pool of cls, for what is not strict; or NULL */
    void *entry_ctx;
    bool nomem, load_failed; /* sticky */
} CfTypes;

/* False only if memory is exhausted. */
bool cf_types_init(CfTypes *t, const CfClass *c, CfArena *arena, const CfHierarchy *h);
void cf_types_free(CfTypes *t); /* the parts outside the arena */

/* Class or array by internal name ("a/B", "[I", "[La/B;"); the bytes of `name` must stay valid. */
CfType cf_type_object(CfTypes *t, CfStr name);
/* Of a Class entry of the pool; TOP if it is none. */
CfType cf_type_const_anew(CfTypes *t, unsigned index); /* internal: not asked yet */
static inline CfType cf_type_const(CfTypes *t, unsigned index) {
    CfType known = index < t->const_count ? t->by_const[index] : (CfType)CF_T_TOP;
    return known != CF_T_TOP ? known : cf_type_const_anew(t, index);
}
/* Types whose names the JVMS fixes; made when one is asked for first. */
CfType cf_type_fixed(CfTypes *t, CfFixed which);
static inline CfConst cf_types_entry(const CfTypes *t, unsigned index) {
    return t->entry ? t->entry(t->entry_ctx, index) : *cf_const(t->cls, index);
}
static inline CfStr cf_types_utf8(const CfTypes *t, unsigned index) {
    CfConst k = cf_types_entry(t, index);
    return k.tag == CF_CONST_UTF8 ? CF_LIT(CfStr){k.utf8, k.len} : CF_LIT(CfStr){NULL, 0};
}
/* Of a field descriptor; small ints are INT; V and malformed give TOP. */
CfType cf_type_desc(CfTypes *t, CfStr desc);
/* Name of an OBJECT type, else empty. */
CfStr cf_type_name(const CfTypes *t, CfType type);
bool cf_type_is_array(const CfTypes *t, CfType type);
/* Component of an array type (NULL for NULL, TOP for what is no array). */
CfType cf_type_component(CfTypes *t, CfType array);
/* Array of an OBJECT type; for other types `component_name` is the component's descriptor ("I"),
 * else ignored. */
CfType cf_type_array_of(CfTypes *t, CfType component, CfStr component_name);
/* 4.10.1.2: may `from` be used as `to`? Sets t->load_failed and answers false if the oracle
 * failed. */
bool cf_type_assignable(CfTypes *t, CfType from, CfType to);
/* Least common type for a merge point: equal, null with reference, common superclass, arrays by
 * component; interfaces count as Object; what does not fit is TOP. */
CfType cf_type_merge(CfTypes *t, CfType a, CfType b);
/* Text as in verify messages: integer, 'a/B', uninitialized 12, ... Returns needed length. */
size_t cf_type_text(const CfTypes *t, CfType type, char *buf, size_t cap);

/* ------------------------------------------------------------------------ frames */

typedef struct CfFrame {
    CfType *locals, *stack; /* room for max_locals and max_stack */
    uint16_t nlocals;       /* locals up to here may differ from TOP */
    uint16_t depth;         /* stack slots in use */
    bool this_uninit;       /* constructor before super(): flagThisUninit */
} CfFrame;

/* Why a step or a comparison failed. */
typedef enum CfWhy {
    CF_WHY_NONE,
    CF_WHY_CODE,
    CF_WHY_TYPE,
    CF_WHY_FLAGS,
    CF_WHY_POOL_INDEX,
    CF_WHY_LOCAL_INDEX,
    CF_WHY_LOCALS_SIZE,
    CF_WHY_STACK_SIZE,
    CF_WHY_OVERFLOW,
    CF_WHY_UNDERFLOW,
    CF_WHY_MISSING_MAP,
    CF_WHY_BAD_MAP,
    CF_WHY_LOAD,
    CF_WHY_NOMEM
} CfWhy;
typedef enum CfOrigin {
    CF_FROM_NOWHERE,
    CF_FROM_LOCALS,
    CF_FROM_STACK,
    CF_FROM_MAP_LOCALS,
    CF_FROM_MAP_STACK,
    CF_FROM_POOL,
    CF_FROM_SIGNATURE,
    CF_FROM_IMPLICIT,
    CF_FROM_CODE
} CfOrigin;
typedef struct CfTypeAt {
    CfType type;
    CfOrigin origin;
    uint32_t index;
} CfTypeAt;
typedef struct CfFlowError {
    CfWhy why;
    uint32_t pc;
    int32_t index; /* POOL_INDEX, LOCAL_INDEX, BAD_MAP */
    CfTypeAt found, expected;
    char message[256];
} CfFlowError;

typedef struct CfFlow {
    CfTypes *types;
    const CfMember *method;
    const CfCode *code;
    CfStr method_name, method_desc;
    CfType ret; /* return type, TOP for void; only if strict */
    bool strict, is_init, returns_void;
    bool this_was_init; /* a constructor call on `this` was stepped over */
    CfFlowError error;
    CfArena *arena; /* for frames; cf_flow_init sets the types' arena */
} CfFlow;

/* False if the method's descriptor is malformed, its arguments exceed max_locals, or memory is
 * exhausted. */
bool cf_flow_init(CfFlow *f, CfTypes *t, const CfMember *m, const CfCode *code, bool strict);
/* Allocates an empty frame for this method in f->arena, the stack right behind the locals. False if memory is exhausted. */
bool cf_frame_init(CfFlow *f, CfFrame *fr);
/* Copies between frames of one method. */
void cf_frame_copy(const CfFlow *f, CfFrame *to, const CfFrame *from);
/* The frame at pc 0, from the descriptor. */
bool cf_frame_entry(CfFlow *f, CfFrame *fr);
/* Applies one StackMapTable frame to the frame of the previous one (at first the entry frame). */
bool cf_frame_from_map(CfFlow *f, CfFrame *fr, const CfMapFrame *map);
/* Is `from` assignable to the declared frame `to` (4.10.1.4)? Fills f->error if not. */
bool cf_frame_matches(CfFlow *f, const CfFrame *from, const CfFrame *to);
/* The frame at the entry of an exception handler: locals of `from`, stack = the caught type. */
bool cf_frame_handler(CfFlow *f, CfFrame *to, const CfFrame *from, unsigned catch_type);

/* Effect of one instruction on `fr`. False: f->error says why (strict), `fr` is then half done. */
bool cf_step(CfFlow *f, const CfInsn *i, CfFrame *fr);

/* Encodes a StackMapTable (content after attribute_length) for frames at ascending pcs; class
 * types become Class entries of `c`. False if the pool is full, memory is exhausted or order is
 * wrong. `entry` is the frame at pc 0. */
typedef struct CfFrameAt {
    uint32_t pc;
    const CfFrame *frame;
} CfFrameAt;
bool cf_map_write(CfFlow *f, CfClass *c, const CfFrame *entry, const CfFrameAt *frames, size_t n, CfWriter *w);
/* The same where something else gives class types their index in the pool (0: it cannot). */
typedef unsigned (*CfClassIndexFn)(void *ctx, CfType t);
bool cf_map_write_as(CfFlow *f, CfClassIndexFn class_index, void *ctx, const CfFrame *entry, const CfFrameAt *frames, size_t n,
                     CfWriter *w);

#ifdef __cplusplus
}
#endif

#endif
