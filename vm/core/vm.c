/* SPDX-License-Identifier: Apache-2.0 */
#include "core/vm.h"
#include "core/hooks.h"
#include "core/options.h"

VM vm;
VmHooks vm_hooks;
_Atomic u8 vm_hooks_enabled;

VmOptions vm_options = {
#define OPT_BOOL(id, flag, def, help) .id = def,
#define OPT_SIZE(id, flag, def, help) .id = def,
#define OPT_STR(id, flag, def, help) .id = def,
#include "core/options.def"
#undef OPT_BOOL
#undef OPT_SIZE
#undef OPT_STR
};
