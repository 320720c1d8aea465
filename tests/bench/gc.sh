#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gc.sh [KERNEL]...: collections of Graft against those of HotSpot's serial and parallel collectors, all of
# them interpreting, with the same -Xmx. Alternating runs, medians. Three ratios per kernel (below 1: Graft is
# better): total pause time to the serial collector's, longest pause to the parallel one's, peak resident
# memory to the serial one's. Pauses are those that the VMs themselves report with -Xlog:gc.
# Environment: BUILD IMAGE JDK RUNS (5) SCALE (1) TEST_OPTIONS.
set -eu
cd "$(dirname "$0")/../.."
jdk=$(realpath "${JDK:-/usr/lib/jvm/java-17-openjdk-amd64}") image=$(realpath "${IMAGE:-build/image}")
out=$(realpath -m "${BUILD:-build/release}")/bench-gc
rm -rf "$out"; mkdir -p "$out"
"$jdk/bin/javac" -nowarn -d "$out" tests/bench/gc/GcKernels.java
exec python3 - "$jdk" "$image" "$out" "$@" <<'PY'
import math, os, re, resource, statistics, subprocess, sys
jdk, image, out = sys.argv[1:4]
heap = {"trees": 128, "maps": 128, "queues": 128, "arrays": 256, "strings": 128, "weak": 128, "live": 384,
        "mutation": 128, "threads": 128}
kernels = sys.argv[4:] or list(heap)
runs, scale = int(os.environ.get("RUNS", 5)), os.environ.get("SCALE", "1")
vms = {"serial": [jdk + "/bin/java", "-Xint", "-XX:+UseSerialGC"],
       "parallel": [jdk + "/bin/java", "-Xint", "-XX:+UseParallelGC"],
       "graft": [image + "/bin/java"] + os.environ.get("TEST_OPTIONS", "").split()}
pause = re.compile(r"GC\(\d+\) Pause .* ([\d.]+)ms")


def run(vm, kernel):
    log = f"{out}/{kernel}-{vm}.log"
    cmd = vms[vm] + [f"-Xmx{heap[kernel]}m", f"-Xlog:gc:file={log}", "-cp", out, "GcKernels", kernel, scale]
    p = subprocess.Popen(cmd, stdout=subprocess.PIPE)
    text = p.stdout.read()
    _, status, usage = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode:
        sys.exit(f"{kernel} failed on {vm}: exit code {p.returncode}")
    times = [float(x) for x in pause.findall(open(log).read())] or [0.0]
    return text, (sum(times), max(times), usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime, len(times))


print("%-10s %26s %26s %26s %16s" % ("", "pauses, all (ms)", "longest pause (ms)", "peak RSS (MB)", "CPU (s)"))
print("%-10s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s %7s" %
      ("", "serial", "graft", "ratio", "parallel", "graft", "ratio", "serial", "graft", "ratio", "serial", "graft"))
ratios = []
for kernel in kernels:
    seen, want = {vm: [] for vm in vms}, None
    for _ in range(runs):
        for vm in vms:
            text, figures = run(vm, kernel)
            want = want or text
            if text != want:
                sys.exit(f"{kernel}: {vm} computes {text}, not {want}")
            seen[vm].append(figures)
    m = {vm: [statistics.median(f[i] for f in seen[vm]) for i in range(5)] for vm in vms}
    g, s, p = m["graft"], m["serial"], m["parallel"]
    r = (g[0] / max(s[0], 1e-3), g[1] / max(p[1], 1e-3), g[2] / s[2])
    ratios.append(r)
    print("%-10s %8.1f %8.1f %8.2f %8.1f %8.1f %8.2f %8.1f %8.1f %8.2f %8.1f %7.1f   (%d, %d and %d pauses)" %
          (kernel, s[0], g[0], r[0], p[1], g[1], r[1], s[2], g[2], r[2], s[3], g[3], s[4], p[4], g[4]), flush=True)
mean = [math.exp(sum(math.log(max(r[i], 1e-3)) for r in ratios) / len(ratios)) for i in range(3)]
print("%-10s %17s %8.2f %17s %8.2f %17s %8.2f" % ("geom. mean", "", mean[0], "", mean[1], "", mean[2]))
PY
