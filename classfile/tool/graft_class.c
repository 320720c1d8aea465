/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graft-class: look at class files.
 *
 *   graft-class dump   [-j] FILE...    constant pool, members, code with frames
 *   graft-class verify [-j] FILE...    FORMAT checks and verification
 *   graft-class stats  [-j] FILE...    sizes and counts, over all files
 *   graft-class diff   [-j] OLD NEW    by meaning: pool order, offsets and debug tables do not count
 *
 * -j gives JSON. Colours are used on a terminal unless NO_COLOR is set. Verification knows only the
 * classes on the command line; of others it believes what the code claims. Exit: 0 fine (diff: same),
 * 1 bad class or difference, 2 usage or no file.
 */
#include "class_lines.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool json, colours;

typedef struct File {
    const char *path;
    uint8_t *bytes;
    size_t size;
    CfClass *cls; /* NULL: does not parse, see err */
    CfError err;
} File;

static CfArena arena;
static File *files;
static int nfiles;

/* ---- input ---- */

static bool load(File *f, const char *path) {
    static const CfParseOptions any = {.any_version = true};
    CfWriter w = {0};
    uint8_t buf[8192];
    size_t n;
    FILE *in = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    f->path = path;
    if (!in) return perror(path), false;
    while ((n = fread(buf, 1, sizeof buf, in)) > 0) cf_w_bytes(&w, buf, n);
    if (in != stdin) fclose(in);
    f->bytes = w.data;
    f->size = w.len;
    cf_err_clear(&f->err);
    if (cf_parse(&f->cls, f->bytes, f->size, &arena, &any, &f->err) != CF_OK) f->cls = NULL;
    return true;
}

static const CfClass *known(CfStr name) {
    for (int k = 0; k < nfiles; k++)
        if (files[k].cls && cf_str_eq(files[k].cls->name, name)) return files[k].cls;
    return NULL;
}

static CfAnswer is_interface(void *ctx, CfStr name) {
    const CfClass *c = known(name);
    return c && c->access & CF_ACC_INTERFACE ? CF_YES : CF_NO;
}

/* NO only if `to` and the whole chain of superclasses are known: what is not known may be an interface. */
static CfAnswer is_assignable(void *ctx, CfStr from, CfStr to) {
    const CfClass *want = known(to);
    if (!want || want->access & CF_ACC_INTERFACE) return CF_YES;
    for (int depth = 0; depth < 1000; depth++) {
        if (cf_str_eq(from, to)) return CF_YES;
        const CfClass *c = known(from);
        if (!c) return cf_str_is(from, "java/lang/Object") ? CF_NO : CF_YES;
        from = cf_class_name(c, c->super_class);
        if (from.len == 0) return CF_NO;
    }
    return CF_NO;
}

static CfAnswer is_superclass(void *ctx, CfStr owner) { return CF_NO; }

/* ---- output ---- */

/* `s` may be modified UTF-8: a zero of two bytes, halves of characters beyond 16 bits. */
void json_text(FILE *out, const char *s, size_t n) {
    fputc('"', out);
    for (size_t k = 0; k < n; k++) {
        unsigned char ch = (unsigned char)s[k], next = k + 1 < n ? (unsigned char)s[k + 1] : 0;
        if (ch == '"' || ch == '\\') fprintf(out, "\\%c", ch);
        else if (ch < 0x20) fprintf(out, "\\u%04x", ch);
        else if (ch == 0xc0 && next == 0x80) fputs("\\u0000", out), k++;
        else if (ch == 0xed && next >= 0xa0 && k + 2 < n)
            fprintf(out, "\\ud%03x", (next & 0x3fu) << 6 | (s[k + 2] & 0x3fu)), k += 2;
        else fputc(ch, out);
    }
    fputc('"', out);
}

char *plain_text(char *s) {
    for (char *p = s; p && *p; p++)
        if (((unsigned char)*p < ' ' && *p != '\n' && *p != '\t') || *p == 127) *p = '?';
    return s;
}

/* `before` leads to the text. */
static void json_str(const char *before, CfStr s) {
    fputs(before, stdout);
    json_text(stdout, s.p ? s.p : "", s.len);
}

