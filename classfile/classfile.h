/* SPDX-License-Identifier: Apache-2.0 */
/*
 * classfile.h - class files without a VM: parse, walk, check, edit, write, verify, dump.
 * This header is the manual. Chapter numbers are those of the JVMS, Java SE 17 edition.
 *
 * THREE WAYS
 *   Walk: cf_walk calls back for header, members, attributes and instructions, and keeps nothing.
 *   Model: cf_parse gives a CfClass to look around in, to check, verify, dump, edit and write.
 *   Build: cf_class_new gives an empty CfClass to be filled by edits, and written.
 *   Attributes are bytes in all three; one family of decoders reads them, cf_attr_sites finds every pool
 *   index in them. Instruction lists, labels and frames made anew are bci-lib's.
 * OWNERSHIP
 *   cf_parse makes a CfClass in an arena given by the caller. The model points INTO the caller's
 *   bytes (names, attribute contents, code): bytes and arena must outlive the model; neither is
 *   changed by the library. There is nothing to free but the arena. Strings returned (CfStr) are
 *   views, not NUL-terminated. Edits allocate in the same arena; data handed to edit functions is
 *   copied.
 * THREADS
 *   A CfClass that nobody edits may be read, checked, verified and dumped by many threads.
 *   Functions that take a `const CfClass *` do not write to it. Scratch memory is passed in by the
 *   caller where needed.
 * ERRORS
 *   Malformed input is normal input: nothing here crashes, loops or reads past the end, whatever
 *   the bytes, at every check level. Functions return CfErrCode (0 = fine) and fill a CfError (may
 *   be NULL); accessors with an index are total and answer NULL/empty/0 for a bad index or a wrong
 *   tag.
 * COST
 *   Parsing is one pass; no allocation per pool entry, attribute or instruction; attributes are
 *   found and framed but decoded only when asked for.
 *
 * EXAMPLE
 *     CfArena a;  CfError err;  CfClass *c;
 *     cf_arena_init(&a, "demo", 0);
 *     cf_err_clear(&err);
 *     if (cf_parse(&c, bytes, size, &a, NULL, &err) != CF_OK)
 *         printf("%s: %s\n", cf_err_class(err.code), err.text);
 *     for (unsigned i = 0; i < c->method_count; i++) {
 *         CfStr n = cf_utf8(c, c->methods[i].name);
 *         printf("%.*s\n", CF_STR_ARGS(n));
 *     }
 *     cf_arena_free(&a);
 */
#ifndef CLASSFILE_H
#define CLASSFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cf_arena.h"
#include "cf_bytes.h"
#include "cf_err.h"
#include "cf_table.h"
#include "cf_vec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ======================================================================== strings */

typedef struct CfStr {
    const char *p; /* modified UTF-8, not NUL-terminated; NULL = absent */
    uint32_t len;
} CfStr;

#define CF_STR(lit) (CF_LIT(CfStr){(lit), (uint32_t)(sizeof(lit) - 1)})
#define CF_STR_ARGS(s) (int)(s).len, (s).p ? (s).p : "" /* for "%.*s" */

static inline CfStr cf_str(const char *z) { return CF_LIT(CfStr){z, z ? (uint32_t)strlen(z) : 0}; }
static inline bool cf_str_eq(CfStr a, CfStr b) { return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0); }
static inline bool cf_str_is(CfStr a, const char *z) { return a.p && strlen(z) == a.len && memcmp(a.p, z, a.len) == 0; }
static inline bool cf_str_starts(CfStr a, const char *z) { return a.len >= strlen(z) && memcmp(a.p, z, strlen(z)) == 0; }

/* ======================================================================== numbers */

/* Access flags (4.1-B, 4.5-A, 4.6-A, 4.7.6-A). */
enum {
    CF_ACC_PUBLIC = 0x0001,
    CF_ACC_PRIVATE = 0x0002,
    CF_ACC_PROTECTED = 0x0004,
    CF_ACC_STATIC = 0x0008,
    CF_ACC_FINAL = 0x0010,
    CF_ACC_SUPER = 0x0020,
    CF_ACC_SYNCHRONIZED = 0x0020,
    CF_ACC_VOLATILE = 0x0040,
    CF_ACC_BRIDGE = 0x0040,
    CF_ACC_TRANSIENT = 0x0080,
    CF_ACC_VARARGS = 0x0080,
    CF_ACC_NATIVE = 0x0100,
    CF_ACC_INTERFACE = 0x0200,
    CF_ACC_ABSTRACT = 0x0400,
    CF_ACC_STRICT = 0x0800,
    CF_ACC_SYNTHETIC = 0x1000,
    CF_ACC_ANNOTATION = 0x2000,
    CF_ACC_ENUM = 0x4000,
    CF_ACC_MODULE = 0x8000,
    CF_ACC_MANDATED = 0x8000
};

/* Pool tags: CF_CONST_UTF8 ... from constants.def; CF_CONST_NONE marks index 0 and the second
 * index of a Long or Double. */
typedef enum CfConstTag {
    CF_CONST_NONE = 0,
#define CONSTANT(NAME, tag, name, layout, bytes, slots, since, loadable) CF_CONST_##NAME = tag,
#include "constants.def"
#undef CONSTANT
    CF_CONST_TAG_LIMIT = 21
} CfConstTag;

/* Method-handle kinds (5.4.3.5). */
enum {
    CF_REF_GETFIELD = 1,
    CF_REF_GETSTATIC,
    CF_REF_PUTFIELD,
    CF_REF_PUTSTATIC,
    CF_REF_INVOKEVIRTUAL,
    CF_REF_INVOKESTATIC,
    CF_REF_INVOKESPECIAL,
    CF_REF_NEWINVOKESPECIAL,
    CF_REF_INVOKEINTERFACE
};

/* Attribute kinds: CF_ATTR_CODE ... from attributes.def. */
typedef enum CfAttrKind {
    CF_ATTR_UNKNOWN = 0,
#define ATTRIBUTE(NAME, name, where, since, one, form) CF_ATTR_##NAME,
#include "attributes.def"
#undef ATTRIBUTE
    CF_ATTR_KINDS
} CfAttrKind;

typedef enum CfAttrForm { /* how the content of an attribute is built: attributes.def */
                          CF_FORM_OWN,
                          CF_FORM_EMPTY,
                          CF_FORM_BYTES,
                          CF_FORM_INDEX,
                          CF_FORM_NAME,
                          CF_FORM_SIGNATURE,
                          CF_FORM_INDICES
} CfAttrForm;

