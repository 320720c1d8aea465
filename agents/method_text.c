/* SPDX-License-Identifier: Apache-2.0 */
/* method_text.c - methods as people write them. */
#include "method_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classfile.h"

static void put_type(FILE *out, CfStr t)
{
    static const char letters[] = "IJZBCSFDV";
    static const char *const names[] = {"int", "long", "boolean", "byte", "char", "short", "float", "double", "void"};
    unsigned dims = 0;
    while (dims < t.len && t.p[dims] == '[')
        dims++;
    if (t.p[dims] == 'L')
        for (unsigned i = dims + 1; i + 1 < t.len; i++)
            fputc(t.p[i] == '/' ? '.' : t.p[i], out);
    else
        fputs(names[strchr(letters, t.p[dims]) - letters], out);
    while (dims--)
        fputs("[]", out);
}

char *agent_method_text(const char *class_name, const char *name, const char *desc)
{
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    if (!out)
        return NULL;
    for (const char *p = class_name; *p; p++)
        fputc(*p == '/' ? '.' : *p, out);
    fprintf(out, ".%s(", name);
    CfDescIter it = cf_desc_start(cf_str(desc));
    CfStr t;
    for (const char *comma = ""; cf_desc_next(&it, &t); comma = ", ") {
        fputs(comma, out);
        put_type(out, t);
    }
    fputc(')', out);
    return fclose(out) ? (free(text), NULL) : text;
}
