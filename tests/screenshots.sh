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

# NAME PAGE WIDTH HEIGHT FROM: of a window of that size the part that begins at FROM. In a frame, since the browser draws nothing of a page
# that begins at a #PLACE.
picture() {
    echo "<!doctype html><style>body { margin: 0 } iframe { border: 0; width: $3px; height: $4px }</style><iframe src='file://$2'></iframe>" >"$out/frame.html"
    chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$out/profile" --hide-scrollbars --window-size="$3,$4" --virtual-time-budget=3000 --screenshot="$out/$1.png" "file://$out/frame.html" \
        2>"$out/log" || { cat "$out/log"; exit 1; }
    convert "$out/$1.png" -crop "$3x620+0+$5" +repage -colors 160 -strip "docs/pictures/$1.png"
    echo "docs/pictures/$1.png"
}

IMAGE=$image BUILD=$build tests/demo.sh >"$out/demo"
picture coverage "$PWD/build/demo/html/index.html" 1100 900 0
picture coverage-source "$PWD/build/demo/html/com.sun.tools.javac.jvm/Items.java.html#L413" 1240 620 0
cd "$out"
graft trace --quiet --include='com.sun.tools.javac.*' --html=calls.html --file=calls.txt -- \
    "$image/bin/javac" -nowarn -proc:none -d classes "$OLDPWD"/build/sources/lang3/org/apache/commons/lang3/tuple/*.java \
    -sourcepath "$OLDPWD/build/sources/lang3" >log 2>&1 || { cat log; exit 1; }
"$image/bin/javac" -d heap "$OLDPWD"/tests/heap/HeapPage.java "$OLDPWD"/tests/heap/HeapLeak.java
graft heap --quiet --top=6 --html=heap.html --file=heap.txt -- "$image/bin/java" -cp heap HeapPage heap.txt more >log 2>&1 || { cat log; exit 1; }
cd "$OLDPWD"
picture heap "$out/heap.html" 1100 1500 650
picture trace "$(echo "$out"/calls-*.html)" 1100 620 0
