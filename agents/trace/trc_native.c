/* SPDX-License-Identifier: Apache-2.0 */
/* trc_native.c - which natives are wrapped; design in trc_native.h. `lock` guards the names. */
#include "trc_native.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "method_text.h"
#include "names.h"

static const Agent *agent;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static AgentNames wrapped, late;
static TrcNatives which;
static bool possible, on_graft;

void trc_native_begin(const Agent *a) {
    jvmtiCapabilities caps = {.can_set_native_method_prefix = 1};
    agent = a;
    on_graft = agent_is_graft(a);
    possible = !(*a->ti)->AddCapabilities(a->ti, &caps) && !(*a->ti)->SetNativeMethodPrefix(a->ti, TRC_PREFIX);
    if (!possible) agent_log(a, AGENT_INFO, "this VM cannot rename native methods: they are not traced");
}

void trc_native_choose(TrcNatives chosen) { which = chosen; }

/* ---- what was wrapped -------------------------------------------------------------------------------- */

static bool know(AgentNames *names, const char *text, bool add) {
    pthread_mutex_lock(&lock);
    bool known = agent_names_have(names, text);
    if (add && !known) known = agent_name(names, text) != UINT32_MAX;
    pthread_mutex_unlock(&lock);
    return known;
}

/* A loader is told by the hash of its identity. */
static void describe(const TrcOccasion *o, const char *class_name, const char *name, const char *desc, char *buf, size_t n) {
    snprintf(buf, n, "%x %s.%s%s", (unsigned)o->loader, class_name, name, desc);
}

bool trc_native_holds(const TrcOccasion *o, const char *class_name) {
    char text[2048];
    describe(o, class_name, "", "", text, sizeof text);
    return o->redefined && know(&wrapped, text, false);
}

static void note_late(const char *class_name, const char *name, const char *desc) {
    char *text = agent_method_text(class_name, name, desc);
    if (text && !know(&late, text, false) && know(&late, text, true))
        agent_log(agent, AGENT_DEBUG, "%s is not traced: its class was loaded before", text);
    free(text);
}

uint32_t trc_native_late(void) {
    pthread_mutex_lock(&lock);
    uint32_t n = late.texts.len;
    pthread_mutex_unlock(&lock);
    return n;
}

/* ---- which ones ------------------------------------------------------------------------------------ */

static bool left_alone(const char *class_name, const char *name) {
    return agent_native_left_alone(class_name, name) || !strncmp(name, AGENT_NATIVE_PREFIX, strlen(AGENT_NATIVE_PREFIX)) ||
           (!strcmp(class_name, "java/lang/Thread") && !strcmp(name, "currentThread"));
}

/* Do the VM's compilers put code of their own in its place? HotSpot warns of an intrinsic under another name. */
static bool is_replaced(const CfClass *c, const CfMember *m) {
    if (which == TRC_NATIVES_ALL && on_graft) return false;
    return trc_annotated(c, &m->attrs, "jdk.internal.*.IntrinsicCandidate:*.HotSpotIntrinsicCandidate") ||
           (which != TRC_NATIVES_ALL && agent_registers_natives(c));
}

bool trc_native_wrap(const TrcOccasion *o, const CfClass *c, const char *class_name, const char *name, const CfMember *m,
                     bool wanted) {
    char text[2048], desc[1024];
    CfStr d = cf_utf8(c, m->desc);
    if (!possible || d.len >= sizeof desc) return false;
    snprintf(desc, sizeof desc, "%.*s", (int)d.len, (const char *)d.p);
    describe(o, class_name, name, desc, text, sizeof text);
    if (o->redefined && know(&wrapped, text, false)) return true;
    if (!wanted || which == TRC_NATIVES_OFF || left_alone(class_name, name) || (o->boot && is_replaced(c, m))) return false;
    if (o->redefined) return note_late(class_name, name, desc), false;
    if (!know(&wrapped, text, true)) return false;
    describe(o, class_name, "", "", text, sizeof text);
    return know(&wrapped, text, true);
}
