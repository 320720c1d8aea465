#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make screenshots: the pictures of reports that README.md shows, into docs/pictures, made anew. Look at them before they are committed.
# Needs chromium and ImageMagick; BUILD and IMAGE as for the tests.
set -eu
cd "$(dirname "$0")/.."
build=$(realpath "${BUILD:-build/release}") image=$(realpath "${IMAGE:-build/image}") out=$(mktemp -d)
export PATH=$build/bin:$PATH JAVA_HOME=$image
trap 'rm -rf "$out"' EXIT
mkdir -p docs/pictures
for needed in chromium convert; do
    command -v $needed >/dev/null && { [ $needed = chromium ] || convert -version 2>/dev/null | grep -q ImageMagick; } || { echo "please run: apt-get install -y --no-install-recommends chromium imagemagick fonts-dejavu-core"; exit 1; }
done

# NAME PAGE HEIGHT FROM: of a window so high the part that begins at FROM
picture() {
    chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$out/profile" --hide-scrollbars --window-size="1100,$3" --screenshot="$out/$1.png" "file://$2" 2>"$out/log" || { cat "$out/log"; exit 1; }
    convert "$out/$1.png" -crop "1100x620+0+$4" +repage -colors 160 -strip "docs/pictures/$1.png"
    echo "docs/pictures/$1.png"
}

IMAGE=$image BUILD=$build tests/demo.sh >"$out/demo"
picture coverage "$PWD/build/demo/html/index.html" 900 0
picture coverage-source "$PWD/build/demo/html/com.sun.tools.javac.jvm/Items.java.html" 9800 8480
cd "$out"
graft trace --quiet --include='com.sun.tools.javac.*' --html=calls.html --file=calls.txt -- \
    "$image/bin/javac" -nowarn -proc:none -d classes "$OLDPWD"/build/sources/lang3/org/apache/commons/lang3/tuple/*.java \
    -sourcepath "$OLDPWD/build/sources/lang3" >log 2>&1 || { cat log; exit 1; }
"$image/bin/javac" -d heap "$OLDPWD"/tests/heap/HeapPage.java "$OLDPWD"/tests/heap/HeapLeak.java
graft heap --quiet --top=6 --html=heap.html --file=heap.txt -- "$image/bin/java" -cp heap HeapPage heap.txt more >log 2>&1 || { cat log; exit 1; }
cd "$OLDPWD"
picture heap "$out/heap.html" 1500 650
picture trace "$(echo "$out"/calls-*.html)" 620 0