enum { CF_IN_CLASS = 1, CF_IN_FIELD = 2, CF_IN_METHOD = 4, CF_IN_CODE = 8, CF_IN_RECORD = 16 };

typedef struct CfConstInfo { /* a row of constants.def; zeroed for tags that do not exist */
    const char *name;
    uint8_t bytes, slots, since, loadable;
} CfConstInfo;
typedef struct CfAttrInfo { /* a row of attributes.def */
    const char *name;
    uint8_t len, where, since, one, form;
} CfAttrInfo;

extern const CfConstInfo cf_const_info[CF_CONST_TAG_LIMIT];
extern const CfAttrInfo cf_attr_info[CF_ATTR_KINDS];

/* Kind of an attribute name, whatever its place and the class version. */
CfAttrKind cf_attr_kind(CfStr name);

enum { CF_MAJOR_MIN = 45, CF_MAJOR_MAX = 61, CF_MINOR_PREVIEW = 65535 };

/* ======================================================================== the model */

/* One pool entry, decoded. Which fields hold depends on the tag:
 *   UTF8                                       utf8, len
 *   INTEGER FLOAT                              i (FLOAT: raw bits)
 *   LONG DOUBLE                                j (DOUBLE: raw bits)
 *   CLASS STRING METHODTYPE MODULE PACKAGE     a = Utf8 index
 *   FIELDREF METHODREF INTERFACEMETHODREF      a = Class index, b = NameAndType index
 *   NAMEANDTYPE                                a = name, b = descriptor
 *   METHODHANDLE                               kind = CF_REF_*, a = member reference
 *   DYNAMIC INVOKEDYNAMIC                      a = BootstrapMethods index, b = NameAndType index */
#if defined(__cplusplus) && defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnested-anon-types" /* `a` and `b` below: an extension in C++ */
#endif
typedef struct CfConst {
    uint8_t tag;
    uint8_t kind;    /* METHODHANDLE: reference kind; UTF8: attribute kind memo, internal */
    uint16_t len;    /* UTF8: bytes */
    uint32_t offset; /* of the tag byte in the file; 0 for entries added by edits */
    union {
        const char *utf8;
        __extension__ struct { uint16_t a, b; };
        int32_t i;
        int64_t j;
    };
} CfConst;
#if defined(__cplusplus) && defined(__clang__)
#pragma clang diagnostic pop
#endif

typedef struct CfAttr {
    uint16_t name; /* Utf8 index */
    uint16_t kind; /* CfAttrKind; UNKNOWN also when the name has no meaning at this place */
    uint32_t len;
    const uint8_t *data;
} CfAttr;

typedef struct CfAttrs {
    uint16_t count, cap; /* cap is internal */
    CfAttr *v;
} CfAttrs;

typedef struct CfMember { /* field_info or method_info */
    uint16_t access, name, desc;
    uint16_t index; /* position at parse time; later additions continue the count */
    CfAttrs attrs;
} CfMember;

typedef struct CfClass {
    const uint8_t *bytes; /* as given to cf_parse */
    size_t size;
    uint16_t minor, major;
    uint16_t access, this_class, super_class;
    uint16_t interface_count, field_count, method_count;
    uint32_t const_count; /* constant_pool_count: valid indices are 1 .. const_count-1 */
    CfConst *consts;
    uint16_t *interfaces; /* Class indices */
    CfMember *fields, *methods;
    CfAttrs attrs;
    CfStr name; /* of this_class; empty if the pool entry is no class name */
    CfArena *arena;
    uint32_t pool_end; /* offset of access_flags in `bytes` */
    /* internal to editing */
    uint32_t const_cap, field_cap, method_cap, interface_cap;
    uint32_t parsed_consts; /* const_count of the input */
    struct CfPoolIndex *pool_index;
    bool pool_edited;
    bool pool_refused; /* something, once, for want of room or for its length: cf_no_room */
    bool pool_changed; /* entries of the input were changed: the bytes are not theirs any more */
} CfClass;

/* ======================================================================== parsing */

typedef enum CfCheck {
    /* Memory safety: structure fits the bytes, indices that the model needs have the right tag,
     * the version is supported. What the boot loader uses. */
    CF_CHECK_STRUCT,
    /* Also all of chapter 4.1-4.9.1 that is ClassFormatError at definition time: names,
     * descriptors, flags, duplicates, attribute rules (same as calling cf_check). */
    CF_CHECK_FORMAT
} CfCheck;

typedef struct CfParseOptions {
    CfCheck check;
    const char *name;    /* class name for messages ("a/B"), NULL = the name found in the file */
    bool name_is_law;    /* a file that calls itself otherwise is refused (CF_ERR_NO_CLASS) */
    bool enable_preview; /* accept 61.65535 */
    bool any_version;    /* tools: accept any version >= 45, newer attributes are then unknown */
} CfParseOptions;

/* Parses `size` bytes. `opt` NULL = STRUCT checks, no preview. On failure *out is NULL. */
CfErrCode cf_parse(CfClass **out, const uint8_t *bytes, size_t size, CfArena *arena, const CfParseOptions *opt, CfError *err);

/* The same as far as the interfaces: version, pool, flags, names. What is behind may be anything;
 * the model has no members and no attributes. */
CfErrCode cf_parse_header(CfClass **out, const uint8_t *bytes, size_t size, CfArena *arena, const CfParseOptions *opt,
                          CfError *err);

/* An empty class to be filled by edits: no members, no interfaces. NULL on failure. `super` empty:
 * none. */
CfClass *cf_class_new(CfArena *arena, unsigned major, unsigned access, CfStr name, CfStr super);

/* The FORMAT checks on a parsed (or edited) model. README.md lists section -> function. */
CfErrCode cf_check(const CfClass *c, const CfParseOptions *opt, CfError *err);

/* ======================================================================== pool access (total) */

static inline const CfConst *cf_const(const CfClass *c, unsigned i) {
    return i < c->const_count ? &c->consts[i] : &c->consts[0]; /* [0] has tag NONE */
}
static inline unsigned cf_tag(const CfClass *c, unsigned i) { return cf_const(c, i)->tag; }
static inline CfStr cf_utf8(const CfClass *c, unsigned i) {
    const CfConst *k = cf_const(c, i);
    return k->tag == CF_CONST_UTF8 ? CF_LIT(CfStr){k->utf8, k->len} : CF_LIT(CfStr){NULL, 0};
}
/* Name behind a Class entry: "java/lang/String", "[I". Also Module, Package, String, MethodType
 * via cf_name_of. */
