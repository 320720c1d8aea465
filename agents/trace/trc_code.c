/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_code.c - bytecode of probes: GraftProbe, which all share, and the class of each use.
 *
 * A value of an expression is in three local variables: its kind (LONG, DOUBLE, TRUTH, REF), its bits (doubles raw) and its reference. So code
 * needs no types, boxes nothing, and once it is compiled nothing is left of what is constant.
 *
 * A word is an offset << 8 and a code: a descriptor's letter BCDFIJSZ, 'A' (a reference), 'L' (length of an array), 'S' (of a string), 'N'
 * and 'T' (the number or truth value that stands in place of the offset), 'P' (1 if the reference is the link's constant, else 2).
 */
#include "trc_probe.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "helper_class.h"

#define UNSAFE "jdk/internal/misc/Unsafe"
#define UNSAFE_DESC "L" UNSAFE ";"
#define OBJECT "Ljava/lang/Object;"
#define LINKS "[Ljava/lang/Object;"
#define THROWABLE "Ljava/lang/Throwable;"
#define RECORD_DESC "(IJJ" LINKS OBJECT "I)V"

enum { ACC_HELPER = CF_ACC_PUBLIC | CF_ACC_STATIC };

/* ---- GraftProbe: texts of code, see helper_class.h ------------------------------------------------ */

typedef struct Method {
    const char *name, *desc, *locals, *code; /* locals: kinds of those behind the parameters */
} Method;

static const Method shared[] = {
    /* (Object o 0, links 1, int use 2, int site 3): 4 the link */
    {"find", "(" OBJECT LINKS "II)" LINKS, "A",
     "aload.0 ifnull.null aload.1 astore.4 "
     "loop: aload.4 ifnull.none aload.4 int.0 aaload aload.0 getClass if_acmpeq.found "
     "aload.4 int.2 aaload links astore.4 goto.loop "
     "none: iload.2 iload.3 aload.0 getClass link astore.4 aload.4 ifnull.bad "
     "found: aload.4 areturn null: R_NULL athrow bad: R_MEMBER athrow"},
    {"word", "(" LINKS ")J", "", "aload.0 int.1 aaload longs int.0 laload lreturn"},
    {"kind", "(J)I", "I",
     "lload.0 l2i int.255 iand istore.2 "
     "iload.2 int.65 if_icmpeq.ref iload.2 int.68 if_icmpeq.real iload.2 int.70 if_icmpeq.real "
     "iload.2 int.90 if_icmpeq.truth iload.2 int.84 if_icmpeq.truth "
     "int.0 ireturn real: int.1 ireturn truth: int.2 ireturn ref: int.3 ireturn"},
    /* (long word 0, Object o 2): 3 the code, 4 the offset or number */
    {"bits", "(J" OBJECT ")J", "IJ",
     "lload.0 l2i int.255 iand istore.3 lload.0 int.8 lshr lstore.4 "
     "iload.3 int.73 if_icmpeq.int iload.3 int.74 if_icmpeq.long iload.3 int.90 if_icmpeq.truth iload.3 int.66 if_icmpeq.byte "
     "iload.3 int.83 if_icmpeq.string iload.3 int.76 if_icmpeq.length iload.3 int.68 if_icmpeq.double iload.3 int.70 if_icmpeq.float "
     "iload.3 int.67 if_icmpeq.char iload.3 int.115 if_icmpeq.short iload.3 int.65 if_icmpeq.none lload.4 lreturn "
     "int: U aload.2 lload.4 getInt i2l lreturn long: U aload.2 lload.4 getLong lreturn "
     "byte: U aload.2 lload.4 getByte i2l lreturn short: U aload.2 lload.4 getShort i2l lreturn "
     "char: U aload.2 lload.4 getChar i2l lreturn truth: U aload.2 lload.4 getByte i2l lreturn "
     "float: U aload.2 lload.4 getFloat f2d toBits lreturn double: U aload.2 lload.4 getLong lreturn "
     "length: aload.2 arrayLength i2l lreturn "
     "string: U aload.2 STRING_VALUE getReference arrayLength U aload.2 STRING_CODER getByte ishr i2l lreturn none: lconst_0 lreturn"},
    {"ref", "(J" OBJECT ")" OBJECT, "",
     "lload.0 l2i int.255 iand int.65 if_icmpne.none U aload.2 lload.0 int.8 lshr getReference areturn none: aconst_null areturn"},
    /* (Object o 0, links 1, int use 2, int site 3): 4 link, 5 word, 7 code, 8 steps */
    {"measure", "(" OBJECT LINKS "II)J", "AJII",
     "int.0 istore.8 loop: iload.8 iconst_1 iadd istore.8 iload.8 int.20 if_icmpgt.deep "
     "aload.0 aload.1 iload.2 iload.3 find astore.4 aload.4 word lstore.5 lload.5 l2i int.255 iand istore.7 "
     "iload.7 int.65 if_icmpeq.more iload.7 int.80 if_icmpeq.pair lload.5 aload.0 bits lreturn "
     "more: lload.5 aload.0 ref astore.0 goto.loop "
     "pair: U aload.0 lload.5 int.8 lshr getReference aload.4 int.3 aaload if_acmpeq.one lconst_1 lconst_1 ladd lreturn one: lconst_1 lreturn "
     "deep: R_MEMBER athrow"},
    {"object", "(I" OBJECT ")" OBJECT, "", "iload.0 int.3 if_icmpne.type aload.1 areturn type: R_TYPE athrow"},
    /* two strings: 2, 3 their bytes, 4 length, 5 index */
    {"texts", "(" OBJECT OBJECT ")Z", "AAIJ",
     "U aload.0 STRING_CODER getByte U aload.1 STRING_CODER getByte if_icmpne.no "
     "U aload.0 STRING_VALUE getReference astore.2 U aload.1 STRING_VALUE getReference astore.3 "
     "aload.2 arrayLength istore.4 aload.3 arrayLength iload.4 if_icmpne.no lconst_0 lstore.5 "
     "loop: lload.5 iload.4 i2l lcmp ifge.yes U aload.2 BYTES lload.5 ladd getByte U aload.3 BYTES lload.5 ladd getByte if_icmpne.no "
     "lload.5 lconst_1 ladd lstore.5 goto.loop yes: iconst_1 ireturn no: iconst_0 ireturn"},
    {"same", "(" OBJECT OBJECT ")Z", "",
     "aload.0 aload.1 if_acmpeq.yes aload.0 ifnull.no aload.1 ifnull.no "
     "aload.0 isEnum ifeq.right U aload.0 ENUM_NAME getReference astore.0 goto.both "
     "right: aload.1 isEnum ifeq.both U aload.1 ENUM_NAME getReference astore.1 "
     "both: aload.0 isString ifeq.boxes aload.1 isString ifeq.no aload.0 aload.1 texts ireturn "
     "boxes: aload.0 boxKind iflt.no aload.1 boxKind iflt.no "
     "aload.0 boxBits aload.0 boxKind aload.1 boxBits aload.1 boxKind numbers ifne.no yes: iconst_1 ireturn no: iconst_0 ireturn"},
    {"mustKind", "(" OBJECT ")I", "I",
     "aload.0 ifnull.null aload.0 boxKind istore.1 iload.1 iflt.type iload.1 ireturn null: R_NULL athrow type: R_TYPE athrow"},
    {"real", "(JI)D", "", "iload.2 ifne.real lload.0 l2d dreturn real: lload.0 fromBits dreturn"},
    /* (long bits 0, int kind 2, long bits 3, int kind 5): 6, 8 as doubles, 10 a result. -1, 0, 1, 2: unordered */
    {"numbers", "(JIJI)I", "DDI",
     "iload.2 int.2 if_icmpeq.truth iload.5 int.2 if_icmpeq.type iload.2 iload.5 iadd ifeq.longs "
     "lload.0 iload.2 real dstore.6 lload.3 iload.5 real dstore.8 dload.6 dload.8 dcmpl istore.10 "
     "dload.6 dload.8 dcmpg iload.10 if_icmpne.two iload.10 ireturn truth: iload.5 int.2 if_icmpne.type "
     "longs: lload.0 lload.3 lcmp ireturn type: R_TYPE athrow two: iconst_2 ireturn"},
    /* (int kind 0, long bits 1, Object ref 3, kind 4, bits 5, ref 7, int order 8). What has no order may still be unequal. */
    {"compare", "(IJ" OBJECT "IJ" OBJECT "I)I", "",
     "iload.8 ifne.unbox iload.0 int.3 if_icmpne.left iload.4 int.3 if_icmpne.other aload.3 aload.7 same ifeq.two iconst_0 ireturn "
     "left: iload.4 int.3 if_icmpne.both aload.7 boxKind iflt.two goto.right other: aload.3 boxKind iflt.two "
     "unbox: iload.0 int.3 if_icmpne.right aload.3 mustKind istore.0 aload.3 boxBits lstore.1 "
     "right: iload.4 int.3 if_icmpne.both aload.7 mustKind istore.4 aload.7 boxBits lstore.5 "
     "both: lload.1 iload.0 lload.5 iload.4 numbers ireturn two: iconst_2 ireturn"},
    {"truth", "(IJ" OBJECT ")Z", "",
     "iload.0 int.3 if_icmpne.bits aload.3 mustKind istore.0 aload.3 boxBits lstore.1 bits: iload.0 int.2 if_icmpne.type "
     "lload.1 lconst_0 lcmp ireturn type: R_TYPE athrow"},
    {"valueOf", "(IJ" OBJECT ")" OBJECT, "",
     "iload.0 int.3 if_icmpeq.ref iload.0 int.1 if_icmpeq.double iload.0 int.2 if_icmpeq.truth int.74 lload.1 box areturn "
     "double: int.68 lload.1 box areturn truth: int.90 lload.1 box areturn ref: aload.3 areturn"},
    {"count", "(J)V", "", "U aconst_null lload.0 lconst_1 getAndAddLong pop2 return"},
    /* (Throwable t 0, long cells 1): 3 the reason */
    {"failed", "(" THROWABLE "J)V", "I",
     "aload.0 reason istore.3 iload.3 ifeq.end lload.1 iload.3 i2l int.3 lshl ladd count end: return"},
    /* (long cells 0, long most 2): may this call be told? 4 now */
    {"allowed", "(JJ)Z", "J",
     "nanoTime lstore.4 lload.4 U aconst_null lload.0 window ladd getLong lsub second lcmp iflt.go "
     "U aconst_null lload.0 window ladd lload.4 putLong U aconst_null lload.0 used ladd lconst_0 putLong "
     "go: U aconst_null lload.0 used ladd lconst_1 getAndAddLong lload.2 lcmp iflt.yes lload.0 held ladd count iconst_0 ireturn "
     "yes: iconst_1 ireturn"},
};

/* Boxes and arrays: code, what there is of it. */
static const struct Box {
    char code;
    TrcKind kind;
    const char *name, *array, *get, *put;
} boxes[] = {{'I', TRC_K_LONG, "java/lang/Integer", "[I", "getInt", "putInt"},
             {'J', TRC_K_LONG, "java/lang/Long", "[J", "getLong", "putLong"},
             {'Z', TRC_K_TRUTH, "java/lang/Boolean", "[Z", "getByte", "putByte"},
             {'D', TRC_K_DOUBLE, "java/lang/Double", "[D", "getLong", "putLong"},
             {'C', TRC_K_LONG, "java/lang/Character", "[C", "getChar", "putChar"},
             {'B', TRC_K_LONG, "java/lang/Byte", "[B", "getByte", "putByte"},
             {'s', TRC_K_LONG, "java/lang/Short", "[S", "getShort", "putShort"},
             {'F', TRC_K_DOUBLE, "java/lang/Float", "[F", "getFloat", "putFloat"}};
enum { BOXES = sizeof boxes / sizeof *boxes };

static struct Known {
    int64_t value[BOXES], base[BOXES + 1], scale[BOXES + 1]; /* the last: of references */
    int64_t string_value, string_coder, enum_name;
} known;

static const char *letter_of(int box, char *buf) {
    buf[0] = boxes[box].code == 's' ? 'S' : boxes[box].code;
    buf[1] = 0;
    return buf;
}

static void unsafe(BciPos p) { bci_field(p, CF_OP_GETSTATIC, TRC_PROBE_HELPER, "U", UNSAFE_DESC); }
static void unsafe_call(BciPos p, const char *name, const char *desc) { bci_invoke(p, CF_OP_INVOKEVIRTUAL, UNSAFE, name, desc); }
static void call(BciPos p, const char *name, const char *desc) {
    bci_invoke(p, CF_OP_INVOKESTATIC, TRC_PROBE_HELPER, name, desc);
}

static BciPos new_method(BciClass *c, const char *name, const char *desc, const char *locals) {
    BciCode *code = bci_code(bci_add_method(c, ACC_HELPER, name, desc));
    for (; *locals; locals++) bci_new_local(code, *locals);
    return bci_end(code);
}

/* What is on the stack as bits. */
static void to_bits(BciPos p, char code) {
    if (code == 'F') bci_op(p, CF_OP_F2D);
    if (code == 'F') bci_invoke(p, CF_OP_INVOKESTATIC, "java/lang/Double", "doubleToRawLongBits", "(D)J");
    else if (code != 'J' && code != 'D') bci_op(p, CF_OP_I2L);
}

static void fill_boxes(BciClass *c) {
    BciPos kind = new_method(c, "boxKind", "(" OBJECT ")I", ""), bits = new_method(c, "boxBits", "(" OBJECT ")J", ""),
           box = new_method(c, "box", "(IJ)" OBJECT, "A");
    char desc[64], letter[2];
    for (int i = 0; i < BOXES; i++) {
        const char *type = boxes[i].code == 'Z' ? "B" : boxes[i].code == 'D' ? "J" : letter_of(i, letter);
        BciLabel *next[3] = {bci_new_label(kind.code), bci_new_label(bits.code), bci_new_label(box.code)};
        bci_load(kind, 'A', 0);
        bci_type(kind, CF_OP_INSTANCEOF, boxes[i].name);
        bci_jump(kind, CF_OP_IFEQ, next[0]);
        bci_int(kind, (int)boxes[i].kind);
        bci_op(kind, CF_OP_IRETURN);
        bci_place(kind, next[0]);

        bci_load(bits, 'A', 0);
        bci_type(bits, CF_OP_INSTANCEOF, boxes[i].name);
        bci_jump(bits, CF_OP_IFEQ, next[1]);
        unsafe(bits);
        bci_load(bits, 'A', 0);
        bci_long(bits, known.value[i]);
        snprintf(desc, sizeof desc, "(" OBJECT "J)%s", type);
        unsafe_call(bits, boxes[i].get, desc);
        to_bits(bits, boxes[i].code);
        bci_op(bits, CF_OP_LRETURN);
        bci_place(bits, next[1]);

        bci_load(box, 'I', 0);
        bci_int(box, boxes[i].code);
        bci_jump(box, CF_OP_IF_ICMPNE, next[2]);
        unsafe(box);
        bci_ldc_class(box, boxes[i].name);
        unsafe_call(box, "allocateInstance", "(Ljava/lang/Class;)" OBJECT);
        bci_store(box, 'A', 3);
        unsafe(box);
        bci_load(box, 'A', 3);
        bci_long(box, known.value[i]);
        bci_load(box, 'J', 1);
        if (boxes[i].code == 'F') {
            bci_invoke(box, CF_OP_INVOKESTATIC, "java/lang/Double", "longBitsToDouble", "(J)D");
            bci_op(box, CF_OP_D2F);
        } else if (*type != 'J') {
            bci_op(box, CF_OP_L2I);
            if (*type != 'I') bci_op(box, *type == 'B' ? CF_OP_I2B : *type == 'C' ? CF_OP_I2C : CF_OP_I2S);
        }
        snprintf(desc, sizeof desc, "(" OBJECT "J%s)V", type);
        unsafe_call(box, boxes[i].put, desc);
        bci_load(box, 'A', 3);
        bci_op(box, CF_OP_ARETURN);
        bci_place(box, next[2]);
    }
    bci_int(kind, -1);
    bci_op(kind, CF_OP_IRETURN);
    bci_op(bits, CF_OP_LCONST_0);
    bci_op(bits, CF_OP_LRETURN);
    bci_op(box, CF_OP_ACONST_NULL);
    bci_op(box, CF_OP_ARETURN);
}

static void put_reason(BciPos p, const char *name) {
    char field[32];
    snprintf(field, sizeof field, "R_%s", name);
    bci_field(p, CF_OP_GETSTATIC, TRC_PROBE_HELPER, field, THROWABLE);
}

/* static long slot(Object array 0, long index 1): the element's word */
static void fill_slot(BciClass *c) {
    BciPos p = new_method(c, "slot", "(" OBJECT "J)J", "");
    BciLabel *null = bci_new_label(p.code), *bounds = bci_new_label(p.code);
    bci_load(p, 'A', 0);
    bci_jump(p, CF_OP_IFNULL, null);
    for (int i = 0; i <= BOXES; i++) {
        BciLabel *next = bci_new_label(p.code);
        bci_load(p, 'A', 0);
        bci_type(p, CF_OP_INSTANCEOF, i < BOXES ? boxes[i].array : "[Ljava/lang/Object;");
        bci_jump(p, CF_OP_IFEQ, next);
        bci_load(p, 'J', 1);
        bci_load(p, 'A', 0);
        bci_invoke(p, CF_OP_INVOKESTATIC, "java/lang/reflect/Array", "getLength", "(" OBJECT ")I");
        bci_op(p, CF_OP_I2L);
        bci_op(p, CF_OP_LCMP);
        bci_jump(p, CF_OP_IFGE, bounds);
        bci_load(p, 'J', 1);
        bci_long(p, known.scale[i]);
        bci_op(p, CF_OP_LMUL);
        bci_long(p, known.base[i]);
        bci_op(p, CF_OP_LADD);
        bci_int(p, 8);
        bci_op(p, CF_OP_LSHL);
        bci_long(p, i < BOXES ? boxes[i].code : 'A');
        bci_op(p, CF_OP_LOR);
        bci_op(p, CF_OP_LRETURN);
        bci_place(p, next);
    }
    put_reason(p, "TYPE");
    bci_op(p, CF_OP_ATHROW);
    bci_place(p, null);
    put_reason(p, "NULL");
    bci_op(p, CF_OP_ATHROW);
    bci_place(p, bounds);
    put_reason(p, "BOUNDS");
    bci_op(p, CF_OP_ATHROW);
}

#define REASON_NAME(name, text) #name,
static const char *const reasons[] = {TRC_REASONS(REASON_NAME)};

/* Objects to throw, and static int reason(Throwable) */
static void fill_reasons(BciClass *c) {
    BciPos init = bci_clinit_entry(c), p = new_method(c, "reason", "(" THROWABLE ")I", "");
    char field[32];
    bci_add_field(c, ACC_HELPER | CF_ACC_FINAL, "U", UNSAFE_DESC);
    bci_invoke(init, CF_OP_INVOKESTATIC, UNSAFE, "getUnsafe", "()" UNSAFE_DESC);
    bci_field(init, CF_OP_PUTSTATIC, TRC_PROBE_HELPER, "U", UNSAFE_DESC);
    for (int i = 0; i < TRC_REASON_OTHER; i++) {
        BciLabel *next = bci_new_label(p.code);
        snprintf(field, sizeof field, "R_%s", reasons[i]);
        bci_add_field(c, ACC_HELPER | CF_ACC_FINAL, field, THROWABLE);
        unsafe(init);
        bci_ldc_class(init, "java/lang/Throwable");
        unsafe_call(init, "allocateInstance", "(Ljava/lang/Class;)" OBJECT);
        bci_type(init, CF_OP_CHECKCAST, "java/lang/Throwable");
        bci_field(init, CF_OP_PUTSTATIC, TRC_PROBE_HELPER, field, THROWABLE);
        bci_load(p, 'A', 0);
        put_reason(p, reasons[i]);
        bci_jump(p, CF_OP_IF_ACMPNE, next);
        bci_int(p, i);
        bci_op(p, CF_OP_IRETURN);
        bci_place(p, next);
    }
    bci_int(p, TRC_REASON_OTHER);
    bci_op(p, CF_OP_IRETURN);
}

#define UNSAFE_CALL(name_, desc_) \
    { #name_, CF_OP_INVOKEVIRTUAL, UNSAFE, #name_, desc_, 0 }
#define OF_UNSAFE(get, put, type) UNSAFE_CALL(get, "(" OBJECT "J)" type), UNSAFE_CALL(put, "(" OBJECT "J" type ")V")
#define OWN(name_, desc_) \
    { #name_, CF_OP_INVOKESTATIC, TRC_PROBE_HELPER, #name_, desc_, 0 }
#define OTHER(word_, class_, name_, desc_) \
    { #word_, CF_OP_INVOKESTATIC, class_, name_, desc_, 0 }
#define REASON(name) \
    { "R_" #name, CF_OP_GETSTATIC, TRC_PROBE_HELPER, "R_" #name, THROWABLE, 0 }
#define NUMBER(word_, value_) \
    { .word = #word_, .value = (int64_t)(value_) }
#define IS(word_, op_, class_) \
    { #word_, CF_OP_##op_, class_, NULL, NULL, 0 }

static void fill_shared(BciClass *c, const char *name, const void *arg) {
    const AgentWord words[] = {{"U", CF_OP_GETSTATIC, TRC_PROBE_HELPER, "U", UNSAFE_DESC, 0},
                               OF_UNSAFE(getInt, putInt, "I"),
                               OF_UNSAFE(getLong, putLong, "J"),
                               OF_UNSAFE(getByte, putByte, "B"),
                               OF_UNSAFE(getShort, putShort, "S"),
                               OF_UNSAFE(getChar, putChar, "C"),
                               OF_UNSAFE(getFloat, putFloat, "F"),
                               UNSAFE_CALL(getReference, "(" OBJECT "J)" OBJECT),
                               UNSAFE_CALL(getAndAddLong, "(" OBJECT "JJ)J"),
                               {"getClass", CF_OP_INVOKEVIRTUAL, "java/lang/Object", "getClass", "()Ljava/lang/Class;", 0},
                               OTHER(toBits, "java/lang/Double", "doubleToRawLongBits", "(D)J"),
                               OTHER(fromBits, "java/lang/Double", "longBitsToDouble", "(J)D"),
                               OTHER(arrayLength, "java/lang/reflect/Array", "getLength", "(" OBJECT ")I"),
                               OTHER(nanoTime, "java/lang/System", "nanoTime", "()J"),
                               OTHER(link, TRC_RECORDER, "link", "(IILjava/lang/Class;)" LINKS),
                               OWN(find, "(" OBJECT LINKS "II)" LINKS),
                               OWN(word, "(" LINKS ")J"),
                               OWN(bits, "(J" OBJECT ")J"),
                               OWN(ref, "(J" OBJECT ")" OBJECT),
                               OWN(texts, "(" OBJECT OBJECT ")Z"),
                               OWN(same, "(" OBJECT OBJECT ")Z"),
                               OWN(mustKind, "(" OBJECT ")I"),
                               OWN(real, "(JI)D"),
                               OWN(numbers, "(JIJI)I"),
                               OWN(boxKind, "(" OBJECT ")I"),
                               OWN(boxBits, "(" OBJECT ")J"),
                               OWN(box, "(IJ)" OBJECT),
                               OWN(reason, "(" THROWABLE ")I"),
                               OWN(count, "(J)V"),
                               REASON(NULL),
                               REASON(TYPE),
                               REASON(MEMBER),
                               IS(links, CHECKCAST, "[Ljava/lang/Object;"),
                               IS(longs, CHECKCAST, "[J"),
                               IS(isString, INSTANCEOF, "java/lang/String"),
                               IS(isEnum, INSTANCEOF, "java/lang/Enum"),
                               NUMBER(STRING_VALUE, known.string_value),
                               NUMBER(STRING_CODER, known.string_coder),
                               NUMBER(ENUM_NAME, known.enum_name),
                               NUMBER(BYTES, known.base[5]),
                               NUMBER(window, offsetof(TrcCells, window)),
                               NUMBER(used, offsetof(TrcCells, used)),
                               NUMBER(held, offsetof(TrcCells, held_back)),
                               NUMBER(second, 1000000000),
                               {0}};
    fill_reasons(c);
    fill_boxes(c);
    fill_slot(c);
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        agent_assemble(new_method(c, shared[i].name, shared[i].desc, shared[i].locals), words, shared[i].code, NULL);
}

/* An int up to JDK 24, a long from 25 on. */
static int64_t base_of(JNIEnv *env, jclass unsafe, jobject the, jclass array) {
    jmethodID base = (*env)->GetMethodID(env, unsafe, "arrayBaseOffset", "(Ljava/lang/Class;)I");
    if (base) return (*env)->CallIntMethod(env, the, base, array);
    (*env)->ExceptionClear(env);
    base = (*env)->GetMethodID(env, unsafe, "arrayBaseOffset", "(Ljava/lang/Class;)J");
    return base ? (*env)->CallLongMethod(env, the, base, array) : 0;
}

static bool find_places(JNIEnv *env) {
    jclass u = (*env)->FindClass(env, UNSAFE);
    jmethodID get = u ? (*env)->GetStaticMethodID(env, u, "getUnsafe", "()" UNSAFE_DESC) : NULL;
    jobject the = get ? (*env)->CallStaticObjectMethod(env, u, get) : NULL;
    if ((*env)->ExceptionCheck(env)) return false;
    jmethodID scale = the ? (*env)->GetMethodID(env, u, "arrayIndexScale", "(Ljava/lang/Class;)I") : NULL;
    if (!scale) return false;
    for (int i = 0; i <= BOXES; i++) {
        jclass a = (*env)->FindClass(env, i < BOXES ? boxes[i].array : "[Ljava/lang/Object;");
        if (!a) return false;
        known.base[i] = base_of(env, u, the, a);
        if ((*env)->ExceptionCheck(env)) return false;
        known.scale[i] = (*env)->CallIntMethod(env, the, scale, a);
        if ((*env)->ExceptionCheck(env)) return false;
        if (i < BOXES && (known.value[i] = trc_offset(env, boxes[i].name, "value")) < 0) return false;
    }
    known.string_value = trc_offset(env, "java/lang/String", "value");
    known.string_coder = trc_offset(env, "java/lang/String", "coder");
    known.enum_name = trc_offset(env, "java/lang/Enum", "name");
    return known.string_value >= 0 && known.string_coder >= 0 && known.enum_name >= 0;
}

bool trc_code_prepare(JNIEnv *env, CfError *err) {
    jclass c = find_places(env) ? agent_define_class(env, TRC_PROBE_HELPER, fill_shared, NULL, err) : NULL;
    return c && (*env)->GetStaticMethodID(env, c, "find", "(" OBJECT LINKS "II)" LINKS); /* initialises the class */
}

/* ---- the class of a use --------------------------------------------------------------------------- */

typedef struct Value { /* local variables */
    uint32_t kind, bits, ref;
} Value;

typedef struct Coder {
    const TrcUse *use;
    const TrcTarget *t;
    uint32_t number;
    BciPos p;
    uint32_t nanos, thrown, start, result;
    const char *result_desc;
} Coder;

static bool is_ref(const char *desc) { return *desc == 'L' || *desc == '['; }
static size_t type_length(const char *d) {
    size_t n = strspn(d, "[");
    return d[n] == 'L' ? strcspn(d, ";") + 1 : n + 1;
}
static uint32_t width(const char *desc) { return *desc == 'J' || *desc == 'D' ? 2 : 1; }

/* Parameter n of the method (-1: the receiver): its slot in `exit`. */
static uint32_t slot_of(const TrcTarget *t, int64_t n, const char **desc) {
    uint32_t slot = t->is_static ? 0 : 1;
    *desc = "L";
    if (n < 0) return 0;
    const char *d = t->desc + 1;
    for (; n-- && *d != ')'; d += type_length(d)) slot += width(d);
    *desc = d;
    return slot;
}

char *trc_exit_desc(const TrcTarget *t) {
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    unsigned slots = t->is_static ? 0 : 1;
    if (!out) return NULL;
    fputs(t->is_static ? "(" : "(" OBJECT, out);
    const char *d = t->desc + 1;
    for (; *d != ')'; slots += width(d), d += type_length(d)) is_ref(d) ? fputs(OBJECT, out) : fputc(*d, out);
    fputs("J" OBJECT, out);
    if (d[1] != 'V') is_ref(d + 1) ? fputs(OBJECT, out) : fputc(d[1], out);
    fputs(")V", out);
    if (fclose(out) || slots > 240) return free(text), NULL;
    return text;
}

static void set_kind(Coder *c, Value v, TrcKind kind) {
    bci_int(c->p, (int)kind);
    bci_store(c->p, 'I', v.kind);
}
static void set_bits(Coder *c, Value v) { bci_store(c->p, 'J', v.bits); }
static void no_bits(Coder *c, Value v) {
    bci_op(c->p, CF_OP_LCONST_0);
    set_bits(c, v);
}
static void no_ref(Coder *c, Value v) {
    bci_op(c->p, CF_OP_ACONST_NULL);
    bci_store(c->p, 'A', v.ref);
}
static void push(Coder *c, Value v) {
    bci_load(c->p, 'I', v.kind);
    bci_load(c->p, 'J', v.bits);
    bci_load(c->p, 'A', v.ref);
}
static Value new_value(Coder *c) {
    BciCode *code = c->p.code;
    return (Value){bci_new_local(code, 'I'), bci_new_local(code, 'J'), bci_new_local(code, 'A')};
}

/* A variable of that type as a value. */
static void from_local(Coder *c, Value v, const char *desc, uint32_t slot) {
    bci_load(c->p, is_ref(desc) ? 'A' : *desc, slot);
    if (is_ref(desc)) {
        bci_store(c->p, 'A', v.ref);
        set_kind(c, v, TRC_K_REF);
        return no_bits(c, v);
    }
    if (*desc == 'F' || *desc == 'D') {
        if (*desc == 'F') bci_op(c->p, CF_OP_F2D);
        bci_invoke(c->p, CF_OP_INVOKESTATIC, "java/lang/Double", "doubleToRawLongBits", "(D)J");
    } else if (*desc != 'J') {
        bci_op(c->p, CF_OP_I2L);
    }
    set_bits(c, v);
    set_kind(c, v, *desc == 'F' || *desc == 'D' ? TRC_K_DOUBLE : *desc == 'Z' ? TRC_K_TRUTH : TRC_K_LONG);
    no_ref(c, v);
}

static void number(Coder *c, Value v, TrcKind kind, int64_t bits) {
    bci_long(c->p, bits);
    set_bits(c, v);
    set_kind(c, v, kind);
    no_ref(c, v);
}

static Value value(Coder *c, const TrcExpr *e);
static void condition(Coder *c, const TrcExpr *e, bool when, BciLabel *target);

/* o, links, use, site on the stack: what `find` and `measure` want. */
static void push_site(Coder *c, const TrcExpr *e, Value of) {
    char field[16];
    snprintf(field, sizeof field, "L%u", e->site);
    bci_load(c->p, 'I', of.kind);
    bci_load(c->p, 'A', of.ref);
    call(c->p, "object", "(I" OBJECT ")" OBJECT);
    bci_field(c->p, CF_OP_GETSTATIC, c->use->class_name, field, LINKS);
    bci_int(c->p, (int32_t)c->number);
    bci_int(c->p, (int32_t)e->site);
}

/* The word is on the stack: what is there in the object. */
static void read_word(Coder *c, Value v, uint32_t object) {
    uint32_t word = bci_new_local(c->p.code, 'J');
    bci_store(c->p, 'J', word);
    bci_load(c->p, 'J', word);
    call(c->p, "kind", "(J)I");
    bci_store(c->p, 'I', v.kind);
    bci_load(c->p, 'J', word);
    bci_load(c->p, 'A', object);
    call(c->p, "bits", "(J" OBJECT ")J");
    set_bits(c, v);
    bci_load(c->p, 'J', word);
    bci_load(c->p, 'A', object);
    call(c->p, "ref", "(J" OBJECT ")" OBJECT);
    bci_store(c->p, 'A', v.ref);
}

static void member(Coder *c, const TrcExpr *e, Value v) {
    Value of = value(c, e->a);
    bool measured = e->op == TRC_OP_CALL && (!strcmp(e->text, "size") || !strcmp(e->text, "length"));
    push_site(c, e, of);
    if (measured) {
        call(c->p, "measure", "(" OBJECT LINKS "II)J");
        set_bits(c, v);
        set_kind(c, v, TRC_K_LONG);
        return no_ref(c, v);
    }
    call(c->p, "find", "(" OBJECT LINKS "II)" LINKS);
    call(c->p, "word", "(" LINKS ")J");
    read_word(c, v, of.ref);
}

static void is_instance(Coder *c, const TrcExpr *e, Value v) {
    Value of = value(c, e->a);
    BciLabel *null = bci_new_label(c->p.code);
    number(c, v, TRC_K_TRUTH, 0);
    bci_load(c->p, 'A', of.ref);
    bci_jump(c->p, CF_OP_IFNULL, null);
    push_site(c, e, of);
    call(c->p, "find", "(" OBJECT LINKS "II)" LINKS);
    call(c->p, "word", "(" LINKS ")J");
    read_word(c, v, of.ref);
    bci_place(c->p, null);
}

static void element(Coder *c, const TrcExpr *e, Value v) {
    Value of = value(c, e->a);
    bci_load(c->p, 'I', of.kind);
    bci_load(c->p, 'A', of.ref);
    call(c->p, "object", "(I" OBJECT ")" OBJECT);
    bci_long(c->p, e->number);
    call(c->p, "slot", "(" OBJECT "J)J");
    read_word(c, v, of.ref);
}

static void result(Coder *c, Value v) {
    BciLabel *returned = bci_new_label(c->p.code);
    bci_load(c->p, 'A', c->thrown);
    bci_jump(c->p, CF_OP_IFNULL, returned);
    put_reason(c->p, "NONE");
    bci_op(c->p, CF_OP_ATHROW);
    bci_place(c->p, returned);
    from_local(c, v, c->result_desc, c->result);
}

static Value value(Coder *c, const TrcExpr *e) {
    Value v = new_value(c);
    const char *desc;
    uint32_t slot;
    int64_t bits;
    switch (e->op) {
    case TRC_OP_NUMBER: number(c, v, TRC_K_LONG, e->number); break;
    case TRC_OP_TRUTH: number(c, v, TRC_K_TRUTH, e->number); break;
    case TRC_OP_REAL:
        memcpy(&bits, &e->real, sizeof bits);
        number(c, v, TRC_K_DOUBLE, bits);
        break;
    case TRC_OP_TEXT:
    case TRC_OP_NULL:
        number(c, v, TRC_K_REF, 0);
        if (e->op == TRC_OP_TEXT) bci_string(c->p, e->text);
        if (e->op == TRC_OP_TEXT) bci_store(c->p, 'A', v.ref);
        break;
    case TRC_OP_THIS:
    case TRC_OP_ARG:
        slot = slot_of(c->t, e->op == TRC_OP_THIS ? -1 : e->number, &desc);
        from_local(c, v, desc, slot);
        break;
    case TRC_OP_RETURN: result(c, v); break;
    case TRC_OP_EXCEPTION: from_local(c, v, "L", c->thrown); break;
    case TRC_OP_TIME: from_local(c, v, "J", c->nanos); break;
    case TRC_OP_FIELD:
    case TRC_OP_CALL: member(c, e, v); break;
    case TRC_OP_INDEX: element(c, e, v); break;
    case TRC_OP_IS: is_instance(c, e, v); break;
    case TRC_OP_COMPARE:
    case TRC_OP_AND:
    case TRC_OP_OR:
    case TRC_OP_NOT: {
        BciLabel *no = bci_new_label(c->p.code);
        number(c, v, TRC_K_TRUTH, 0);
        condition(c, e, false, no);
        number(c, v, TRC_K_TRUTH, 1);
        bci_place(c->p, no);
    }
    }
    return v;
}

static void comparison(Coder *c, const TrcExpr *e, bool when, BciLabel *target) {
    bool swapped = e->relation >= 4; /* > and >=, so that what is unordered fails */
    static const unsigned op_true[] = {CF_OP_IFEQ, CF_OP_IFNE, CF_OP_IFLT, CF_OP_IFLE},
                          op_false[] = {CF_OP_IFNE, CF_OP_IFEQ, CF_OP_IFGE, CF_OP_IFGT};
    unsigned relation = swapped ? e->relation - 2 : e->relation;
    Value a = value(c, e->a), b = value(c, e->b);
    push(c, swapped ? b : a);
    push(c, swapped ? a : b);
    bci_int(c->p, relation > 1);
    call(c->p, "compare", "(IJ" OBJECT "IJ" OBJECT "I)I");
    bci_jump(c->p, (when ? op_true : op_false)[relation], target);
}

/* Jumps to the target if `e` is `when`, goes on otherwise. */
static void condition(Coder *c, const TrcExpr *e, bool when, BciLabel *target) {
    if (e->op == TRC_OP_NOT) return condition(c, e->a, !when, target);
    if (e->op == TRC_OP_COMPARE) return comparison(c, e, when, target);
    if (e->op == TRC_OP_AND || e->op == TRC_OP_OR) {
        bool decides = e->op == TRC_OP_OR; /* what the left side decides alone */
        BciLabel *behind = bci_new_label(c->p.code);
        condition(c, e->a, decides, when == decides ? target : behind);
        condition(c, e->b, when, target);
        bci_place(c->p, behind);
        return;
    }
    Value v = value(c, e);
    push(c, v);
    call(c->p, "truth", "(IJ" OBJECT ")Z");
    bci_jump(c->p, when ? CF_OP_IFNE : CF_OP_IFEQ, target);
}

/* The range from a label to here: what is thrown in it comes to `handler` (an unplaced label). */
static void guard(Coder *c, BciLabel *from, BciLabel *handler) {
    bci_add_try(c->p.code, from, bci_label_here(c->p), handler, NULL, false);
}

static void cells(Coder *c, size_t member) { bci_long(c->p, (int64_t)(intptr_t)c->use->cells + (int64_t)member); }

static void boxed(Coder *c, const char *desc, uint32_t slot) {
    bci_load(c->p, is_ref(desc) ? 'A' : *desc, slot);
    if (is_ref(desc)) return;
    uint32_t bits = bci_new_local(c->p.code, 'J');
    if (*desc == 'F' || *desc == 'D') {
        if (*desc == 'F') bci_op(c->p, CF_OP_F2D);
        bci_invoke(c->p, CF_OP_INVOKESTATIC, "java/lang/Double", "doubleToRawLongBits", "(D)J");
    } else if (*desc != 'J') {
        bci_op(c->p, CF_OP_I2L);
    }
    bci_store(c->p, 'J', bits);
    bci_int(c->p, *desc == 'S' ? 's' : *desc);
    bci_load(c->p, 'J', bits);
    call(c->p, "box", "(IJ)" OBJECT);
}

static void begin_array(Coder *c, uint32_t array, int n) {
    bci_int(c->p, n);
    bci_new_array(c->p, OBJECT);
    bci_store(c->p, 'A', array);
}

static void put_captures(Coder *c, uint32_t array) {
    int n = 0;
    for (const TrcCapture *k = c->use->probe->captures; k; k = k->next) n++;
    begin_array(c, array, n);
    n = 0;
    for (const TrcCapture *k = c->use->probe->captures; k; k = k->next, n++) {
        BciLabel *from = bci_label_here(c->p), *handler = bci_new_label(c->p.code), *next = bci_new_label(c->p.code);
        Value v = value(c, k->value);
        bci_load(c->p, 'A', array);
        bci_int(c->p, n);
        push(c, v);
        call(c->p, "valueOf", "(IJ" OBJECT ")" OBJECT);
        bci_op(c->p, CF_OP_AASTORE);
        guard(c, from, handler);
        bci_jump(c->p, CF_OP_GOTO, next);
        bci_place(c->p, handler);
        cells(c, 0);
        call(c->p, "failed", "(" THROWABLE "J)V");
        bci_load(c->p, 'A', array);
        bci_int(c->p, n);
        put_reason(c->p, "NONE"); /* shows as ? */
        bci_op(c->p, CF_OP_AASTORE);
        bci_place(c->p, next);
    }
}

static void put_arguments(Coder *c, uint32_t array) {
    const char *d = c->t->desc + 1, *desc;
    int n = 0;
    for (; *d != ')'; d += type_length(d)) n++;
    begin_array(c, array, n);
    for (int i = 0; i < n; i++) {
        uint32_t slot = slot_of(c->t, i, &desc);
        bci_load(c->p, 'A', array);
        bci_int(c->p, i);
        boxed(c, desc, slot);
        bci_op(c->p, CF_OP_AASTORE);
    }
}

/* record(use, start, nanos, values, result, end) */
static void tell(Coder *c) {
    uint32_t array = bci_new_local(c->p.code, 'A');
    BciLabel *threw = bci_new_label(c->p.code), *done = bci_new_label(c->p.code);
    bool captures = c->use->probe->captures, is_void = *c->result_desc == 'V';
    captures ? put_captures(c, array) : put_arguments(c, array);
    bci_int(c->p, (int32_t)c->number);
    bci_load(c->p, 'J', c->start);
    bci_load(c->p, 'J', c->nanos);
    bci_load(c->p, 'A', array);
    if (captures) {
        bci_load(c->p, 'A', c->thrown);
        bci_int(c->p, TRC_CAPTURED);
    } else {
        bci_load(c->p, 'A', c->thrown);
        bci_jump(c->p, CF_OP_IFNONNULL, threw);
        is_void ? (void)bci_op(c->p, CF_OP_ACONST_NULL) : boxed(c, c->result_desc, c->result);
        bci_int(c->p, is_void ? TRC_VOID : TRC_RETURNED);
        bci_jump(c->p, CF_OP_GOTO, done);
        bci_place(c->p, threw);
        bci_load(c->p, 'A', c->thrown);
        bci_int(c->p, TRC_THREW);
        bci_place(c->p, done);
    }
    bci_invoke(c->p, CF_OP_INVOKESTATIC, TRC_RECORDER, "record", RECORD_DESC);
}

static void put_exit(Coder *c) {
    const TrcProbe *probe = c->use->probe;
    BciLabel *from, *no = bci_new_label(c->p.code), *failed = bci_new_label(c->p.code);
    bci_invoke(c->p, CF_OP_INVOKESTATIC, "java/lang/System", "nanoTime", "()J");
    bci_load(c->p, 'J', c->start);
    bci_op(c->p, CF_OP_LSUB);
    bci_store(c->p, 'J', c->nanos);
    from = bci_label_here(c->p);
    if (probe->when) condition(c, probe->when, false, no);
    if (probe->limit) {
        cells(c, 0);
        bci_long(c->p, probe->limit);
        call(c->p, "allowed", "(JJ)Z");
        bci_jump(c->p, CF_OP_IFEQ, no);
    }
    cells(c, offsetof(TrcCells, fired));
    call(c->p, "count", "(J)V");
    tell(c);
    guard(c, from, failed);
    bci_place(c->p, no);
    bci_op(c->p, CF_OP_RETURN);
    bci_place(c->p, failed);
    cells(c, 0);
    call(c->p, "failed", "(" THROWABLE "J)V");
    bci_op(c->p, CF_OP_RETURN);
}

static void fill_use(BciClass *cls, const char *name, const void *arg) {
    Coder c = *(const Coder *)arg;
    const char *d = c.t->desc + 1;
    char field[16];
    for (uint32_t i = 0; i < c.use->probe->nsites; i++) {
        snprintf(field, sizeof field, "L%u", i);
        bci_add_field(cls, CF_ACC_STATIC | CF_ACC_VOLATILE, field, LINKS);
    }
    BciCode *code = bci_code(bci_add_method(cls, ACC_HELPER, "exit", c.use->exit_desc));
    c.start = c.t->is_static ? 0 : 1;
    for (; *d != ')'; d += type_length(d)) c.start += width(d);
    c.thrown = c.start + 2;
    c.result = c.thrown + 1;
    c.result_desc = d + 1;
    c.nanos = bci_new_local(code, 'J');
    c.p = bci_end(code);
    put_exit(&c);
}

bool trc_code_use(JNIEnv *env, TrcUse *u, uint32_t n, const TrcTarget *t, CfError *err) {
    Coder c = {.use = u, .t = t, .number = n};
    snprintf(u->class_name, sizeof u->class_name, "%s%u", TRC_PROBE_HELPER, n);
    jclass made = agent_define_class(env, u->class_name, fill_use, &c, err);
    u->helper = made ? (*env)->NewGlobalRef(env, made) : NULL;
    /* Looking the method up initialises the class. */
    return u->helper && (*env)->GetStaticMethodID(env, u->helper, "exit", u->exit_desc);
}
