#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One instruction of each form of the assembler, as the system's disassembler reads it.
set -u
. tests/jit/common.sh
"$BUILD/tests/unit/test_jit_asm" forms "$3/code" "$3/text" || { echo "no forms"; exit 1; }
case $(uname -m) in
x86_64) read_forms objdump "-m i386:x86-64 -M intel" "$3" ;;
aarch64) read_forms objdump "-m aarch64" "$3" ;;
*) echo "no assembler for $(uname -m)"; exit 77 ;;
esac
