/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_annotation.c - which annotations a class or method carries (JVMS 4.7.16). Element values are only stepped over;
 * what is malformed ends the search.
 */
#include "agent.h"
#include "bytes.h"
#include "trc_weave.h"

enum { MAX_NESTING = 16 };

typedef struct Reader {
    const uint8_t *p, *end;
    bool bad;
} Reader;

static unsigned u2(Reader *r)
{
    if (r->bad || r->end - r->p < 2) {
        r->bad = true;
        return 0;
    }
    unsigned v = cf_get_u2(r->p);
    r->p += 2;
    return v;
}

static void skip_pairs(Reader *r, int depth);

static void skip_value(Reader *r, int depth)
{
    if (r->bad || r->p == r->end || depth > MAX_NESTING) {
        r->bad = true;
        return;
    }
    switch (*r->p++) {
    case 'e':           /* type and name of an enum constant */
        u2(r);
        u2(r);
        break;
    case '@':
        u2(r);
        skip_pairs(r, depth + 1);
        break;
    case '[':
        for (unsigned n = u2(r); n-- && !r->bad;)
            skip_value(r, depth + 1);
        break;
    default:            /* a constant or a class */
        u2(r);
    }
}

static void skip_pairs(Reader *r, int depth)
{
    for (unsigned n = u2(r); n-- && !r->bad;) {
        u2(r);
        skip_value(r, depth);
    }
}

static bool matches(const CfClass *c, unsigned type, const char *patterns)
{
    char name[512];
    CfStr desc = cf_utf8(c, type);      /* La/b/C; */
    if (!desc.p || desc.len < 3 || desc.len - 2 >= sizeof name)
        return false;
    for (uint32_t i = 0; i + 2 < desc.len; i++)
        name[i] = desc.p[i + 1] == '/' ? '.' : desc.p[i + 1];
    name[desc.len - 2] = 0;
    return agent_match_list(patterns, name);
}

bool trc_annotated(const CfClass *c, const CfAttrs *attrs, const char *patterns)
{
    static const CfAttrKind kinds[] = {CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS, CF_ATTR_RUNTIME_INVISIBLE_ANNOTATIONS};
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const CfAttr *a = cf_attr(attrs, kinds[k]);
        if (!a)
            continue;
        Reader r = {a->data, a->data + a->len, false};
        for (unsigned n = u2(&r); n-- && !r.bad;) {
            if (matches(c, u2(&r), patterns))
                return true;
            skip_pairs(&r, 0);
        }
    }
    return false;
}
