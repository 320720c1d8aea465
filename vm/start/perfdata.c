/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Performance data file, format 2.0 of the jvmstat module.
 *
 *   prologue  u4 magic (big-endian), byte order, major, minor, accessible; s4 used bytes,
 *             s4 overflow; s8 modification time; s4 offset of the first entry; s4 entries
 *   entry     s4 length, s4 name offset, s4 vector length (0: scalar), type, flags, units,
 *             variability; s4 data offset; name; data
 * Offsets in an entry count from the entry.  Everything is constant text or a constant number
 * here: no counter is updated while the VM runs, so jstat shows nothing that moves.
 *
 * The folder must belong to this user and be writable by nobody else, else another user could
 * make us write somewhere; files of dead processes in it are removed on the way.
 */
#include "start/perfdata.h"
#include "core/launch.h"
#include "core/options.h"
#include "core/vm.h"
#include "os/os.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PROLOGUE = 32, ENTRY_HEAD = 20, UNITS_NONE = 1, UNITS_TICKS = 3, UNITS_STRING = 5, UNITS_HERTZ = 6,
       V_CONSTANT = 1, SUPPORTED = 1 };

typedef struct PerfFile {
    u1 *bytes;
    size_t used, size; /* size: padded */
    int32_t entries;
} PerfFile;

static char file_path[512];

static void add(PerfFile *f, const char *name, char type, u1 units, const void *data, size_t n, int32_t vector) {
    size_t name_room = ALIGN_UP(strlen(name) + 1, (size_t)8);
    size_t name_at = ENTRY_HEAD, data_at = ALIGN_UP(name_at + name_room, (size_t)8);
    size_t len = ALIGN_UP(data_at + n, (size_t)8);
    u1 *more = realloc(f->bytes, f->used + len);
    if (!more) return;
    f->bytes = more;
    u1 *e = more + f->used;
    memset(e, 0, len);
    int32_t head[] = {(int32_t)len, (int32_t)name_at, vector};
    memcpy(e, head, sizeof head);
    e[12] = (u1)type;
    e[13] = SUPPORTED;
    e[14] = units;
    e[15] = V_CONSTANT;
    memcpy(e + 16, &(int32_t){(int32_t)data_at}, 4);
    strcpy((char *)e + name_at, name);
    memcpy(e + data_at, data, n);
    f->used += len;
    f->entries++;
}
static void add_text(PerfFile *f, const char *name, const char *text) {
    size_t n = strlen(text ? text : "") + 1;
    add(f, name, 'B', UNITS_STRING, text ? text : "", n, (int32_t)n);
}
static void add_number(PerfFile *f, const char *name, u1 units, int64_t v) { add(f, name, 'J', units, &v, 8, 0); }

/* The options as one text: -XX to vmFlags, what tools call flags; the others to vmArgs. */
static char *join_arguments(bool flags) {
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    for (int i = 0; out && i < n_vm_arguments; i++) {
        const char *a = vm_arguments[i];
        if ((strncmp(a, "-XX:Flags=", 10) == 0) != flags) continue;
        if (argument_of_launcher(a)) continue;
        fprintf(out, "%s%s", ftell(out) ? " " : "", a);
    }
    if (out) fclose(out);
    return text;
}

static void fill(PerfFile *f) {
    static const char *const props[] = {
        "java.vm.specification.version", "java.vm.specification.name", "java.vm.specification.vendor",
        "java.vm.version", "java.vm.name", "java.vm.vendor", "java.vm.info", "java.library.path",
        "java.class.path", "java.version", "java.home", "jdk.debug"};
    char name[128], *args = join_arguments(false), *flags = join_arguments(true);
    add_text(f, "sun.rt.javaCommand", java_command);
    add_text(f, "java.rt.vmArgs", args);
    add_text(f, "java.rt.vmFlags", flags);
    add_text(f, "sun.rt.jvmVersion", property_get("java.vm.version"));
    /* one digit per capability: attach, kernel VM */
    add_text(f, "sun.rt.jvmCapabilities", vm_options.disable_attach || vm_options.reduce_signals
                 ? "0000000000000000000000000000000000000000000000000000000000000000"
                 : "1000000000000000000000000000000000000000000000000000000000000000");
    for (size_t i = 0; i < ARRAY_LEN(props); i++) {
        snprintf(name, sizeof name, "java.property.%s", props[i]);
        add_text(f, name, property_get(props[i]));
    }
    add_number(f, "sun.rt.createVmBeginTime", UNITS_NONE, vm.start_millis);
    add_number(f, "sun.os.hrt.frequency", UNITS_HERTZ, 1000000000);
    free(args);
    free(flags);
}

/* Readers map the file and want whole pages. */
static bool pad(PerfFile *f) {
    size_t size = ALIGN_UP(f->used, os_page_size());
    u1 *more = realloc(f->bytes, size);
    if (!more) return false;
    memset(more + f->used, 0, size - f->used);
    f->bytes = more;
    f->size = size;
    return true;
}

static void finish(PerfFile *f) {
    u1 *p = f->bytes;
    static const u1 magic[] = {0xca, 0xfe, 0xc0, 0xc0};
    memcpy(p, magic, 4);
    p[4] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    p[5] = 2;
    p[6] = 0;
    p[7] = 1; /* accessible */
    memcpy(p + 8, &(int32_t){(int32_t)f->used}, 4);
    memcpy(p + 24, &(int32_t){PROLOGUE}, 4);
    memcpy(p + 28, &f->entries, 4);
    memcpy(p + 16, &(int64_t){1}, 8);
}

static void remove_stale(const char *folder) {
    DIR *d = opendir(folder);
    char path[1024];
    for (struct dirent *e; d && (e = readdir(d));) {
        char *end;
        long pid = strtol(e->d_name, &end, 10);
        if (*end || pid <= 0 || (kill((pid_t)pid, 0) != 0 && errno == EPERM)) continue;
        if (kill((pid_t)pid, 0) == 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        unlink(path);
    }
    if (d) closedir(d);
}

/* The folder of this user, made if need be; false if it is not to be trusted. */
static bool user_folder(char *buf, size_t len) {
    struct passwd pw, *found = NULL;
    char text[2048];
    struct stat st;
    if (getpwuid_r(geteuid(), &pw, text, sizeof text, &found) != 0 || !found) return false;
    snprintf(buf, len, "/tmp/hsperfdata_%s", found->pw_name);
    if (mkdir(buf, 0755) != 0 && errno != EEXIST) return false;
    return lstat(buf, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 022);
}

void perfdata_start(void) {
    char folder[400];
    PerfFile f = {.bytes = calloc(1, PROLOGUE), .used = PROLOGUE};
    if (!vm_options.perf_data || !f.bytes || !user_folder(folder, sizeof folder)) {
        free(f.bytes);
        return;
    }
    remove_stale(folder);
    fill(&f);
    finish(&f);
    if (!pad(&f)) f.size = f.used;
    snprintf(file_path, sizeof file_path, "%s/%d", folder, getpid());
    int fd = open(file_path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, f.bytes, f.size) != (ssize_t)f.size) {
        if (fd >= 0) unlink(file_path);
        file_path[0] = 0;
    }
    if (fd >= 0) close(fd);
    free(f.bytes);
}

void perfdata_stop(void) {
    if (file_path[0]) unlink(file_path);
}
