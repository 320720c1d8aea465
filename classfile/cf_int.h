/* SPDX-License-Identifier: Apache-2.0 */
/* cf_int.h - shared inside classfile/ only. */
#ifndef CF_INT_H
#define CF_INT_H

#include "cf_share.h"

/* Is it the descriptor of a primitive type? */
static inline bool cf_is_primitive(char c) {
    static const uint32_t letters = 1u << ('B' - 64) | 1u << ('C' - 64) | 1u << ('D' - 64) | 1u << ('F' - 64) | 1u << ('I' - 64) |
                                    1u << ('J' - 64) | 1u << ('S' - 64) | 1u << ('Z' - 64);
    return c >= 'B' && c <= 'Z' && letters >> (c - 64) & 1;
}

/* 4.3.3 without the limit of 255 slots. */
bool cf_method_desc_form(CfStr desc);
/* Slots of the arguments, and where the descriptor tells its result; -1: it has none. */
int cf_desc_takes(CfStr desc, CfStr *result);
/* What the reference finds to say about an ill-formed descriptor besides "illegal signature", or
 * NULL. */
const char *cf_desc_problem(CfStr desc);

/* Reads an attribute table (count and attribute_infos) at `r` into `out`; `where` is a CF_IN_*
 * place. With `arena` NULL the table is only stepped over. Kinds come from the name, the place and
 * the class version. */
CfErrCode cf_read_attrs(const CfClass *c, CfReader *r, unsigned where, CfArena *arena, CfAttrs *out, CfError *err);

/* The parts of a table that is walked: its count, then one attribute_info after the other. One that does
 * not fit is given cut, besides the error; data NULL: nothing of it is there. */
CfErrCode cf_read_attr_count(const CfClass *c, CfReader *r, unsigned *n, CfError *err);
CfErrCode cf_read_attr(const CfClass *c, CfReader *r, unsigned where, CfAttr *out, CfError *err);

/* The content of `a` is not what its counts say. */
CfErrCode cf_malformed(const CfAttr *a, CfError *err);

/* Meaning of the attribute name at Utf8 index `name` in that place and class version. */
CfAttrKind cf_kind_at(const CfClass *c, unsigned name, unsigned where);
CfErrCode cf_read_code(const CfClass *c, const CfAttr *a, CfArena *scratch, CfCode *out, CfError *err);
/* The same for the FORMAT checks. As in the reference, a Code attribute ends where its parts end,
 * and only then is that compared with `declared`, its length: a->len may reach to the end of the
 * file. */
CfErrCode cf_read_code_of(const CfClass *c, const CfAttr *a, uint32_t declared, CfArena *scratch, CfCode *out, CfError *err);

/* The part of a type_annotation in front of its annotation: target_type, target_info, type_path. */
bool cf_type_target_read(CfReader *r, CfTypeAnnotation *out);

/* Messages: name of the class for "in class file X". */
typedef struct CfMsgName {
    char text[512];
} CfMsgName;
const char *cf_msg_name(CfMsgName *buf, const CfClass *c, const CfParseOptions *opt);

/* How far the reader came; the FORMAT checks go no further. */
typedef struct CfProgress {
    bool pool, name, header, fields, methods, attrs;
    bool partial; /* the last member read is incomplete */
    /* Of the member that could not be read at all: flags and name index, if they were read. */
    bool next_flags, next_name;
    uint16_t access, name_index;
} CfProgress;

/* One field_info or method_info (`where`: CF_IN_FIELD or CF_IN_METHOD) up to its attributes; m->index is
 * the caller's. The reader starts at the class bytes. */
CfErrCode cf_read_member(const CfClass *c, const CfParseOptions *opt, CfReader *r, unsigned where, CfMember *m, CfProgress *done,
                         CfError *err);
/* Nothing may follow the class file. */
CfErrCode cf_read_end(const CfClass *c, const CfParseOptions *opt, const CfReader *r, CfError *err);

/* cf_check of the parts that are there; strings of the pool have been checked by the reader. */
CfErrCode cf_check_partial(const CfClass *c, const CfParseOptions *opt, const CfProgress *done, CfError *err);

/* State of one run of the FORMAT checks (cf_check.c, cf_check_attr.c). */
typedef struct CfChecker {
    const CfClass *c;
    const char *name; /* of the class, for messages */
    CfError *err;
    unsigned major;
    bool partial;                       /* the member being checked was cut off */
    int max_bootstrap;                  /* highest bootstrap index used in the pool, -1 = none */
    int arg_slots;                      /* of the method being checked */
    uint8_t *fine;                      /* per Utf8: as what it has passed; NULL = no memory to note it */
    CfArena scratch;                    /* for one method or record component at a time */
    CF_VEC(CfLocalVar) vars, var_types; /* of one method */
    CfMsgName buf;
} CfChecker;

