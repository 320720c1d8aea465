#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Classes that rely on a superclass are loaded while it goes away. On our VM alone: the reference keeps superclasses.
. "$(dirname "$0")/common.sh"
race redefine.Reliant 200 5000 10
