/* SPDX-License-Identifier: Apache-2.0 */
/* -XX flags by name: reading, setting, checking, listing.  flags.c */
#ifndef GRAFT_OPTIONS_FLAGS_H
#define GRAFT_OPTIONS_FLAGS_H

#include "core/types.h"
#include <stdio.h>
#include <string.h>

typedef enum FlagType { FLAG_BOOL, FLAG_INT, FLAG_SIZE, FLAG_DOUBLE, FLAG_STR } FlagType;
typedef enum FlagOrigin { /* numbers of the management interface */
                          ORIGIN_DEFAULT = 1,
                          ORIGIN_COMMAND_LINE,
                          ORIGIN_MANAGEMENT,
                          ORIGIN_ENVIRONMENT,
                          ORIGIN_CONFIG_FILE,
                          ORIGIN_ERGONOMIC,
                          ORIGIN_ATTACH
} FlagOrigin;
typedef union FlagValue {
    bool b;
    int64_t i;
    u8 u;
    double d;
    const char *s;
} FlagValue;
typedef struct VmFlag {
    const char *name, *type_name; /* "uintx" ... */
    const char *kind;             /* "product", "manageable", "C2 diagnostic" ... */
    const char *least, *most;     /* "": no range */
    FlagType type, cell_type;
    bool manageable; /* may be set while the VM runs */
    void *cell;      /* of an option that does something: bool, u8 or const char *; else NULL */
    u8 (*get)(void); /* computed */
    FlagValue standard, value;
    FlagOrigin origin; /* 0 = not set: use vm_flag_origin */
} VmFlag;
int vm_flag_count(void);
const VmFlag *vm_flag(int i);
const VmFlag *vm_flag_find(const char *name);
FlagValue vm_flag_value(const VmFlag *f);
FlagOrigin vm_flag_origin(const VmFlag *f);
/* -XX:+Name or -XX:Name=value */
void vm_flag_print(const VmFlag *f, FILE *out);
/* Text as on the command line.  NULL = done, else the reason why not. */
const char *vm_flag_set(const VmFlag *f, const char *value, FlagOrigin origin);
void vm_flags_print_set(FILE *out); /* what differs from the defaults, one line */
typedef enum FlagListing { LIST_FINAL, LIST_INITIAL, LIST_RANGES } FlagListing;
void vm_flags_print_all(FILE *out, FlagListing what); /* -XX:+PrintFlagsFinal, Initial, Ranges */
/* What stands behind -XX: ; false: told on standard error why not. */
bool vm_flag_take(const char *text, FlagOrigin origin, bool ignore_unknown);

#endif