/* Comments grey, member headings bold. */
static void print_coloured(char *text) {
    for (char *line = text, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        if (end) *end = 0;
        char *note = strstr(line, "//");
        if (note) printf("%.*s\033[90m%s\033[0m\n", (int)(note - line), line, note);
        else if (*line && *line != ' ') printf("\033[1m%s\033[0m\n", line);
        else puts(line);
        if (!end) break;
    }
}

static void bad_file(const File *f) {
    if (json) {
        json_str("{\"file\":", cf_str(f->path));
        printf(",\"error\":\"%s\"", cf_err_class(f->err.code));
        json_str(",\"text\":", cf_str(f->err.text));
        printf("}");
    } else {
        char text[sizeof f->err.text];
        snprintf(text, sizeof text, "%s", f->err.text);
        printf("%s: %s: %s\n", f->path, cf_err_class(f->err.code), plain_text(text));
    }
}

/* ---- dump ---- */

static void dump_json(const File *f) {
    const CfClass *c = f->cls;
    json_str("{\"file\":", cf_str(f->path));
    json_str(",\"name\":", c->name);
    json_str(",\"super\":", cf_class_name(c, c->super_class));
    printf(",\"major\":%u,\"minor\":%u,\"access\":%u,\"interfaces\":[", c->major, c->minor, c->access);
    for (unsigned k = 0; k < c->interface_count; k++) json_str(k ? "," : "", cf_class_name(c, c->interfaces[k]));
    for (int m = 0; m < 2; m++) {
        const CfMember *v = m ? c->methods : c->fields;
        printf(m ? "],\"methods\":[" : "],\"fields\":[");
        for (unsigned k = 0; k < (m ? c->method_count : c->field_count); k++) {
            json_str(k ? ",{\"name\":" : "{\"name\":", cf_utf8(c, v[k].name));
            json_str(",\"desc\":", cf_utf8(c, v[k].desc));
            printf(",\"access\":%u", v[k].access);
            Lines l = {0};
            if (m && method_lines(c, &v[k], &l) && l.n) {
                printf(",\"code\":[");
                for (uint32_t i = 0; i < l.n; i++) json_str(i ? "," : "", cf_str(l.v[i]));
                printf("]");
            }
            lines_free(&l);
            printf("}");
        }
    }
    printf("]}");
}

static int dump(const File *f) {
    if (json) return dump_json(f), 0;
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    if (out) cf_dump(f->cls, CF_DUMP_ALL, out);
    if (!out || fclose(out)) return fprintf(stderr, "%s: out of memory\n", f->path), free(text), 1;
    if (colours) print_coloured(plain_text(text));
    else fputs(plain_text(text), stdout);
    free(text);
    return 0;
}

/* ---- verify ---- */

static int verify(File *f) {
    static const CfHierarchy h = {
        .is_assignable = is_assignable, .is_interface = is_interface, .is_superclass_of_this = is_superclass};
    CfErrCode rc = cf_check(f->cls, NULL, &f->err);
    bool old = f->cls->major < 50, module = f->cls->access & CF_ACC_MODULE;
    if (rc == CF_OK && !old && !module) rc = cf_verify(f->cls, &h, NULL, &f->err);
    if (rc != CF_OK) return bad_file(f), 1;
    if (json) {
        json_str("{\"file\":", cf_str(f->path));
        printf(",\"verified\":%s}", old || module ? "false" : "true");
    } else {
        printf("%s: %s\n", f->path,
               module ? "module, checked"
               : old  ? "checked; older than version 50, not verified"
                      : "verified");
    }
    return 0;
}

/* ---- stats ---- */

typedef struct Stats {
    unsigned long classes, bytes, pool, fields, methods, with_code, code, insns, handlers, frames;
    unsigned long ops[256];
} Stats;
static Stats total;

static int stats(const File *f) {
    const CfClass *c = f->cls;
    total.classes++;
    total.bytes += f->size;
    total.pool += c->const_count - 1;
    total.fields += c->field_count;
    total.methods += c->method_count;
    for (unsigned k = 0; k < c->method_count; k++) {
        CfCode code;
        CfInsn i;
        CfMapIter it;
        if (cf_code(c, &c->methods[k], &arena, &code, NULL) != CF_OK || !code.code) continue;
        total.with_code++;
        total.code += code.code_len;
        total.handlers += code.handlers.count;
        if (cf_map_start(cf_attr(&code.attrs, CF_ATTR_STACK_MAP_TABLE), &it, NULL) == CF_OK) total.frames += it.left;
        for (uint32_t pc = 0; pc < code.code_len && cf_insn(code.code, code.code_len, pc, &i); pc += i.len) {
            total.insns++;
            total.ops[i.op]++;
        }
    }
    return 0;
}

