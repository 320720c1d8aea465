/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_extension.h - redefinition beyond JVM TI, where the VM offers it: extension functions by the names
 *
 *   graft.redefinition.Enable(jboolean)                                             the shape of classes may change
 *   graft.redefinition.DryRun(jint, const jvmtiClassDefinition *, char **reason)    what RedefineClasses would say
 *   graft.redefinition.Restore(jint, const jvmtiClassDefinition *)                  RedefineClasses back to older bytes
 *   graft.redefinition.GetReason(char **)   GetReport(char **)   GetMigrations(char **)   of this thread's last redefinition
 *
 * A VM without them is asked by RedefineClasses alone.
 */
#ifndef SWAP_EXTENSION_H
#define SWAP_EXTENSION_H

#include "agent.h"

typedef struct SwapExtension {
    jvmtiExtensionFunction enable, dry_run, restore, reason, report, migrations; /* NULL: not there */
} SwapExtension;

/* Looks for them and, if `structural`, enables. True if classes may change their shape from now on. */
bool swap_extension_find(SwapExtension *x, const Agent *a, bool structural);
/* What reason, report or migrations (a line each) tell: to be freed, NULL if there is none. */
char *swap_extension_text(jvmtiExtensionFunction f, jvmtiEnv *ti);

#endif