/* A ClassFormatError about the class bytes at `at`. CF_BAD's message ends like most of the reference's; what
 * CF_REFUSE says has the class name, ck->name, elsewhere. */
#define CF_REFUSE(ck, at, ...) cf_fail((ck)->err, CF_ERR_FORMAT, cf_offset_of((ck)->c, (at)), __VA_ARGS__)
#define CF_BAD(ck, at, message, ...) CF_REFUSE(ck, at, message " in class file %s" __VA_OPT__(, ) __VA_ARGS__, (ck)->name)

/* Arguments are indices of Utf8 entries. */
CfErrCode cf_check_field_sig(CfChecker *ck, unsigned name, unsigned desc);
CfErrCode cf_check_field_name(CfChecker *ck, unsigned name);
/* 4.1-B on (masked) flags of a class or inner class. */
CfErrCode cf_check_class_flags(CfChecker *ck, unsigned flags);
CfErrCode cf_check_field_attrs(CfChecker *ck, const CfMember *f);
CfErrCode cf_check_method_attrs(CfChecker *ck, const CfMember *m);
CfErrCode cf_check_class_attrs(CfChecker *ck, bool complete);

/* What a type annotation is on (type_targets.def); name NULL = no such target_type. */
typedef enum CfTargetForm {
    CF_TARGET_NONE,
    CF_TARGET_BYTE,
    CF_TARGET_SHORT,
    CF_TARGET_BOUND,
    CF_TARGET_RANGES,
    CF_TARGET_OFFSET,
    CF_TARGET_ARGUMENT
} CfTargetForm;
typedef struct CfTarget {
    const char *name;
    CfTargetForm form;
} CfTarget;
enum { CF_TARGET_TYPES = 0x4C };
extern const CfTarget cf_targets[CF_TARGET_TYPES];

/* Room for `need` elements in an array of the arena that holds `have`; it moves when it grows. */
bool cf_grow_array(CfArena *a, void *array, uint32_t have, uint32_t *cap, uint32_t need, size_t size);

/* Dumping: cf_dump_code.c prints the Code attribute for cf_dump.c, cf_dump_annotation.c annotations for both. */
void cf_dump_code(const CfClass *c, const CfMember *m, FILE *out);
/* The content of an attribute with annotations, one to a line that starts with `indent` and more; the line that is
 * begun is not ended. False, with nothing printed: it is none, or malformed. */
bool cf_dump_annotations(const CfClass *c, const CfAttr *a, const char *indent, FILE *out);
/* An attribute, its lines behind the first indented deeper; the last one is not ended. */
void cf_dump_attr(const CfClass *c, const CfAttr *a, const char *indent, FILE *out);
/* A string with control and non-ASCII characters escaped; returns needed length. */
size_t cf_escape(CfStr s, char *buf, size_t cap);
void cf_dump_str(CfStr s, FILE *out); /* likewise, all of it */
/* Text of pool entry i: `a/B.c:()V`, `"text"`, `12345l` ... */
size_t cf_const_text(const CfClass *c, unsigned i, char *buf, size_t cap);
/* The same, printed between these texts, all of it. */
void cf_dump_const(const CfClass *c, const char *before, unsigned i, const char *behind, FILE *out);

/* Offset of `p` in the class bytes, -1 if it lies elsewhere (edited data). */
static inline int64_t cf_offset_of(const CfClass *c, const void *p) {
    const uint8_t *q = p;
    return q >= c->bytes && q <= c->bytes + c->size ? q - c->bytes : -1;
}

/* Nearly every string that is looked at is no attribute name: all of those begin with one of twelve
 * capitals and end in a small letter, which no descriptor of a class does. */
static inline bool cf_maybe_attr(CfStr s) {
    static const uint32_t initials = 1u << ('A' - 64) | 1u << ('B' - 64) | 1u << ('C' - 64) | 1u << ('D' - 64) |
                                     1u << ('E' - 64) | 1u << ('I' - 64) | 1u << ('L' - 64) | 1u << ('M' - 64) |
                                     1u << ('N' - 64) | 1u << ('P' - 64) | 1u << ('R' - 64) | 1u << ('S' - 64);
    return s.len >= 4 && s.len <= 36 && (s.p[0] & 0xe0) == 0x40 && initials >> (s.p[0] - 64) & 1 && s.p[s.len - 1] >= 'a';
}

#endif
