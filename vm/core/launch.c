/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of launch.h. */
#include "core/launch.h"
#include "core/vm.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Property *properties;
AgentSpec *agents;
AssertRule *assert_rules;
bool assert_system;
char **vm_arguments;
int n_vm_arguments;
char *java_command;

Property *property_find(const char *key) {
    for (Property *p = properties; p; p = p->next)
        if (strcmp(p->key, key) == 0) return p;
    return NULL;
}
const char *property_get(const char *key) {
    Property *p = property_find(key);
    return p ? p->value : NULL;
}
bool property_try_set(const char *key, const char *value) {
    Property *p = property_find(key), **tail = &properties;
    char *text = strdup(value), *name;
    if (!text) return false;
    if (p) {
        free(p->value);
        p->value = text;
        return true;
    }
    if (!(name = strdup(key)) || !(p = calloc(1, sizeof *p))) return free(name), free(text), false;
    *p = (Property){.key = name, .value = text};
    p->internal = strncmp(key, "jdk.module.", 11) == 0 || strncmp(key, "jdk.boot.", 9) == 0;
    while (*tail) tail = &(*tail)->next;
    *tail = p;
    return true;
}
void property_set(const char *key, const char *value) {
    if (!property_try_set(key, value)) vm_start_needs(NULL);
}
void property_append_numbered(const char *prefix, const char *value) {
    char key[256];
    int n = 0;
    do snprintf(key, sizeof key, "%s.%d", prefix, n++);
    while (property_find(key));
    property_set(key, value);
}

bool argument_of_launcher(const char *a) {
    static const char *const added[] = {"-Djava.class.path=", "-Dsun.java.command=", "-Dsun.java.launcher="};
    for (size_t i = 0; i < ARRAY_LEN(added); i++)
        if (strncmp(a, added[i], strlen(added[i])) == 0) return true;
    return false;
}

char *arguments_text(bool (*wanted)(const char *argument)) {
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    for (int i = 0; out && i < n_vm_arguments; i++)
        if (!argument_of_launcher(vm_arguments[i]) && (!wanted || wanted(vm_arguments[i])))
            fprintf(out, "%s%s", ftell(out) ? " " : "", vm_arguments[i]);
    if (out) fclose(out);
    return text;
}

void agent_add(const char *library, const char *options, bool is_path, bool is_xrun) {
    AgentSpec **tail = &agents;
    while (*tail) tail = &(*tail)->next;
    AgentSpec *a = *tail = vm_start_needs(calloc(1, sizeof *a));
    a->library = vm_start_needs(strdup(library));
    a->options = options ? vm_start_needs(strdup(options)) : NULL;
    a->is_path = is_path;
    a->is_xrun = is_xrun;
}

/* The longest matching package prefix "a.b..." covers a.b and below; "..." alone is the
 * unnamed package. */
static size_t package_match(const char *cls, const char *pkg) {
    size_t n = strlen(pkg);
    if (n == 0) return strchr(cls, '.') ? 0 : 1;
    return strncmp(cls, pkg, n) == 0 && (cls[n] == '.') ? n + 1 : 0;
}
bool assert_status(const char *cls, bool system_class) {
    bool result = system_class && assert_system, has_class_rule = false;
    size_t best = 0;
    for (AssertRule *r = assert_rules; r; r = r->next) {
        if (!r->name) {
            if (!system_class && !best && !has_class_rule) result = r->enable;
        } else if (!r->is_package) {
            if (strcmp(r->name, cls) == 0) result = r->enable, has_class_rule = true;
        } else if (!has_class_rule) {
            size_t n = package_match(cls, r->name);
            if (n && n >= best) result = r->enable, best = n;
        }
    }
    return result;
}
