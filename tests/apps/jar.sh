#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 180
#
# jar: create, list, update, describe, extract; archives byte-identical.
. "$(dirname "$0")/common.sh"
mkdir -p "$work/in"
cp -r "$here" "$work/in/scripts"
head -c 300000 "$ref/lib/classlist" >"$work/in/big.txt"
find "$work/in" -exec touch -d 2020-01-02T03:04:05Z {} +
run() {
    local jar="$1/bin/jar $J"
    $jar --create --file a.jar --date=2021-05-06T07:08:09Z --main-class=x.Y -C "$work/in" . &&
        $jar cf0M plain.zip -C "$work/in" big.txt && $jar tvf a.jar && $jar tf plain.zip &&
        $jar --update --file a.jar --date=2021-05-06T07:08:09Z -C "$work/in" scripts &&
        mkdir out && (cd out && $jar xf ../a.jar) && $jar xvf plain.zip
    $jar tf missing.jar
    $jar --nonsense
    find . -exec touch -d 2020-01-02T03:04:05Z {} +
    ls -R . >>listing
    return 0
}
compare run
