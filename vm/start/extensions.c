/* SPDX-License-Identifier: Apache-2.0 */
/* What is linked beside the VM.  A build without jvmti/ links the weak null. */
#include "core/hooks.h"

extern const VmExtension jvmti_extension __attribute__((weak));

const VmExtension *vm_extensions[] = {&jvmti_extension, NULL};
