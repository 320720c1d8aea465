/* SPDX-License-Identifier: Apache-2.0 */
/* cf_dump_annotation.c - annotations as text, close to how the source has them. */
#include "cf_int.h"

static void dump_elements(const CfClass *c, CfElements t, FILE *out);

/* The name in a descriptor Lname; else all of it. */
static void type_name(const CfClass *c, unsigned i, FILE *out) {
    CfStr d = cf_utf8(c, i);
    if (d.len > 2 && d.p[0] == 'L' && d.p[d.len - 1] == ';') d = (CfStr){d.p + 1, d.len - 2};
    cf_dump_str(d, out);
}

static void dump_annotation(const CfClass *c, unsigned type, CfElements values, FILE *out) {
    fputc('@', out);
    type_name(c, type, out);
    if (!values.count) return;
    fputc('(', out);
    dump_elements(c, values, out);
    fputc(')', out);
}

static void dump_char(const CfClass *c, unsigned i, FILE *out) {
    const CfConst *k = cf_const(c, i);
    if (k->tag == CF_CONST_INTEGER && k->i >= ' ' && k->i < 0x7f) fprintf(out, "'%c'", (char)k->i);
    else fprintf(out, "'\\u%04x'", k->tag == CF_CONST_INTEGER ? (unsigned)k->i & 0xffff : 0);
}

static void dump_value(const CfClass *c, const CfElement *e, FILE *out) {
    switch (e->tag) {
    case 's': cf_dump_const(c, "\"", e->a, "\"", out); break;
    case 'Z': fputs(cf_tag(c, e->a) == CF_CONST_INTEGER && cf_const(c, e->a)->i ? "true" : "false", out); break;
    case 'C': dump_char(c, e->a, out); break;
    case 'c':
        type_name(c, e->a, out);
        fputs(".class", out);
        break;
    case 'e':
        type_name(c, e->a, out);
        cf_dump_const(c, ".", e->b, "", out);
        break;
    case '@': dump_annotation(c, e->a, e->values, out); break;
    case '[':
        fputc('{', out);
        dump_elements(c, e->values, out);
        fputc('}', out);
        break;
    default: cf_dump_const(c, "", e->a, "", out);
    }
}

/* As deep as values are nested: CF_ELEMENT_DEPTH at most. */
static void dump_elements(const CfClass *c, CfElements t, FILE *out) {
    CfElement e;
    for (unsigned n = 0; cf_element_next(&t, &e); n++) {
        if (n) fputs(", ", out);
        if (e.name) cf_dump_const(c, "", e.name, " = ", out);
        dump_value(c, &e, out);
    }
}

/* ---- type annotations ---- */

static void dump_target(const CfTypeAnnotation *t, FILE *out) {
    const CfTarget *k = &cf_targets[t->target];
    fprintf(out, " on %s", k->name);
    switch (k->form) {
    case CF_TARGET_NONE: break;
    case CF_TARGET_BYTE:
    case CF_TARGET_SHORT: fprintf(out, " %u", t->index); break;
    case CF_TARGET_BOUND: fprintf(out, " %u bound %u", t->index, t->inner); break;
    case CF_TARGET_OFFSET: fprintf(out, " pc %u", t->pc); break;
    case CF_TARGET_ARGUMENT: fprintf(out, " pc %u argument %u", t->pc, t->inner); break;
    case CF_TARGET_RANGES:
        for (uint32_t i = 0; i < t->ranges.count; i++) {
            uint16_t start, length, slot;
            cf_local_range(&t->ranges, i, &start, &length, &slot);
            fprintf(out, " local %u from %u to %u", slot, start, start + length);
        }
    }
}

static void dump_path(const CfTypeAnnotation *t, FILE *out) {
    static const char *const steps[] = {"[]", ".", "?"};
    if (t->path.count) fputs(" at ", out);
    for (uint32_t i = 0; i < t->path.count; i++) {
        uint8_t kind, argument;
        cf_type_path(&t->path, i, &kind, &argument);
        if (kind < 3) fputs(steps[kind], out);
        else fprintf(out, "<%u>", argument);
    }
}

/* ---- attributes ---- */

static bool dump_list(const CfClass *c, CfAnnotations t, const char *indent, FILE *out) {
    CfAnnotation a;
    while (cf_annotation_next(&t, &a)) {
        fprintf(out, "\n%s  ", indent);
        dump_annotation(c, a.type, a.elements, out);
    }
    return true;
}

static bool dump_parameters(const CfClass *c, CfAnnotations t, const char *indent, FILE *out) {
    CfAnnotations list;
    char deeper[40];
    snprintf(deeper, sizeof deeper, "%s  ", indent);
    for (unsigned n = 0; cf_parameter_annotations_next(&t, &list); n++) {
        fprintf(out, "\n%s  parameter %u", indent, n);
        dump_list(c, list, deeper, out);
    }
    return true;
}

static bool dump_types(const CfClass *c, CfAnnotations t, const char *indent, FILE *out) {
    CfTypeAnnotation a;
    while (cf_type_annotation_next(&t, &a)) {
        fprintf(out, "\n%s  ", indent);
        dump_annotation(c, a.annotation.type, a.annotation.elements, out);
        dump_target(&a, out);
        dump_path(&a, out);
    }
    return true;
}

bool cf_dump_annotations(const CfClass *c, const CfAttr *a, const char *indent, FILE *out) {
    CfAnnotations t;
    CfElement e;
    switch (a->kind) {
    case CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS:
    case CF_ATTR_RUNTIME_INVISIBLE_ANNOTATIONS: return cf_annotations(a, &t, NULL) == CF_OK && dump_list(c, t, indent, out);
    case CF_ATTR_RUNTIME_VISIBLE_PARAMETER_ANNOTATIONS:
    case CF_ATTR_RUNTIME_INVISIBLE_PARAMETER_ANNOTATIONS:
        return cf_parameter_annotations(a, &t, NULL) == CF_OK && dump_parameters(c, t, indent, out);
    case CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS:
    case CF_ATTR_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS:
        return cf_type_annotations(a, &t, NULL) == CF_OK && dump_types(c, t, indent, out);
    case CF_ATTR_ANNOTATION_DEFAULT:
        if (cf_annotation_default(a, &e, NULL) != CF_OK) return false;
        fputc(' ', out);
        dump_value(c, &e, out);
        return true;
    default: return false;
    }
}
