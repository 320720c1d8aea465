/* SPDX-License-Identifier: Apache-2.0 */
/* test_agent_zip.c - archives that are whole, cut, changed byte by byte, in front of which something stands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <zlib.h>

#include "agent_zip.h"

typedef struct Bytes {
    uint8_t p[4096];
    size_t n;
} Bytes;

static void put(Bytes *b, uint64_t v, int bytes) {
    for (int i = 0; i < bytes; i++) b->p[b->n++] = (uint8_t)(v >> 8 * i);
}
static void put_text(Bytes *b, const void *p, size_t n) {
    memcpy(b->p + b->n, p, n);
    b->n += n;
}

typedef struct Part {
    const char *name, *text;
    int method;
} Part;
static const Part parts[] = {{"b/B.class", "stored bytes", 0},
                             {"a/A.class", "deflated deflated deflated deflated deflated", 8},
                             {"empty", "", 0},
                             {"a/A.class", "the second of that name", 0},
                             {"other", "packed in another way", 99}};
enum { PARTS = sizeof parts / sizeof *parts, WIDE = 1, COMMENT = 2 };

static size_t pack(const Part *p, uint8_t *to) {
    size_t n = strlen(p->text);
    if (p->method != 8) return memcpy(to, p->text, n), n;
    z_stream s = {.next_in = (Bytef *)p->text, .avail_in = (uInt)n, .next_out = to, .avail_out = 1000};
    assert_int_equal(deflateInit2(&s, 9, Z_DEFLATED, -MAX_WBITS, 8, 0), Z_OK);
    assert_int_equal(deflate(&s, Z_FINISH), Z_STREAM_END);
    n = s.total_out;
    deflateEnd(&s);
    return n;
}

/* front: bytes in front that the offsets do not count. */
static Bytes archive(size_t front, int how) {
    Bytes b = {.n = front}, table = {.n = 0};
    for (int i = 0; i < PARTS; i++) {
        const Part *p = &parts[i];
        uint8_t packed[1000];
        size_t n = pack(p, packed), size = strlen(p->text), at = b.n - front;
        uint32_t crc = (uint32_t)crc32(0, (const Bytef *)p->text, (uInt)size);
        bool wide = how & WIDE;
        put(&b, 0x04034b50, 4), put(&b, 20, 2), put(&b, 0, 2), put(&b, (uint64_t)p->method, 2), put(&b, 0, 4);
        put(&b, crc, 4), put(&b, n, 4), put(&b, size, 4), put(&b, strlen(p->name), 2), put(&b, 5, 2);
        put_text(&b, p->name, strlen(p->name)), put_text(&b, "\xfe\xca\1\0x", 5), put_text(&b, packed, n);
        put(&table, 0x02014b50, 4), put(&table, 0, 4), put(&table, 0, 2), put(&table, (uint64_t)p->method, 2), put(&table, 0, 4);
        put(&table, crc, 4), put(&table, wide ? UINT32_MAX : n, 4), put(&table, size, 4), put(&table, strlen(p->name), 2);
        put(&table, wide ? 20 : 0, 2), put(&table, 0, 2), put(&table, 0, 8), put(&table, wide ? UINT32_MAX : at, 4);
        put_text(&table, p->name, strlen(p->name));
        if (wide) put(&table, 1, 2), put(&table, 16, 2), put(&table, n, 8), put(&table, at, 8);
    }
    size_t at = b.n - front;
    put_text(&b, table.p, table.n);
    if (how & WIDE) {
        size_t end = b.n - front;
        put(&b, 0x06064b50, 4), put(&b, 44, 8), put(&b, 45, 2), put(&b, 45, 2), put(&b, 0, 8), put(&b, PARTS, 8),
            put(&b, PARTS, 8);
        put(&b, table.n, 8), put(&b, at, 8);
        put(&b, 0x07064b50, 4), put(&b, 0, 4), put(&b, end, 8), put(&b, 1, 4);
    }
    put(&b, 0x06054b50, 4), put(&b, 0, 4), put(&b, PARTS, 2), put(&b, PARTS, 2);
    put(&b, how & WIDE ? UINT32_MAX : table.n, 4), put(&b, how & WIDE ? UINT32_MAX : at, 4);
    put(&b, how & COMMENT ? 26 : 0, 2);
    if (how & COMMENT) put_text(&b, "PK\5\6 no end, this is a text", 26);
    return b;
}

static AgentZip *open_bytes(const uint8_t *p, size_t n) {
    char path[] = "/tmp/test_agent_zip.XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, p, n) == (ssize_t)n);
    close(fd);
    AgentZip *z = agent_zip_open(path);
    unlink(path);
    return z;
}

static void expect_text(const AgentZip *z, int64_t k, const char *text) {
    size_t len;
    assert_true(k >= 0);
    char *got = agent_zip_read(z, (uint32_t)k, 1000, &len);
    assert_non_null(got);
    assert_int_equal(len, strlen(text));
    assert_string_equal(got, text);
    free(got);
}

static void whole(void **state) {
    static const int ways[] = {0, WIDE, COMMENT, WIDE | COMMENT};
    for (size_t i = 0; i < 8; i++) {
        Bytes b = archive(i < 4 ? 0 : 77, ways[i % 4]);
        AgentZip *z = open_bytes(b.p, b.n);
        size_t len;
        assert_non_null(z);
        assert_int_equal(agent_zip_count(z), PARTS);
        for (uint32_t k = 0; k < PARTS; k++) {
            assert_string_equal(agent_zip_entry(z, k).name, parts[k].name);
            if (parts[k].method != 99) expect_text(z, k, parts[k].text);
            else assert_null(agent_zip_read(z, k, 1000, &len));
        }
        assert_int_equal(agent_zip_find(z, "a/A.class"), 1);
        assert_int_equal(agent_zip_find(z, "b/B.class"), 0);
        assert_int_equal(agent_zip_find(z, "a"), -1);
        assert_int_equal(agent_zip_find(z, "z"), -1);
        assert_null(agent_zip_read(z, 0, 11, &len));
        agent_zip_close(z);
    }
    assert_int_equal(agent_zip_find(NULL, "a"), -1);
    assert_null(agent_zip_open("/nowhere/at/all"));
    assert_null(agent_zip_open("/tmp"));
}

static void cut(void **state) {
    Bytes b = archive(0, 0);
    for (size_t n = 0; n < b.n; n++) assert_null(open_bytes(b.p, n));
}

/* Whatever byte is another one: an entry that is given out is one of those that went in, or (a changed name, size or CRC) none. */
static void changed(void **state) {
    for (int how = 0; how < 2; how++) {
        Bytes b = archive(3, how);
        for (size_t i = 0; i < b.n; i++) {
            for (int bit = 0; bit < 8; bit++) {
                b.p[i] ^= (uint8_t)(1 << bit);
                AgentZip *z = open_bytes(b.p, b.n);
                for (uint32_t k = 0; z && k < agent_zip_count(z); k++) {
                    size_t len;
                    char *got = agent_zip_read(z, k, 1000, &len);
                    bool known = false;
                    for (int j = 0; got && j < PARTS; j++) known |= !strcmp(got, parts[j].text);
                    assert_true(!got || known);
                    free(got);
                }
                agent_zip_close(z);
                b.p[i] ^= (uint8_t)(1 << bit);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole), cmocka_unit_test(cut), cmocka_unit_test(changed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
