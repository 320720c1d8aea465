/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_uses.h - where code uses a class in a way that passes no probe of it: its static fields are read, a static method is called by
 * its name that may be inherited, its Class object is taken.
 */
#ifndef GRAFT_COV_USES_H
#define GRAFT_COV_USES_H

#include "classfile.h"

/* Calls for each such place the name of the class, and the probes of the method it is in: `from` to below `to`. A name comes once a
 * method, or nearly so. `writes`: a static field of the class is written, which may also be the class itself then. False if there is no
 * memory. */
typedef bool CovUse(void *ctx, CfStr name, uint32_t from, uint32_t to, bool writes);
bool cov_uses(const CfClass *c, CfArena *arena, CovUse *use, void *ctx);

#endif
