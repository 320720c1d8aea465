#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The layer law holds, and the picture of it in docs/architecture.md is the one that the code gives.
set -u
tests/layers.sh || exit 1
shown=$(awk '/^<!-- layers: end/ { on = 0 } on && !/^```/; /^<!-- layers: begin/ { on = 1 }' docs/architecture.md)
diff <(echo "$shown") <(tests/layers.sh --picture) || { echo "docs/architecture.md: renew the picture by tests/layers.sh --write"; exit 1; }
