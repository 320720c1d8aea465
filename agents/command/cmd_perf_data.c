/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_perf_data.c - reads /tmp/hsperfdata_USER/PID (jvmstat, format 2.0: vm/serve/perfdata.c describes it).
 *
 * Other users can write in /tmp: neither folder nor file may be a link, both must belong to the process's user, and nothing
 * in the file is believed without a look at its bounds.
 */
#include "cmd_process.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PROLOGUE = 32, ENTRY_HEAD = 20, MOST = 4 << 20 };

static bool owned(int fd, const Process *p, mode_t type) {
    struct stat st;
    return fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) == type && st.st_uid == p->uid;
}

/* Takes the descriptor. */
static bool read_all(int fd, PerfData *d) {
    struct stat st;
    if (fstat(fd, &st) || st.st_size < PROLOGUE || st.st_size > MOST || !(d->bytes = malloc((size_t)st.st_size))) {
        close(fd);
        return false;
    }
    for (ssize_t n; d->len < (size_t)st.st_size && (n = read(fd, d->bytes + d->len, (size_t)st.st_size - d->len)) > 0;)
        d->len += (size_t)n;
    close(fd);
    return d->len >= PROLOGUE;
}

static bool read_in(int tmp, const char *folder, const Process *p, PerfData *d) {
    char name[16];
    snprintf(name, sizeof name, "%d", (int)p->inner);
    int dir = openat(tmp, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int fd = dir >= 0 && owned(dir, p, S_IFDIR) ? openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    if (dir >= 0) close(dir);
    if (fd >= 0 && !owned(fd, p, S_IFREG)) {
        close(fd);
        fd = -1;
    }
    return fd >= 0 && read_all(fd, d);
}

/* The user's name may be another one there: all folders are looked at. */
bool perf_read(const Process *p, PerfData *d) {
    static const unsigned char magic[] = {0xca, 0xfe, 0xc0, 0xc0, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, 2};
    char *path = process_path(p, "/tmp");
    DIR *tmp = opendir(path);
    bool found = false;
    *d = (PerfData){0};
    free(path);
    for (struct dirent *e; tmp && !found && (e = readdir(tmp));) {
        if (strncmp(e->d_name, "hsperfdata_", 11) != 0) continue;
        found = read_in(dirfd(tmp), e->d_name, p, d) && !memcmp(d->bytes, magic, sizeof magic);
        if (!found) perf_free(d);
    }
    if (tmp) closedir(tmp);
    return found;
}

void perf_free(PerfData *d) {
    free(d->bytes);
    *d = (PerfData){0};
}

static uint32_t word(const PerfData *d, size_t at) {
    uint32_t v = 0;
    if (at + sizeof v <= d->len) memcpy(&v, d->bytes + at, sizeof v);
    return v;
}

/* The data of a row and how many bytes there are at most; NULL if there is none of this name and kind. */
static const unsigned char *find(const PerfData *d, const char *name, char type, size_t *room) {
    size_t at = word(d, 24), n = word(d, 28);
    for (size_t i = 0; i < n && at + ENTRY_HEAD <= d->len; i++) {
        size_t len = word(d, at), name_at = at + word(d, at + 4), data_at = at + word(d, at + 16), end = at + len;
        if (len < ENTRY_HEAD || end > d->len || name_at >= end || data_at >= end) return NULL;
        if (d->bytes[at + 12] == (unsigned char)type &&
            strnlen((const char *)d->bytes + name_at, end - name_at) == strlen(name) &&
            !memcmp(d->bytes + name_at, name, strlen(name))) {
            *room = end - data_at;
            return d->bytes + data_at;
        }
        at = end;
    }
    return NULL;
}

bool perf_number(const PerfData *d, const char *name, int64_t *value) {
    size_t room;
    const unsigned char *p = find(d, name, 'J', &room);
    if (p && room >= sizeof *value) memcpy(value, p, sizeof *value);
    return p && room >= sizeof *value;
}

const char *perf_text(const PerfData *d, const char *name) {
    size_t room;
    const unsigned char *p = find(d, name, 'B', &room);
    return p && memchr(p, 0, room) ? (const char *)p : NULL;
}
