#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What the heap gives back to the system: all that is free when somebody asks for a collection. (The reference keeps it.)
set -u
ref=$1 tested=$2 dir=$3 pid=
. "$(dirname "$0")/common.sh"

cat >"$dir/Resident.java" <<'J'
import java.nio.file.*;
public class Resident {
    static long megabytes() throws Exception {
        for (String l : Files.readAllLines(Path.of("/proc/self/status"))) if (l.startsWith("VmRSS")) return Long.parseLong(l.replaceAll("\\D", "")) / 1024;
        throw new IllegalStateException("no VmRSS");
    }
    public static void main(String[] a) throws Exception {
        byte[][] all = new byte[3000][];
        for (int i = 0; i < all.length; i++) all[i] = new byte[100000];
        long full = megabytes();
        all = null;
        System.gc();
        long after = megabytes();
        System.out.println(full > 300 && after < full / 2 ? "given back" : "kept: " + full + " MB, then " + after);
    }
}
J
"$ref/bin/javac" -d "$dir" "$dir/Resident.java" || exit 1
told=$("$tested/bin/java" -Xmx600m -cp "$dir" Resident)
[ "$told" = "given back" ] || fail "$told"
