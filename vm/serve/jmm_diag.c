/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JMM: heap dump, VM flags, diagnostic commands, for HotSpotDiagnosticMXBean and
 * DiagnosticCommandMBean.  The records that cross the interface are laid out as
 * libmanagement_ext was compiled; their strings are constants that Java copies.
 */
#include "serve/diag.h"
#include "serve/jmm_int.h"

#include <stdlib.h>

/* ---- heap dump ---- */

jint jmm_DumpHeap0(JNIEnv *env, jstring file, jboolean live) {
    IN_JAVA Thread *t = native_enter(env);
    char *path = string_to_cstr(handle_get(file)), *text = NULL;
    size_t len = 0;
    jint rc = -1;
    FILE *out = path ? open_memstream(&text, &len) : NULL;
    if (!file) {
        throw_new(t, EX_NullPointerException, "Output file name is null.");
    } else if (!out) {
        throw_no_memory(t);
    } else {
        bool ok = hprof_dump(t, &(HprofRequest){.path = path, .live = live}, out);
        fclose(out);
        rc = ok ? 0 : -1;
        char *reason = text ? strchr(text, '\n') : NULL; /* the first line only announces */
        if (!ok) {
            if (reason && *++reason) reason[strcspn(reason, "\n")] = 0;
            if (reason && strncmp(reason, HPROF_INCOMPLETE, strlen(HPROF_INCOMPLETE)) == 0) reason += strlen(HPROF_INCOMPLETE);
            throw_new(t, EX_IOException, "%s",
                      reason && strstr(reason, "File exists") ? "File exists"
                      : reason                                ? reason
                                                              : "heap dump failed");
        }
    }
    free(text);
    free(path);
    return rc;
}

/* ---- flags ---- */

enum { GLOBAL_BOOLEAN = 1, GLOBAL_STRING, GLOBAL_LONG, GLOBAL_DOUBLE };

typedef struct JmmGlobal {
    jstring name;
    jvalue value;
    int type, origin;
    unsigned writeable : 1, external : 1, reserved : 30;
    void *reserved1, *reserved2;
} JmmGlobal;

static jobjectArray string_array(Thread *t, int n, const char *(*text)(int)) {
    Object *a = class_new_array(t, JC(String), n);
    for (int i = 0; a && i < n; i++) jvm_array_put(&a, i, string_from_cstr(t, text(i)));
    return handle_local(t, a);
}

static const char *flag_name(int i) { return vm_flag(i)->name; }

jobjectArray jmm_GetVMGlobalNames(JNIEnv *env) {
    IN_JAVA Thread *t = native_enter(env);
    return string_array(t, vm_flag_count(), flag_name);
}

static void fill_global(Thread *t, JmmGlobal *g, const VmFlag *f) {
    static const int types[] = {[FLAG_BOOL] = GLOBAL_BOOLEAN,
                                [FLAG_INT] = GLOBAL_LONG,
                                [FLAG_SIZE] = GLOBAL_LONG,
                                [FLAG_DOUBLE] = GLOBAL_DOUBLE,
                                [FLAG_STR] = GLOBAL_STRING};
    memset(g, 0, sizeof *g);
    if (!f) return;
    g->name = handle_local(t, string_from_cstr(t, f->name));
    g->type = types[f->type];
    g->origin = (int)vm_flag_origin(f);
    g->writeable = f->manageable;
    g->external = 1;
    FlagValue v = vm_flag_value(f);
    if (f->type == FLAG_BOOL) g->value.z = v.b;
    else if (f->type == FLAG_DOUBLE) g->value.d = v.d;
    else if (f->type == FLAG_STR) g->value.l = handle_local(t, string_from_platform(t, v.s ? v.s : ""));
    else g->value.j = v.i;
}

/* A name that is unknown leaves a record without name. */
jint jmm_GetVMGlobals(JNIEnv *env, jobjectArray names, void *globals, jint count) {
    IN_JAVA Thread *t = native_enter(env);
    JmmGlobal *g = globals;
    Object *list = handle_get(names);
    jint n = 0, asked = list ? array_len(list) : vm_flag_count();
    for (jint i = 0; i < asked && i < count && !t->exception; i++) {
        char *name = list ? string_to_cstr(array_ref(handle_get(names), i)) : NULL;
        if (list && !name && array_ref(handle_get(names), i)) throw_no_memory(t);
        const VmFlag *f = !list ? vm_flag(i) : name ? vm_flag_find(name) : NULL;
        fill_global(t, &g[i], f);
        n += f != NULL;
        free(name);
    }
    return n;
}

