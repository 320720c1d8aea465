#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packages: pkg-config gcc libasm-java
needs="/usr/share/java/asm-commons.jar"
before=installed
. "$(dirname "$0")/common.sh"
