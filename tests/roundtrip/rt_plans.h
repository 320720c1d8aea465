/* SPDX-License-Identifier: Apache-2.0 */
/* rt_plans.h - plans by name for whole-corpus tests. */
#ifndef RT_PLANS_H
#define RT_PLANS_H

#include "bci_plan.h"

/* A sealed plan, or NULL. */
BciPlan *rt_plan(const char *name);

#endif
