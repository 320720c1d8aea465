/* SPDX-License-Identifier: Apache-2.0 */
/* method_text.c - types and methods as people write them. */
#include "method_text.h"

#include <stdlib.h>
#include <string.h>

#include "utf8.h"

static void put_class(FILE *out, CfStr name, bool simple) {
    uint32_t from = 0;
    for (uint32_t i = 0; simple && i < name.len; i++)
        if (name.p[i] == '/') from = i + 1;
    for (uint32_t i = from, n; i <= name.len; i += n + 1) {
        const char *slash = memchr(name.p + i, '/', name.len - i);
        n = slash ? (uint32_t)(slash - name.p) - i : name.len - i;
        agent_put_name(out, name.p + i, n);
        if (slash) fputc('.', out);
    }
}

void agent_put_type(FILE *out, CfStr t, bool simple) {
    static const char letters[] = "IJZBCSFDV";
    static const char *const names[] = {"int", "long", "boolean", "byte", "char", "short", "float", "double", "void"};
    uint32_t dims = 0;
    while (dims < t.len && t.p[dims] == '[') dims++;
    const char *letter = dims < t.len ? memchr(letters, t.p[dims], sizeof letters - 1) : NULL;
    if (dims + 1 < t.len && t.p[dims] == 'L') put_class(out, (CfStr){t.p + dims + 1, t.len - dims - 2}, simple);
    else fputs(letter ? names[letter - letters] : "?", out);
    while (dims--) fputs("[]", out);
}

void agent_put_parameters(FILE *out, CfStr desc, bool simple) {
    CfDescIter it = cf_desc_start(desc);
    CfStr t;
    fputc('(', out);
    for (const char *comma = ""; cf_desc_next(&it, &t); comma = ", ") {
        fputs(comma, out);
        agent_put_type(out, t, simple);
    }
    fputc(')', out);
}

char *agent_name_in_file(const uint8_t *bytes, size_t len) {
    CfArena arena;
    CfClass *c;
    CfParseOptions any = {.any_version = true};
    cf_arena_init(&arena, "name", 1 << 14);
    char *name = cf_parse(&c, bytes, len, &arena, &any, NULL) == CF_OK ? strndup((const char *)c->name.p, c->name.len) : NULL;
    cf_arena_free(&arena);
    return name;
}

char *agent_name_not_given(const uint8_t *bytes, size_t len) {
    char *name = agent_name_in_file(bytes, len);
    if (!name || !strstr(name, "$$Lambda$")) return name;
    free(name);
    return NULL;
}

char *agent_class_text(const Agent *a, jclass c) {
    char *signature = NULL, *text = NULL;
    size_t len;
    if ((*a->ti)->GetClassSignature(a->ti, c, &signature, NULL)) return NULL;
    FILE *out = open_memstream(&text, &len);
    if (out) agent_put_type(out, cf_str(signature), false);
    (*a->ti)->Deallocate(a->ti, (unsigned char *)signature);
    if (!out) return NULL;
    return fclose(out) ? (free(text), NULL) : text;
}

char *agent_method_text(const char *class_name, const char *name, const char *desc) {
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    if (!out) return NULL;
    put_class(out, cf_str(class_name), false);
    fputc('.', out);
    agent_put_name(out, name, strlen(name));
    agent_put_parameters(out, cf_str(desc), false);
    return fclose(out) ? (free(text), NULL) : text;
}

size_t agent_parameters_at(const char *method) {
    const char *open = strrchr(method, '(');
    return open ? (size_t)(open - method) : strlen(method);
}

static void drop_blanks(char *text) {
    char *out = text;
    for (const char *p = text; *p; p++)
        if (*p != ' ' && *p != '\t') *out++ = *p;
    *out = 0;
}

static bool fits_parameters(const char *patterns, const char *class_name, const char *name, const char *desc) {
    char *text = agent_method_text(class_name, name, desc), *list = strdup(patterns);
    if (text) drop_blanks(text);
    if (list) drop_blanks(list);
    bool fits = text && list && agent_match_list(list, text);
    free(text);
    free(list);
    return fits;
}

bool agent_names_method(const char *patterns, const char *class_name, const char *name, const char *desc) {
    char text[1024];
    agent_plain_name(class_name, NULL, text, sizeof text);
    if (agent_match_list(patterns, text)) return true;
    if (!name) return false;
    agent_plain_name(class_name, name, text, sizeof text);
    return agent_match_list(patterns, text) || (strchr(patterns, '(') && fits_parameters(patterns, class_name, name, desc));
}
