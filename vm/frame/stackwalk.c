/* SPDX-License-Identifier: Apache-2.0 */
/* Callers and lines. */
#include "frame/frame.h"
#include "lang/javaclasses.h"
#include "object/version.h"
#include <string.h>

static bool is_method_invoke(const Method *m) {
    static Symbol *name;
    if (!name) name = symbol_of("invoke");
    return m->holder == JC(Method) && m->name == name;
}

/* What security walks ignore: Method.invoke, its accessors, compiled lambda forms. */
bool method_is_reflection(const Method *m) {
    if (is_method_invoke(m)) return true;
    if ((m->holder->flags & CF_MAGIC) && JC(MethodAccessorImpl) && class_is_subtype(m->holder, JC(MethodAccessorImpl)))
        return true;
    if (m->kind >= MK_INVOKE_BASIC) return true;
    return (m->flags & MF_HIDDEN) && strncmp(m->holder->name->bytes, "java/lang/invoke/", 17) == 0;
}

bool view_is_reflection(FrameView v) { return method_is_reflection(frame_view_method(v)); }

Class *stack_caller_of(FrameView v) {
    do v = frame_view_older(v);
    while (view_exists(v) && view_is_reflection(v));
    return view_exists(v) ? frame_view_method(v)->holder : NULL;
}

Class *stack_native_caller(const Thread *t) {
    FrameView v = view_youngest(t);
    return view_exists(v) && view_is_native(v) ? view_method(v)->holder : NULL;
}

CfStr method_source_file(const Method *m) {
    const CfClass *cf = m->version ? m->version->cf : NULL;
    u2 idx = cf ? cf_attr_index(cf_attr(&cf->attrs, CF_ATTR_SOURCE_FILE)) : 0;
    return idx ? cf_utf8(cf, idx) : (CfStr){0};
}

int method_line_number(const Method *m, u4 bci) {
    if (method_is_native(m)) return -2;
    if (!m->cf_code) return -1;
    int best = -1;
    u4 best_pc = 0;
    for (u4 i = 0; i < m->cf_code->attrs.count; i++) {
        const CfAttr *a = &m->cf_code->attrs.v[i];
        CfRows rows;
        if (a->kind != CF_ATTR_LINE_NUMBER_TABLE || cf_lines(a, &rows, NULL) != CF_OK) continue;
        for (u4 k = 0; k < rows.count; k++) {
            uint16_t pc, line;
            cf_line(&rows, k, &pc, &line);
            if (pc == bci) return line; /* of several rows for one place the first; of those before it the last */
            if (pc < bci && (best < 0 || pc >= best_pc)) best = line, best_pc = pc;
        }
    }
    return best;
}
