/* SPDX-License-Identifier: Apache-2.0 */
/* swap_objects.h - the objects of some classes, from the heap. */
#ifndef SWAP_OBJECTS_H
#define SWAP_OBJECTS_H

#include "agent.h"

/* Local references to all objects of exactly these classes, by one walk of the heap; to be freed by Deallocate of JVM TI. False: the VM does not
 * tell (logged). The agent's thread alone calls it. */
bool swap_objects(const Agent *a, JNIEnv *env, const jclass *classes, uint32_t n, jobject **objects, jint *count);

#endif
