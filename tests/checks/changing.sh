#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The counts of docs/changing.md are those of the code, and every page names files that there are.
set -u
bad=0
table=$(tests/changing.sh) || bad=1
shown=$(awk '/^<!-- counts: end/ { on = 0 } on; /^<!-- counts: begin/ { on = 1 }' docs/changing.md)
diff <(echo "$shown") <(echo "$table") || { echo "docs/changing.md: renew the counts by tests/changing.sh --write"; bad=1; }
# Paths and tests in backquotes; capitals stand for a name that is yours.
for path in $(grep -oE '`(vm|jvmti|classfile|bci-lib|agents|tests|docs|samples)/[A-Za-z0-9_./-]+`' $(git ls-files -co --exclude-standard '*.md') |
    sed 's/.*:`//; s/`//g' | grep -vE 'NAME|AREA|CPU|name' | sort -u); do
    compgen -G "$path*" >/dev/null || compgen -G "tests/$path*" >/dev/null || { echo "no $path"; bad=1; }
done
exit $bad
