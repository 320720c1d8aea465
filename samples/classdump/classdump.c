/* SPDX-License-Identifier: Apache-2.0 */
/* classdump FILE.class...: prints class files as text, with the classfile library alone. */
#include <stdio.h>
#include <stdlib.h>

#include "classfile.h"

static unsigned char *read_file(const char *name, size_t *size) {
    FILE *f = fopen(name, "rb");
    if (!f) return NULL;
    unsigned char *bytes = NULL;
    size_t room = 0, n = 0, got;
    do {
        bytes = realloc(bytes, room += 65536);
        got = fread(bytes + n, 1, room - n, f);
        n += got;
    } while (got > 0);
    fclose(f);
    *size = n;
    return bytes;
}

static int dump(const char *name) {
    size_t size;
    unsigned char *bytes = read_file(name, &size);
    if (!bytes) {
        perror(name);
        return 1;
    }
    CfArena arena;
    CfError err;
    CfClass *cls;
    cf_arena_init(&arena, "classdump", 0);
    cf_err_clear(&err);
    CfErrCode code = cf_parse(&cls, bytes, size, &arena, NULL, &err);
    if (code == CF_OK) cf_dump(cls, CF_DUMP_ALL, stdout);
    else printf("%s: %s: %s (%s, offset %lld)\n", name, cf_err_class(code), err.text, err.where, (long long)err.offset);
    cf_arena_free(&arena);
    free(bytes);
    return code != CF_OK;
}

int main(int argc, char **argv) {
    int failed = argc < 2;
    for (int i = 1; i < argc; i++) failed |= dump(argv[i]);
    return failed;
}
