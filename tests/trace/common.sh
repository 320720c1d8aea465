# SPDX-License-Identifier: Apache-2.0
#
# newer_jdks N: the homes of JDKs of version N or later on this machine, with a java that runs.
newer_jdks() {
    local home version
    for home in /usr/lib/jvm/*/; do
        home=${home%/}
        [ ! -L "$home" ] && [ -f "$home/release" ] && [ -x "$home/bin/java" ] || continue
        version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")
        [ "${version:-0}" -ge "$1" ] && "$home/bin/java" -version >/dev/null 2>&1 && echo "$home"
    done
}
