/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - see names.h. */
#include "names.h"

#include <string.h>

typedef struct Name {
    uint32_t number;
    char text[];
} Name;

static bool same(const void *item, const void *key) { return !strcmp(((const Name *)item)->text, key); }

uint32_t agent_name(AgentNames *n, const char *text) {
    size_t len = strlen(text);
    uint32_t hash = cf_hash_bytes(text, len);
    Name *name = cf_table_find(&n->table, hash, same, text);
    if (name) return name->number;
    name = malloc(sizeof *name + len + 1);
    if (!name || !cf_vec_reserve(&n->texts, n->texts.len + 1u) || !cf_table_add(&n->table, hash, name))
        return free(name), UINT32_MAX;
    name->number = n->texts.len;
    n->texts.data[n->texts.len++] = memcpy(name->text, text, len + 1);
    return name->number;
}

uint32_t agent_names_find(const AgentNames *n, const char *text) {
    const Name *name = cf_table_find(&n->table, cf_hash_bytes(text, strlen(text)), same, text);
    return name ? name->number : UINT32_MAX;
}

void agent_names_free(AgentNames *n) {
    uint32_t it = 0;
    for (void *name; (name = cf_table_next(&n->table, &it));) free(name);
    cf_table_free(&n->table);
    cf_vec_free(&n->texts);
}
