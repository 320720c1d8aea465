/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of the VM, and what it calls itself.  vm_args.c */
#ifndef GRAFT_OPTIONS_VM_ARGS_H
#define GRAFT_OPTIONS_VM_ARGS_H

#include <jni.h>

/* Parse JavaVMInitArgs plus environment; JNI_OK or a JNI error after a message on stderr. */
jint vm_args_parse(const JavaVMInitArgs *args);

#define GRAFT_VM_NAME "Graft VM"

#endif
