/* SPDX-License-Identifier: Apache-2.0 */
/* utf8.c - see utf8.h. */
#include "utf8.h"

#include <stdlib.h>
#include <string.h>

#include "classfile.h"

/* ---- characters ------------------------------------------------------------------------------- */

static bool is_high(uint32_t c) { return c >= 0xd800 && c < 0xdc00; }
static bool is_low(uint32_t c) { return c >= 0xdc00 && c < 0xe000; }

/* One sequence, surrogates by themselves. */
static uint32_t take(const uint8_t **at, const uint8_t *end) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const uint8_t *p = *at;
    unsigned n = p[0] < 0x80 ? 1 : (p[0] & 0xe0) == 0xc0 ? 2 : (p[0] & 0xf0) == 0xe0 ? 3 : (p[0] & 0xf8) == 0xf0 ? 4 : 0;
    *at = p + 1;
    if (n == 1) return p[0];
    if (!n || (size_t)(end - p) < n) return AGENT_NO_CHAR;
    uint32_t c = p[0] & (0x7fu >> n);
    for (unsigned i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80) return AGENT_NO_CHAR;
        c = c << 6 | (p[i] & 0x3f);
    }
    if ((c < least[n] && !(n == 2 && !c)) || c > 0x10ffff) return AGENT_NO_CHAR;
    *at = p + n;
    return c;
}

uint32_t agent_next_char(const char **at, const char *end) {
    const uint8_t *p = (const uint8_t *)*at, *stop = (const uint8_t *)end;
    uint32_t c = take(&p, stop);
    const uint8_t *q = p;
    uint32_t low = is_high(c) && p < stop ? take(&q, stop) : 0;
    if (is_low(low)) {
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        p = q;
    }
    *at = (const char *)p;
    return c;
}

size_t agent_utf8_of(uint32_t c, char text[AGENT_CHAR_TEXT]) {
    unsigned char *b = (unsigned char *)text;
    if (is_high(c) || is_low(c)) c = AGENT_NO_CHAR;
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n; i-- > 1; c >>= 6) b[i] = (unsigned char)(0x80 | (c & 0x3f));
    b[0] = (unsigned char)(n == 1 ? c : (0xf00u >> n & 0xff) | c);
    return n;
}

/* ---- names -------------------------------------------------------------------------------------- */

/* U+FFFE and U+FFFF may stand in no XML, U+2028 and U+2029 end a line for many. */
static bool is_shown(uint32_t c) {
    return !agent_is_control(c) && !is_high(c) && !is_low(c) && c != 0xfffe && c != 0xffff && c != 0x2028 && c != 0x2029;
}

static size_t shown(uint32_t c, char text[AGENT_CHAR_TEXT]) {
    return is_shown(c) ? agent_utf8_of(c, text) : (size_t)snprintf(text, AGENT_CHAR_TEXT, "\\u%04x", (unsigned)c);
}

void agent_put_char(FILE *out, uint32_t c) {
    char text[AGENT_CHAR_TEXT];
    fwrite(text, 1, shown(c, text), out);
}

void agent_put_name(FILE *out, const char *name, size_t n) {
    for (const char *end = name + n; name < end;) agent_put_char(out, agent_next_char(&name, end));
}

char *agent_name_text(const char *name, size_t n) {
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    if (!out) return NULL;
    agent_put_name(out, name, n);
    return fclose(out) ? (free(text), NULL) : text;
}

/* Puts `name` at buf[used]; the new end, or 0 when it is cut. */
static size_t add_plain(const char *name, char *buf, size_t used, size_t n) {
    char text[AGENT_CHAR_TEXT];
    for (const char *end = name + strlen(name); name < end;) {
        uint32_t c = agent_next_char(&name, end);
        size_t len = shown(c == '/' ? '.' : c, text);
        if (used + len >= n) return 0;
        memcpy(buf + used, text, len);
        used += len;
        buf[used] = 0;
    }
    return used;
}

void agent_plain_name(const char *class_name, const char *method, char *buf, size_t n) {
    *buf = 0;
    size_t used = add_plain(class_name, buf, 0, n);
    if (!method || !used || !(used = add_plain(".", buf, used, n))) return;
    add_plain(method, buf, used, n);
}

/* ---- markup ------------------------------------------------------------------------------------- */

void agent_put_markup(FILE *out, const char *s, size_t n) {
    char text[AGENT_CHAR_TEXT];
    for (const char *end = s + n; s < end;) {
        uint32_t c = agent_next_char(&s, end);
        switch (c) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        case '\t':
        case '\n': fputc((int)c, out); break;
        default:
            if (c == 0xfffe || c == 0xffff) c = AGENT_NO_CHAR;
            fwrite(text, 1, agent_utf8_of(agent_is_control(c) ? '?' : c, text), out);
        }
    }
}

/* ---- JNI ---------------------------------------------------------------------------------------- */

char *agent_string(JNIEnv *env, jstring s) {
    const char *chars = s ? (*env)->GetStringUTFChars(env, s, NULL) : NULL;
    if (!chars) return NULL;
    size_t len = strlen(chars), n = cf_mutf8_to_utf8(chars, len, NULL, 0);
    char *text = malloc(n + 1);
    if (text) text[cf_mutf8_to_utf8(chars, len, text, n)] = 0;
    (*env)->ReleaseStringUTFChars(env, s, chars);
    return text;
}

char *agent_modified(const char *utf8) {
    size_t len = strlen(utf8), n = cf_utf8_to_mutf8(utf8, len, NULL, 0);
    char *text = malloc(n + 1);
    if (text) text[cf_utf8_to_mutf8(utf8, len, text, n)] = 0;
    return text;
}

jstring agent_new_string(JNIEnv *env, const char *utf8) {
    char *text = agent_modified(utf8);
    jstring s = text ? (*env)->NewStringUTF(env, text) : NULL;
    free(text);
    return s;
}
