/* SPDX-License-Identifier: Apache-2.0 */
/* rt_plans.h - plans by name for whole-corpus tests. */
#ifndef RT_PLANS_H
#define RT_PLANS_H

#include "plan/bci_rules.h"

/* A sealed plan, or NULL. With `limit`, it outlines methods that get longer than that. */
BciPlan *rt_plan(const char *name, unsigned limit);

#endif