static inline CfStr cf_class_name(const CfClass *c, unsigned i) {
    const CfConst *k = cf_const(c, i);
    return k->tag == CF_CONST_CLASS ? cf_utf8(c, k->a) : CF_LIT(CfStr){NULL, 0};
}
/* Utf8 behind any single-index entry (Class, String, MethodType, Module, Package). */
CfStr cf_name_of(const CfClass *c, unsigned i);
/* Name and descriptor behind a NameAndType, a member reference, Dynamic or InvokeDynamic; false if
 * not so. */
bool cf_name_and_type(const CfClass *c, unsigned i, CfStr *name, CfStr *desc);
/* Owner, name and descriptor behind a Fieldref, Methodref or InterfaceMethodref; false if not. */
bool cf_member_ref(const CfClass *c, unsigned i, CfStr *owner, CfStr *name, CfStr *desc);

/* First member with that name and descriptor (desc may be empty: any), or NULL. */
CfMember *cf_find_method(const CfClass *c, CfStr name, CfStr desc);
CfMember *cf_find_field(const CfClass *c, CfStr name, CfStr desc);

/* ======================================================================== attributes: decoding
 * An attribute decoder checks that the content is framed by its length, then hands out a view;
 * element accessors are inline reads from it. A view is valid as long as the class bytes. Failure:
 * CF_ERR_FORMAT. */

/* First attribute of that kind, or NULL. */
static inline const CfAttr *cf_attr(const CfAttrs *as, CfAttrKind kind) {
    for (unsigned i = 0; i < as->count; i++)
        if (as->v[i].kind == kind) return &as->v[i];
    return NULL;
}

/* A table of fixed-size rows inside an attribute. */
typedef struct CfRows {
    const uint8_t *p;
    uint32_t count;
} CfRows;

/* --- Code (4.7.3) --- */
typedef struct CfCode {
    uint16_t max_stack, max_locals;
    uint32_t code_len;
    const uint8_t *code;
    CfRows handlers; /* exception_table, see cf_handler */
    CfAttrs attrs;   /* allocated in the scratch arena given to cf_code */
} CfCode;

/* `m` must be a method of `c`; a method without Code gives code == NULL and CF_OK. Does not look
 * at the instructions. `scratch` may be NULL: then attrs stays empty. */
CfErrCode cf_code(const CfClass *c, const CfMember *m, CfArena *scratch, CfCode *out, CfError *err);

typedef struct CfHandler {
    uint16_t start, end, handler, type; /* type: Class index, 0 = any */
} CfHandler;
static inline CfHandler cf_handler(const CfRows *t, uint32_t i) {
    const uint8_t *p = t->p + 8 * (size_t)i;
    return CF_LIT(CfHandler){cf_get_u2(p), cf_get_u2(p + 2), cf_get_u2(p + 4), cf_get_u2(p + 6)};
}

/* --- LineNumberTable (4.7.12); several may be present --- */
CfErrCode cf_lines(const CfAttr *a, CfRows *out, CfError *err);
static inline void cf_line(const CfRows *t, uint32_t i, uint16_t *pc, uint16_t *line) {
    *pc = cf_get_u2(t->p + 4 * (size_t)i);
    *line = cf_get_u2(t->p + 4 * (size_t)i + 2);
}

/* --- LocalVariableTable and LocalVariableTypeTable (4.7.13, 4.7.14) --- */
typedef struct CfLocalVar {
    uint16_t start, length, name, desc, slot; /* desc: signature in the type table */
} CfLocalVar;
CfErrCode cf_local_vars(const CfAttr *a, CfRows *out, CfError *err);
static inline CfLocalVar cf_local_var(const CfRows *t, uint32_t i) {
    const uint8_t *p = t->p + 10 * (size_t)i;
    return CF_LIT(CfLocalVar){cf_get_u2(p), cf_get_u2(p + 2), cf_get_u2(p + 4), cf_get_u2(p + 6), cf_get_u2(p + 8)};
}

/* --- lists of pool indices: Exceptions, NestMembers, PermittedSubclasses, ModulePackages --- */
CfErrCode cf_index_list(const CfAttr *a, CfRows *out, CfError *err);
static inline uint16_t cf_index_at(const CfRows *t, uint32_t i) { return cf_get_u2(t->p + 2 * (size_t)i); }

/* --- one pool index (0 if malformed): ConstantValue, Signature, SourceFile, NestHost,
 *     ModuleMainClass --- */
static inline uint16_t cf_attr_index(const CfAttr *a) { return a && a->len == 2 ? cf_get_u2(a->data) : 0; }
/* The Signature string among `as`, or empty. */
CfStr cf_signature(const CfClass *c, const CfAttrs *as);

/* --- InnerClasses (4.7.6) --- */
typedef struct CfInner {
    uint16_t inner, outer, name, access;
} CfInner;
CfErrCode cf_inner_classes(const CfAttr *a, CfRows *out, CfError *err);
static inline CfInner cf_inner(const CfRows *t, uint32_t i) {
    const uint8_t *p = t->p + 8 * (size_t)i;
    return CF_LIT(CfInner){cf_get_u2(p), cf_get_u2(p + 2), cf_get_u2(p + 4), cf_get_u2(p + 6)};
}

/* --- EnclosingMethod (4.7.7): Class index and NameAndType index (0 = none) --- */
CfErrCode cf_enclosing_method(const CfAttr *a, uint16_t *cls, uint16_t *nat, CfError *err);

/* --- MethodParameters (4.7.24) --- */
CfErrCode cf_method_parameters(const CfAttr *a, CfRows *out, CfError *err);
static inline void cf_method_parameter(const CfRows *t, uint32_t i, uint16_t *name, uint16_t *access) {
    *name = cf_get_u2(t->p + 4 * (size_t)i);
    *access = cf_get_u2(t->p + 4 * (size_t)i + 2);
}

/* --- BootstrapMethods (4.7.23): rows of different length; walk in order or use cf_bootstrap --- */
typedef struct CfBootstrap {
    uint16_t method; /* MethodHandle index */
    CfRows args;     /* pool indices, cf_index_at */
} CfBootstrap;
typedef struct CfBootstraps {
    uint32_t count;
    const uint8_t *p, *end;
} CfBootstraps;
/* Checks the framing of all rows. */
CfErrCode cf_bootstraps(const CfAttr *a, CfBootstraps *out, CfError *err);
/* Takes the next row off the walk; false at the end. */
bool cf_bootstrap_next(CfBootstraps *t, CfBootstrap *out);
/* Row i (linear). False if there is none. */
bool cf_bootstrap(const CfClass *c, unsigned i, CfBootstrap *out);

