/* SPDX-License-Identifier: Apache-2.0 */
/* Values of the command line; rows in options.def, parsed by options/vm_args.c. */
#ifndef GRAFT_CORE_OPTIONS_H
#define GRAFT_CORE_OPTIONS_H

#include "core/types.h"

typedef struct VmOptions {
#define OPT_BOOL(id, flag, def, help) bool id;
#define OPT_SIZE(id, flag, def, help) u8 id;
#define OPT_STR(id, flag, def, help) const char *id;
#define OPT_REAL(id, flag, def, help) double id;
#include "core/options.def"
    u8 heap_min, heap_max, stack_size; /* -Xms -Xmx -Xss */
    bool check_jni;
    enum { RUN_MIXED, RUN_INTERPRETED, RUN_COMPILED } run_mode; /* -Xmixed -Xint -Xcomp */
    bool enable_preview;
} VmOptions;
extern VmOptions vm_options;

#endif
