/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci.h - rewrite class files: the public interface and manual of bci-lib.
 *
 * No VM is needed or called: the library serves JVM TI agents on any JVM as well as tools.
 *
 * THE SHORTEST USEFUL EDIT
 *
 *     CfError err;  cf_err_clear(&err);
 *     BciClass *c = bci_open(bytes, len, NULL, &err);
 *     for (int i = 0; c && i < bci_method_count(c); i++) {
 *         BciCode *code = bci_code(bci_method(c, i));
 *         if (code)                                          // not abstract, not native
 *             bci_invoke(bci_entry(code), CF_OP_INVOKESTATIC, "my/Probe", "hit", "()V");
 *     }
 *     uint8_t *out; size_t n;
 *     if (c && bci_write(c, NULL, NULL, &out, &n, &err) == CF_OK) { use(out, n); free(out); }
 *     bci_close(c);
 *
 * OBJECTS
 *   BciClass   one edit of one class; owns everything below; freed by bci_close.
 *   BciMethod  a method, original or added.
 *   BciCode    its body as a doubly linked list of BciInsn; made on first bci_code() call.
 *   BciInsn    an instruction, or a label (a place in the list). Labels are objects: no offset
 *              appears anywhere in the interface, so an edit never invalidates anything.
 *   BciPos     "in front of this list node". A plain value; inserting leaves it valid, and what is
 *              inserted at the same position later comes after what was inserted before.
 *
 * OWNERSHIP AND THREADS
 *   Every pointer returned is borrowed from the BciClass and lives until bci_close. The input bytes
 *   must stay alive and unchanged until bci_close. There is no global state: different handles may
 *   be used by different threads at the same time, one handle by one thread at a time.
 *
 * STRINGS are NUL-terminated modified UTF-8; class names have slashes (java/lang/String), types are
 *   descriptors (I, Ljava/lang/String;, [J). Names and descriptors that a class file may not have (4.2,
 *   4.3), and text that is not modified UTF-8, are errors (CF_ERR_USAGE).
 *
 * ERRORS
 *   bci_open, bci_write and functions that return CfErrCode fill a CfError. All others record the
 *   first failure in the method (or class) that they edit and then do nothing, so a sequence of
 *   inserts needs no checks: bci_write reports. Functions that return a pointer return NULL then,
 *   and accept what such a function returned (a BciPos, BciCode, BciLabel of NULL does nothing; bci_write
 *   of a class that bci_open refused gives that error, bci_method_error of NULL is CF_ERR_USAGE).
 *   A failed method fails bci_write, or, with BCI_SKIP_FAILED, is written as it was in the input
 *   (ask bci_method_error). The output is complete and valid, or there is none. What only a verifier
 *   sees (an inserted instruction is given a value of another type, or a local without a value; flags
 *   of members that exclude each other) is looked for with BCI_VERIFY_RESULT.
 *
 * WHAT AN EDIT KEEPS
 *   - A class that was not edited is written byte for byte; so is each method that was not edited.
 *     bci_code() alone is not an edit.
 *   - Constant-pool indices of the input stay as they are; constants are only appended.
 *   - In edited methods: instruction forms (iload_0 / iload 0 / wide iload, ldc / ldc_w ...),
 *     exception table, LineNumberTable, LocalVariable(Type)Table, code offsets inside type
 *     annotations. Attributes of Code that are not known stay as they are, byte for byte, also where
 *     they hold offsets, which nobody can tell (as with ASM and plans); BCI_DROP_UNKNOWN and
 *     BCI_REFUSE_UNKNOWN say otherwise. Far jumps, switch padding and ldc width are taken care of.
 *   - Branches to an instruction reach what is inserted in front of it (bci_before); they do not
 *     run what is inserted at bci_entry or after the preceding instruction (bci_after).
 *
 * FRAMES: no class is loaded or looked up. See BciFrames and bci-lib/README.md.
 *
 * COST. A method in which instructions were inserted and nothing else was done is written with shifted
 * offsets if each inserted piece leaves the stack and the locals of the input as they were (calls of
 * probes with constants, copies of values, fields and array elements that count; not branches, new
 * labels, handlers, or locals that one piece sets and another reads). Any other edit has the data flow
 * of the method run, which costs some four times as much.
 */
#ifndef BCI_H
#define BCI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "classfile.h" /* CfError; CF_OP_* opcode numbers; CF_ACC_* flags */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BciClass BciClass;
typedef struct BciMethod BciMethod;
typedef struct BciCode BciCode;
typedef struct BciInsn BciInsn;
typedef struct BciLabel BciLabel;

/* ---- open, write, close ---------------------------------------------------------------- */

/* How StackMapTable of an edited method is made (class versions from 50 on). */
typedef enum BciFrames {
    /* The frames of the input stay at their labels and are extended by new locals; only places that
     * had no frame get a computed one. Where an edit made a kept frame wrong (it changed types or
     * stack depth across an old label), the method falls back to BCI_FRAMES_REBUILD by itself. So it
     * does where inserted code stores another class into an old local than a kept frame names, unless
     * BciTypes says that it is a subclass. If that class meets others at a label and nobody knows what
     * they have in common, the method fails, naming the place and both classes: cast the value, give
     * BciTypes, or take BCI_FRAMES_REBUILD, which believes that the frame's class is right. */
    BCI_FRAMES_KEEP = 0,
    /* All frames from data flow. Where different types meet, the type is taken from the frame of
     * the input at that label, else from the oracle, else java/lang/Object. If an instruction wants a
     * class of that Object (a receiver of a method or field; in code copied from a class without frames
     * also an argument, a result, the value of a field), the method fails, naming both. */
    BCI_FRAMES_REBUILD
} BciFrames;

/* Optional knowledge about classes. Must not load classes. */
typedef struct BciTypes {
    void *ctx;
    /* Internal name of the nearest common superclass of two classes (neither is an array), or NULL
     * if it cannot be told. The result must stay valid until bci_write returns. */
    const char *(*common_super)(void *ctx, const char *a, const char *b);
} BciTypes;

enum {
    BCI_SKIP_FAILED = 1, /* a method that failed is written unchanged instead of failing the class */
    /* Entries of the constant pool and bootstrap methods that nothing refers to any more are left
     * out and the rest is numbered anew (cf_pool_collect): indices of the input are not kept. A
     * class with an attribute that is not known or is malformed keeps its pool as it is, since
     * indices in it could not follow. */
    BCI_COMPACT_POOL = 2,
    /* bci_write checks and verifies what it made (cf_check; cf_verify for versions from 50 on, with
     * every class taken to be assignable to every other, since no class is loaded) and fails instead
     * of returning a class that does not pass: for debug builds of agents. */
    BCI_VERIFY_RESULT = 4,
    /* Attributes of Code that the library does not know (JVMS 4.7.1 allows any) may hold code offsets,
     * javac's CharacterRangeTable does, and those would be wrong in a method whose code has moved.
     * Without a flag they are kept as they are. DROP leaves them out of methods that were edited;
     * REFUSE has such a method fail (CF_ERR_USAGE). Methods that were not edited, or only marked as
     * changed and written from their list, keep theirs always. */
    BCI_DROP_UNKNOWN = 8,
    BCI_REFUSE_UNKNOWN = 16,
    BCI_OUTLINE = 32 /* methods that edits made too long are cut, see OUTLINING */
};

typedef struct BciOptions {
    BciFrames frames;
    unsigned flags;        /* BCI_SKIP_FAILED ... */
    const BciTypes *types; /* may be NULL */
} BciOptions;

/* Parses `bytes`. `options` may be NULL (all zero). NULL on failure. Code is not decoded yet. */
BciClass *bci_open(const uint8_t *bytes, size_t len, const BciOptions *options, CfError *err);

/* Memory for the result: NULL alloc = malloc. Called once, with the exact size. */
typedef void *(*BciAlloc)(void *ctx, size_t size);

/* Makes the new class file. May be called once, when all edits are done; afterwards only
 * bci_method_error, bci_insn_offset and bci_close are useful. */
CfErrCode bci_write(BciClass *c, BciAlloc alloc, void *ctx, uint8_t **out, size_t *len, CfError *err);

/* OUTLINING (BCI_OUTLINE). The code of a method may have 65,535 bytes. A method that edits made longer
 * fails; with this option parts of it are moved to new private static synthetic methods of the same
 * class, called NAME$outlined$NUMBER, until it is short enough:
 *
 *     BciOptions options = {.flags = BCI_OUTLINE | BCI_SKIP_FAILED};
 *     BciClass *c = bci_open(bytes, len, &options, &err);
 *     ... edits ...
 *     bci_write(c, NULL, NULL, &out, &n, &err);
 *     for (int i = 0; i < bci_method_count(c); i++)
 *         if (bci_outlined(bci_method(c, i)))
 *             printf("%s was cut\n", bci_method_name(bci_method(c, i)));
 *
 * A part has one entry, one way out and at most one result, a local or a value on the stack; what it
 * reads are its parameters. Elements of a long array initialiser can be parts too. What stays: code in
 * front of super(), writes of final fields (class version 53 on), calls of getCallerClass (Reflection,
 * StackWalker) and getClassContext.
 * As few parts as possible are made, outside of loops if there is a choice; the same input gives the
 * same output. Lines, variables and exception rows move along. If that does not make it short enough, the
 * method fails as without the option, and the error says why. Methods with jsr, and those of
 * interfaces below class version 52, are not cut.
 *   What can be seen: one more frame in stack traces and StackWalker, with the right line; more methods in
 * getDeclaredMethods (marked synthetic; the default serialVersionUID is the same); in a debugger, a variable
 * that a part writes and nobody reads behind it keeps its old value in the method.
 *   Where a class must keep its members, which is so when it is retransformed or redefined, leave the
 * option out: a class that was cut when it was loaded can only be retransformed to one with the
 * same methods, which the same edits of the same bytes give. */

/* True if some edit was made (if false, the caller may as well keep the input). */
bool bci_changed(const BciClass *c);
void bci_close(BciClass *c); /* NULL is allowed */

/* The version of the library that runs, "MAJOR.MINOR.PATCH"; the headers' own is BCI_VERSION of bci_version.h, which is installed
 * beside them. A library of the same MAJOR (while that is 0: of the same MINOR) and of a later version serves older headers. */
const char *bci_version(void);

/* ---- the class ------------------------------------------------------------------------- */

const char *bci_class_name(BciClass *c);
const char *bci_super_name(BciClass *c); /* NULL for java/lang/Object and modules */
unsigned bci_class_access(const BciClass *c);
unsigned bci_major(const BciClass *c);
const char *bci_source_file(BciClass *c); /* SourceFile attribute or NULL */
uint32_t bci_interface_count(const BciClass *c);
const char *bci_interface(BciClass *c, uint32_t i);
/* The parsed input, for everything else (attributes, fields, pool). Read-only. */
const CfClass *bci_model(const BciClass *c);

void bci_set_class_access(BciClass *c, unsigned access);
void bci_add_interface(BciClass *c, const char *name);
/* Adds a field without attributes. False if it exists already or on error. */
bool bci_add_field(BciClass *c, unsigned access, const char *name, const char *desc);
/* Adds an attribute to a field of the input or an added one. For a constant, "ConstantValue" with the two
 * bytes of the index that bci_cp_int and so on gave; of a type that fits (4.7.2), static fields only. */
void bci_field_attribute(BciClass *c, const char *name, const char *desc, const char *attribute, const void *data, size_t len);
bool bci_has_field(BciClass *c, const char *name, const char *desc);

/* Constant pool: index of an existing equal entry or of a new one; 0 on error (pool full). */
uint16_t bci_cp_utf8(BciClass *c, const char *s);
uint16_t bci_cp_int(BciClass *c, int32_t v);
uint16_t bci_cp_float(BciClass *c, float v);
uint16_t bci_cp_long(BciClass *c, int64_t v);
uint16_t bci_cp_double(BciClass *c, double v);
uint16_t bci_cp_class(BciClass *c, const char *name);
uint16_t bci_cp_string(BciClass *c, const char *s);
uint16_t bci_cp_name_type(BciClass *c, const char *name, const char *desc);
uint16_t bci_cp_field(BciClass *c, const char *owner, const char *name, const char *desc);
uint16_t bci_cp_method(BciClass *c, const char *owner, const char *name, const char *desc, bool itf);
/* `kind` 1..9 (JVMS 4.4.8), `ref` index of the Fieldref, Methodref or InterfaceMethodref. */
uint16_t bci_cp_method_handle(BciClass *c, unsigned kind, uint16_t ref);
uint16_t bci_cp_method_type(BciClass *c, const char *desc);
/* Adds a row to BootstrapMethods (made if absent): *index is its number. */
bool bci_add_bootstrap(BciClass *c, uint16_t method_handle, const uint16_t *args, unsigned nargs, uint16_t *index);
uint16_t bci_cp_dynamic(BciClass *c, uint16_t bootstrap, const char *name, const char *desc);
uint16_t bci_cp_invoke_dynamic(BciClass *c, uint16_t bootstrap, const char *name, const char *desc);

/* Reading entries of the pool (input or added). NULL / false if `index` is not of that kind. */
const char *bci_cp_utf8_at(BciClass *c, uint16_t index);
const char *bci_cp_class_at(BciClass *c, uint16_t index);
/* Fieldref, Methodref, InterfaceMethodref; for (Invoke)Dynamic owner is NULL. Out parameters may be
 * NULL. */
bool bci_cp_member_at(BciClass *c, uint16_t index, const char **owner, const char **name, const char **desc);
unsigned bci_cp_tag_at(const BciClass *c, uint16_t index); /* 0 if out of range */

/* ---- methods --------------------------------------------------------------------------- */

int bci_method_count(const BciClass *c); /* with added ones, which come last */
BciMethod *bci_method(BciClass *c, int i);
BciMethod *bci_find_method(BciClass *c, const char *name, const char *desc); /* desc may be NULL */
const char *bci_method_name(BciMethod *m);
const char *bci_method_desc(BciMethod *m);
unsigned bci_method_access(const BciMethod *m);
int bci_method_index(const BciMethod *m);
BciClass *bci_method_class(BciMethod *m);

/* The body; decoded on the first call. NULL if the method has none (abstract, native) or if it
 * cannot be decoded (see bci_method_error). */
BciCode *bci_code(BciMethod *m);
/* After bci_write: how many methods were made of parts of this one (BCI_OUTLINE). */
uint32_t bci_outlined(const BciMethod *m);
/* CF_OK, or why edits of the method failed; fills `err`. */
CfErrCode bci_method_error(const BciMethod *m, CfError *err);
/* Counts as an edit: the method is written anew, with frames and sizes as BciOptions say (with
 * BCI_FRAMES_KEEP and no other edit, from its list but with the tables that it had). */
void bci_mark_changed(BciCode *code);
/* Throws away all edits of the body, and its error. */
void bci_revert(BciMethod *m);

/* Adds a method. Unless abstract or native it has an empty body to be filled at bci_end(), which must have
 * been done when the class is written; a name and descriptor that exist already are an error. */
BciMethod *bci_add_method(BciClass *c, unsigned access, const char *name, const char *desc);
void bci_set_method_access(BciMethod *m, unsigned access);
/* An error if another method has that name, and the descriptor of `m`, at this time. */
void bci_rename_method(BciMethod *m, const char *name);
/* Adds an attribute with the given content to an added method (e.g. Synthetic, Exceptions). Not Code,
 * and none that the method has already if there may be only one (4.7). */
void bci_method_attribute(BciMethod *m, const char *name, const void *data, size_t len);
/* Turns the native method `m` into NAME-prefixed form (SetNativeMethodPrefix of JVM TI): `m`
 * becomes prefix+name, private-ised as far as allowed, and a new method with the old name, access
 * and Java-level attributes calls it. Returns the new method (its code is: load arguments, call,
 * return). */
BciMethod *bci_wrap_native(BciMethod *m, const char *prefix);

/* Adds to `to` a method like `from`, which may belong to another handle, under the name `name` (NULL:
 * its own), with the same descriptor, access and attributes; what it refers to in the constant pool
 * is made in `to`. Attributes that are not known are left out. Code is taken as it stands in from's
 * input, or, after bci_write, in its output: unwritten edits are an error (CF_ERR_USAGE). References
 * to from's own class stay what they are; bci_rename from's handle first if they are to follow.
 * A method from a class version below 51 without StackMapTable gets frames where `to` needs them
 * (4.10.1), unless it has jsr; if different classes meet in it and are used as something that they have
 * in common, BciTypes of `to` must know what. NULL on failure, which `to` or the new method records. */
BciMethod *bci_copy_method(BciClass *to, BciMethod *from, const char *name);
/* The same for a field: with its access and attributes, its ConstantValue among them. The code of <clinit>
 * that gives it another value does not come along. False on failure, which `to` records. */
bool bci_copy_field(BciClass *to, const BciClass *from, const char *name, const char *desc, const char *as);
/* Replaces the body of `to` by that of `from`, in the same way: descriptors must be equal and both
 * static or not. Edits of the old body, and nodes of it that the caller holds, are gone. */
bool bci_copy_body(BciMethod *to, BciMethod *from);

/* ---- renaming ----------------------------------------------------------------------------- */

/* What classes and members are to be called. Callbacks get names of the input; they return the new
 * name, which must stay valid until the next call, or NULL to keep the old one. */
typedef struct BciNames {
    void *ctx;
    /* `name` is that of a class or interface (a/b/C), never an array. A package, as module
     * attributes name it, is asked for as a/b/package-info. NULL = no class is renamed. */
    const char *(*class_name)(void *ctx, const char *name);
    /* A field (desc I) or method (desc ()V) of `owner`, the class that the reference or declaration
     * names: a member that is inherited is asked for with each class it is referred through. desc
     * is NULL where an annotation names its element. Constructors are not asked for. NULL = none. */
    const char *(*member_name)(void *ctx, const char *owner, const char *name, const char *desc);
    unsigned flags; /* BCI_NAMES_STRINGS */
} BciNames;

enum {
    /* String constants that have the form of a class name, with dots or slashes, follow class_name
     * too (Class.forName, resource bundles). */
    BCI_NAMES_STRINGS = 1
};

/* Renames in every place where names stand: the class and its members, pool entries (classes, member
 * references, method types, packages: 4.4), descriptors, generic signatures (4.7.9.1), annotations
 * (4.7.16-22), InnerClasses, EnclosingMethod, Record, Module, nest and permitted classes, bootstrap
 * arguments, local variable tables, frames; the name of a call made by LambdaMetafactory follows the
 * interface's method. Code is not decoded and not changed. Texts that are no valid descriptor or
 * signature stay, and so do attributes that are not known (Kotlin's and Scala's metadata too).
 * What Enum.name() gives is a string that code passes to the constructor: it stays when the field of an
 * enum constant is renamed, and so do values of annotations, which are looked up by it.
 * Strings that the compiled method $deserializeLambda$ compares with names of classes and with
 * descriptors follow always (other code that has the same string as a constant sees the new one).
 * What it asks of names of methods stays: those that implement a serializable lambda, and that of its
 * interface, must keep theirs.
 * To be called before bci_code. Then the handle may be edited further, under the new names. On
 * failure (pool or memory exhausted, malformed attribute) the handle has failed: bci_write gives
 * the same error.
 *     Overriding methods must be renamed together: that is the callback's concern. */
CfErrCode bci_rename(BciClass *c, const BciNames *names, CfError *err);

/* One row of a list of names. */
typedef struct BciRenaming {
    const char *owner; /* class a/b/C: it and the classes nested in it; or a/b/: all below a package */
    const char *name;  /* member of `owner`; NULL: the row is about `owner` itself */
    const char *desc;  /* its descriptor; NULL = any. An element of an annotation fits any ()... */
    const char *to;    /* new name of the member, or what takes the place of `owner` */
} BciRenaming;
/* bci_rename by a list: the longest owner wins for classes, the first row for members.
 *     static const BciRenaming shade[] = {{"org/json/", NULL, NULL, "my/shaded/json/"}};
 *     bci_rename_list(c, shade, 1, BCI_NAMES_STRINGS, &err);  */
CfErrCode bci_rename_list(BciClass *c, const BciRenaming *rows, size_t n, unsigned flags, CfError *err);

/* ---- the instruction list ---------------------------------------------------------------- */

enum { BCI_LABEL_NODE = 0x100 }; /* `op` of a label node; real instructions have op <= 201 */
#define BCI_NO_PC UINT32_MAX

typedef struct BciSwitch {
    int32_t *keys;      /* ascending; tableswitch: low, low + 1, ... */
    BciLabel **targets; /* one per key */
    BciLabel *deflt;
    uint32_t n;
} BciSwitch;

/* One node. Fields may be read freely; change them only through functions. */
struct BciInsn {
    BciInsn *prev, *next;
    uint16_t op;     /* CF_OP_* as in the class file (never WIDE), or BCI_LABEL_NODE */
    uint16_t flags;  /* BCI_F_* */
    uint32_t pc;     /* offset in the input, BCI_NO_PC if inserted */
    uint16_t index;  /* pool index, or number of the local variable (also of iload_0 etc.) */
    int16_t value;   /* bipush, sipush, iinc; dimensions of multianewarray; newarray type */
    uint32_t user;   /* free for the caller; 0 at first */
    uint16_t line;   /* source line, 0 = unknown; inserted code: that of its place */
    uint16_t mark;   /* internal */
    uint32_t offset; /* internal: place in the output */
    union {
        BciLabel *target; /* CF_OF_BRANCH */
        BciSwitch *sw;    /* CF_OF_SWITCH */
        uint32_t site;    /* internal: CF_OP_NEW, labels */
    };
};

enum {
    BCI_F_WIDE = 1,  /* had a wide prefix (kept on output; set by itself when needed) */
    BCI_F_NEW = 2,   /* was inserted by an edit */
    BCI_F_EXIT = 4,  /* belongs to the code of a normal exit: outside of bci_on_throw ranges */
    BCI_F_CALLED = 8 /* internal: the call that inserted it is known (checked mode) */
};

/* A label is a node; use bci_label_node to step on in the list. */
struct BciLabel {
    BciInsn node;           /* op == BCI_LABEL_NODE */
    bool placed;            /* stands in the list */
    bool is_target;         /* some branch or switch goes here (in the input, or by a later edit) */
    bool is_handler;        /* some exception table row enters here */
    BciCode *code;          /* the only one in which it may be placed and used */
    struct BciPoint *point; /* internal: frame and flow state */
};
static inline BciInsn *bci_label_node(BciLabel *l) { return l ? &l->node : NULL; }
static inline bool bci_is_label(const BciInsn *i) { return i->op == BCI_LABEL_NODE; }
static inline BciLabel *bci_as_label(BciInsn *i) { return (BciLabel *)i; }

/* First and last node. The last is always a label, the end of the code; nothing can be put after
 * it. */
BciInsn *bci_first(BciCode *code);
BciInsn *bci_last(BciCode *code);
/* Next or previous instruction, skipping labels; NULL at the ends. bci_first_insn starts a walk:
 *     for (BciInsn *i = bci_first_insn(code); i; i = bci_next(i)) ... */
BciInsn *bci_first_insn(BciCode *code);
BciInsn *bci_next(const BciInsn *i);
BciInsn *bci_prev(const BciInsn *i);
/* Next instruction from `from` on (inclusive) with this opcode, NULL if none. */
BciInsn *bci_find_op(BciInsn *from, unsigned op);
/* Original instruction at offset `pc` of the input, NULL if there is none. */
BciInsn *bci_insn_at(BciCode *code, uint32_t pc);
/* Kinds of instructions (all false for labels). */
bool bci_is_return(const BciInsn *i); /* ireturn .. return */
bool bci_is_invoke(const BciInsn *i);
bool bci_is_field(const BciInsn *i);
bool bci_is_cond(const BciInsn *i); /* two-way branch: target and fall-through */
bool bci_is_end(const BciInsn *i);  /* never falls through: goto, switch, return, athrow, ret, jsr */
bool bci_can_throw(const BciInsn *i);
const char *bci_op_name(unsigned op);

BciMethod *bci_code_method(const BciCode *code);
BciClass *bci_code_class(const BciCode *code);
uint32_t bci_max_locals(const BciCode *code);
uint32_t bci_code_length(const BciCode *code); /* bytes in the input, 0 for added methods */

/* ---- positions ------------------------------------------------------------------------- */

typedef struct BciPos {
    BciCode *code;
    BciInsn *next; /* insertion goes in front of this node */
} BciPos;

/* In front of `i`, behind its labels: branches to `i` run the inserted code. */
BciPos bci_before(BciCode *code, BciInsn *i);
/* Directly behind `i`, in front of labels that follow: only falling out of `i` runs it. It stands in
 * front of what is inserted before the next instruction of the input. */
BciPos bci_after(BciCode *code, BciInsn *i);
/* Behind the label itself. */
BciPos bci_at_label(BciCode *code, BciLabel *l);
/* Start of the method, run once per call even if branches go to the first instruction; outside
 * of all exception ranges; gets the line of the first instruction, and parameters stay visible
 * there. In a constructor `this` is not initialised there. */
BciPos bci_entry(BciCode *code);
/* As bci_entry, but in a constructor behind the call of this(...) or super(...), where `this` may
 * be used. If a constructor has several such calls, behind the first in code order (see
 * bci_is_init_call to reach all); if it has none, as bci_entry. */
BciPos bci_entry_initialised(BciCode *code);
/* True if `i` is the invokespecial <init> that initialises `this` of a constructor. */
bool bci_is_init_call(BciCode *code, const BciInsn *i);
/* End of the code (only meaningful if it cannot be fallen into, or to fill an added method). */
BciPos bci_end(BciCode *code);
/* In front of the first instruction of each run of instructions with that line number; returns the
 * count, stores at most `max`. */
uint32_t bci_line_starts(BciCode *code, unsigned line, BciPos *out, uint32_t max);
/* On the edge from branch or switch `i` to `target`, or (target NULL) on its fall-through edge. The
 * code at this position runs only when control takes this edge. All cases of a switch with the
 * same target share one edge; for a single case see bci_on_case. The code of taken edges of
 * conditional branches and switches stands at the end of the body, outside of the try ranges of
 * `i`. */
BciPos bci_on_edge(BciCode *code, BciInsn *i, BciLabel *target);
/* Only for case number `k` of switch `i` (k == sw->n: default). */
BciPos bci_on_case(BciCode *code, BciInsn *i, uint32_t k);

/* ---- changing the list ------------------------------------------------------------------ */

/* Takes an instruction out (labels stay). NULL, labels and what is deleted already are left alone, here
 * and by the others. */
void bci_delete(BciCode *code, BciInsn *i);
/* Takes out all instructions from `first` to `last`, both included. */
void bci_delete_range(BciCode *code, BciInsn *first, BciInsn *last);
/* Deletes `i` and gives the position where it stood: branches to `i` reach the replacement. */
BciPos bci_replace(BciCode *code, BciInsn *i);
/* Changes where a branch goes. */
void bci_set_target(BciCode *code, BciInsn *branch, BciLabel *target);
/* Changes the opcode to one with the same operand format (e.g. ifeq -> ifne); not to jsr or ret. */
void bci_set_op(BciCode *code, BciInsn *i, unsigned op);
/* Changes the pool index (field, call, class, constant); the count of an invokeinterface follows. */
void bci_set_index(BciCode *code, BciInsn *i, uint16_t index);

/* A new label, not yet placed; and its placing (once). bci_label_here does both. */
BciLabel *bci_new_label(BciCode *code);
void bci_place(BciPos at, BciLabel *l);
BciLabel *bci_label_here(BciPos at);
/* The label in front of `i`, made if there is none. */
BciLabel *bci_label_of(BciCode *code, BciInsn *i);

/* A local variable that nothing else uses: kind 'I' 'J' 'F' 'D' 'A', or any descriptor's first letter.
 * Returns its slot. It has no value before your code stores one (store at bci_entry what is to be valid
 * everywhere). */
uint32_t bci_new_local(BciCode *code, char kind);

/* Instructions. Each inserts at `at` and returns the node (the last one if several are needed).
 * Kinds are 'I' 'J' 'F' 'D' 'A'; also any descriptor's first letter. */
BciInsn *bci_op(BciPos at, unsigned op); /* any opcode without operands */
BciInsn *bci_int(BciPos at, int32_t v);  /* smallest of iconst bipush sipush ldc */
BciInsn *bci_long(BciPos at, int64_t v);
BciInsn *bci_float(BciPos at, float v);
BciInsn *bci_double(BciPos at, double v);
BciInsn *bci_string(BciPos at, const char *s);
BciInsn *bci_ldc(BciPos at, uint16_t index);         /* any loadable pool entry */
BciInsn *bci_ldc_class(BciPos at, const char *name); /* needs class version 49 */
BciInsn *bci_load(BciPos at, char kind, uint32_t slot);
BciInsn *bci_store(BciPos at, char kind, uint32_t slot);
BciInsn *bci_iinc(BciPos at, uint32_t slot, int by);
BciInsn *bci_field(BciPos at, unsigned op, const char *owner, const char *name, const char *desc);
/* invokevirtual, invokespecial, invokestatic on a class; invokeinterface. */
BciInsn *bci_invoke(BciPos at, unsigned op, const char *owner, const char *name, const char *desc);
/* invokespecial, invokestatic of a method of an interface. */
BciInsn *bci_invoke_itf(BciPos at, unsigned op, const char *owner, const char *name, const char *desc);
BciInsn *bci_invoke_dynamic(BciPos at, uint16_t bootstrap, const char *name, const char *desc);
/* new anewarray checkcast instanceof */
BciInsn *bci_type(BciPos at, unsigned op, const char *name);
BciInsn *bci_new_object(BciPos at, const char *name);     /* new, dup */
BciInsn *bci_new_array(BciPos at, const char *elem_desc); /* newarray or anewarray */
BciInsn *bci_multi_array(BciPos at, const char *desc, unsigned dims);
BciInsn *bci_jump(BciPos at, unsigned op, BciLabel *target); /* goto and all conditional branches */
/* tableswitch or lookupswitch, whichever is smaller. Keys ascending. */
BciInsn *bci_switch(BciPos at, const int32_t *keys, BciLabel *const *targets, uint32_t n, BciLabel *deflt);
BciInsn *bci_return(BciPos at);                  /* the one that fits the method */
void bci_box(BciPos at, const char *desc);       /* primitive on the stack -> its wrapper */
void bci_unbox(BciPos at, const char *desc);     /* Object on the stack -> type `desc` */
void bci_load_args(BciPos at);                   /* all parameters, without this */
void bci_dup_value(BciPos at, const char *desc); /* dup, dup2 or (void) nothing */
/* Slot of parameter number `n` (0 = the first declared one), its descriptor in *desc; -1 if there
 * is none. */
int bci_param_slot(BciMethod *m, unsigned n, const char **desc);
const char *bci_return_desc(BciMethod *m);

/* ---- whole-method insertions ---------------------------------------------------------------- */

/* Emits code at `at`; `site` is the instruction it is for (NULL for bci_on_throw). */
typedef void (*BciEmit)(BciPos at, BciInsn *site, void *arg);

/* In front of each return instruction; the result, if any, is on the stack. */
void bci_each_return(BciCode *code, BciEmit emit, void *arg);
/* When an exception leaves the method: one catch-any handler, last in the exception table, over all
 * of the present code except what bci_entry inserted, the code of exits made by bci_each_return
 * with their returns, and, in constructors, what runs before this is initialised. `emit` finds the
 * Throwable on the stack and must leave it there; it is thrown on afterwards. Call it
 * after bci_each_return and the entry insertion. False if there is nothing to cover. */
bool bci_on_throw(BciCode *code, BciEmit emit, void *arg);
/* Position at the start of the static initialiser, which is made if there is none. */
BciPos bci_clinit_entry(BciClass *c);

/* ---- tables ------------------------------------------------------------------------------ */

typedef struct BciTry {
    BciLabel *start, *end, *handler;
    uint16_t type; /* pool index of the class, 0 = any */
} BciTry;
uint32_t bci_try_count(const BciCode *code);
const BciTry *bci_try(const BciCode *code, uint32_t i);
/* Adds a row; type NULL = any; `first`: in front of the others (wins), else behind them. `end` behind
 * `start` in the list, or the method fails; a row that covers nothing when the class is written (all its
 * code was deleted, say) is left out. */
void bci_add_try(BciCode *code, BciLabel *start, BciLabel *end, BciLabel *handler, const char *type, bool first);

typedef struct BciLine {
    BciLabel *start;
    unsigned line;
} BciLine;
uint32_t bci_line_count(const BciCode *code);
const BciLine *bci_line_entry(const BciCode *code, uint32_t i); /* order of the input */
/* From `start` on, up to the next row, code has that line. The label may have a row already: it is
 * replaced. Code behind the label that belongs to the input keeps its line only if it has a row of its
 * own; that of pc 0 is resumed behind what bci_entry inserts. Where deletions bring rows to one place,
 * only that of the last label is written, for it is the line of the code there. */
void bci_add_line(BciCode *code, BciLabel *start, unsigned line);

typedef struct BciVar {
    BciLabel *start, *end;
    const char *name, *desc; /* desc: signature for rows of LocalVariableTypeTable */
    uint16_t slot;
    bool is_signature;
} BciVar;
uint32_t bci_var_count(const BciCode *code);
const BciVar *bci_var(const BciCode *code, uint32_t i);
/* `slot`, and for long and double the next one, is a parameter's or was made by bci_new_local. */
void bci_add_var(BciCode *code, BciLabel *start, BciLabel *end, const char *name, const char *desc, uint32_t slot);

/* ---- control-flow graph --------------------------------------------------------------------- */

typedef enum BciEdgeKind { BCI_EDGE_FALL, BCI_EDGE_JUMP, BCI_EDGE_CASE, BCI_EDGE_THROW } BciEdgeKind;

typedef struct BciEdge {
    uint32_t from, to; /* block numbers */
    BciEdgeKind kind;
    uint32_t arg; /* CASE: case number, n = default; THROW: row of the try table */
} BciEdge;

typedef struct BciBlock {
    BciInsn *first, *last; /* instructions (not labels), both included */
    uint32_t succ, nsucc;  /* edges[succ .. succ + nsucc), THROW edges last */
    uint32_t pred, npred;  /* edges[preds[pred .. pred + npred)] */
    bool reachable;        /* from the entry, THROW edges included */
    bool is_handler;
} BciBlock;

typedef struct BciCfg {
    BciBlock *blocks; /* in code order; block 0 is the entry */
    uint32_t nblocks;
    BciEdge *edges;
    uint32_t nedges;
    uint32_t *preds;
} BciCfg;

enum {
    BCI_CFG_SPLIT_THROW = 1, /* end blocks at try-range borders too */
    BCI_CFG_SPLIT_LINES = 2  /* and where a line starts */
};
/* The graph of the code as it stands now; not kept up to date by later edits. Blocks end at
 * branches, switches, returns, throws, and in front of branch targets and handlers. A jsr is an
 * edge to the subroutine and to its fall-through, ret has no successors. NULL on error. */
const BciCfg *bci_cfg(BciCode *code, unsigned flags);
/* Block that holds the instruction; -1 if none. */
int bci_cfg_block(const BciCfg *cfg, const BciInsn *i);

/* Immediate dominators: by block the last block that all ways from the entry to it pass, other than
 * itself; 0 for block 0, BCI_NO_BLOCK for blocks that cannot be reached. THROW edges count as ways.
 * NULL on error. */
#define BCI_NO_BLOCK UINT32_MAX
const uint32_t *bci_dominators(BciCode *code, const BciCfg *cfg);
/* Do all ways from the entry to `b` pass `a`? (Each block dominates itself.) A branch from `b` back to
 * an `a` that dominates it makes a loop with head `a`. */
bool bci_dominates(const uint32_t *idom, uint32_t a, uint32_t b);

/* Liveness of local variable slots. In a block with handlers, what a handler reads is live all
 * through the block (BCI_CFG_SPLIT_THROW gives smaller blocks). A long or double is two slots. */
typedef struct BciLiveness BciLiveness;
const BciLiveness *bci_liveness(BciCode *code, const BciCfg *cfg);
/* May the value that `slot` has in front of `i` still be read? */
bool bci_live(const BciLiveness *l, const BciInsn *i, uint32_t slot);

/* ---- types ------------------------------------------------------------------------------------- */

typedef struct BciTyped {
    char kind;        /* 'I' 'J' 'F' 'D'; 'A' reference; 'N' null; 'U' object that is not initialised yet;
                  'R' return address of jsr; '2' second slot of J or D; 0 = nothing that can be used */
    const char *name; /* 'A': class (a/b/C) or array descriptor ([I) */
    BciInsn *site;    /* 'U': its `new`; NULL = this, in a constructor */
} BciTyped;
typedef struct BciState {
    const BciTyped *locals, *stack; /* by slot; the top of the stack is stack[depth - 1] */
    uint32_t nlocals, depth;
} BciState;
/* What the locals and the stack hold in front of `i`, with verification types (4.10.1.2), in the list
 * as it stands. Computed by the data flow that makes frames, with its knowledge of classes (BciFrames,
 * BciTypes); kept until the next edit, so many questions cost one flow. False, with *out empty, if
 * `i` cannot be reached (but dead code that had a frame in the input has that state) or the method
 * has failed; code whose stack does not balance fails the method here as it would in bci_write. The
 * arrays live until bci_close. */
bool bci_state(BciCode *code, BciInsn *i, BciState *out);

/* ---- patterns ---------------------------------------------------------------------------------- */

/* Kinds of instructions for patterns, besides single opcodes. */
enum {
    BCI_ANY = 0x200,
    BCI_ANY_CONST, /* aconst_null .. ldc2_w */
    BCI_ANY_LOAD,  /* of a local */
    BCI_ANY_STORE,
    BCI_ANY_FIELD,
    BCI_ANY_INVOKE,
    BCI_ANY_RETURN,
    BCI_ANY_COND /* conditional branch */
};
/* The first place, from `from` on, where `n` instructions in a row are of these kinds and control can
 * enter them only at the first. found[0 .. n) get the instructions (found may be NULL, and may be
 * partly written without a match). NULL if there is none.
 *     static const uint16_t sum[] = {BCI_ANY_LOAD, BCI_ANY_CONST, CF_OP_IADD};
 *     for (BciInsn *f[3], *i = bci_first(code); (i = bci_find_pattern(i, sum, 3, f)); i = f[2]) ... */
BciInsn *bci_find_pattern(BciInsn *from, const uint16_t *ops, uint32_t n, BciInsn **found);
/* Is `i` a field access or a call of that member? NULL = any; an invokedynamic has no owner. */
bool bci_refers_to(BciCode *code, const BciInsn *i, const char *owner, const char *name, const char *desc);

/* After bci_write: offset of an instruction in the new code; BCI_NO_PC if the method was written
 * unchanged, or the instruction was deleted (as dead code is). */
uint32_t bci_insn_offset(const BciCode *code, const BciInsn *i);

/* ---- checked mode ------------------------------------------------------------------------------ */

/* With BCI_CHECKED defined before bci.h is included, calls that edit code note where in the caller's
 * source they stand, and errors name that place: a usage error its own call ("label placed twice
 * (agent.c:42)"), an error in the stack the call that made the inserted instruction at which, or
 * before which, it shows. It costs 16 bytes for each inserted instruction. The functions stay the
 * same, so files with and without it go together. The calls are macros then: a compound literal as an
 * argument must stand in parentheses. (Labels and instructions of another method, labels placed twice or
 * never, a stack that underflows or has different depths where ways meet are errors in any mode. An
 * inserted instruction, used with another method, is not noticed. Errors of the class as a whole,
 * such as those of bci_cp_class or of BCI_VERIFY_RESULT, name no call.) */
BciPos bci_called_at(BciPos at, const char *file, int line);
BciCode *bci_called_in(BciCode *code, const char *file, int line);

#ifdef BCI_CHECKED
#define BCI_AT_(at) bci_called_at((at), __FILE__, __LINE__)
#define BCI_IN_(code) bci_called_in((code), __FILE__, __LINE__)
#define bci_before(code, i) bci_before(BCI_IN_(code), i)
#define bci_after(code, i) bci_after(BCI_IN_(code), i)
#define bci_label_of(code, i) bci_label_of(BCI_IN_(code), i)
#define bci_place(at, l) bci_place(BCI_AT_(at), l)
#define bci_label_here(at) bci_label_here(BCI_AT_(at))
#define bci_op(at, op) bci_op(BCI_AT_(at), op)
#define bci_int(at, v) bci_int(BCI_AT_(at), v)
#define bci_long(at, v) bci_long(BCI_AT_(at), v)
#define bci_float(at, v) bci_float(BCI_AT_(at), v)
#define bci_double(at, v) bci_double(BCI_AT_(at), v)
#define bci_string(at, s) bci_string(BCI_AT_(at), s)
#define bci_ldc(at, index) bci_ldc(BCI_AT_(at), index)
#define bci_ldc_class(at, name) bci_ldc_class(BCI_AT_(at), name)
#define bci_load(at, kind, slot) bci_load(BCI_AT_(at), kind, slot)
#define bci_store(at, kind, slot) bci_store(BCI_AT_(at), kind, slot)
#define bci_iinc(at, slot, by) bci_iinc(BCI_AT_(at), slot, by)
#define bci_field(at, op, owner, name, desc) bci_field(BCI_AT_(at), op, owner, name, desc)
#define bci_invoke(at, op, owner, name, desc) bci_invoke(BCI_AT_(at), op, owner, name, desc)
#define bci_invoke_itf(at, op, owner, name, desc) bci_invoke_itf(BCI_AT_(at), op, owner, name, desc)
#define bci_invoke_dynamic(at, bootstrap, name, desc) bci_invoke_dynamic(BCI_AT_(at), bootstrap, name, desc)
#define bci_type(at, op, name) bci_type(BCI_AT_(at), op, name)
#define bci_new_object(at, name) bci_new_object(BCI_AT_(at), name)
#define bci_new_array(at, elem_desc) bci_new_array(BCI_AT_(at), elem_desc)
#define bci_multi_array(at, desc, dims) bci_multi_array(BCI_AT_(at), desc, dims)
#define bci_jump(at, op, target) bci_jump(BCI_AT_(at), op, target)
#define bci_switch(at, keys, targets, n, deflt) bci_switch(BCI_AT_(at), keys, targets, n, deflt)
#define bci_return(at) bci_return(BCI_AT_(at))
#define bci_box(at, desc) bci_box(BCI_AT_(at), desc)
#define bci_unbox(at, desc) bci_unbox(BCI_AT_(at), desc)
#define bci_load_args(at) bci_load_args(BCI_AT_(at))
#define bci_dup_value(at, desc) bci_dup_value(BCI_AT_(at), desc)
#define bci_delete(code, i) bci_delete(BCI_IN_(code), i)
#define bci_delete_range(code, first, last) bci_delete_range(BCI_IN_(code), first, last)
#define bci_replace(code, i) bci_replace(BCI_IN_(code), i)
#define bci_set_target(code, branch, target) bci_set_target(BCI_IN_(code), branch, target)
#define bci_set_op(code, i, op) bci_set_op(BCI_IN_(code), i, op)
#define bci_set_index(code, i, index) bci_set_index(BCI_IN_(code), i, index)
#define bci_add_try(code, start, end, handler, type, first) bci_add_try(BCI_IN_(code), start, end, handler, type, first)
#define bci_add_line(code, start, line) bci_add_line(BCI_IN_(code), start, line)
#define bci_add_var(code, start, end, name, desc, slot) bci_add_var(BCI_IN_(code), start, end, name, desc, slot)
#define bci_new_local(code, kind) bci_new_local(BCI_IN_(code), kind)
#define bci_on_edge(code, i, target) bci_on_edge(BCI_IN_(code), i, target)
#define bci_on_case(code, i, k) bci_on_case(BCI_IN_(code), i, k)
#define bci_each_return(code, emit, arg) bci_each_return(BCI_IN_(code), emit, arg)
#define bci_on_throw(code, emit, arg) bci_on_throw(BCI_IN_(code), emit, arg)
#endif

#ifdef __cplusplus
}
#endif
#endif
