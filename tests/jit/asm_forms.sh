#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One instruction of each form of the assembler, as the system's disassembler reads it.
set -u
cd "$3"
[ "$(uname -m)" = x86_64 ] || { echo "not an x86-64"; exit 77; }
"$BUILD/tests/unit/test_jit_asm" forms code text || { echo "no forms"; exit 1; }
objdump -D -b binary -m i386:x86-64 -M intel code |
    awk -F'\t' 'NF > 2 { sub(/ *#.*/, "", $3); gsub(/ +/, " ", $3); sub(/ $/, "", $3); print $3 }' >read
[ -s text ] && diff text read
