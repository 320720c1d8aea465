/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small subsystems: ScopedMemoryAccess, VectorSupport, NativeEntryPoint, Perf.
 */
#include "native/intrinsic/intrinsic_int.h"

#include "core/options.h"
#include "frame/frame_view.h"
#include "lang/string.h"
#include "object/method.h"
#include "os/os.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Reflection.getCallerClass ---- */

static bool tell_caller_of(FrameView asker, Slot *ret) {
    if (view_exists(asker) && !(view_method(asker)->flags & MF_CALLER_SENSITIVE)) return false;
    Class *c = view_exists(asker) ? stack_caller_of(asker) : NULL;
    ret->ref = c ? c->mirror : NULL;
    return true;
}

/* Frame 0 is getCallerClass. */
void reflection_caller_class(Thread *t, Slot *args, Slot *ret) {
    if (!tell_caller_of(view_at(t, 1), ret)) throw_new(t, EX_InternalError, "CallerSensitive annotation expected at frame 1");
}

/* Without a frame of its own. */
bool quick_caller_class(Thread *t, Slot *args, Slot *ret) { return tell_caller_of(view_youngest(t), ret); }

/* ---- ScopedMemoryAccess.closeScope0 ----
 * True when no other thread is inside a @Scoped method that holds the scope.  All cells of
 * such frames are compared; a stale cell can only make close fail, never succeed wrongly.
 * The state of a scope is a plain field, which compiled loops read once, in front: where threads stand, code is left.  (Older frames stand at calls,
 * behind which everything is read again.) */

typedef struct ScopeSearch {
    Thread *self;
    Object *scope;
    bool found;
} ScopeSearch;

static bool is_scope(Slot cell, void *scope) { return cell.ref == scope; }

static void search_scope(void *arg) {
    ScopeSearch *s = arg;
    FOR_EACH_THREAD(t) {
        if (t == s->self) continue;
        FOR_EACH_FRAME(v, t)
        if (view_method(v)->flags & MF_SCOPED && view_any_cell(v, is_scope, s->scope)) s->found = true;
        view_leave_code(t);
    }
}

void scoped_close(Thread *t, Slot *args, Slot *ret) {
    ScopeSearch s = {t, args[1].ref, false};
    safepoint_run("close memory scope", search_scope, &s);
    ret->i = !s.found;
}

/* ---- refusals ---- */

void vector_max_lanes(Thread *t, Slot *args, Slot *ret) { ret->i = -1; /* no vector registers: Java uses its fall-back shapes */ }
void native_entry_point_refused(Thread *t, Slot *args, Slot *ret) {
    throw_new(t, EX_UnsupportedOperationException, "foreign linker is not supported by this VM");
}

/* ---- Perf: counters are private memory behind direct buffers ---- */

static Object *buffer_on(Thread *t, void *p, int64_t n) {
    static Class *cls;
    if (!cls) cls = load_boot_class(t, "java/nio/DirectByteBuffer");
    return exec_new(t, cls, "(JI)V", (int64_t)(intptr_t)p, (int32_t)n);
}

void perf_create_long(Thread *t, Slot *args, Slot *ret) {
    if (!args[1].ref) return throw_plain(t, EX_NullPointerException);
    int64_t *p = malloc(sizeof *p);
    if (!p) return throw_no_memory(t);
    *p = args[4].j;
    ret->ref = buffer_on(t, p, sizeof *p);
}

void perf_create_bytes(Thread *t, Slot *args, Slot *ret) {
    Object *value = args[4].ref;
    int32_t max = args[5].i;
    if (!args[1].ref || !value) return throw_plain(t, EX_NullPointerException);
    if (max <= 0) return throw_plain(t, EX_IllegalArgumentException);
    int32_t n = array_len(value) < max ? array_len(value) : max;
    u1 *p = calloc(1, (size_t)max + 8);
    if (!p) return throw_no_memory(t);
    memcpy(p, array_data(value), (size_t)n);
    ret->ref = buffer_on(t, p, max);
}

/* Another VM's counter file: /tmp/hsperfdata_<user>/<pid>, read-only. */
void perf_attach(Thread *t, Slot *args, Slot *ret) {
    char pattern[512], pid[32];
    char *user = args[1].ref ? string_to_cstr(args[1].ref) : NULL;
    snprintf(pid, sizeof pid, "%d", args[2].i);
    snprintf(pattern, sizeof pattern, "/tmp/hsperfdata_%s/%s", user ? user : "*", pid);
    free(user);
    glob_t g;
    int fd = -1;
    if (glob(pattern, 0, NULL, &g) == 0) {
        fd = open(g.gl_pathv[0], O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        globfree(&g);
    }
    struct stat st;
    void *p = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0) p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (fd >= 0) close(fd);
    if (p == MAP_FAILED)
        return throw_new(t, fd < 0 ? EX_IllegalArgumentException : EX_IOException, "%s",
                         fd < 0 ? "Process not found" : strerror(errno));
    ret->ref = buffer_on(t, p, st.st_size);
}

void perf_detach(Thread *t, Slot *args, Slot *ret) {
    Object *b = args[1].ref;
    if (!b) return;
    munmap((void *)(intptr_t)JGET_LONG(b, Buffer, address), (size_t)JGET_INT(b, Buffer, capacity));
}
void perf_counter(Thread *t, Slot *args, Slot *ret) { ret->j = vm_options.fast_stamps ? os_ticks_nanos() : os_nanos(); }
void perf_frequency(Thread *t, Slot *args, Slot *ret) { ret->j = 1000000000; }