/* --- Record (4.7.30): walk of components --- */
typedef struct CfComponent {
    uint16_t name, desc;
    CfAttrs attrs; /* in scratch */
} CfComponent;
typedef struct CfComponents {
    uint32_t count;
    const uint8_t *p, *end;
} CfComponents;
CfErrCode cf_record(const CfAttr *a, CfComponents *out, CfError *err);
/* Takes the next component; false at the end or if scratch is exhausted. `scratch` NULL: attrs
 * stays empty. */
bool cf_component_next(const CfClass *c, CfComponents *t, CfArena *scratch, CfComponent *out);

/* --- Module (4.7.25) --- */
typedef struct CfModule {
    uint16_t name, flags, version;
    CfRows require; /* cf_module_requires; `requires` is a keyword of C++20 */
    uint16_t exports_count, opens_count, provides_count;
    const uint8_t *exports, *opens, *provides, *end; /* walk with cf_module_next */
    CfRows uses;                                     /* Class indices, cf_index_at */
} CfModule;
typedef struct CfModuleRow {
    uint16_t what;  /* exports, opens: Package index; provides: Class index */
    uint16_t flags; /* 0 for provides */
    CfRows with;    /* Module indices (to) or Class indices (with) */
} CfModuleRow;
CfErrCode cf_module(const CfAttr *a, CfModule *out, CfError *err);
static inline void cf_module_requires(const CfRows *t, uint32_t i, uint16_t *mod, uint16_t *flags, uint16_t *version) {
    const uint8_t *p = t->p + 6 * (size_t)i;
    *mod = cf_get_u2(p), *flags = cf_get_u2(p + 2), *version = cf_get_u2(p + 4);
}
/* Reads the row at *p and steps over it; has_flags: exports and opens true, provides false. */
void cf_module_next(const uint8_t **p, bool has_flags, CfModuleRow *out);

/* --- StackMapTable (4.7.4): frames as they stand, for tools; cf_types.h expands them --- */
enum {
    CF_VTAG_TOP,
    CF_VTAG_INTEGER,
    CF_VTAG_FLOAT,
    CF_VTAG_DOUBLE,
    CF_VTAG_LONG,
    CF_VTAG_NULL,
    CF_VTAG_UNINIT_THIS,
    CF_VTAG_OBJECT,
    CF_VTAG_UNINIT
};
typedef struct CfMapTypes { /* packed verification_type_infos */
    const uint8_t *p;
    uint32_t count;
} CfMapTypes;
typedef struct CfMapFrame {
    uint32_t pc;         /* absolute */
    uint8_t type;        /* frame_type byte */
    int16_t chop_append; /* locals: -3..-1 chopped, 0 same, 1..3 appended, 4 = full frame */
    CfMapTypes locals;   /* appended ones, or all of a full frame */
    CfMapTypes stack;
} CfMapFrame;
typedef struct CfMapIter {
    const uint8_t *p, *end;
    uint32_t left;
    int64_t pc; /* of the previous frame, -1 before the first */
    uint32_t count;
    const char *why; /* what was malformed, after -1 */
} CfMapIter;
/* Starts a walk; `a` NULL = no frames. */
CfErrCode cf_map_start(const CfAttr *a, CfMapIter *it, CfError *err);
/* 1 = frame read, 0 = end (all bytes used), -1 = malformed. */
int cf_map_next(CfMapIter *it, CfMapFrame *out);
/* Takes one type off the list; false at the end. `data`: Class index (OBJECT) or pc of `new`
 * (UNINIT). */
bool cf_map_type_next(CfMapTypes *t, uint8_t *tag, uint16_t *data);

/* ======================================================================== annotations (4.7.16 - 4.7.22)
 * Views into the content of Runtime[In]Visible(|Parameter|Type)Annotations and AnnotationDefault: nothing is
 * allocated, and they are valid as long as the class bytes. A decoder of an attribute checks that counts and tags use it up to the last byte; what type
 * an index has is not checked: cf_utf8 and cf_const answer for any. Values may be nested CF_ELEMENT_DEPTH
 * deep; more is malformed. A walk is a value: a copy of it walks again. Any number of threads may walk. */
enum { CF_ELEMENT_DEPTH = 64 };

typedef struct CfElements { /* of an annotation, or values of an array */
    uint32_t count;         /* left */
    const uint8_t *p, *end;
    bool named; /* elements have names, values of arrays have none */
} CfElements;
typedef struct CfAnnotation {
    uint16_t type;       /* Utf8: descriptor of the annotation type, "Ljava/lang/Deprecated;" */
    CfElements elements; /* cf_element_next */
} CfAnnotation;
/* An element_value (4.7.16.1). Which fields hold depends on the tag:
 *   B C D F I J S Z     a = Integer, Long, Float or Double entry
 *   s                   a = Utf8
 *   c                   a = Utf8: return descriptor of the class
 *   e                   a = Utf8: descriptor of the enum, b = Utf8: name of the constant
 *   @                   a = Utf8: type of the annotation; values = its elements
 *   [                   values */
typedef struct CfElement {
    uint16_t name; /* Utf8; 0 in arrays and AnnotationDefault */
    uint8_t tag;
    uint16_t a, b;
    CfElements values;
} CfElement;
typedef struct CfAnnotations {
    uint32_t count; /* left */
    const uint8_t *p, *end;
} CfAnnotations;

/* RuntimeVisibleAnnotations and RuntimeInvisibleAnnotations; walk with cf_annotation_next. */
CfErrCode cf_annotations(const CfAttr *a, CfAnnotations *out, CfError *err);
/* The next functions take one off the walk; false at the end. */
bool cf_annotation_next(CfAnnotations *t, CfAnnotation *out);
bool cf_element_next(CfElements *t, CfElement *out);
/* Runtime[In]VisibleParameterAnnotations: one list for each parameter (compilers leave out parameters
 * that the source does not have: 4.7.18). */
CfErrCode cf_parameter_annotations(const CfAttr *a, CfAnnotations *out, CfError *err);
bool cf_parameter_annotations_next(CfAnnotations *t, CfAnnotations *out);
/* AnnotationDefault. */
CfErrCode cf_annotation_default(const CfAttr *a, CfElement *out, CfError *err);

/* target_info (4.7.20.1), by target_type:
 *   00 01               index = type parameter
 *   10                  index = interface, 65535 = superclass
 *   11 12               index = type parameter, inner = bound
 *   13 14 15            nothing
 *   16                  index = parameter
 *   17                  index = row of Exceptions
 *   40 41               ranges: cf_local_range
 *   42                  index = row of the exception table
 *   43 44 45 46         pc
 *   47 48 49 4A 4B      pc, inner = type argument */
