#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packages: pkg-config gcc
before=installed
. "$(dirname "$0")/common.sh"
