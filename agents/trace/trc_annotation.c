/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_annotation.c - which annotations a class or method carries (JVMS 4.7.16, 4.7.17). Their values do not
 * matter; a malformed attribute counts as absent.
 */
#include "agent.h"
#include "trc_weave.h"
#include "utf8.h"

static bool matches(const CfClass *c, unsigned type, const char *patterns) {
    char internal[512], name[512];
    CfStr desc = cf_utf8(c, type); /* La/b/C; */
    if (!desc.p || desc.len < 3 || desc.len - 2 >= sizeof internal) return false;
    snprintf(internal, sizeof internal, "%.*s", (int)desc.len - 2, desc.p + 1);
    agent_plain_name(internal, NULL, name, sizeof name);
    return agent_match_list(patterns, name);
}

bool trc_annotated(const CfClass *c, const CfAttrs *attrs, const char *patterns) {
    static const CfAttrKind kinds[] = {CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS, CF_ATTR_RUNTIME_INVISIBLE_ANNOTATIONS};
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const CfAttr *a = cf_attr(attrs, kinds[k]);
        CfAnnotations all;
        CfAnnotation one;
        if (!a || cf_annotations(a, &all, NULL) != CF_OK) continue;
        while (cf_annotation_next(&all, &one))
            if (matches(c, one.type, patterns)) return true;
    }
    return false;
}