typedef struct CfTypeAnnotation {
    uint8_t target, inner;
    uint16_t index, pc;
    CfRows ranges; /* cf_local_range */
    CfRows path;   /* type_path: cf_type_path */
    CfAnnotation annotation;
} CfTypeAnnotation;
CfErrCode cf_type_annotations(const CfAttr *a, CfAnnotations *out, CfError *err);
bool cf_type_annotation_next(CfAnnotations *t, CfTypeAnnotation *out);
static inline void cf_local_range(const CfRows *t, uint32_t i, uint16_t *start, uint16_t *length, uint16_t *slot) {
    const uint8_t *p = t->p + 6 * (size_t)i;
    *start = cf_get_u2(p), *length = cf_get_u2(p + 2), *slot = cf_get_u2(p + 4);
}
/* Step i of a type_path (4.7.20.2): kind 0 = into an array, 1 = into a nested type, 2 = to the bound of a
 * wildcard, 3 = to type argument `argument`. */
static inline void cf_type_path(const CfRows *t, uint32_t i, uint8_t *kind, uint8_t *argument) {
    *kind = t->p[2 * (size_t)i], *argument = t->p[2 * (size_t)i + 1];
}

/* One annotation, element (with its name, or the value alone) or type annotation at any place: reads it
 * and steps the reader over it. False: malformed, and the reader stands somewhere in it. */
bool cf_annotation_read(CfReader *r, CfAnnotation *out);
bool cf_element_read(CfReader *r, bool named, CfElement *out);
bool cf_type_annotation_read(CfReader *r, CfTypeAnnotation *out);

/* The first annotation of that type ("Ljava/lang/Deprecated;") among `as`, visible or not; malformed
 * attributes count as absent. The element of that name, among those that are written there (a default
 * value is not). False: there is none. */
bool cf_find_annotation(const CfClass *c, const CfAttrs *as, const char *type, CfAnnotation *out);
bool cf_find_element(const CfClass *c, const CfAnnotation *a, const char *name, CfElement *out);

/* ======================================================================== instructions */

typedef enum CfOp {
#define OPCODE(value, NAME, name, format, pops, pushes, flags) CF_OP_##NAME = value,
#include "opcodes.def"
#undef OPCODE
    CF_OP_COUNT
} CfOp;

typedef enum CfFormat {
    CF_FMT_BAD,  /* no such opcode */
    CF_FMT_NONE, /* opcode alone */
    CF_FMT_LOCAL0,
    CF_FMT_LOCAL1,
    CF_FMT_LOCAL2,
    CF_FMT_LOCAL3,
    CF_FMT_S1,
    CF_FMT_S2, /* signed constant */
    CF_FMT_CP1,
    CF_FMT_CP2,   /* pool index */
    CF_FMT_LOCAL, /* local index u1 (wide: u2) */
    CF_FMT_IINC,  /* local u1, constant s1 (wide: u2, s2) */
    CF_FMT_BRANCH2,
    CF_FMT_BRANCH4,
    CF_FMT_TABLESWITCH,
    CF_FMT_LOOKUPSWITCH,
    CF_FMT_INTERFACE, /* pool index u2, count u1, zero u1 */
    CF_FMT_DYNAMIC,   /* pool index u2, zero u2 */
    CF_FMT_ATYPE,     /* newarray: 4..11 */
    CF_FMT_MULTI,     /* pool index u2, dimensions u1 */
    CF_FMT_WIDE
} CfFormat;

enum {
    CF_OF_CONST = 0x1,
    CF_OF_LOAD = 0x2,
    CF_OF_STORE = 0x4,
    CF_OF_ARRAY = 0x8,
    CF_OF_STACK = 0x10,
    CF_OF_MATH = 0x20,
    CF_OF_BRANCH = 0x40,
    CF_OF_COND = 0x80,
    CF_OF_END = 0x100,
    CF_OF_JSR = 0x200,
    CF_OF_RET = 0x400,
    CF_OF_SWITCH = 0x800,
    CF_OF_RETURN = 0x1000,
    CF_OF_THROW = 0x2000,
    CF_OF_CP = 0x4000,
    CF_OF_FIELD = 0x8000,
    CF_OF_INVOKE = 0x10000,
    CF_OF_ALLOC = 0x20000,
    CF_OF_MONITOR = 0x40000,
    CF_OF_WIDE = 0x80000,
    CF_OF_THROWS = 0x100000
};

typedef struct CfOpInfo { /* a row of opcodes.def */
    const char *name, *pops, *pushes;
    uint8_t format;
    uint8_t length;                /* without wide; 0 = variable (switches, wide) */
    uint8_t pop_slots, push_slots; /* of the letters; 0 for V */
    uint32_t flags;
} CfOpInfo;
extern const CfOpInfo cf_op_info[256]; /* format CF_FMT_BAD for values that are no opcode */

typedef struct CfInsn {
    uint32_t pc, len; /* len includes the wide prefix and switch padding */
    uint8_t op;       /* CfOp; for `wide iload` it is iload */
    bool wide;
    uint16_t index;       /* pool index, or local variable (implied ones too) */
    int32_t imm;          /* bipush, sipush, Xconst_N: value; iinc: delta; newarray: atype;
                                   multianewarray: dimensions; invokeinterface: count */
    int32_t target;       /* branches, default of switches: absolute pc, maybe outside */
    int32_t low;          /* tableswitch: first key */
    uint32_t cases;       /* switches: number of cases */
    const uint8_t *table; /* switches: raw table, use cf_switch_* */
} CfInsn;

/* Length of the instruction at `pc`, 0 if it is no instruction or does not fit in `code_len`. */
uint32_t cf_insn_length(const uint8_t *code, uint32_t code_len, uint32_t pc);
/* Decodes the instruction at `pc`; false as above. */
bool cf_insn(const uint8_t *code, uint32_t code_len, uint32_t pc, CfInsn *out);
/* Walk: `for (uint32_t pc = 0; pc < n && cf_insn(code, n, pc, &i); pc += i.len)`; pc < n
 * afterwards = malformed. */

