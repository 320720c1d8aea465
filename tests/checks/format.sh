#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The C sources are as clang-format 14 writes them by .clang-format ("make format"). Other versions differ in details.
set -u
cd "$(dirname "$0")/../.."
format=$(command -v clang-format-14) || { echo "clang-format-14 is not installed"; exit 77; }
git ls-files -co --exclude-standard '*.c' '*.h' | xargs -P2 -n50 "$format" --dry-run -Werror 2>&1 | grep -m10 'error:' && exit 1
exit 0
