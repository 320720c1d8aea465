#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The heap lies where no half of an address of the VM's code is a compressed reference: such words stand on every C stack, and
# what they name would never be garbage. Addresses are random, so the question is asked until chance would have failed.
set -u
ref=$1 tested=$2 dir=$3
cd "$dir" || exit 1
cat >Place.java <<'J'
import java.nio.file.*;
public class Place {
    public static void main(String[] a) throws Exception {
        long heapFrom = Long.MAX_VALUE, heapTo = 0, codeFrom = 0, codeTo = 0;
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            String[] w = line.split("[- ]+");
            if (w[0].length() > 12) continue;
            long from = Long.parseLong(w[0], 16), to = Long.parseLong(w[1], 16);
            if (from >= 4L << 30 && to <= 32L << 30) {
                heapFrom = Math.min(heapFrom, from);
                heapTo = Math.max(heapTo, to);
            }
            if (line.endsWith("/libjvm.so") && line.contains(" r-xp ")) {
                codeFrom = from;
                codeTo = to;
            }
        }
        if (codeTo == 0 || heapTo == 0) throw new Error("no code or no heap in the map");
        long length = (heapTo - heapFrom) >> 3, first = heapFrom >> 3, code = codeTo - codeFrom, mask = 0xffffffffL;
        boolean meet = ((codeFrom - first) & mask) < length || ((first - codeFrom) & mask) < code;
        System.out.println(meet ? "meet " + Long.toHexString(heapFrom) + " " + Long.toHexString(codeFrom) : "apart");
    }
}
J
"$ref/bin/javac" Place.java || exit 1
for max in 24m 1g 8g; do
    for ((i = 0; i < 12; i++)); do
        out=$("$tested/bin/java" ${MODE_OPTIONS-} -Xmx$max -cp . Place)
        [ "$out" = apart ] || { echo "-Xmx$max: $out"; exit 1; }
    done
done
