/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the test agents agent_*.c: a log that is the same on every VM that does the same.
 * Everything goes to standard output and is flushed line by line, so that it interleaves with what
 * the program prints.
 */
#ifndef TEST_AGENT_TEST_H
#define TEST_AGENT_TEST_H

#include <jvmti.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 1, 2), unused)) static void say(const char *format, ...) {
    va_list args;
    char line[4096]; /* one write per line: threads do not mix */
    va_start(args, format);
    int n = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    if (n > (int)sizeof line - 2) n = (int)sizeof line - 2;
    line[n++] = '\n';
    fwrite(line, 1, (size_t)n, stdout);
    fflush(stdout);
}

/* Works in every phase, GetErrorName does not. */
__attribute__((unused)) static const char *error_name(jvmtiError e) {
    switch (e) {
#define ERROR(name) \
    case JVMTI_ERROR_##name: \
        return #name;
#include "../../jvmti/errors.def"
#undef ERROR
    default: return "unknown error";
    }
}

#define MUST(call) must((call), #call)
__attribute__((unused)) static bool must(jvmtiError e, const char *what) {
    if (e) say("! %.60s: %s", what, error_name(e));
    return e == JVMTI_ERROR_NONE;
}

__attribute__((unused)) static jvmtiEnv *new_env(JavaVM *vm) {
    jvmtiEnv *ti = NULL;
    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK) say("! no environment");
    return ti;
}

__attribute__((unused)) static const char *phase_name(jvmtiEnv *ti) {
    jvmtiPhase p = 0;
    jvmtiError e = (*ti)->GetPhase(ti, &p);
    if (e) return error_name(e);
    switch (p) {
    case JVMTI_PHASE_ONLOAD: return "onload";
    case JVMTI_PHASE_PRIMORDIAL: return "primordial";
    case JVMTI_PHASE_START: return "start";
    case JVMTI_PHASE_LIVE: return "live";
    case JVMTI_PHASE_DEAD: return "dead";
    default: return "?";
    }
}

__attribute__((unused)) static void enable(jvmtiEnv *ti, jvmtiEvent event) {
    jvmtiError e = (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, event, NULL);
    if (e) say("! enable %d: %s", event, error_name(e));
}

/* Options of a test agent are words separated by commas. */
__attribute__((unused)) static bool has_word(const char *options, const char *word) {
    size_t n = strlen(word);
    for (const char *p = options; p && *p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
        if (strncmp(p, word, n) == 0 && (p[n] == 0 || p[n] == ',')) return true;
    return false;
}

/* The capabilities that our VM has; comparing more would compare what is documented as missing. */
__attribute__((unused)) static jvmtiCapabilities our_capabilities(void) {
    return (jvmtiCapabilities){
#define CAP(bit, name) .name = 1,
#include "../../jvmti/capabilities.def"
#undef CAP
    };
}

#endif
