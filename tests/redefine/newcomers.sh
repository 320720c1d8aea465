#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 120
#
# Subclasses are defined while their superclass gets another one. On our VM alone: the reference keeps superclasses.
. "$(dirname "$0")/common.sh"
race redefine.Newcomers 400 10000 20