void jmm_SetVMGlobal(JNIEnv *env, jstring flag_name_handle, jvalue value) {
    IN_JAVA Thread *t = native_enter(env);
    char *name = string_to_cstr(handle_get(flag_name_handle)), number[32], *text = NULL;
    const VmFlag *f = name ? vm_flag_find(name) : NULL;
    const char *why = "This flag does not exist.";
    if (f && f->type == FLAG_STR) {
        text = string_to_cstr(handle_get(value.l));
        why = value.l && !text ? "no memory" : vm_flag_set(f, text ? text : "", ORIGIN_MANAGEMENT);
    } else if (f) {
        snprintf(number, sizeof number, "%ld", f->type == FLAG_BOOL ? (long)value.z : (long)value.j);
        why = vm_flag_set(f, number, ORIGIN_MANAGEMENT);
    }
    if (!name && flag_name_handle) throw_no_memory(t);
    else if (why) throw_new(t, EX_IllegalArgumentException, "%s", why);
    free(text);
    free(name);
}

/* ---- diagnostic commands ---- */

typedef struct JmmCommand {
    const char *name, *description, *impact, *permission_class, *permission_name, *permission_action;
    int num_arguments;
    jboolean enabled;
} JmmCommand;
typedef struct JmmArgument {
    const char *name, *description, *type, *default_string;
    jboolean mandatory, option, multiple;
    int position; /* -1 for options */
} JmmArgument;

static int offered_count(void) {
    int n = 0;
    for (int i = 0; i < diag_command_count(); i++) n += diag_is_offered(diag_command(i), DIAG_MANAGEMENT);
    return n;
}
static const char *offered_name(int k) {
    int i = 0;
    while (!diag_is_offered(diag_command(i), DIAG_MANAGEMENT) || k-- > 0) i++;
    return diag_command(i)->name;
}

jobjectArray jmm_GetDiagnosticCommands(JNIEnv *env) {
    IN_JAVA Thread *t = native_enter(env);
    return string_array(t, offered_count(), offered_name);
}

static const DiagCommand *command_of(Thread *t, Object *name) {
    char *s = string_to_cstr(name);
    const DiagCommand *d = s ? diag_find(s, DIAG_MANAGEMENT) : NULL;
    if (!s && name) throw_no_memory(t);
    else if (!d) throw_new(t, EX_IllegalArgumentException, s ? "Unknown diagnostic command" : "Command name is null");
    free(s);
    return d;
}

void jmm_GetDiagnosticCommandInfo(JNIEnv *env, jobjectArray names, void *info) {
    IN_JAVA Thread *t = native_enter(env);
    JmmCommand *out = info;
    Object *list = handle_get(names);
    for (int32_t i = 0; list && i < array_len(list); i++) {
        const DiagCommand *d = command_of(t, array_ref(handle_get(names), i));
        if (!d) break;
        static char parts[16][3][64]; /* of "class(name, action)"; few commands have one */
        static int used;
        const char *full = d->permission ? strchr(d->permission, '(') : NULL;
        out[i] = (JmmCommand){
            d->name,       d->description, d->impact, d->permission ? "java.lang.management.ManagementPermission" : NULL,
            d->permission, NULL,           d->n_args, JNI_TRUE};
        if (!full) continue;
        char(*p)[64] = parts[used++ % 16];
        if (sscanf(d->permission, "%63[^(](%63[^,], %63[^)]", p[0], p[1], p[2]) != 3) continue;
        out[i].permission_class = p[0];
        out[i].permission_name = p[1];
        out[i].permission_action = p[2];
    }
}

void jmm_GetDiagnosticCommandArgumentsInfo(JNIEnv *env, jstring command, void *info) {
    IN_JAVA Thread *t = native_enter(env);
    JmmArgument *out = info;
    const DiagCommand *d = command_of(t, handle_get(command));
    for (int i = 0, position = 0; d && i < d->n_args; i++) {
        const DiagArg *a = &d->args[i];
        out[i] = (JmmArgument){a->name,      a->description, a->type,   a->standard,
                               a->mandatory, a->option,      JNI_FALSE, a->option ? -1 : position};
        position += !a->option;
    }
}

jstring jmm_ExecuteDiagnosticCommand(JNIEnv *env, jstring line) {
    IN_JAVA Thread *t = native_enter(env);
    char *s = string_to_cstr(handle_get(line)), *text = NULL;
    size_t len = 0;
    FILE *out = s ? open_memstream(&text, &len) : NULL;
    bool ok = out && diag_execute(t, s, DIAG_MANAGEMENT, out);
    if (out) fclose(out);
    jstring r = NULL;
    if (!line) throw_new(t, EX_NullPointerException, "Command line cannot be null.");
    else if (!out) throw_no_memory(t);
    else if (ok) r = handle_local(t, string_from_platform(t, text ? text : ""));
    else throw_new(t, EX_IllegalArgumentException, "%s", text ? text : "out of memory");
    free(text);
    free(s);
    return r;
}
