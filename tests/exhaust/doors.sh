#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 200
# modes: default
#
# The attach socket and the performance data under hostile requests, other users, and links, files and folders of other users in
# their place: as the reference answers. In a /tmp of our own (needs the right to mount it).
. "$(dirname "$0")/common.sh"
own_tmp
"$jdk/bin/javac" -nowarn -d classes "$here"/{Hello,Doors}.java || exit 1
unshare -m bash "$here/doors_inside" "$jdk" "$tested" "$scratch"
