#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
# modes: default
#
# Full disks, a /tmp that is full, read-only or cannot be written: the VM's files as on the reference, agents and tools say what
# could not be written, coverage keeps what it had. On small file systems of our own (needs the right to mount them).
. "$(dirname "$0")/common.sh"
own_tmp
"$jdk/bin/javac" -g -nowarn -d classes "$here"/{Hello,Full,Family,Doors}.java || exit 1
unshare -m bash "$here/disk_inside" "$jdk" "$tested" "$scratch" "$BUILD"