static inline int32_t cf_switch_key(const CfInsn *i, uint32_t n) {
    return i->op == CF_OP_TABLESWITCH ? (int32_t)((uint32_t)i->low + n) : cf_get_s4(i->table + 8 * (size_t)n);
}
static inline int32_t cf_switch_target(const CfInsn *i, uint32_t n) {
    const uint8_t *p = i->op == CF_OP_TABLESWITCH ? i->table + 4 * (size_t)n : i->table + 8 * (size_t)n + 4;
    return (int32_t)(i->pc + cf_get_u4(p));
}
/* Slots popped and pushed; for V letters the descriptor in the pool is consulted. False if the
 * pool entry is bad. */
bool cf_insn_stack(const CfClass *c, const CfInsn *i, unsigned *pops, unsigned *pushes);

/* ======================================================================== walking
 * The class file as events in the order of the file, without a model: nothing is kept of members, attributes
 * and code but what the callbacks keep. Callbacks that are NULL are not called, and what nobody asks for is
 * not decoded. `c` in all of them is what cf_parse_header gives: version, flags, names, interfaces and the
 * pool, but no members and no attributes; it ends with the walk, names from the pool last as long as the bytes.
 * COST: one pass. The pool is indexed (16 bytes an entry, in one piece); nothing else is allocated. Reading the
 * pool is most of cf_parse too, so a walk is not faster than that: it needs less memory, and none that grows with
 * members and attributes. Decoding each instruction costs as much again as all the rest. */
typedef enum CfWalkOn {
    CF_WALK_ON = 0,
    CF_WALK_SKIP, /* not into what was told just now; see below */
    CF_WALK_STOP  /* no more events; cf_walk gives CF_OK */
} CfWalkOn;
typedef struct CfVisitor {
    const CfParseOptions *options; /* NULL = as for cf_parse; FORMAT checks reach the header only */
    /* SKIP: no members, only the attributes of the class. */
    CfWalkOn (*header)(void *ctx, const CfClass *c);
    /* access, name, desc, index; m->attrs is empty. SKIP: not its attributes. */
    CfWalkOn (*field)(void *ctx, const CfClass *c, const CfMember *m);
    CfWalkOn (*method)(void *ctx, const CfClass *c, const CfMember *m);
    /* Of the class (m NULL; they come last), a field, a method or, behind its instructions, of a method's
     * Code: `where` is CF_IN_CLASS, FIELD, METHOD or CODE. Decode it with the functions above. SKIP of a
     * Code attribute: not what is in it. Attributes of record components are not told: cf_record. */
    CfWalkOn (*attribute)(void *ctx, const CfClass *c, const CfMember *m, unsigned where, const CfAttr *a);
    /* Sizes, bytes and handlers; code->attrs is empty. SKIP: neither instructions nor attributes. */
    CfWalkOn (*code)(void *ctx, const CfClass *c, const CfMember *m, const CfCode *code);
    /* SKIP: not the rest of the instructions. */
    CfWalkOn (*insn)(void *ctx, const CfClass *c, const CfMember *m, const CfInsn *i);
} CfVisitor;

/* Walks over the class file in `bytes`. `scratch`, which is reset first and may be one for many walks, holds
 * the pool; NULL = one of its own. Errors are those of cf_parse with STRUCT checks, in the same words, and of
 * cf_code and cf_insn for code that is entered; what stands before the error has been told. Any number of
 * threads may walk, each with its own scratch; a visitor is not changed. */
CfErrCode cf_walk(const uint8_t *bytes, size_t size, const CfVisitor *v, void *ctx, CfArena *scratch, CfError *err);

/* ======================================================================== names and descriptors */

bool cf_field_desc_valid(CfStr desc);                 /* 4.3.2 */
bool cf_method_desc_valid(CfStr desc);                /* 4.3.3; at most 255 slots */
bool cf_class_name_valid(CfStr name, unsigned major); /* 4.2.1, or an array descriptor */
/* 4.2.2; <init> and <clinit> are allowed for methods. */
bool cf_member_name_valid(CfStr name, bool method, unsigned major);

/* Walk over a method descriptor's parameters; the descriptor should be valid, but nothing worse
 * than an early end happens if it is not. After the last parameter `ret` is the return type.
 *     CfDescIter it = cf_desc_start(desc);  CfStr t;
 *     while (cf_desc_next(&it, &t)) ...  */
typedef struct CfDescIter {
    const char *p, *end;
    CfStr ret;
} CfDescIter;
CfDescIter cf_desc_start(CfStr desc);
bool cf_desc_next(CfDescIter *it, CfStr *type);

/* Slots of a field type: 2 for J and D, 0 for V, else 1. */
static inline unsigned cf_desc_slots(CfStr t) { return t.len == 0 || t.p[0] == 'V' ? 0 : t.p[0] == 'J' || t.p[0] == 'D' ? 2 : 1; }
/* Slots of all parameters (without receiver), and return type's slots (may be NULL). -1 if
 * malformed. */
int cf_desc_arg_slots(CfStr desc, unsigned *ret_slots);
/* Number of parameters, -1 if malformed. */
int cf_desc_arg_count(CfStr desc);
/* The return type, up to the end of the descriptor; empty if malformed. Class names may have
 * parentheses: looking for one is no way to find it. */
CfStr cf_desc_result(CfStr desc);

/* Modified UTF-8 (4.4.7). */
bool cf_mutf8_valid(const char *p, size_t n);
/* Number of UTF-16 units; the input must be valid. */
size_t cf_mutf8_utf16_len(const char *p, size_t n);
/* Decodes; `out` must have room for cf_mutf8_utf16_len units. Returns units written. */
size_t cf_mutf8_to_utf16(const char *p, size_t n, uint16_t *out);
/* Encodes; returns the bytes needed, writes only while they fit in `cap`. */
size_t cf_utf16_to_mutf8(const uint16_t *u, size_t n, char *out, size_t cap);
/* Between modified and standard UTF-8 (surrogate pairs <-> 4 bytes, C0 80 <-> 0; unpaired
 * surrogates become '?'). Same buffer protocol as cf_utf16_to_mutf8. */
size_t cf_mutf8_to_utf8(const char *p, size_t n, char *out, size_t cap);
size_t cf_utf8_to_mutf8(const char *p, size_t n, char *out, size_t cap);

