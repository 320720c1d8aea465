#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The agent's report is the same on both VMs.
main=HelloLines
. "$(dirname "$0")/../same_report.sh"
