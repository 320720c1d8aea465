/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_source_change.c - what became of a source.
 *
 * Compilers copy the values of constants into other classes, which then know nothing of where they come from. Which fields are constants
 * stands in the class file: what the text assigns to them is compared, but for private ones, which only classes of the same source see.
 * A class that never ran has no class file here; then the values of all that is declared are compared.
 */
#include "cov_source_change.h"

#include <stdio.h>
#include <string.h>

#include "agent.h"

enum { MAX_SOURCE = 64 << 20 };

static bool is_java(const char *path) {
    size_t n = strlen(path);
    return n > 5 && !strcmp(path + n - 5, ".java");
}

void cov_source_change(CovSourceChange *s, CovDiff *diff, const CovDiffFile *f) {
    char path[8400];
    *s = (CovSourceChange){.java = is_java(f->path), .constants = f->constants};
    if (!s->java || f->kind != COV_DIFF_CHANGED || !diff->before) return;
    snprintf(path, sizeof path, "%s%s%s", diff->root ? diff->root : "", diff->root ? "/" : "", f->path);
    s->before.p = cov_diff_before(diff, f, &s->before.len);
    s->now.p = s->before.p ? agent_read_file(path, MAX_SOURCE, &diff->arena, &s->now.len) : NULL;
    if (!s->now.p) return;
    s->known = true;
    s->same = cov_java_same(s->before, s->now);
    s->constants = false;
}

void cov_source_constants(CovSourceChange *s, const CfClass *c, bool whole) {
    if (!s->java || s->constants || s->same) return;
    if (s->known && !whole) s->constants = !cov_java_same_values(s->before, s->now);
    for (unsigned i = 0; i < c->field_count && !s->constants; i++) {
        const CfMember *f = &c->fields[i];
        CfStr name = cf_utf8(c, f->name);
        if ((f->access & CF_ACC_PRIVATE) || !cf_attr(&f->attrs, CF_ATTR_CONSTANT_VALUE)) continue;
        s->constants = !s->known || !cov_java_same_value(s->before, s->now, (CovText){name.p, name.len});
    }
}
