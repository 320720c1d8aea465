#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# deb.sh TREE OUT: Debian packages in OUT, made of what `make install PREFIX=/usr LIBDIR=lib/TRIPLET` put into TREE.
#
# `make deb` calls it with VERSION, ABI (of the library, as in its soname), LIBDIR and MAINTAINER. What goes where says `control`; versions of
# libraries that are needed, dpkg-shlibdeps. No JDK is inside: `graft run` makes its image, of links, from the one that the machine has.
set -eu
here=$(cd "$(dirname "$0")" && pwd) tree=$(realpath "$1") out=$(realpath "$2")
arch=$(dpkg --print-architecture) work=$tree.packages
rm -rf "$work"; mkdir -p "$work"

# Debian's changelog, out of docs/CHANGELOG.md: "## VERSION (DATE)", then points.
changelog() {
    awk -v maintainer="$MAINTAINER" -v package="$1" '
    function put(    n, k, word, line) {
        n = split(text, word, " "); line = "  *"
        for (k = 1; k <= n; k++) { if (length(line) + length(word[k]) > 74) { print line; line = "   " } line = line " " word[k] }
        if (n) print line
        text = ""
    }
    function finish() { put(); if (date) { cmd = "date -R -u -d " date; cmd | getline when; close(cmd); print "\n -- " maintainer "  " when "\n" } }
    /^## / { finish(); date = substr($3, 2, length($3) - 2); print package " (" $2 ") unstable; urgency=medium\n"; next }
    !date { next }
    /^- / { put(); text = substr($0, 3); next }
    /^$/ { put(); next }
    { text = text " " $0 }
    END { finish() }' "$here/../CHANGELOG.md" | gzip -9n
}

# The control file's fields of a package; the pattern of its files is no field.
field() { awk -v package="$1" -v name="$2" '/^Package: / { on = $2 == package } on && index($0, name ": ") == 1 { print substr($0, length(name) + 3) }' "$work/control"; }
stanza() { awk -v package="$1" '/^Package: / { on = $2 == package } /^$/ { on = 0 } on && !/^Files: /' "$work/control"; }

# Lines of the description are filled to 75 columns, as Debian wants them.
sed "/^#/d; s|@VERSION@|$VERSION|g; s|@ABI@|$ABI|g; s|@LIBDIR@|$LIBDIR|g" "$here/control" | awk '
    function put(    n, k, word, line) {
        n = split(text, word, " "); line = ""
        for (k = 1; k <= n; k++) { if (length(line) + length(word[k]) > 74) { print line; line = "" } line = line " " word[k] }
        if (n) print line
        text = ""
    }
    /^ \.$/ { put(); print; next }
    /^ / { text = text $0; next }
    { put(); print }
    END { put() }' >"$work/control"

# What strip takes away, for debuggers: gdb finds it by the build id. Without it gdb does not see compiled Java code.
keep_debug() {
    local file id
    for file in $(find "$1" -type f \( -name '*.so*' -o -path '*/bin/*' \)); do
        id=$(readelf -n "$file" | sed -n 's/.*Build ID: //p')
        mkdir -p "$2/usr/lib/debug/.build-id/${id:0:2}"
        objcopy --only-keep-debug --compress-debug-sections "$file" "$2/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
    done
}

strip_all() {
    find "$1" -type f \( -name '*.so*' -o -path '*/bin/*' \) -exec strip --strip-unneeded --remove-section=.comment {} +
    find "$1" -type f -name '*.a' -exec strip --strip-debug --remove-section=.comment --enable-deterministic-archives {} +
}

# The libraries that a package's programs need; dpkg-shlibdeps wants to stand beside a source package's control file.
needs() {
    mkdir -p "$work/needs/debian"
    printf 'Source: graft\n\nPackage: %s\nArchitecture: any\n' "$1" >"$work/needs/debian/control"
    find "$work/$1" -type f \( -name '*.so*' -o -path '*/bin/*' -o -name 'graft-image' \) -exec sh -c \
        'for f; do head -c 4 "$f" | grep -q ELF && printf "%s\n" "-e$f"; done' . {} + >"$work/needs/files"
    [ -s "$work/needs/files" ] || return 0
    (cd "$work/needs" && xargs dpkg-shlibdeps -O --ignore-missing-info <files 2>"$work/needs/log" || { cat "$work/needs/log" >&2; exit 1; }) |
        sed -n 's/^shlibs:Depends=//p'
}

control() {
    {
        stanza "$1" | sed "s|@SHLIBS@|$2|"
        printf '%s\n' "Source: graft" "Version: $VERSION" "Architecture: $arch" "Maintainer: $MAINTAINER" "Priority: optional" \
            "Installed-Size: $(du -k -s --apparent-size "$work/$1" | cut -f1)"
    } | awk '/^Description: / || /^ / { text = text $0 "\n"; next } { print } END { printf "%s", text }'
}

package() {
    local name=$1 root=$work/$1 doc=$work/$1/usr/share/doc/$1 pattern file
    for pattern in $(field "$name" Files); do
        for file in "$tree"/usr/$pattern; do
            mkdir -p "$root/$(dirname "${file#"$tree"}")"
            mv "$file" "$root${file#"$tree"}"
        done
    done
    [ "$name" != graft ] || keep_debug "$root" "$work/graft-dbgsym"
    strip_all "$root"
    rm -f "$doc/LICENSE"; mkdir -p "$doc"
    cp "$here/copyright" "$doc/copyright"
    [ "$name" != graft-agents ] || { printf '\nzlib is inside of the agents and graft-coverage:\n\n'; cat /usr/share/doc/zlib1g-dev/copyright; } >>"$doc/copyright"
    changelog graft >"$doc/changelog.gz"
    find "$root/usr/share/man" -type f -exec gzip -9n {} + 2>/dev/null || :
    while read -r of tag; do
        case $of in "$name") mkdir -p "$root/usr/share/lintian/overrides"; echo "$name: $tag" >>"$root/usr/share/lintian/overrides/$name" ;; esac
    done < <(grep -v '^#' "$here/lintian-overrides" | grep .)
    finish "$name"
}

# The files of a package are in place: owners, modes, sums, control file.
finish() {
    local name=$1 root=$work/$1
    chmod -R u=rwX,go=rX "$root"
    find "$root" -type f \( -name '*.so*' -o -name '*.debug' \) -exec chmod 644 {} +
    mkdir -p "$root/DEBIAN"
    (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
    control "$name" "$(needs "$name")" >"$root/DEBIAN/control"
    if [ "$name" = "libbci$ABI" ]; then
        echo "libbci $ABI $name (>= $VERSION)" >"$root/DEBIAN/shlibs"
        echo 'activate-noawait ldconfig' >"$root/DEBIAN/triggers"
    fi
    dpkg-deb --root-owner-group -Zxz --build "$root" "$out/${name}_${VERSION}_$arch.deb" >/dev/null
    echo "$out/${name}_${VERSION}_$arch.deb"
}

# All packages, and graft-dbgsym, whose doc is that of graft.
names=$(sed -n 's/^Package: //p' "$work/control")
for name in $names; do package "$name"; done
mkdir -p "$work/graft-dbgsym/usr/share/doc"; ln -s graft "$work/graft-dbgsym/usr/share/doc/graft-dbgsym"
cat >>"$work/control" <<END

Package: graft-dbgsym
Section: debug
Depends: graft (= $VERSION)
Auto-Built-Package: debug-symbols
Description: debug symbols for graft
END
finish graft-dbgsym
left=$(find "$tree" ! -type d)
[ -z "$left" ] || { echo "in no package: $left"; exit 1; }
rm -rf "$work" "$tree"