static void print_stats(void) {
    const struct {
        const char *name;
        unsigned long n;
    } rows[] = {{"classes", total.classes}, {"bytes", total.bytes},        {"constants", total.pool},
                {"fields", total.fields},   {"methods", total.methods},    {"with code", total.with_code},
                {"code bytes", total.code}, {"instructions", total.insns}, {"handlers", total.handlers},
                {"frames", total.frames}};
    printf(json ? "{" : "");
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
        printf(json ? "%s\"%s\":%lu" : "%s%-14s%10lu\n", json && k ? "," : "", rows[k].name, rows[k].n);
    printf(json ? ",\"opcodes\":{" : "most frequent:\n");
    for (int shown = 0; shown < 10; shown++) {
        unsigned best = 0;
        for (unsigned op = 1; op < 256; op++)
            if (total.ops[op] > total.ops[best]) best = op;
        if (!total.ops[best]) break;
        printf(json ? "%s\"%s\":%lu" : "%s  %-14s%8lu\n", json && shown ? "," : "", cf_op_info[best].name, total.ops[best]);
        total.ops[best] = 0;
    }
    printf(json ? "}}\n" : "");
}

/* ---- diff ---- */

static int diff(void) {
    Lines a = {0}, b = {0};
    class_lines(files[0].cls, &a);
    class_lines(files[1].cls, &b);
    int n = print_diff(&a, &b, json, colours);
    lines_free(&a);
    lines_free(&b);
    return n ? 1 : 0;
}

static int usage(FILE *out, int rc) {
    fputs("graft-class COMMAND [-j] FILE...\n\n"
          "  dump      constant pool, members, code with stack map frames\n"
          "  verify    what the VM would refuse: form and types\n"
          "  stats     sizes and counts, over all files\n"
          "  diff      OLD NEW: by meaning; order of the pool, offsets and debug tables do not count\n\n"
          "  -j        JSON\n  --help    this text\n\n"
          "FILE is a class file, - standard input. Verification knows only the classes that are named; of others it\n"
          "believes what the code claims.\n\n"
          "Exit code: 0; 1 for a bad class, or a difference; 2 for a wrong use, or a file that cannot be read.\n",
          out);
    return rc;
}

static bool is_help(const char *word) { return !strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help"); }

int main(int argc, char **argv) {
    int at = 2, rc = 0;
    if (argc == 2 && is_help(argv[1])) return usage(stdout, 0);
    if (argc > at && strcmp(argv[at], "-j") == 0) json = true, at++;
    if (argc <= at) return usage(stderr, 2);
    const char *command = argv[1];
    bool is_diff = !strcmp(command, "diff"), is_stats = !strcmp(command, "stats");
    bool is_dump = !strcmp(command, "dump"), is_verify = !strcmp(command, "verify");
    if (!(is_diff || is_stats || is_dump || is_verify) || (is_diff && argc - at != 2)) return usage(stderr, 2);
    colours = !json && isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
    cf_arena_init(&arena, "graft-class", 0);
    files = calloc((size_t)(argc - at), sizeof *files);
    if (!files) return 2;
    for (; at < argc; at++)
        if (!load(&files[nfiles++], argv[at])) return 2;
    if (json && !is_diff && !is_stats) printf("[");
    for (int k = 0; k < nfiles; k++) {
        File *f = &files[k];
        if (json && k && !is_diff && !is_stats) printf(",");
        if (!f->cls) {
            bad_file(f);
            rc = 1;
        } else if (!is_diff) {
            rc |= is_dump ? dump(f) : is_verify ? verify(f) : stats(f);
        }
    }
    if (json && !is_diff && !is_stats) printf("]\n");
    if (is_stats) print_stats();
    if (is_diff && rc == 0) rc = diff();
    return rc;
}
