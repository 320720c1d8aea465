#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The layer law holds, and the picture of it in docs/architecture.md is the one that the code gives.
set -u
tests/layers.sh || exit 1
shown=$(awk '/^<!-- layers: end/ { on = 0 } on && !/^```/; /^<!-- layers: begin/ { on = 1 }' docs/architecture.md)
diff <(echo "$shown") <(tests/layers.sh --picture) || { echo "docs/architecture.md: renew the picture by tests/layers.sh --write"; exit 1; }
# Each room of the VM tells what lives there, in 30 lines at most.
bad=0
for folder in $(tests/layers.sh --picture | awk '$2 ~ /^vm\// && $2 != "vm/jit/asm" { print $2 }'); do
    page=$folder/README.md
    [ -e "$page" ] || { echo "no $page"; bad=1; continue; }
    [ "$(wc -l <"$page")" -le 30 ] || { echo "$page: more than 30 lines"; bad=1; }
    for part in 'Lives here' Never 'Know first' 'In and out' Read; do
        grep -qF -- "- **$part**" "$page" || { echo "$page: no $part"; bad=1; }
    done
    for name in $(grep -oE '`[A-Za-z0-9_./-]+\.(c|h|def|md|sh)`' "$page" | tr -d '`'); do # a file here, or named from a folder above
        compgen -G "$folder/$name" >/dev/null || compgen -G "vm/$name" >/dev/null || compgen -G "$name" >/dev/null || { echo "$page: no $name"; bad=1; }
    done
done
exit $bad
