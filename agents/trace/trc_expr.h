/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_expr.h - the language of probes: which methods, when, what is kept.
 *
 *     com.acme.Shop.price when arg0.size() > 100 and time > 5ms capture who = this.user.name, return limit 10/s
 *
 * Grammar
 *
 *     probes   := probe { ( ";" | line end ) probe }           "#" begins a remark, up to the end of the line
 *     probe    := PATTERNS [ "when" or ] [ "capture" capture { "," capture } ] [ "limit" NUMBER "/s" ]
 *     capture  := [ NAME "=" ] value                           without a name its text is the name
 *     or       := and { ( "or" | "||" ) and }
 *     and      := not { ( "and" | "&&" ) not }
 *     not      := [ "not" | "!" ] relation
 *     relation := value [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) value  |  "is" CLASS ]
 *     value    := primary { "." NAME  |  "." CALL "()"  |  "[" NUMBER "]" }
 *     primary  := "this" | "arg" DIGITS | "return" | "exception" | "time" | literal | "(" or ")"
 *     literal  := [ "-" ] NUMBER  |  DURATION  |  STRING  |  "null" | "true" | "false"
 *     DURATION := NUMBER ( "ns" | "us" | "ms" | "s" )          STRING: in " or ', with \ in front of what would end it
 *     CALL     := what stands in trc_calls.def
 *
 * There is nothing in it that writes, loops or calls code of the program. Values are whole numbers (64 bits), floating-point numbers, truth
 * values and references; what of these a value is, is known when the method is woven for all but fields of objects and
 * elements of arrays, whose class is looked at when they are read. Numbers compare as numbers whatever their type; boxes are the numbers in
 * them. `==` of two references is identity, but strings are equal by their text, and an enum constant equals a string that is
 * its name. CLASS without a package is one of that name in any. A value of `time` is in nanoseconds.
 */
#ifndef GRAFT_TRC_EXPR_H
#define GRAFT_TRC_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cf_arena.h"

typedef enum TrcOp {
    TRC_OP_NUMBER, /* number */
    TRC_OP_REAL,
    TRC_OP_TRUTH, /* number */
    TRC_OP_TEXT,
    TRC_OP_NULL,
    TRC_OP_THIS,
    TRC_OP_ARG, /* number */
    TRC_OP_RETURN,
    TRC_OP_EXCEPTION,
    TRC_OP_TIME,
    TRC_OP_FIELD, /* a.text */
    TRC_OP_CALL,  /* a.text() */
    TRC_OP_INDEX, /* a[number] */
    TRC_OP_IS,    /* a is text */
    TRC_OP_COMPARE,
    TRC_OP_AND,
    TRC_OP_OR,
    TRC_OP_NOT
} TrcOp;

/* What a value is. ANY: told when it is read. Others name the digits in bytecode, see trc_code.c. */
typedef enum TrcKind { TRC_K_LONG, TRC_K_DOUBLE, TRC_K_TRUTH, TRC_K_REF, TRC_K_ANY } TrcKind;

typedef struct TrcExpr TrcExpr;
struct TrcExpr {
    TrcOp op;
    unsigned column; /* in the probe's text, from 1 */
    TrcExpr *a, *b;
    int64_t number;
    double real;
    const char *text;
    unsigned relation; /* COMPARE: place among trc_relations */
    uint32_t site;     /* FIELD, CALL, IS: number among those of the probe */
};

extern const char *const trc_relations[]; /* "==", "!=", "<", "<=", ">", ">=", NULL */

typedef struct TrcCapture TrcCapture;
struct TrcCapture {
    const char *name;
    TrcExpr *value;
    TrcCapture *next;
};

typedef struct TrcProbe TrcProbe;
struct TrcProbe {
    const char *text; /* as it was written */
    const char *methods;
    TrcExpr *when; /* NULL: always */
    TrcCapture *captures;
    TrcExpr **sites;
    uint32_t nsites, number; /* number: set by who keeps the probes */
    int64_t limit;           /* a second; 0: none */
    bool plain;              /* made of args=: no report of its own */
    bool named;              /* there was a method of this name */
    TrcProbe *next;
};

typedef struct TrcSyntax { /* what is wrong, and where */
    char text[160];
    const char *probe; /* the text in which `column` is */
    unsigned column;
} TrcSyntax;

/* The probes of a text, in its order; all in the arena. False: `wrong` says why (column 0: no memory). */
bool trc_parse(CfArena *arena, const char *text, TrcProbe **probes, TrcSyntax *wrong);

/* Nanoseconds of "10ms", "250us", "5ns", "2s", "0"; a bare number is in ms; -1: malformed. */
int64_t trc_time_of(const char *text);

#endif