/* ======================================================================== generic signatures (4.7.9.1)
 * The string of a Signature attribute or of a LocalVariableTypeTable row as a sequence of events. Nothing is
 * allocated and nothing recurs, so text and depth may be hostile; the events are views into the string.
 *     CfSigIter it = cf_sig_start(CF_SIG_OF_METHOD, signature);  CfSigEvent e;
 *     while ((e = cf_sig_next(&it)) > CF_SIG_END) ...
 * If e is CF_SIG_BAD then, it.why says what was expected at it.p; what stands before has been told.
 * The events, in capitals without CF_SIG_, follow this grammar; in parentheses: it.text, which else is empty.
 *   class       parameter* SUPERCLASS type {INTERFACE type}
 *   method      parameter* {PARAMETER type} RESULT type {THROWS type}
 *   field       FIELD type                        (record components and variables too)
 *   parameter   TYPE_PARAMETER(name) [CLASS_BOUND type] {INTERFACE_BOUND type}
 *   type        BASE(letter, V for void) | VARIABLE(name) | ARRAY("[" per dimension) type
 *               | CLASS_TYPE(a/b/C) argument* {INNER_CLASS(simple name) argument*} CLASS_END
 *   argument    WILDCARD | EXTENDS type | SUPER type | ARGUMENT type */
typedef enum CfSigKind { CF_SIG_OF_CLASS, CF_SIG_OF_METHOD, CF_SIG_OF_FIELD } CfSigKind;
typedef enum CfSigEvent {
    CF_SIG_BAD = -1, /* malformed; from now on always */
    CF_SIG_END = 0,  /* the whole string was read */
    CF_SIG_TYPE_PARAMETER,
    CF_SIG_CLASS_BOUND,
    CF_SIG_INTERFACE_BOUND,
    CF_SIG_SUPERCLASS,
    CF_SIG_INTERFACE,
    CF_SIG_PARAMETER,
    CF_SIG_RESULT,
    CF_SIG_THROWS,
    CF_SIG_FIELD,
    CF_SIG_BASE,
    CF_SIG_VARIABLE,
    CF_SIG_ARRAY,
    CF_SIG_CLASS_TYPE,
    CF_SIG_INNER_CLASS,
    CF_SIG_CLASS_END,
    CF_SIG_ARGUMENT,
    CF_SIG_EXTENDS,
    CF_SIG_SUPER,
    CF_SIG_WILDCARD
} CfSigEvent;
typedef struct CfSigIter {
    const char *p, *end;              /* what was not read yet */
    CfStr text;                       /* of the last event */
    uint32_t depth;                   /* class types that are open: 0 outside of all */
    const char *why;                  /* after CF_SIG_BAD */
    uint8_t kind, part, types, state; /* internal */
} CfSigIter;
CfSigIter cf_sig_start(CfSigKind kind, CfStr signature);
CfSigEvent cf_sig_next(CfSigIter *it);
/* Where a type must follow (after BOUNDs, SUPERCLASS ... FIELD, ARRAY, ARGUMENT, EXTENDS, SUPER): steps over
 * it and gives its text. Empty: no type must follow, or it is malformed. */
CfStr cf_sig_type(CfSigIter *it);

/* A definition does not fail because of a Signature (the text is opaque to cf_check as to a VM); who wants to
 * know asks. */
bool cf_class_sig_valid(CfStr signature);
bool cf_method_sig_valid(CfStr signature);
bool cf_field_sig_valid(CfStr signature);

/* ======================================================================== editing
 * Edits change the model only; cf_write makes bytes. Pool entries are only added, never moved or
 * removed, so code and attributes that are not touched stay valid. cf_add_*: index of an equal
 * entry or of a new one; 0 if the pool is full (65,535), a string is over 65,535 bytes or memory
 * is exhausted. */

uint16_t cf_add_utf8(CfClass *c, CfStr s);
uint16_t cf_add_int(CfClass *c, int32_t v);
uint16_t cf_add_float(CfClass *c, float v); /* bit-exact */
uint16_t cf_add_long(CfClass *c, int64_t v);
uint16_t cf_add_double(CfClass *c, double v); /* bit-exact */
uint16_t cf_add_class(CfClass *c, CfStr name);
uint16_t cf_add_string(CfClass *c, CfStr s);
uint16_t cf_add_name_and_type(CfClass *c, CfStr name, CfStr desc);
uint16_t cf_add_field_ref(CfClass *c, CfStr owner, CfStr name, CfStr desc);
uint16_t cf_add_method_ref(CfClass *c, CfStr owner, CfStr name, CfStr desc, bool owner_is_interface);
uint16_t cf_add_method_handle(CfClass *c, unsigned kind, uint16_t ref);
uint16_t cf_add_method_type(CfClass *c, CfStr desc);
uint16_t cf_add_dynamic(CfClass *c, uint16_t bootstrap, CfStr name, CfStr desc);
uint16_t cf_add_invoke_dynamic(CfClass *c, uint16_t bootstrap, CfStr name, CfStr desc);
uint16_t cf_add_module(CfClass *c, CfStr name);
uint16_t cf_add_package(CfClass *c, CfStr name);
/* Why an addition, of a member too, has just failed: CF_ERR_LIMIT, the pool or the table is full or a string was too long; else
 * CF_ERR_NOMEM. */
static inline CfErrCode cf_no_room(const CfClass *c) {
    return c->pool_refused || c->field_count == 65535 || c->method_count == 65535 ? CF_ERR_LIMIT : CF_ERR_NOMEM;
}

/* Attribute tables: `as` is &c->attrs, &member->attrs or &code->attrs. Content is copied.
 * cf_attr_set replaces the first attribute of that name or adds one at the end; cf_attr_append
 * always adds. */
CfErrCode cf_attr_set(CfClass *c, CfAttrs *as, const char *name, const void *data, size_t len);
CfErrCode cf_attr_append(CfClass *c, CfAttrs *as, const char *name, const void *data, size_t len);
/* Removes all attributes of the kind; returns how many. */
unsigned cf_attr_remove(CfAttrs *as, CfAttrKind kind);
/* Encodes `code` (with its attrs) as the Code attribute of m, in place of the old one. */
CfErrCode cf_code_set(CfClass *c, CfMember *m, const CfCode *code, CfError *err);
/* The content of the attribute only. */
void cf_code_write(const CfClass *c, const CfCode *code, CfWriter *w);

/* New members come last. Pointers to members are invalid after an addition of the same sort. NULL
 * on failure. */
CfMember *cf_add_field(CfClass *c, unsigned access, CfStr name, CfStr desc);
CfMember *cf_add_method(CfClass *c, unsigned access, CfStr name, CfStr desc);
void cf_remove_field(CfClass *c, CfMember *f);
void cf_remove_method(CfClass *c, CfMember *m);
CfErrCode cf_add_interface(CfClass *c, CfStr name);

