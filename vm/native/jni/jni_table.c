/* SPDX-License-Identifier: Apache-2.0 */
/* The JNI function table, expanded from jni.def; slot numbers are checked against jni.h. */
#include "native/jni/jni_int.h"

const struct JNINativeInterface_ jni_table = {
#define JNI(slot, name) .name = jni_##name,
#include "native/jni/jni.def"
};
const struct JNINativeInterface_ *jni_current_table = &jni_table;

#define JNI(slot, name) \
    _Static_assert(offsetof(struct JNINativeInterface_, name) == (slot) * sizeof(void *), "jni.def: slot of " #name);
#include "native/jni/jni.def"
