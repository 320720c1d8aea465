#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 1200
#
# The assembler for AArch64, on another machine: its forms as the cross disassembler reads them, and, where a cross compiler and qemu
# are (packages gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, qemu-user), every operation run against the model of test_jit_asm.
set -u
[ "$(uname -m)" != aarch64 ] || { echo "an AArch64: unit/test_jit_asm and jit/asm_forms do it"; exit 77; }
scratch=$3 bad=0 rounds=${FULL:+4000}
rounds=${rounds:-800}
. tests/jit/common.sh
flags="-std=gnu11 -D_GNU_SOURCE -O1 -DGRAFT_DEBUG=1 -Wall -Wextra -Wno-unused-parameter -fwrapv -ffp-contract=off -Ivm -Iclassfile -Iclassfile/base"
flags+=" -Itests/unit"
sources="tests/unit/test_jit_asm.c vm/jit/asm/*.c"

nm "$BUILD/obj/vm/jit/asm/asm_a64.o" | grep ' asm_' && { echo "the VM of this machine has it inside"; bad=1; }
# shellcheck disable=SC2086
"${CC:-gcc}" $flags -DASM_TARGET_A64 $sources -lm -o "$scratch/forms" || exit 1
"$scratch/forms" forms "$scratch/code" "$scratch/text" || { echo "no forms"; exit 1; }

objdump=aarch64-linux-gnu-objdump
command -v $objdump >/dev/null || { echo "no $objdump (package binutils-aarch64-linux-gnu)"; exit 77; }
read_forms $objdump "-m aarch64" "$scratch" || bad=1

gcc=aarch64-linux-gnu-gcc qemu=$(command -v qemu-aarch64 || command -v qemu-aarch64-static)
if [ -n "$qemu" ] && echo 'int main(void) { return 0; }' | $gcc -static -xc - -o "$scratch/empty" 2>/dev/null; then
    # shellcheck disable=SC2086
    $gcc -static $flags $sources -lm -o "$scratch/model" && "$qemu" "$scratch/model" $rounds || bad=1
else
    echo "forms only: no $gcc with a C library, or no qemu-aarch64"
fi
exit $bad