/* Drops the pool entries and BootstrapMethods rows that nothing refers to, and numbers the rest anew
 * in their old order; all indices in the model follow. Pool indices that the caller holds are wrong
 * afterwards. CF_ERR_USAGE if there is an attribute whose content is not known (4.7: it may hold
 * indices), CF_ERR_FORMAT if one is malformed: nothing was changed then; after CF_ERR_NOMEM the
 * model must not be used. */
CfErrCode cf_pool_collect(CfClass *c, CfError *err);

/* To be called after entries of c->consts were changed in place (a field of CfConst, not their
 * number): cf_write then takes them from there, and find-or-add finds the new ones. */
void cf_pool_changed(CfClass *c);

/* ======================================================================== indices in attributes
 * Every place of an attribute's content that holds a pool index (all of 4.7), to read it or to
 * replace it in a copy of the content. */
typedef enum CfSiteRole {
    CF_SITE_ENTRY,      /* an entry that is no Utf8, or 0 where that is allowed */
    CF_SITE_LDC,        /* the same, one byte wide: operand of ldc */
    CF_SITE_NAME,       /* Utf8: of an attribute, variable, parameter; source file; version; or 0 */
    CF_SITE_TEXT,       /* Utf8: string value in an annotation */
    CF_SITE_DESC,       /* Utf8: field, method or return descriptor */
    CF_SITE_SIGNATURE,  /* Utf8: generic signature (4.7.9.1) */
    CF_SITE_INNER_NAME, /* Utf8 or 0: simple name in InnerClasses; extra: Class index of the class */
    CF_SITE_COMPONENT,  /* Utf8: name of a record component; extra: its descriptor */
    CF_SITE_ELEMENT,    /* Utf8: name of an annotation element; extra: the annotation's type */
    CF_SITE_ENUM,       /* Utf8: name of an enum constant; extra: its type */
    CF_SITE_OPAQUE      /* no index: an attribute that is not known begins here */
} CfSiteRole;
typedef struct CfSite {
    CfSiteRole role;
    uint16_t index, extra;
    const uint8_t *at; /* big-endian u2 (LDC: u1) in the content */
} CfSite;
typedef bool (*CfSiteFn)(void *ctx, const CfSite *s); /* false ends the walk */
/* Calls `fn` for the sites in the content of `a`, which stands in a table at `where` (CF_IN_*); not
 * for a->name. CF_ERR_FORMAT: malformed, sites before it were told. CF_ERR_USAGE: `fn` ended it. */
CfErrCode cf_attr_sites(const CfClass *c, const CfAttr *a, unsigned where, CfSiteFn fn, void *ctx, CfError *err);

/* ======================================================================== writing
 * Appends the class file to `w`. A model that was parsed and not edited gives exactly the bytes
 * that were parsed. */
CfErrCode cf_write(const CfClass *c, CfWriter *w, CfError *err);
/* The bytes that cf_write will append. */
size_t cf_write_size(const CfClass *c);

/* ======================================================================== verification (4.10)
 * Type checking with StackMapTable, for major >= 50. Older classes need type inference: cf_verify
 * answers CF_ERR_USAGE for them; a VM hands them to the JDK's libverify. A class of major 50 that
 * fails may be verified again by inference: cf_verify_may_fail_over tells. The model must have
 * passed cf_check (FORMAT). */

typedef enum CfAnswer {
    CF_NO = 0,
    CF_YES = 1,
    CF_FAILED = -1 /* a class could not be loaded: verification stops with CF_ERR_LOAD */
} CfAnswer;

/* What the verifier must know about other classes. Names are internal names of classes ("a/B"),
 * never arrays, primitive types or null. No callback is asked when equality or java/lang/Object
 * decides. */
typedef struct CfHierarchy {
    void *ctx;
    /* May a value of class `from` stand where class `to` is wanted? YES if `to` is an interface
     * (10.1.2), or from is `to` or a subclass. A VM loads `to` first, and `from` only if `to` is
     * no interface. */
    CfAnswer (*is_assignable)(void *ctx, CfStr from, CfStr to);
    CfAnswer (*is_interface)(void *ctx, CfStr name);
    /* Direct superclass; *super empty for java/lang/Object. Used by frame merging, not by the
     * verifier. */
    CfAnswer (*super_name)(void *ctx, CfStr name, CfStr *super);
    /* Is `owner` the class under verification or a superclass of it? */
    CfAnswer (*is_superclass_of_this)(void *ctx, CfStr owner);
    /* `owner` is a superclass of the class under verification (or itself): does the member, looked
     * up from owner upwards, exist, is it protected, and is its declaring class in another
     * run-time package? */
    CfAnswer (*is_protected_elsewhere)(void *ctx, CfStr owner, CfStr name, CfStr desc, bool method);
} CfHierarchy;

typedef struct CfKnownMethod {
    bool passed;        /* it is known to be in order: it is not looked at */
    const CfCode *code; /* what cf_code gives, or NULL: it is read anew */
} CfKnownMethod;

typedef struct CfVerifyOptions {
    const char *name;           /* name to print for the class, NULL = its own */
    bool no_details;            /* leave out the frame and bytecode listing after the reason */
    const CfKnownMethod *known; /* per method; NULL = nothing is known */
} CfVerifyOptions;

CfErrCode cf_verify(const CfClass *c, const CfHierarchy *h, const CfVerifyOptions *opt, CfError *err);
/* One method; `scratch` is reset by each call. */
CfErrCode cf_verify_method(const CfClass *c, const CfMember *m, const CfHierarchy *h, const CfVerifyOptions *opt,
                           CfArena *scratch, CfError *err);
/* Not after an ill-formed StackMapTable: such an error belongs to no place in code. */
static inline bool cf_verify_may_fail_over(const CfClass *c, const CfError *err) {
    return c->major == 50 && (err->code == CF_ERR_VERIFY || err->offset >= 0);
}

/* ======================================================================== dump
 * javap-like text. Works on any parsed class, also one that fails FORMAT checks. */
enum {
    CF_DUMP_POOL = 1,  /* constant pool */
    CF_DUMP_CODE = 2,  /* instructions, handlers, lines, variables, stack maps */
    CF_DUMP_ATTRS = 4, /* other attributes, decoded where known */
    CF_DUMP_ALL = 7
};
void cf_dump(const CfClass *c, unsigned what, FILE *out);
void cf_dump_method(const CfClass *c, const CfMember *m, unsigned what, FILE *out);
/* One instruction as text without newline, like "12: invokevirtual #7 // a/B.c:()V"; returns
 * needed length. */
size_t cf_dump_insn(const CfClass *c, const CfInsn *i, char *buf, size_t cap);

#ifdef __cplusplus
}
#endif

#endif
