/* SPDX-License-Identifier: Apache-2.0 */
/* world.h - classes by name, and what the verifier asks about them. One loader: a package is its name. */
#ifndef WORLD_H
#define WORLD_H

#include "corpus.h"

typedef struct World {
    Corpus corpus;
    CfTable by_name;
    const CfClass *current; /* the class under verification; set before cf_verify */
    bool current_wins;      /* `current` stands in front of the class of its name */
} World;

/* Makes a class known; the first of a name wins, modules are left out. */
void world_add(World *w, const CfClass *c);
CfHierarchy world_hierarchy(World *w);

#endif
